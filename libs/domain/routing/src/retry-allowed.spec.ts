import { describe, expect, it } from '@jest/globals';
import { operations } from '@sluice/contracts';
import {
  advisedBlock,
  adviceSideOf,
  AUTOMATIC_ATTEMPTS_MAX,
  type EarlierAttempt,
  type Initiator,
  retryAllowed,
  type WantedAttempt,
} from './retry-allowed.js';
import { accountId } from './routing-fixture.js';

/** 2026-01-15T12:00:00Z. */
const NOON_MS = Date.UTC(2026, 0, 15, 12);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const declined = (
  adviceCode: string | undefined,
  changes: Partial<EarlierAttempt> = {},
): EarlierAttempt => ({
  ...{ operation: 'debit', brand: 'MASTER', by: 'merchant', account: accountId('a') },
  ...{ details: '2027-05', isAuthenticated: false, agreementId: 'agreement-1' },
  ...{ decidedAtMs: NOON_MS, outcome: 'declined', resultCode: '800.100.155' },
  ...(adviceCode !== undefined && { adviceCode }),
  ...changes,
});
const approved = (decidedAtMs: number): EarlierAttempt =>
  declined(undefined, { outcome: 'approved', resultCode: '000.000.000', decidedAtMs });

/** The same payment again, after a while. */
const wanted = (afterMs = 1, changes: Partial<WantedAttempt> = {}): WantedAttempt => ({
  ...{ operation: 'debit', brand: 'MASTER', by: 'merchant', account: accountId('a') },
  ...{ details: '2027-05', isAuthenticated: false, agreementId: 'agreement-1' },
  nowMs: NOON_MS + afterMs,
  ...changes,
});
const allowed = (reason: string) => ({ kind: 'allowed', reason });
const by = (initiator: Initiator) => ({ by: initiator });

describe('a payment of a card that nothing was advised of', () => {
  it.each([
    ['was never declined', []],
    ['was declined without advice', [declined(undefined)]],
    ['was declined with an unknown advice', [declined('99')]],
    ['was declined by a network that does not advise', [declined('03', { brand: 'AMEX' })]],
    ['was approved', [approved(NOON_MS)]],
  ])('may be made: it %s', (_, earlier) => {
    expect(retryAllowed(wanted(), earlier)).toEqual(allowed('noAdvice'));
  });
});

describe('the advice to wait', () => {
  it.each([
    ['02', 72, '700.600.002', 'retry blocked by merchant advice code 02 (please wait 72 hours)'],
    ['24', 1, '700.600.025', 'retry blocked by merchant advice code 24 (please wait 1 hour)'],
    ['25', 24, '700.600.025', 'retry blocked by merchant advice code 25 (please wait 24 hours)'],
    ['26', 48, '700.600.002', 'retry blocked by merchant advice code 26 (please wait 48 hours)'],
    ['30', 240, '700.600.002', 'retry blocked by merchant advice code 30 (please wait 240 hours)'],
  ])('%s blocks for %d hours, and no longer', (code, hours, resultCode, resultDescription) => {
    const untilMs = NOON_MS + hours * HOUR_MS;
    for (const afterMs of [0, 1, hours * HOUR_MS - 1]) {
      expect(retryAllowed(wanted(afterMs), [declined(code)])).toEqual({
        ...{ kind: 'blocked', reason: 'afterHours', advice: { network: 'MASTER', code } },
        ...{ resultCode, resultDescription, untilMs },
      });
    }
    expect(retryAllowed(wanted(hours * HOUR_MS), [declined(code)])).toEqual(allowed('waited'));
  });

  it('binds everybody, on every route and with every card detail', () => {
    const changes: Partial<WantedAttempt>[] = [
      ...(['gateway', 'merchant', 'shopper'] as const).map(by),
      { account: accountId('b') },
      { account: 'untried' },
      { details: '2031-01' },
      { isAuthenticated: true },
      { agreementId: 'agreement-2' },
    ];
    for (const change of changes) {
      expect(retryAllowed(wanted(1, change), [declined('02')]).kind).toBe('blocked');
    }
  });

  it('is over with an approval', () => {
    const earlier = [declined('02'), approved(NOON_MS + 1)];
    expect(retryAllowed(wanted(2), earlier)).toEqual(allowed('noAdvice'));
    expect(retryAllowed(wanted(2), [approved(NOON_MS - 1), declined('02')]).kind).toBe('blocked');
    // Of the same millisecond nobody knows the order; the card has just paid.
    expect(retryAllowed(wanted(2), [approved(NOON_MS), declined('02')])).toEqual(
      allowed('noAdvice'),
    );
  });

  it('lasts until the latest end of several, in whichever order they come', () => {
    const earlier = [
      declined('24', { decidedAtMs: NOON_MS + 1.5 * HOUR_MS }),
      declined('30'),
      declined('25', { decidedAtMs: NOON_MS - HOUR_MS }),
    ];
    for (const attempts of [earlier, [...earlier].reverse()]) {
      expect(retryAllowed(wanted(2 * HOUR_MS), attempts)).toMatchObject({
        ...{ advice: { code: '30' }, untilMs: NOON_MS + 240 * HOUR_MS },
      });
    }
  });

  it('gives way to an advice without end', () => {
    const later = declined('30', { decidedAtMs: NOON_MS + 1 });
    const sooner = declined('30', { decidedAtMs: NOON_MS - 1 });
    for (const attempts of [
      [declined('21'), later],
      [sooner, declined('21')],
    ]) {
      expect(retryAllowed(wanted(2), attempts)).toMatchObject({ advice: { code: '21' } });
    }
  });
});

