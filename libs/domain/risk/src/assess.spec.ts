import { describe, expect, it } from '@jest/globals';
import { assess, releaseAfterMinutes } from './assess.js';
import { expressionNames } from './expressions.js';
import { factsOf } from './facts.js';
import { counted, facts, MERCHANT, NOON_MS, placed, question, rule } from './risk-fixture.js';
import { countsByName } from './windows.js';

const NONE = counted({ count: 0, minor: 0n });
/** Whether a rule holds for a payment with these parameters, with so many before it. */
function holds(
  when: object,
  parameters: Parameters<typeof facts>[0] = {},
  changes: Parameters<typeof facts>[1] = {},
  counts = NONE,
): boolean {
  const nodes = [placed([rule(when)])];
  return assess(nodes, facts(parameters, changes), counts).decision === 'reject';
}
const before = (count: number, minor = 0n) => counted({ count, minor });

describe('a rule of amounts', () => {
  it.each<[string, object, boolean]>([
    ['above, exclusive', { above: '91.99', currency: 'EUR' }, true],
    ['not above the same', { above: '92.00', currency: 'EUR' }, false],
    ['below, exclusive', { below: '92.01', currency: 'EUR' }, true],
    ['not below the same', { below: '92.00', currency: 'EUR' }, false],
    ['between', { above: '90.00', below: '95.00', currency: 'EUR' }, true],
    ['not of another currency', { above: '1.00', currency: 'USD' }, false],
  ])('holds %s', (_, amount, expected) => {
    expect(holds({ amount })).toBe(expected);
  });

  it('is about risk.amount where that was sent', () => {
    const amount = { above: '100.00', currency: 'EUR' };
    expect(holds({ amount }, { 'risk.amount': '120.00' })).toBe(true);
    expect(holds({ amount }, { 'risk.amount': 'rubbish' })).toBe(false);
  });

  it.each([
    ['0.00', 0n],
    ['100.00', 100n],
    // As the next whole amount, so that no rule misses it.
    ['100.50', 101n],
  ])('is about the whole amount of its currency that is no less: %s', (said, minor) => {
    const inYen = { amount: { minor: '92', currency: 'JPY' } };
    expect(facts({ 'risk.amount': said }, inYen).amount).toEqual({ minor, currency: 'JPY' });
  });
});

describe('a rule of what a payer has done', () => {
  const after = (when: object, past: Parameters<typeof counted>[1], parameters = {}) => {
    const nodes = [placed([rule({ history: when })])];
    const seen = counted(undefined, past);
    return assess(nodes, facts(parameters), seen).decision === 'reject';
  };

  it.each<[object, Parameters<typeof counted>[1], boolean]>([
    [{ had: 'payments', atMost: 0 }, { payments: 0 }, true],
    [{ had: 'payments', atMost: 0 }, { payments: 1 }, false],
    [{ had: 'chargedBack', atLeast: 1 }, { payments: 9, chargedBack: 1 }, true],
    [{ had: 'chargedBack', atLeast: 1 }, { payments: 9, chargedBack: 0 }, false],
    [{ had: 'declined', atLeast: 2, atMost: 3 }, { declined: 3 }, true],
    [{ had: 'declined', atLeast: 2, atMost: 3 }, { declined: 4 }, false],
    [{ had: 'approved', atLeast: 2 }, { declined: 9, approved: 1 }, false],
  ])('holds by %j of %j: %j', (limits, past, expected) => {
    expect(after({ by: 'card', ...limits }, past)).toBe(expected);
  });

  it('holds for a payer who was never seen, and for nobody who is not known', () => {
    const first = rule({ history: { by: 'card', had: 'payments', atMost: 0 } });
    const nobody = { counts: countsByName(new Map()), histories: new Map() };
    expect(assess([placed([first])], facts(), nobody).decision).toBe('reject');
    expect(after({ by: 'device', had: 'payments', atMost: 0 }, {})).toBe(false);
  });

  it('tells what it saw, and persons apart', () => {
    const nodes = [placed([rule({ history: { by: 'email', had: 'approved', atLeast: 1 } })])];
    const [fired] = assess(nodes, facts(), counted(undefined, { approved: 2 })).fired;
    expect(fired?.inputs).toEqual({
      plain: { approved: '2' },
      personal: { email: 'jane@shop.example' },
    });
  });
});

