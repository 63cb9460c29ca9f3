import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DetailsToHold, OrderAnswer, PlaceOrderQuery } from '@sluice/contracts';
import { currency } from '@sluice/money';
import { parametersTaken } from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import { Detail } from '@sluice/secrets';
import type { InstallationPorts } from '../acquirer.js';
import type { ConnectorOperation, ConnectorRequest } from '../connector.js';
import { createHash } from 'node:crypto';
import { acquirers } from '../acquirers.js';
import { SepaCreditor, sepa } from './sepa-acquirer.js';
import { SepaConnector } from './sepa-connector.js';

/*
 * The rules of `connectorContract()`, of which most are about bytes between us and a host: here is
 * none, only a query to a service of the installation.
 */

const IBAN = 'NL91ABNA0417164300';
const instrument = {
  kind: 'bankAccount',
  details: { 'bankAccount.iban': new Detail(IBAN) },
} as const;
const mandate = { id: 'MANDATE-ONE', dateOfSignature: '2026-03-02' };
const request: ConnectorRequest = {
  ...{ acquirerReference: 'a'.repeat(32), operation: 'debit', mode: 'EXTERNAL' },
  amount: { minor: 9_200n, currency: currency('EUR') },
  parameters: { bankAccount: { holder: 'Jane Jones', mandate } },
};
const later = { timeoutMs: 1_000, beginByMs: Infinity };

let held: DetailsToHold[];
let queries: [query: string, parameters: object][];
let answer: OrderAnswer | Error;
let vaultIsAway: boolean;
beforeEach(() => {
  [held, queries, answer, vaultIsAway] = [[], [], { kind: 'approved', id: 'x' }, false];
});

const ports: InstallationPorts = {
  queries: {
    ask: <Answer>(_service: string, query: string, parameters: object) => {
      queries.push([query, parameters]);
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as Answer);
    },
  },
  vault: {
    hold: (details) => {
      held.push(details);
      if (vaultIsAway) return Promise.reject(new Error('away'));
      // As the vault does it: the same details, the same hash.
      const texts = Object.entries(details.details).map(([name, text]) => [name, text.reveal()]);
      const fingerprint = createHash('sha256').update(JSON.stringify(texts.sort())).digest('hex');
      return Promise.resolve({ reference: `held-${held.length}`, fingerprint });
    },
  },
};
const connector = new SepaConnector({ creditor: 'books', ports, maxInFlightMs: 30_000 });
const submit = (
  more: Partial<ConnectorRequest> = {},
  paid: typeof instrument | undefined = instrument,
) => connector.submit({ ...request, ...more }, paid, later);

describe('a bank that takes files', () => {
  it('comes before the simulator, and only with a creditor and an installation around it', () => {
    expect(acquirers.map(({ name }) => name)).toEqual(['iso8583', 'platform', 'sepa', 'simulator']);
    const limits = { callTimeoutMs: 1, maxInFlightMs: 1, callsMax: 1 };
    const creditor = Object.assign(new SepaCreditor(), { creditor: 'books' });
    expect(sepa.connect(creditor, limits, ports)?.name).toBe('sepa');
    expect(sepa.connect(creditor, limits)).toBeUndefined();
    expect(sepa.connect(new SepaCreditor(), limits, ports)).toBeUndefined();
  });

  it('takes parameters that a request can carry to it', () => {
    expect(() => parametersTaken(connector.takes)).not.toThrow();
  });

  it('takes orders back for a day at most', () => {
    expect(connector.capabilities.reversalCutOffMs(1_000)).toBe(86_401_000);
  });
});