describe('the advice never to try again', () => {
  it.each([
    ['MASTER', '03', 'retry blocked by merchant advice code 03 (account closed)'],
    [
      ...(['MASTER', '42'] as const),
      'retry blocked by merchant advice code 42 of MASTER (sanctions hit, do not retry)',
    ],
    [
      ...(['VISA', '01'] as const),
      'retry blocked by merchant advice code 01 of VISA (the issuer will never approve)',
    ],
  ])('%s %s blocks the card for 30 days, for everybody', (brand, code, resultDescription) => {
    const earlier = [declined(code, { brand })];
    for (const initiator of ['merchant', 'shopper', 'gateway'] as const) {
      const again = { brand, ...by(initiator), account: accountId('b'), details: 'other' };
      expect(retryAllowed(wanted(30 * DAY_MS - 1, again), earlier)).toEqual({
        ...{ kind: 'blocked', reason: 'never', advice: { network: brand, code } },
        ...{ resultCode: '700.601.003', resultDescription, untilMs: NOON_MS + 30 * DAY_MS },
      });
    }
    expect(retryAllowed(wanted(30 * DAY_MS, { brand }), earlier)).toEqual(allowed('waited'));
  });

  it('is over with an approval', () => {
    const earlier = [declined('03'), approved(NOON_MS + 1)];
    expect(retryAllowed(wanted(2), earlier)).toEqual(allowed('noAdvice'));
  });

  it('is never forgotten by the gateway itself', () => {
    expect(retryAllowed(wanted(400 * DAY_MS, by('gateway')), [declined('03')])).toEqual({
      ...{ kind: 'notAutomatic', reason: 'notAdvised' },
    });
  });
});

describe('the advice that the shopper ended the agreement', () => {
  const ended = [declined('21')];

  it('blocks for ever what the merchant initiates under it', () => {
    expect(retryAllowed(wanted(400 * DAY_MS), ended)).toEqual({
      ...{ kind: 'blocked', reason: 'never', advice: { network: 'MASTER', code: '21' } },
      resultCode: '700.601.003',
      resultDescription:
        'retry blocked by merchant advice code 21 of MASTER (the shopper ended the recurring agreement)',
    });
    expect(retryAllowed(wanted(1, by('gateway')), ended).kind).toBe('blocked');
  });

  it('is not over with an approval of something else', () => {
    expect(retryAllowed(wanted(2), [...ended, approved(NOON_MS + 1)]).kind).toBe('blocked');
  });

  it('does not keep the shopper from paying, nor the merchant under another agreement', () => {
    const other = allowed('otherAgreement');
    expect(retryAllowed(wanted(1, by('shopper')), ended)).toEqual(other);
    expect(retryAllowed(wanted(1, { agreementId: 'agreement-2' }), ended)).toEqual(other);
  });

  it('is about every agreement if nobody knows about which', () => {
    const { agreementId: _, ...unknown } = wanted();
    expect(retryAllowed(unknown, ended).kind).toBe('blocked');
    const { agreementId: __, ...declinedUnknown } = declined('21');
    expect(retryAllowed(wanted(), [declinedUnknown]).kind).toBe('blocked');
  });
});

