import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RevealedInstrument } from '@sluice/contracts';
import { currency } from '@sluice/money';
import { Detail } from '@sluice/secrets';
import { startTcpProxy, type TcpProxy } from '@sluice/testing';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from '../../../../tools/build.mjs';
import type { ConnectorRequest, SubmitOutcome } from '../connector.js';
import { SimulatorConnector } from './simulator-connector.js';

// The acquirer runs in a process of its own, as in the cluster: it shares no code with this side
// that could make the same mistake twice.
const PROGRAM = fileURLToPath(new URL('../../../../apps/simulator/dist/main.js', import.meta.url));
const BUILD_WITHIN_MS = 120_000;
const TIMEOUT_MS = 10_000;
/** Less than the faults of time below. */
const SHORT_TIMEOUT_MS = 1_000;
/** Payments per fault; the long form of R-CRA-08 asks for 500. */
const PAYMENTS_PER_FAULT = 20;

let folder: string;
let simulator: Simulator;
let connector: SimulatorConnector;
let references = 0;

interface Simulator {
  readonly child: ChildProcess;
  readonly url: string;
}

interface Booked {
  readonly reference: string;
  readonly status: string;
  readonly amount: string;
  readonly currency: string;
}

beforeAll(async () => {
  await build();
  folder = await mkdtemp(join(tmpdir(), 'sluice-simulator-'));
  simulator = await startSimulator();
  connector = new SimulatorConnector({ url: simulator.url });
}, BUILD_WITHIN_MS);

afterAll(async () => {
  await connector.close();
  await stop(simulator, 'SIGTERM');
  await rm(folder, { recursive: true });
});

async function startSimulator(): Promise<Simulator> {
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      SIMULATOR_BOOK: join(folder, 'book.ndjson'),
      SIMULATOR_PORT: '0',
      SIMULATOR_PENDING_MS: '50',
    },
  });
  for await (const line of createInterface(child.stdout)) {
    const { url } = JSON.parse(line) as { url?: string };
    if (url !== undefined) return { child, url };
  }
  throw new Error('the simulator did not start');
}

async function stop({ child }: Simulator, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

const card: RevealedInstrument = {
  kind: 'card',
  details: {
    'card.number': new Detail('4200000000000042'),
    'card.expiryMonth': new Detail('05'),
    'card.expiryYear': new Detail('2034'),
    'card.cvv': new Detail('918'),
  },
};

function debit(more: Partial<ConnectorRequest> = {}): ConnectorRequest {
  references += 1;
  return {
    acquirerReference: `ref-${references}`,
    operation: 'debit',
    amount: { minor: 9200n, currency: currency('EUR') },
    mode: 'INTERNAL',
    ...more,
  };
}

function faulty(fault: string): Pick<ConnectorRequest, 'testDirectives'> {
  return { testDirectives: { 'simulator.fault': fault } };
}

function submit(
  request: ConnectorRequest,
  timeoutMs = TIMEOUT_MS,
  through = connector,
): Promise<SubmitOutcome> {
  return through.submit(request, card, { timeoutMs, beginByMs: performance.now() + TIMEOUT_MS });
}

/** References go without the card. */
function reference(request: ConnectorRequest): Promise<SubmitOutcome> {
  const beginByMs = performance.now() + TIMEOUT_MS;
  return connector.submit(request, undefined, { timeoutMs: TIMEOUT_MS, beginByMs });
}

/** What the book has of these requests. */
async function bookingsOf(...requests: readonly ConnectorRequest[]): Promise<Booked[]> {
  const wanted = new Set(requests.map(({ acquirerReference }) => acquirerReference));
  const text = await (await fetch(`${simulator.url}/book`)).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Booked)
    .filter(({ reference }) => wanted.has(reference));
}

const approved = { kind: 'approved', resultCode: '000.100.110' };