describe('an order', () => {
  it('goes to the service by its reference, and its account to the vault alone', async () => {
    const parameters = { ...request.parameters, transactionDueDate: '2026-12-01' };
    expect(await submit({ parameters })).toEqual({ kind: 'approved', connectorTxId: 'x' });
    expect(queries).toEqual([
      [
        'sepa.placeOrder',
        {
          ...{ reference: request.acquirerReference, operation: 'debit', mode: 'EXTERNAL' },
          ...{ creditor: 'books', heldReference: 'held-1', sequence: 'OOFF', dueOn: '2026-12-01' },
          amount: { minor: '9200', currency: 'EUR' },
          mandate: { id: expect.any(String), terms: expect.any(String) },
        },
      ],
    ]);
    expect(JSON.stringify(queries)).not.toContain(IBAN);
    expect(Object.keys(held[0]?.details ?? {}).sort()).toEqual([
      ...['bankAccount.holder', 'bankAccount.iban', 'bankAccount.mandate.dateOfSignature'],
      'bankAccount.mandate.id',
    ]);
  });

  it.each([
    ['under a standing instruction', { standingInstruction: { mode: 'INITIAL' } }, 'debit'],
    ['by what is stored, or is stored with it', { registrationId: 'a'.repeat(32) }, 'debit'],
    ['by captures, maybe', {}, 'authorization'],
  ] as const)('is one of several %s', async (_, more, operation) => {
    await submit({ operation, parameters: { ...request.parameters, ...more } });
    expect(queries[0]?.[1]).toMatchObject({ sequence: 'RCUR' });
  });

  it('tells its mandate by hashes of what was signed, and of nothing else', async () => {
    const marksOf = async (account: object, details = instrument.details) => {
      queries = [];
      await submit(
        { parameters: { bankAccount: { holder: 'Jane Jones', mandate, ...account } } },
        { ...instrument, details },
      );
      return (queries[0]?.[1] as PlaceOrderQuery).mandate;
    };
    const marks = await marksOf({});
    expect(await marksOf({ bic: 'ABNANL2A' })).toEqual(marks);
    const other = { 'bankAccount.iban': new Detail('DE89370400440532013000') };
    for (const changed of [
      await marksOf({ holder: 'John Jones' }),
      await marksOf({ mandate: { ...mandate, dateOfSignature: '2026-03-03' } }),
      await marksOf({}, other),
    ]) {
      expect(changed?.id).toBe(marks?.id);
      expect(changed?.terms).not.toBe(marks?.terms);
    }
    expect((await marksOf({ mandate: { ...mandate, id: 'MANDATE-TWO' } }))?.id).not.toBe(marks?.id);
  });

  it('of a credit has no mandate, even where one was sent', async () => {
    await submit({ operation: 'credit' });
    expect(queries[0]?.[1]).not.toHaveProperty('mandate');
    expect(held).toHaveLength(1);
  });

  it('is not due before its mandate is signed', async () => {
    await submit();
    expect(queries[0]?.[1]).toMatchObject({ dueOn: '2026-03-02' });
  });

  it('of another creditor goes by its name', async () => {
    await connector.ofMerchant('toys').submit(request, instrument, later);
    expect(queries[0]?.[1]).toMatchObject({ creditor: 'toys' });
  });

  it.each(['capture', 'refund', 'reversal'] as const)(
    '%s names what it refers to',
    async (operation) => {
      const { parameters: _, ...rest } = request;
      const originalReference = 'b'.repeat(32);
      const outcome = await connector.submit(
        { ...rest, operation, originalReference },
        undefined,
        later,
      );
      expect(outcome.kind).toBe('approved');
      expect(queries[0]?.[1]).toMatchObject({ operation, originalReference });
      expect(held).toEqual([]);
    },
  );

  it.each(['rebill', 'receipt', 'incrementalAuthorization', 'reauthorization'] as const)(
    '%s is refused before anything is asked',
    async (operation: ConnectorOperation) => {
      expect(await submit({ operation })).toEqual({ kind: 'notPerformed', reason: 'unsupported' });
      expect(queries).toEqual([]);
    },
  );

  it('by card is refused before anything is asked', async () => {
    const card = {
      kind: 'card',
      details: { 'card.number': new Detail('4200000000000000') },
    } as const;
    expect(await connector.submit(request, card, later)).toMatchObject({ reason: 'unsupported' });
    expect([held, queries]).toEqual([[], []]);
  });
});