describe('the advice to correct something first', () => {
  it('blocks the same again, with the code that says so', () => {
    expect(retryAllowed(wanted(), [declined('01')])).toEqual({
      ...{ kind: 'blocked', reason: 'afterCorrection', advice: { network: 'MASTER', code: '01' } },
      resultCode: '700.601.001',
      resultDescription:
        'retry blocked by merchant advice code 01 (update the card details or use 3-D Secure first)',
      untilMs: NOON_MS + 30 * DAY_MS,
    });
  });

  it.each<[string, Partial<WantedAttempt>]>([
    ['newDetails', { details: '2031-01' }],
    ['authentication', { isAuthenticated: true }],
  ])('is obeyed by %s', (reason, change) => {
    expect(retryAllowed(wanted(1, change), [declined('01')])).toEqual(allowed(reason));
  });

  it('is not obeyed by the authentication that was declined already', () => {
    const earlier = [declined('01', { isAuthenticated: true })];
    expect(retryAllowed(wanted(1, { isAuthenticated: true }), earlier).kind).toBe('blocked');
  });

  it('is obeyed by a shopper who enters the details of a VISA card again, and nobody else', () => {
    const earlier = [declined('03', { brand: 'VISA' })];
    const again = (initiator: Initiator) =>
      retryAllowed(wanted(1, { brand: 'VISA', ...by(initiator) }), earlier);
    expect(again('shopper')).toEqual(allowed('shopper'));
    expect(again('merchant')).toMatchObject({
      resultCode: '700.601.001',
      resultDescription:
        'retry blocked by merchant advice code 03 of VISA (the issuer cannot approve these details)',
    });
    expect(retryAllowed(wanted(1, by('shopper')), [declined('01')]).kind).toBe('blocked');
  });
});

describe('the advice that the merchant is not eligible', () => {
  it('blocks the same account for 30 days, and no other', () => {
    const earlier = [declined('22')];
    expect(retryAllowed(wanted(), earlier)).toMatchObject({
      ...{ kind: 'blocked', reason: 'otherRoute', resultCode: '700.601.001' },
      untilMs: NOON_MS + 30 * DAY_MS,
    });
    for (const account of [accountId('b'), 'untried'] as const) {
      expect(retryAllowed(wanted(1, { account }), earlier)).toEqual(allowed('otherRoute'));
    }
    expect(retryAllowed(wanted(30 * DAY_MS), earlier)).toEqual(allowed('waited'));
  });
});

describe('an advice that forbids nothing', () => {
  it.each([
    ['MASTER', '04'],
    ['MASTER', '40'],
    ['VISA', '02'],
    ['VISA', '04'],
  ])('leaves it to the merchant: %s %s', (brand, code) => {
    const earlier = [declined(code, { brand })];
    expect(retryAllowed(wanted(1, { brand }), earlier)).toEqual(allowed('merchantDecides'));
  });
});

describe('an advice', () => {
  it('is about what was asked for: charges, payouts, or reversals', () => {
    const blocked = (asked: (typeof operations)[number]) =>
      operations.filter(
        (operation) =>
          retryAllowed(wanted(1, { operation }), [declined('03', { operation: asked })]).kind ===
          'blocked',
      );
    const charges = [
      'authorization',
      'debit',
      'rebill',
      'incrementalAuthorization',
      'reauthorization',
    ];
    expect(blocked('debit')).toEqual(charges);
    expect(blocked('reauthorization')).toEqual(charges);
    expect(blocked('refund')).toEqual(['credit', 'refund']);
    expect(blocked('credit')).toEqual(['credit', 'refund']);
    expect(blocked('reversal')).toEqual(['reversal']);
    expect(blocked('capture')).toEqual([]);
  });

  it('of one network does not bind a payment over another', () => {
    expect(retryAllowed(wanted(1, { brand: 'VISA' }), [declined('03')])).toEqual(
      allowed('noAdvice'),
    );
    expect(retryAllowed(wanted(1, { brand: 'MAESTRO' }), [declined('03')]).kind).toBe('blocked');
  });
});

