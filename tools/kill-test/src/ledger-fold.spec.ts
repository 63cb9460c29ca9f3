import { describe, expect, it } from '@jest/globals';
import { ChainFold, type EventData } from './ledger-fold.js';

type Step = [type: string, data: Partial<EventData>];

const euro = (minor: number) => ({ minor: String(minor), currency: 'EUR' });
const begin = (
  id: string,
  operation: string,
  minor: number,
  more: Partial<EventData> = {},
): Step => [
  'TransactionRequested',
  { transactionId: id, operation, amount: euro(minor), final: false, ...more },
];
const authorize = (minor: number, more: Partial<EventData> = {}): Step[] => [
  [
    'PaymentInitiated',
    { transactionId: 'pa', operation: 'authorization', amount: euro(minor), ...more },
  ],
  approve('pa'),
];
const debit = (minor: number): Step[] => [
  ['PaymentInitiated', { transactionId: 'db', operation: 'debit', amount: euro(minor) }],
  approve('db'),
];
const approve = (id: string): Step => ['TransactionApproved', { transactionId: id }];
const capture = (id: string, minor: number, more: Partial<EventData> = {}): Step =>
  begin(id, 'capture', minor, { referencedId: 'pa', ...more });
const refund = (id: string, minor: number): Step =>
  begin(id, 'refund', minor, { referencedId: 'db' });

function fold(...steps: Step[]): ChainFold {
  const chain = new ChainFold();
  steps.forEach(([type, data], index) => {
    chain.apply({ streamId: 's', version: index + 1, type, data: data as EventData });
  });
  return chain;
}

describe('the independent fold', () => {
  it('is content with a chain within its limits', () => {
    const chain = fold(
      ...authorize(1_000, { numberOfCaptures: 2 }),
      capture('c1', 600),
      approve('c1'),
      capture('c2', 400),
      ['TransactionDeclined', { transactionId: 'c2' }],
      capture('c3', 300, { final: true }),
      approve('c3'),
      begin('r1', 'refund', 200, { referencedId: 'c1' }),
      approve('r1'),
      begin('v1', 'reversal', 100, { referencedId: 'pa' }),
      approve('v1'),
      [
        'TransactionRejected',
        { transactionId: 'x', operation: 'capture', amount: euro(1), resultCode: '700.400.100' },
      ],
      begin('v2', 'reversal', 300, { referencedId: 'c3' }),
      approve('v2'),
    );
    expect(chain.violations).toEqual([]);
    expect([...chain.transactions.values()].map(({ outcome }) => outcome)).toEqual([
      'approved',
      'approved',
      'declined',
      'approved',
      'approved',
      'approved',
      'rejected',
      'approved',
    ]);
  });

  it('counts increments, reauthorizations and chargebacks as the interface has them', () => {
    const chain = fold(
      ...authorize(1_000),
      begin('i', 'incrementalAuthorization', 500, { referencedId: 'pa' }),
      approve('i'),
      capture('c', 1_400),
      approve('c'),
      begin('re', 'reauthorization', 900, { referencedId: 'pa', releases: { minor: '100' } }),
      approve('re'),
      capture('c2', 900),
      approve('c2'),
      ['ChargebackReceived', { transactionId: 'cb', referencedId: 'c', amount: euro(1_400) }],
      ['ChargebackReversed', { transactionId: 'cr', referencedId: 'cb', amount: euro(1_400) }],
      begin('r', 'refund', 1_400, { referencedId: 'c' }),
      approve('r'),
    );
    expect(chain.violations).toEqual([]);
  });

  it('lets a late approval be too much until it is undone, because nobody can prevent it', () => {
    const chain = fold(
      ...debit(1_000),
      refund('r', 600),
      ['TransactionNotPerformed', { transactionId: 'r' }],
      begin('v', 'reversal', 1_000, { referencedId: 'db' }),
      ['LateApprovalReceived', { transactionId: 'r' }],
      approve('v'),
      ['TransactionRejected', { transactionId: 'x', operation: 'refund', amount: euro(1) }],
      ['LateApprovalUndone', { transactionId: 'r' }],
    );
    expect(chain.violations).toEqual([]);
    expect(chain.transactions.get('r')?.late).toBe('undone');
  });

  const broken: [string, Step[], RegExp][] = [
    [
      'captures beyond the authorization',
      [...authorize(1_000), capture('a', 600), approve('a'), capture('b', 500), approve('b')],
      /1100 captured and released of 1000/,
    ],
    [
      'an unknown capture beyond it',
      [
        ...authorize(1_000),
        capture('a', 600),
        approve('a'),
        capture('b', 500),
        ['TransactionOutcomeUnknown', { transactionId: 'b' }],
      ],
      /1100 captured and released of 1000/,
    ],
    [
      'a capture of what was released',
      [
        ...authorize(1_000),
        begin('v', 'reversal', 1_000, { referencedId: 'pa' }),
        approve('v'),
        capture('a', 1),
        approve('a'),
      ],
      /1001 captured and released of 1000/,
    ],
    [
      'a late capture beyond it',
      [
        ...authorize(1_000),
        capture('a', 600),
        ['TransactionNotPerformed', { transactionId: 'a' }],
        ['LateApprovalReceived', { transactionId: 'a' }],
        capture('b', 500),
      ],
      /1100 captured/,
    ],
    [
      'a refund of what another one took late',
      [
        ...debit(1_000),
        refund('r1', 600),
        ['TransactionNotPerformed', { transactionId: 'r1' }],
        ['LateApprovalReceived', { transactionId: 'r1' }],
        refund('r2', 500),
      ],
      /1100 refunded/,
    ],
    [
      'more captures than allowed',
      [
        ...authorize(1_000, { numberOfCaptures: 1 }),
        capture('a', 1),
        approve('a'),
        capture('b', 1),
      ],
      /2 captures of 1/,
    ],
    [
      'a capture after FINAL',
      [...authorize(1_000), capture('a', 1, { final: true }), approve('a'), capture('b', 1)],
      /captures after sequence=FINAL/,
    ],
    [
      'refunds beyond the capture',
      [...debit(500), refund('r1', 300), approve('r1'), refund('r2', 201), approve('r2')],
      /501 refunded, 0 reversed, 0 charged back of 500/,
    ],
    [
      'an unknown refund beyond it',
      [
        ...debit(500),
        refund('r1', 300),
        ['TransactionPending', { transactionId: 'r1' }],
        refund('r2', 300),
      ],
      /600 refunded/,
    ],
    [
      'a refund of what was reversed',
      [
        ...debit(500),
        begin('v', 'reversal', 500, { referencedId: 'db' }),
        approve('v'),
        refund('r', 1),
      ],
      /1 refunded, 500 reversed/,
    ],
    [
      'a refund after a chargeback',
      [
        ...debit(500),
        ['ChargebackReceived', { transactionId: 'cb', referencedId: 'db', amount: euro(500) }],
        refund('r', 1),
      ],
      /1 refunded, 0 reversed, 500 charged back/,
    ],
    [
      'a capture without authorization',
      [...debit(500), begin('c', 'capture', 1, { referencedId: 'db' }), approve('c')],
      /1 captured and released of 0/,
    ],
    ['an amount of nothing', [...debit(500), refund('r', 0)], /r has the amount 0/],
    ['a negative amount', [...debit(500), refund('r', -5)], /r has the amount -5/],
    [
      'another currency',
      [
        ...debit(500),
        begin('r', 'refund', 1, { referencedId: 'db', amount: { minor: '1', currency: 'USD' } }),
      ],
      /r is in another currency/,
    ],
    [
      'a foreign reference',
      [...debit(500), begin('r', 'refund', 1, { referencedId: 'zz' })],
      /r refers to zz, which is not of this chain/,
    ],
    [
      'a reference to what was not approved',
      [...debit(500).slice(0, 1), refund('r', 1)],
      /r refers to db, which is requested/,
    ],
    [
      'a success that becomes a decline',
      [...debit(500), ['TransactionDeclined', { transactionId: 'db' }]],
      /db was approved and becomes declined/,
    ],
    ['a transaction that begins twice', [...debit(500), refund('db', 1)], /db begins twice/],
    ['an outcome of nothing', [...debit(500), approve('zz')], /zz, which never began/],
    [
      'an unknown event',
      [...debit(500), ['Surprise', { transactionId: 'db' }]],
      /the event Surprise is not known/,
    ],
    [
      'a second beginning of the payment',
      [
        ...debit(500),
        ['PaymentInitiated', { transactionId: 'p2', operation: 'debit', amount: euro(1) }],
      ],
      /PaymentInitiated as version 3/,
    ],
  ];

  it.each(broken)('finds %s', (_name, steps, sentence) => {
    expect(fold(...steps).violations.join('\n')).toMatch(sentence);
  });

  it('finds a hole in the versions', () => {
    const chain = fold(...debit(500));
    chain.apply({
      streamId: 's',
      version: 4,
      type: 'TransactionPending',
      data: { transactionId: 'db' },
    });
    expect(chain.violations[0]).toBe('version 4 follows 2');
  });
});