describe('what a bank would refuse is declined before anything is placed', () => {
  const account = (iban: string) => ({
    kind: 'bankAccount' as const,
    details: { 'bankAccount.iban': new Detail(iban) },
  });
  const withMandate = (more: object) => ({
    parameters: { bankAccount: { holder: 'Jane Jones', mandate: { ...mandate, ...more } } },
  });

  it.each([
    ['another currency', { amount: { minor: 1n, currency: currency('USD') } }, '800.100.173'],
    ['too much', { amount: { minor: 10n ** 12n, currency: currency('EUR') } }, '100.550.301'],
    ['nothing', { amount: { minor: 0n, currency: currency('EUR') } }, '100.550.300'],
    ['no mandate', { parameters: { bankAccount: { holder: 'Jane Jones' } } }, '100.500.303'],
    ['a mandate that is too long', withMandate({ id: 'M'.repeat(36) }), '100.500.303'],
    ['a signature on no day', withMandate({ dateOfSignature: '2026-02-30' }), '100.500.302'],
    ['no holder', { parameters: { bankAccount: { mandate } } }, '100.200.104'],
  ] satisfies [string, Partial<ConnectorRequest>, string][])('%s', async (_, more, resultCode) => {
    expect(await submit(more)).toEqual({ kind: 'declined', resultCode });
    expect([held, queries]).toEqual([[], []]);
  });

  it('an account outside of SEPA, and one that is no IBAN', async () => {
    for (const details of [
      account('BR1800360305000010009795493C1'),
      { ...instrument, details: {} },
    ]) {
      const outcome = await connector.submit(request, details, later);
      expect(outcome).toEqual({ kind: 'declined', resultCode: '100.200.104' });
    }
  });

  it('but a credit needs no mandate', async () => {
    const parameters = { bankAccount: { holder: 'Jane Jones' } };
    expect(await submit({ operation: 'credit', parameters })).toMatchObject({ kind: 'approved' });
  });

  it.each([{ id: 'M'.repeat(36) }, { dateOfSignature: '2026-02-30' }])(
    'nor minds one with %j, which is for debits',
    async (wrong) => {
      const credit = { operation: 'credit', ...withMandate(wrong) } as const;
      expect(await submit(credit)).toMatchObject({ kind: 'approved' });
      expect(queries[0]?.[1]).not.toHaveProperty('dueOn');
    },
  );
});

describe('an answer', () => {
  it.each([
    [{ kind: 'declined', id: 'x', resultCode: '700.300.700' }, { kind: 'declined' }],
    [
      { kind: 'declined', id: 'x', resultCode: '100.500.303', reason: 'mandateIsUsed' },
      { kind: 'declined', resultDetails: { AcquirerResponse: 'mandateIsUsed' } },
    ],
    [
      { kind: 'refused', reason: 'so' },
      { kind: 'notPerformed', reason: 'refused' },
    ],
    [{ kind: 'underWay' }, { kind: 'unknown' }],
    [{ kind: 'notFound' }, { kind: 'unknown' }],
    [new Error('lost'), { kind: 'unknown' }],
  ] as const)('%j to an order becomes %j', async (said, outcome) => {
    answer = said;
    expect(await submit()).toMatchObject(outcome);
  });

  it('of a vault that is away means that nothing was placed', async () => {
    vaultIsAway = true;
    expect(await submit()).toMatchObject({ kind: 'notPerformed' });
    expect(queries).toEqual([]);
  });

  it('that cannot be in time is not asked for', async () => {
    const outcome = await connector.submit(request, instrument, { ...later, beginByMs: 0 });
    expect(outcome).toEqual({ kind: 'notPerformed', reason: 'sendWindowOver' });
    expect(queries).toEqual([]);
  });

  it.each([
    [
      { kind: 'approved', id: 'x' },
      { kind: 'found', outcome: { kind: 'approved' } },
    ],
    [
      { kind: 'cancelled', id: 'x' },
      { kind: 'found', outcome: { resultCode: codes.timeoutReversed } },
    ],
    [{ kind: 'notFound' }, { kind: 'notFound' }],
    [{ kind: 'underWay' }, { kind: 'unavailable' }],
    [new Error('lost'), { kind: 'unavailable' }],
  ] as const)('%j to an inquiry becomes %j', async (said, outcome) => {
    answer = said;
    expect(await connector.inquire('a')).toMatchObject(outcome);
  });

  it.each([
    [
      { kind: 'cancelled', id: 'x' },
      { kind: 'reversed', connectorTxId: 'x' },
    ],
    [{ kind: 'notFound' }, { kind: 'notFound' }],
    [{ kind: 'underWay' }, { kind: 'unavailable' }],
    [new Error('lost'), { kind: 'unavailable' }],
  ] as const)('%j to an undo becomes %j', async (said, outcome) => {
    answer = said;
    expect(await connector.reverse('a')).toEqual(outcome);
  });
});