describe('a rule of velocity', () => {
  const card = { by: 'card', within: '1h', atMost: 3 };

  it('counts the payment that is judged: the fourth is one too many', () => {
    expect(holds({ velocity: card }, {}, {}, before(2))).toBe(false);
    expect(holds({ velocity: card }, {}, {}, before(3))).toBe(true);
  });

  it('does not count it among the declined ones: it is none yet', () => {
    const declined = { ...card, counts: 'declined' };
    expect(holds({ velocity: declined }, {}, {}, before(3))).toBe(false);
    expect(holds({ velocity: declined }, {}, {}, before(4))).toBe(true);
    expect(holds({ velocity: { ...card, counts: 'approved' } }, {}, {}, before(3))).toBe(true);
  });

  it('adds its amount, and no other currency', () => {
    const velocity = { by: 'card', within: '1d', atMostSum: '100.00', currency: 'EUR' };
    expect(holds({ velocity }, {}, {}, before(1, 800n))).toBe(false);
    expect(holds({ velocity }, {}, {}, before(1, 801n))).toBe(true);
    const dollars = { amount: { minor: '9200', currency: 'USD' } };
    expect(holds({ velocity }, {}, dollars, before(1, 99_999n))).toBe(false);
  });

  it('does not hold where nobody knows the payer', () => {
    const velocity = { by: 'device', within: '1h', atMost: 0 };
    expect(holds({ velocity }, {}, {}, before(9))).toBe(false);
    expect(holds({ velocity }, { 'customer.app.deviceId': 'd' }, {}, before(9))).toBe(true);
  });

  it('has the code of its payer, and tells personal inputs apart', () => {
    const velocity = { by: 'email', within: '1h', atMost: 0 };
    expect(assess([placed([rule({ velocity })])], facts(), NONE)).toMatchObject({
      resultCode: '800.120.103',
      fired: [{ inputs: { plain: { count: '1' }, personal: { email: 'jane@shop.example' } } }],
    });
  });
});

describe('a rule of lists', () => {
  it.each<[string, object]>([
    ['card', { by: 'card', values: ['f1'] }],
    ['bin', { by: 'bin', values: ['511111', '420000'] }],
    ['country', { by: 'country', values: ['DE'] }],
    ['e-mail address', { by: 'email', values: ['jane@shop.example'] }],
    ['domain', { by: 'emailDomain', values: ['shop.example'] }],
    ['address', { by: 'ip', values: ['192.0.2.17'] }],
    ['range of addresses', { by: 'ipRange', values: ['192.0.2.0/28', '192.0.2.16/28'] }],
  ])('finds the %s', (_, list) => {
    expect(holds({ list })).toBe(true);
  });

  it.each<[string, object]>([
    ['another card', { by: 'card', values: ['f2'] }],
    ['a range that begins behind it', { by: 'ipRange', values: ['192.0.2.32/27'] }],
    ['a range of the other kind', { by: 'ipRange', values: ['2001:db8::/32'] }],
    ['what is over', { by: 'bin', values: [{ value: '420000', until: '2026-11-27T12:00Z' }] }],
  ])('does not find %s', (_, list) => {
    expect(holds({ list })).toBe(false);
  });

  it('knows addresses of both kinds', () => {
    const list = { by: 'ipRange', values: ['2001:db8::/33'] };
    expect(holds({ list }, { 'customer.ip': '2001:DB8:0::1' })).toBe(true);
    expect(holds({ list }, { 'customer.ip': '2001:db8:8000::1' })).toBe(false);
    expect(holds({ list }, { 'customer.ip': '2001:::1' })).toBe(false);
  });
});