describe('the gateway by itself', () => {
  const gateway = (afterMs: number, changes: Partial<WantedAttempt> = {}) =>
    wanted(afterMs, { ...by('gateway'), account: 'untried', ...changes });
  const notAutomatic = (reason: string) => ({ kind: 'notAutomatic', reason });

  it('retries after the time that was advised', () => {
    expect(retryAllowed(gateway(72 * HOUR_MS), [declined('02')])).toEqual(allowed('waited'));
    expect(retryAllowed(gateway(72 * HOUR_MS - 1), [declined('02')]).kind).toBe('blocked');
  });

  it.each([
    ['MASTER', '22'],
    ['VISA', '04'],
  ])('retries at once on another route where that may help: %s %s', (brand, code) => {
    const earlier = [declined(code, { brand })];
    expect(retryAllowed(gateway(1, { brand }), earlier)).toEqual(allowed('otherRoute'));
    expect(retryAllowed(gateway(1, { brand, account: accountId('b') }), earlier)).toEqual(
      allowed('otherRoute'),
    );
  });

  it('does not go back to a route that it has tried', () => {
    const earlier = [
      declined('04', { brand: 'VISA', account: accountId('b') }),
      declined('04', { brand: 'VISA' }),
    ];
    const again = gateway(1, { brand: 'VISA', account: accountId('b') });
    expect(retryAllowed(again, earlier)).toEqual(notAutomatic('routeTried'));
  });

  it.each<[string, EarlierAttempt[], string]>([
    ['nothing was declined', [], 'noAdvice'],
    ['the last one was approved', [declined('02'), approved(NOON_MS + 1)], 'noAdvice'],
    ['nothing was advised', [declined(undefined)], 'noAdvice'],
    [
      'the last decline came without advice',
      [declined('40'), declined(undefined, { decidedAtMs: NOON_MS + 1 })],
      'noAdvice',
    ],
    ['the advice was for information', [declined('40')], 'notAdvised'],
    ['the result code says never', [declined('02', { resultCode: '800.100.171' })], 'hardDecline'],
  ])('does not retry if %s', (_, earlier, reason) => {
    expect(retryAllowed(gateway(100 * HOUR_MS), earlier)).toEqual(notAutomatic(reason));
  });

  it('goes by the last advice, in whichever order they come', () => {
    const earlier = [declined('24'), declined('40', { decidedAtMs: NOON_MS + 1 })];
    for (const attempts of [earlier, [...earlier].reverse()]) {
      expect(retryAllowed(gateway(DAY_MS), attempts)).toEqual(notAutomatic('notAdvised'));
      expect(retryAllowed(wanted(DAY_MS), attempts)).toEqual(allowed('merchantDecides'));
    }
  });

  it('does not retry what was corrected: whoever corrects it decides', () => {
    const corrected = gateway(1, { details: '2031-01' });
    expect(retryAllowed(corrected, [declined('01')])).toEqual(notAutomatic('notAdvised'));
  });

  it('retries at most five times in twenty days', () => {
    const own = (number: number, decidedAtMs: number) =>
      Array.from({ length: number }, () => declined('24', { ...by('gateway'), decidedAtMs }));
    const ask = (earlier: readonly EarlierAttempt[], afterMs: number) =>
      retryAllowed(gateway(afterMs), earlier);
    const five = own(AUTOMATIC_ATTEMPTS_MAX, NOON_MS);
    expect(ask(own(4, NOON_MS), DAY_MS)).toEqual(allowed('waited'));
    expect(ask(five, DAY_MS)).toEqual(notAutomatic('attemptsExceeded'));
    expect(ask(five, 20 * DAY_MS - 1)).toEqual(notAutomatic('attemptsExceeded'));
    expect(ask(five, 20 * DAY_MS)).toEqual(allowed('waited'));
    const others = five.map((attempt) => ({ ...attempt, ...by('merchant') }));
    expect(ask(others, DAY_MS)).toEqual(allowed('waited'));
  });
});

describe('a decline that blocks', () => {
  it.each([
    ['02', { untilMs: NOON_MS + 72 * HOUR_MS, endsWithApproval: true }],
    ['03', { untilMs: NOON_MS + 30 * DAY_MS, endsWithApproval: true }],
    ['21', { endsWithApproval: false }],
    ['40', undefined],
    ['99', undefined],
    [undefined, undefined],
  ])('with %s says how long, and what ends it', (code, block) => {
    expect(advisedBlock(declined(code))).toEqual(block);
  });

  it('is none of VISA that another route may be tried after', () => {
    expect(advisedBlock(declined('4', { brand: 'VISA' }))).toBeUndefined();
  });

  it('blocks exactly as long as it says', () => {
    for (const code of ['01', '02', '03', '22', '25', '30', '42']) {
      const { untilMs = 0 } = advisedBlock(declined(code)) ?? {};
      expect(retryAllowed(wanted(untilMs - NOON_MS - 1), [declined(code)]).kind).toBe('blocked');
      expect(retryAllowed(wanted(untilMs - NOON_MS), [declined(code)]).kind).toBe('allowed');
    }
  });

  it('is about what was asked of the issuer', () => {
    expect(
      ['debit', 'rebill', 'credit', 'reversal', 'capture'].map((each) =>
        adviceSideOf(each as 'debit'),
      ),
    ).toEqual([...['charge', 'charge', 'payout', 'reversal', undefined]]);
  });
});