describe('a further attempt', () => {
  const request = (acquirerReference: string) => ({ request: { acquirerReference } });
  const initiated: Step = [
    'PaymentInitiated',
    { transactionId: 'db', operation: 'debit', amount: euro(1_000), ...request('db') },
  ];
  const rerouted = (reference: string, reason = 'refused'): Step => [
    'TransactionRerouted',
    { transactionId: 'db', reason, ...request(reference) },
  ];

  it('is the one that counts, by its own reference', () => {
    const chain = fold(initiated, rerouted('db-2'), approve('db'));
    expect(chain.violations).toEqual([]);
    expect(chain.transactions.get('db')).toMatchObject({
      ...{ acquirerReference: 'db-2', outcome: 'approved' },
      givenUp: [{ acquirerReference: 'db', reason: 'refused' }],
    });
  });

  it('leaves all that were given up, and why', () => {
    const chain = fold(initiated, rerouted('db-2'), rerouted('db-3', 'declined'));
    expect(chain.violations).toEqual([]);
    expect(chain.transactions.get('db')?.givenUp).toEqual([
      { acquirerReference: 'db', reason: 'refused' },
      { acquirerReference: 'db-2', reason: 'declined' },
    ]);
  });

  it('is made under no reference that was sent before, and not after an outcome', () => {
    expect(fold(initiated, rerouted('db')).violations).toHaveLength(1);
    expect(fold(initiated, rerouted('db-2'), rerouted('db')).violations).toHaveLength(1);
    expect(fold(initiated, approve('db'), rerouted('db-2')).violations).toHaveLength(1);
  });
});
