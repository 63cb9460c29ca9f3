import { expect } from '@jest/globals';
import { instrumentKinds } from '@sluice/contracts';
import { parametersTaken } from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import { Detail } from '@sluice/secrets';
import type { ConnectorOperation } from '../connector.js';
import type { ContractBench, ContractRule } from './contract-bench-fixture.js';

const HOUR_MS = 60 * 60 * 1_000;
/** Two days of hours: every cut-off of a day is among them. */
const HOURS = Array.from({ length: 48 }, (_each, hour) => Date.UTC(2028, 1, 28) + hour * HOUR_MS);
const UNSUPPORTED = { kind: 'notPerformed', reason: 'unsupported' };

/** What each operation refers to; null begins a payment. */
const chains: readonly (readonly [ConnectorOperation, ConnectorOperation | null])[] = [
  ['authorization', null],
  ['debit', null],
  ['credit', null],
  ['capture', 'authorization'],
  ['reversal', 'authorization'],
  ['refund', 'debit'],
  ['rebill', 'debit'],
  ['receipt', 'authorization'],
  ['incrementalAuthorization', 'authorization'],
  ['reauthorization', 'authorization'],
];

/** What a connector declares about itself is true. */
export const capabilityRules: readonly ContractRule[] = [
  {
    name: 'its name is the one it is known by',
    check: async ({ connector, subject }) => expect(connector.name).toBe(subject.name),
  },
  {
    name: 'its times are whole milliseconds, and a call may last',
    check: async ({ connector: { capabilities } }) => {
      const { callTimeoutMs, maxInFlightMs } = capabilities;
      expect(Number.isSafeInteger(callTimeoutMs) && callTimeoutMs > 0).toBe(true);
      expect(Number.isSafeInteger(maxInFlightMs) && maxInFlightMs >= 0).toBe(true);
    },
  },
  {
    name: 'a reversal is cut off after what it reverses, and later for what came later',
    check: async ({ connector: { capabilities } }) => {
      const cutOffs = HOURS.map((recordedAtMs) => capabilities.reversalCutOffMs(recordedAtMs));
      for (const [index, cutOffMs] of cutOffs.entries()) {
        expect(cutOffMs).toBeGreaterThanOrEqual(HOURS[index]!);
        expect(cutOffMs).toBeGreaterThanOrEqual(cutOffs[index - 1] ?? 0);
      }
    },
  },
  {
    name: 'it takes payments by nothing else than it says',
    check: async (bench) => {
      const { instruments } = bench.connector.capabilities;
      expect(instruments).not.toEqual([]);
      const kind = instrumentKinds.find((each) => !instruments.includes(each));
      if (kind === undefined) return;
      const details = { [`${kind}.number`]: new Detail('1234567890') };
      const { request } = bench.subject.approved();
      const sent = await bench.sentBy(async () => {
        const outcome = await bench.submit({ request, instrument: { kind, details } });
        expect(outcome).toMatchObject(UNSUPPORTED);
      });
      expect(sent).toEqual([]);
    },
  },
  {
    name: 'a card out of a wallet is taken with its proof, or refused before anything is sent',
    check: async (bench) => {
      const { request, instrument } = bench.subject.approved();
      if (instrument === undefined) return;
      const proof = 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=';
      const { 'card.cvv': _, ...card } = instrument.details;
      const details = { ...card, 'threeDSecure.verificationId': new Detail(proof) };
      const wallet = { name: 'applePay', numberType: 'DPAN' } as const;
      const parameters = { ...request.parameters, threeDSecure: { eci: '07' } };
      const sent = await bench.sentBy(async () => {
        const outcome = await bench.submit({
          request: { ...request, wallet, parameters },
          instrument: { ...instrument, details },
        });
        const takes = bench.connector.capabilities.takesWallets === true;
        expect(outcome).toMatchObject(takes ? { kind: 'approved' } : UNSUPPORTED);
      });
      const isSent = sent.some((text) => text.includes(proof.slice(0, -1)));
      expect([sent.length, isSent]).toEqual(
        bench.connector.capabilities.takesWallets === true ? [1, true] : [0, false],
      );
    },
  },
  {
    name: 'it takes parameters that a request can carry to it',
    check: async ({ connector }) => void parametersTaken(connector.takes),
  },
  {
    name: 'it asks for an outcome only if it can',
    check: async (bench) => {
      const { reference, connectorTxId } = await bench.approvedOne();
      const { canInquire } = bench.connector.capabilities;
      const sent = await bench.sentBy(async () => {
        expect(await bench.inquire(reference)).toMatchObject(
          canInquire ? { kind: 'found', outcome: { connectorTxId } } : { kind: 'unavailable' },
        );
      });
      expect(sent).toHaveLength(canInquire ? 1 : 0);
    },
  },
  {
    name: 'it undoes by reference, as often as it is told, only if it can',
    check: async (bench) => {
      if (bench.connector.capabilities.canReverse) return expectUndone(bench);
      const { reference } = await bench.approvedOne();
      const sent = await bench.sentBy(async () => {
        expect(await bench.reverse(reference)).toEqual({ kind: 'unavailable' });
      });
      expect(sent).toEqual([]);
    },
  },
  {
    name: 'it reverses a part only if it says so',
    check: async (bench) => {
      const original = named(await bench.approvedOne('authorization'), 'authorization');
      const { request } = bench.subject.approved();
      const amount = { ...request.amount, minor: request.amount.minor - 1n };
      const originalAmount = request.amount;
      const part = { operation: 'reversal', ...original, originalAmount, amount } as const;
      const { kind } = await bench.submit({ request: { ...request, ...part } });
      expect(kind === 'approved').toBe(bench.connector.capabilities.partialReversal);
    },
  },
  ...chains.map(([operation, refersTo]): ContractRule => ({
    name: `${operation} is performed, or refused before anything is sent`,
    check: (bench) => expectPerformed(bench, operation, refersTo),
  })),
];