describe('operations', () => {
  it('are booked with the amount in the acquirer’s notation', async () => {
    const amounts = [
      { minor: 1n, currency: currency('EUR') },
      { minor: 100n, currency: currency('JPY') },
      { minor: 10_000n, currency: currency('KWD') },
      { minor: 385_000n, currency: currency('CLF') },
    ];
    const requests = amounts.map((amount) => debit({ amount }));
    for (const request of requests) expect(await submit(request)).toMatchObject(approved);
    expect((await bookingsOf(...requests)).map((each) => [each.amount, each.currency])).toEqual([
      ['0.01', 'EUR'],
      ['100', 'JPY'],
      ['10.000', 'KWD'],
      ['38.5000', 'CLF'],
    ]);
  });

  it('go from authorization over capture to refund', async () => {
    const authorization = debit({ operation: 'authorization' });
    expect(await submit(authorization)).toMatchObject(approved);
    const capture = debit({
      operation: 'capture',
      originalReference: authorization.acquirerReference,
    });
    expect(await reference(capture)).toMatchObject(approved);
    const refund = debit({ operation: 'refund', originalReference: capture.acquirerReference });
    expect(await reference(refund)).toMatchObject(approved);
    const orphan = debit({ operation: 'capture', originalReference: 'never-sent' });
    expect(await reference(orphan)).toMatchObject({
      kind: 'declined',
      resultCode: '700.400.580',
    });
  });

  it.each([
    ['800.100.151', { kind: 'declined', resultCode: '800.100.151' }],
    ['000.200.000', { kind: 'pending', resultCode: '000.200.000' }],
    ['1.2.3', { kind: 'declined', resultCode: '600.200.810' }],
  ])('end as forced: %s', async (forceResultCode, outcome) => {
    expect(await submit(debit({ testDirectives: { forceResultCode } }))).toMatchObject(outcome);
  });

  it('that are pending are found approved later', async () => {
    const request = debit({ testDirectives: { forceResultCode: '000.200.000' } });
    await submit(request);
    let inquiry = await connector.inquire(request.acquirerReference, { timeoutMs: TIMEOUT_MS });
    while (inquiry.kind === 'found' && inquiry.outcome.kind === 'pending') {
      inquiry = await connector.inquire(request.acquirerReference, { timeoutMs: TIMEOUT_MS });
    }
    expect(inquiry).toMatchObject({ kind: 'found', outcome: approved });
  });

  it('are undone by reference, again and again', async () => {
    const request = debit();
    const outcome = await submit(request);
    const connectorTxId = outcome.kind === 'approved' ? outcome.connectorTxId : '';
    for (let round = 0; round < 3; round += 1) {
      expect(await connector.reverse(request.acquirerReference, { timeoutMs: TIMEOUT_MS })).toEqual(
        { kind: 'reversed', connectorTxId },
      );
    }
    expect(await bookingsOf(request)).toMatchObject([{ status: 'reversed' }]);
    expect(await connector.reverse('never-sent', { timeoutMs: TIMEOUT_MS })).toEqual({
      kind: 'notFound',
    });
  });
});

describe('each fault of D-48, by the outcome class of the protocol', () => {
  const unknown = (reason: string) => ({ kind: 'unknown', reason });

  it.each<[string, object, 'booked' | 'never booked']>([
    ['delay:20', approved, 'booked'],
    ['delay:60000', unknown('timeout'), 'booked'],
    ['late:60000', unknown('timeout'), 'never booked'],
    ['drop-before', unknown('connectionLost'), 'never booked'],
    ['drop-after', unknown('connectionLost'), 'booked'],
    ['http-500', unknown('serverError'), 'booked'],
    ['garbage', unknown('unreadableAnswer'), 'booked'],
    ['explode', { kind: 'notPerformed', reason: 'refused' }, 'never booked'],
  ])('%s', async (fault, outcome, booked) => {
    const requests = Array.from({ length: PAYMENTS_PER_FAULT }, () => debit(faulty(fault)));
    const timeoutMs = fault.endsWith('60000') ? SHORT_TIMEOUT_MS : TIMEOUT_MS;
    const outcomes = await Promise.all(requests.map((request) => submit(request, timeoutMs)));
    for (const each of outcomes) expect(each).toMatchObject(outcome);
    // What an inquiry says afterwards, and that nothing was booked twice.
    for (const { acquirerReference } of requests) {
      const inquiry = await connector.inquire(acquirerReference, { timeoutMs: TIMEOUT_MS });
      expect(inquiry).toMatchObject(
        booked === 'booked' ? { kind: 'found', outcome: approved } : { kind: 'notFound' },
      );
    }
    expect(await bookingsOf(...requests)).toHaveLength(
      booked === 'booked' ? PAYMENTS_PER_FAULT : 0,
    );
  });

  it('late: booked after our timeout, so that only a later inquiry finds it', async () => {
    const request = debit(faulty('late:1500'));
    expect(await submit(request, SHORT_TIMEOUT_MS)).toEqual(unknown('timeout'));
    const { acquirerReference } = request;
    let inquiry = await connector.inquire(acquirerReference, { timeoutMs: TIMEOUT_MS });
    expect(inquiry).toEqual({ kind: 'notFound' });
    while (inquiry.kind === 'notFound') {
      inquiry = await connector.inquire(acquirerReference, { timeoutMs: TIMEOUT_MS });
    }
    expect(inquiry).toMatchObject({ kind: 'found', outcome: approved });
  });

  it('twice: no payment ever takes another one’s answer', async () => {
    const requests = Array.from({ length: 200 }, (_each, index) =>
      debit(index % 2 === 0 ? faulty('twice') : {}),
    );
    const outcomes = await Promise.all(requests.map((request) => submit(request)));
    const booked = await bookingsOf(...requests);
    for (const [index, outcome] of outcomes.entries()) {
      const { acquirerReference } = requests[index]!;
      const bookings = booked.filter(({ reference }) => reference === acquirerReference);
      expect(bookings.length).toBeLessThanOrEqual(1);
      expect(['approved', 'unknown']).toContain(outcome.kind);
      if (outcome.kind === 'approved') {
        expect(bookings).toMatchObject([{ transactionId: outcome.connectorTxId }]);
      }
    }
  });
});