describe('other rules', () => {
  it('compare countries that are known', () => {
    const countriesDiffer = ['issuer', 'billing'];
    expect(holds({ countriesDiffer })).toBe(false);
    expect(holds({ countriesDiffer }, { 'billing.country': 'fr' })).toBe(true);
    expect(holds({ countriesDiffer }, { 'billing.country': '' })).toBe(false);
  });

  it.each([
    ['12:00', '13:00', 'UTC', true],
    ['11:00', '12:00', 'UTC', false],
    ['12:30', '13:30', 'Europe/Berlin', true],
    ['22:00', '06:00', 'UTC', false],
    ['22:00', '12:01', 'UTC', true],
  ])('hold from %s until %s in %s: %j', (from, until, timeZone, expected) => {
    expect(holds({ timeOfDay: { from, until, timeZone } })).toBe(expected);
  });

  it('look at the clock of their zone, minute by minute', () => {
    const atNight = { timeOfDay: { from: '23:59', until: '00:01', timeZone: 'UTC' } };
    const midnightMs = NOON_MS + 12 * 60 * 60_000;
    const held = [-60_001, -60_000, 59_999, 60_000, -1, -90_000].map((ms) =>
      holds(atNight, {}, { receivedAtMs: midnightMs + ms }),
    );
    expect(held).toEqual([false, true, true, false, true, false]);
  });

  it.each([...expressionNames])('give expressions %s', (name) => {
    const address = { ipCountry: 'FR', isProxy: true };
    const extra = { 'customer.browser.deviceId': 'd', 'shipping.country': 'DE' };
    const known = factsOf(question(extra), () => address);
    const checks = { avsResponse: 'A', cvvResponse: 'M' } as const;
    const all = { ...known, checks, payer: { ...known.payer, customer: 'c' } };
    const nodes = [placed([rule({ expression: { '!!': [{ var: name }] } })])];
    expect(assess(nodes, all, NONE).decision).toBe('reject');
    const missing = [placed([rule({ expression: { missing: [name] } })])];
    expect(assess(missing, all, NONE).decision).toBe('accept');
  });

  it('evaluate expressions over the facts', () => {
    const expression = {
      and: [{ '>': [{ var: 'amountMinor' }, 9_000] }, { in: ['.example', { var: 'emailDomain' }] }],
    };
    expect(holds({ expression })).toBe(true);
    expect(holds({ expression: { '==': [{ var: 'parameters.customer\\.ip' }, 'x'] } })).toBe(false);
    expect(holds({ expression: { missing: ['email'] } })).toBe(false);
    expect(holds({ expression: { missing: ['device'] } })).toBe(true);
  });
});

describe('several rules', () => {
  const always = { amount: { above: '0.01', currency: 'EUR' } };
  const decisionOf = (...then: readonly string[]) =>
    assess(
      [placed(then.map((each, at) => rule(always, { id: `r${String(at)}`, then: each })))],
      facts(),
      NONE,
    );

  it('have the strictest decision, whatever their order', () => {
    expect(decisionOf('challenge', 'reject', 'review')).toMatchObject({
      ...{ decision: 'reject', resultCode: '100.380.100' },
    });
    expect(decisionOf('review', 'challenge')).toMatchObject({
      ...{ decision: 'review', resultCode: '000.400.000' },
    });
    expect(decisionOf('challenge')).toMatchObject({ decision: 'challenge' });
    expect(decisionOf()).toEqual({ decision: 'accept', score: 0, fired: [] });
  });

  it('reject a payout that somebody would look at, by a rule or by its score: it could not be held', () => {
    const payout = facts({}, { operation: 'credit' });
    const refused = { decision: 'reject', resultCode: '100.380.100' };
    const reviewing = placed([rule(always, { then: 'review', resultCode: '000.400.010' })]);
    expect(assess([reviewing], payout, NONE)).toMatchObject({
      ...{ ...refused, fired: [{ id: 'a-rule' }] },
    });
    const scored = placed([rule(always, { then: undefined, score: 30 })], { reviewFrom: 10 });
    expect(assess([scored], payout, NONE)).toMatchObject({ ...refused, score: 30 });
    const challenging = placed([rule(always, { then: 'challenge' })]);
    expect(assess([challenging], payout, NONE).decision).toBe('challenge');
  });

  it('end with one that accepts, in its node and below, and never above', () => {
    expect(decisionOf('reject', 'accept').decision).toBe('accept');
    const accepting = placed([rule(always, { then: 'accept' })]);
    const rejecting = placed([rule(always)], {}, MERCHANT);
    expect(assess([accepting, rejecting], facts(), NONE).decision).toBe('reject');
    const above = placed([rule(always, { then: 'accept' })], {}, MERCHANT);
    expect(assess([placed([rule(always)]), above], facts(), NONE).decision).toBe('accept');
  });

  it('add their scores, with the thresholds of the lowest node that has some', () => {
    const scored = (score: number, more: object, nodeId = MERCHANT) =>
      placed([rule(always, { then: undefined, score })], more, nodeId);
    const above = scored(30, { reviewFrom: 10, rejectFrom: 60, releaseAfter: '1d' });
    expect(assess([above], facts(), NONE)).toMatchObject({ decision: 'review', score: 30 });
    expect(assess([scored(30, {}), above], facts(), NONE).decision).toBe('reject');
    expect(assess([scored(30, { rejectFrom: 61 }), above], facts(), NONE).decision).toBe('review');
    expect(releaseAfterMinutes([scored(1, {}), above])).toBe(24 * 60);
  });

  it('take the code that a rule says itself', () => {
    const own = rule(always, { resultCode: '800.300.401' });
    expect(assess([placed([own])], facts(), NONE).resultCode).toBe('800.300.401');
  });
});
