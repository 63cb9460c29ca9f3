import { describe, expect, it } from '@jest/globals';
import type { Attempt, MerchantRequest } from './records.js';
import { storedCardViolations } from './stored-cards.js';

const CODE = '000.100.110';
const approval = (registrationId?: string): Attempt => ({
  ...({ kind: 'answered', status: 200, code: CODE, id: 'payment' } as const),
  ...(registrationId !== undefined && { registrationId }),
});
const request = (
  attempts: readonly Attempt[],
  more: Partial<MerchantRequest> = {},
): MerchantRequest => ({
  ...{ reference: 'ref-1', operation: 'DB', currency: 'EUR', storesCard: true, attempts },
  ...more,
});
const kept = { status: 200, code: CODE };
const keptAs = (id: string) => ({ ...kept, id });
/** Stores a card of the channel that has one registration for each. */
const once = (attempts: readonly Attempt[], number: string): MerchantRequest =>
  request(attempts, { reference: `kill-0-${number}`, instrument: 'storedOnceCard' });
const rulesOf = (
  requests: readonly MerchantRequest[],
  reads: Readonly<Record<string, typeof kept & { readonly id?: string }>>,
) => storedCardViolations(requests, new Map(Object.entries(reads))).map(({ rule }) => rule);

describe('cards that were stored with their payments', () => {
  it('agree where each approval names one that is there', () => {
    const declined: Attempt = { kind: 'answered', status: 400, code: '800.100.152', id: 'other' };
    const lost: Attempt = { kind: 'indefinite', why: 'reset' };
    const requests = [
      request([lost, approval('one'), approval('one')], { idempotencyKey: 'key' }),
      request([declined]),
      request([approval()], { storesCard: false }),
      request([declined], { storesCard: false, storedBy: 'ref-0', forcedCode: '800.100.152' }),
      request([lost, approval()], { storesCard: false, storedBy: 'ref-0' }),
    ];
    expect(rulesOf(requests, { one: kept })).toEqual([]);
  });

  it('agree where each card has one, also by the id of a request that has found it', () => {
    const requests = [
      once([approval('one')], '00001'),
      once([approval('alias')], '00002'),
      once([approval('two')], '00151'),
    ];
    const reads = { one: keptAs('one'), alias: keptAs('one'), two: keptAs('two') };
    expect(rulesOf(requests, reads)).toEqual([]);
  });

  it('may be several registrations of a card where each request has one', () => {
    const requests = [request([approval('one')]), request([approval('two')])];
    expect(rulesOf(requests, { one: keptAs('one'), two: keptAs('two') })).toEqual([]);
  });

  it.each([
    [
      'one card, two registrations',
      [once([approval('one')], '00001'), once([approval('two')], '00002')],
      { one: keptAs('one'), two: keptAs('two') },
    ],
    [
      'one registration, two cards',
      [once([approval('one')], '00001'), once([approval('one')], '00151')],
      { one: keptAs('one') },
    ],
    [
      'stored and refused',
      [
        request([{ kind: 'answered', status: 400, code: '100.150.203' }], {
          ...{ storesCard: false, storedBy: 'ref-0' },
        }),
      ],
      {},
    ],
    ['stored card not named', [request([approval()])], {}],
    ['stored card lost', [request([approval('one')])], {}],
    [
      'stored card lost',
      [request([approval('one')])],
      { one: { status: 400, code: '200.300.404' } },
    ],
    [
      'stored card lost',
      [request([approval('one')])],
      { one: { status: 200, code: '000.200.000' } },
    ],
    [
      'one key, two registrations',
      [request([approval('one'), approval('two')], { idempotencyKey: 'key' })],
      { one: kept, two: kept },
    ],
  ])('disagree: %s', (rule, requests, reads) => {
    expect(rulesOf(requests, reads)).toEqual([rule]);
  });
});