describe('the wire between', () => {
  let proxy: TcpProxy;
  let through: SimulatorConnector;

  beforeEach(async () => {
    proxy = await startTcpProxy(simulator.url);
    through = new SimulatorConnector({ url: `http://127.0.0.1:${proxy.port}` });
  });

  afterEach(async () => {
    await through.close();
    await proxy.close();
  });

  it('a blackhole is a timeout', async () => {
    // Leaves a connection behind, so that connecting takes none of the time.
    await submit(debit(), TIMEOUT_MS, through);
    proxy.mode = 'blackhole';
    const request = debit();
    expect(await submit(request, SHORT_TIMEOUT_MS, through)).toEqual({
      kind: 'unknown',
      reason: 'timeout',
    });
    expect(await bookingsOf(request)).toEqual([]);
  });

  it('a reset after booking is unknown, and booked once', async () => {
    proxy.mode = 'holdAnswers';
    const answered = proxy.nextAnswer();
    const request = debit();
    const outcome = submit(request, TIMEOUT_MS, through);
    await answered;
    proxy.resetConnections();
    expect(await outcome).toEqual({ kind: 'unknown', reason: 'connectionLost' });
    expect(await bookingsOf(request)).toHaveLength(1);
  });
});

describe('a simulator that is killed', () => {
  it('has lost nothing that it answered and booked nothing twice', async () => {
    const requests = Array.from({ length: 400 }, () => debit());
    const outcomes: SubmitOutcome[] = [];
    const submitting = Promise.all(
      requests.map(async (request, index) => {
        outcomes[index] = await submit(request);
        if (index === 100) simulator.child.kill('SIGKILL');
      }),
    );
    await submitting;
    await stop(simulator, 'SIGKILL');
    await connector.close();
    await appendFile(join(folder, 'book.ndjson'), '{"kind":"transaction","transac');
    simulator = await startSimulator();
    connector = new SimulatorConnector({ url: simulator.url });
    const bookings = new Map<string, number>();
    for (const { reference } of await bookingsOf(...requests)) {
      bookings.set(reference, (bookings.get(reference) ?? 0) + 1);
    }
    expect([...bookings.values()].every((count) => count === 1)).toBe(true);
    for (const [index, outcome] of outcomes.entries()) {
      const count = bookings.get(requests[index]!.acquirerReference) ?? 0;
      if (outcome.kind === 'approved') expect(count).toBe(1);
      if (outcome.kind === 'notPerformed') expect(count).toBe(0);
    }
    expect(outcomes.some(({ kind }) => kind === 'approved')).toBe(true);
    expect(await readFile(join(folder, 'book.ndjson'), 'utf8')).not.toContain('4200000000000042');
  });
});