async function expectUndone(bench: ContractBench): Promise<void> {
  const { reference, connectorTxId } = await bench.approvedOne();
  for (let round = 0; round < 3; round += 1) {
    expect(await bench.reverse(reference)).toEqual({ kind: 'reversed', connectorTxId });
  }
  expect(await bench.subject.bookings(reference)).toBe(1);
  if (!bench.connector.capabilities.canInquire) return;
  const outcome = { kind: 'declined', resultCode: codes.timeoutReversed };
  expect(await bench.inquire(reference)).toMatchObject({ kind: 'found', outcome });
}

/** Operations that refer to a transaction go without an instrument, and name what they refer to. */
async function expectPerformed(
  bench: ContractBench,
  operation: ConnectorOperation,
  refersTo: ConnectorOperation | null,
): Promise<void> {
  const original = refersTo === null ? undefined : await bench.approvedOne(refersTo);
  const { instrument, request } = bench.subject.approved();
  const submission =
    original === undefined
      ? { request: { ...request, operation }, ...(instrument && { instrument }) }
      : {
          request: {
            ...{ ...request, operation, originalAmount: request.amount },
            ...named(original, refersTo),
          },
        };
  const isSupported = supports(bench, operation);
  const sent = await bench.sentBy(async () => {
    const outcome = await bench.submit(submission);
    expect(outcome).toMatchObject(isSupported ? { kind: 'approved' } : UNSUPPORTED);
  });
  expect(sent).toHaveLength(isSupported ? 1 : 0);
  // Some acquirers know a transaction by our reference, others by their own id alone.
  const names = original ?? { reference: request.acquirerReference };
  const isNamed = Object.values(names).some((name) => sent[0]?.includes(name));
  if (isSupported) expect({ sent, isNamed }).toEqual({ sent, isNamed: true });
}

/** How a request names what it refers to. */
function named(
  { reference, connectorTxId }: Awaited<ReturnType<ContractBench['approvedOne']>>,
  refersTo: ConnectorOperation | null,
) {
  return {
    originalReference: reference,
    originalConnectorTxId: connectorTxId,
    ...(refersTo !== null && { originalOperation: refersTo }),
  };
}

function supports({ connector, subject }: ContractBench, operation: ConnectorOperation): boolean {
  if (subject.unsupported?.includes(operation) === true) return false;
  const { incrementalAuthorization, reauthorization } = connector.capabilities;
  const declared: Partial<Record<ConnectorOperation, boolean>> = {
    incrementalAuthorization,
    reauthorization,
  };
  return declared[operation] ?? true;
}
