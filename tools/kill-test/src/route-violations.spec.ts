import { describe, expect, it } from '@jest/globals';
import { disagreements } from './compare.js';
import type { Attempt, MerchantRequest, RecordedTransaction } from './records.js';
import { routeViolations } from './route-violations.js';
import type { AskedTransaction } from './unwilling-acquirer.js';

const APPROVED = '000.100.112';
const FORCED = '800.100.152';
const NOT_SET_UP = '800.100.190';
const given = (reference: string, reason: string) => ({ acquirerReference: reference, reason });
const answer = (code: string): Attempt => ({ kind: 'answered', status: 200, code, id: 'one' });

/** A payment that the next acquirer has taken, as all sides have it. */
interface Paid {
  readonly request: MerchantRequest;
  readonly recorded: RecordedTransaction;
  readonly asked: readonly AskedTransaction[];
}

const paid = (instrument: MerchantRequest['instrument'], reason: string): Paid => ({
  request: {
    ...{ reference: 'ref-one', operation: 'DB', currency: 'EUR' },
    attempts: [answer(APPROVED)],
    ...(instrument !== undefined && { instrument }),
  },
  recorded: {
    ...{ id: 'one', streamId: 'one', reference: 'ref-one', operation: 'debit' },
    ...{ outcome: 'approved', acquirerReference: 'one-2', givenUp: [given('one', reason)] },
  },
  asked:
    reason === 'notReachable'
      ? []
      : [{ reference: 'one', answer: reason === 'declined' ? 'declined' : 'refused' }],
});
const refused = paid('failoverCard', 'refused');
const away = paid('failoverCard', 'notReachable');
const declined = paid('declinedCard', 'declined');

/** No other acquirer was asked. */
const ASKED_ONE = { acquirerReference: 'one', givenUp: [] } as const;

const rulesOf = (
  { request, recorded, asked }: Paid,
  changes: {
    readonly request?: Partial<MerchantRequest>;
    readonly recorded?: Partial<RecordedTransaction>;
    readonly asked?: readonly AskedTransaction[];
  } = {},
): readonly string[] =>
  routeViolations({
    merchant: [{ ...request, ...changes.request }],
    recorded: [{ ...recorded, ...changes.recorded }],
    asked: changes.asked ?? asked,
  }).map(({ rule }) => rule);
/** The one that was declined with that code in the end. */
const endedWith = (code: string) => ({
  request: { attempts: [answer(code)] },
  recorded: { outcome: 'declined', resultCode: code } as const,
});

describe('payments go as their routes say', () => {
  it.each([
    ['after a refusal', refused],
    ['after nobody was there', away],
    ['after an advised decline', declined],
    ['after nobody was there who would have declined', paid('declinedCard', 'notReachable')],
  ])('%s', (_, one) => {
    expect(rulesOf(one)).toEqual([]);
  });

  it('also where they are declined in the end', () => {
    const forced = { ...endedWith(FORCED).request, forcedCode: FORCED };
    expect(rulesOf(refused, { ...endedWith(FORCED), request: forced })).toEqual([]);
    const found = endedWith(NOT_SET_UP);
    expect(rulesOf(declined, { ...found, recorded: { ...found.recorded, ...ASKED_ONE } })).toEqual(
      [],
    );
  });

  it('and what was not performed was refused by nobody', () => {
    const code = '600.200.500';
    const recorded = { outcome: 'notPerformed', resultCode: code, ...ASKED_ONE } as const;
    expect(rulesOf(refused, { ...endedWith(code), recorded })).toEqual([]);
  });

  it('and others have none', () => {
    const card = { instrument: 'card' } as const;
    expect(rulesOf(refused, { request: card, recorded: ASKED_ONE })).toEqual([]);
    const capture = { refersTo: 'ref-zero', operation: 'CP' } as const;
    expect(rulesOf(refused, { request: capture, recorded: ASKED_ONE })).toEqual([]);
  });
});

describe('a payment that did not go so is found', () => {
  it('approved by an acquirer that takes nothing', () => {
    expect(rulesOf(refused, { recorded: ASKED_ONE })).toEqual(['approved by who takes nothing']);
  });

  it('tried again after a decline that nobody has advised about', () => {
    expect(rulesOf(declined, { asked: [{ reference: 'one', answer: 'refused' }] })).toEqual([
      'declined by nobody',
    ]);
    expect(rulesOf(declined, { asked: [] })).toEqual(['declined by nobody']);
    const givenUp = [given('one', 'refused'), given('one-2', 'declined')];
    const recorded = { acquirerReference: 'one-3', givenUp };
    expect(rulesOf(refused, { recorded })).toEqual(['declined by nobody']);
  });

  it('refused with a route left', () => {
    const rule = ['refused with a route left'];
    expect(rulesOf(refused, endedWith(FORCED))).toEqual(rule);
    expect(rulesOf(refused, endedWith(NOT_SET_UP))).toEqual(rule);
    expect(rulesOf(declined, endedWith('600.200.500'))).toEqual(rule);
  });

  it('asked twice, and asked before it was recorded', () => {
    const [once] = declined.asked;
    expect(rulesOf(declined, { asked: [once!, once!] })).toEqual(['asked twice']);
    const other = { reference: 'two', answer: 'refused' } as const;
    expect(rulesOf(refused, { asked: [...refused.asked, other] })).toEqual(['asked without event']);
  });

  it('booked by an acquirer that was said to have booked nothing', () => {
    const { request, recorded } = away;
    const money = { operation: 'debit', amountMinor: 500n, currency: 'EUR' } as const;
    const booked = ['one', 'one-2'].map((acquirerReference) => ({
      ...({ ...money, acquirerReference, status: 'approved' } as const),
    }));
    const found = disagreements({
      merchant: [{ ...request, amountMinor: 500n }],
      recorded: [{ ...recorded, ...money, resultCode: APPROVED }],
      book: booked,
      readBack: [{ id: 'one', shownId: 'one', status: 200, code: APPROVED }],
    });
    expect(found.map(({ rule }) => rule)).toEqual(['given up and booked']);
  });
});
