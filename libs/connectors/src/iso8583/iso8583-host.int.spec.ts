import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newTransactionId } from '@sluice/identifiers';
import {
  HOST_START_WITHIN_MS,
  type JposHost,
  startJposHost,
  startTestAuthority,
  type TestAuthority,
} from '@sluice/testing';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type Server } from 'node:tls';
import type { ConnectorOperation } from '../connector.js';
import type { Submission } from '../contract/contract-subject-fixture.js';
import type { Iso8583Connector } from './iso8583-connector.js';
import { connectorAt, debitTelling } from './iso8583-subject-fixture.js';

const TIMEOUT_MS = 5_000;
/** Less than the host is late. */
const SHORT_MS = 500;

let host: JposHost;
let connector: Iso8583Connector;

function submit({ request, instrument }: Submission, timeoutMs = TIMEOUT_MS) {
  const beginByMs = performance.now() + TIMEOUT_MS;
  return connector.submit(request, instrument, { timeoutMs, beginByMs });
}

async function statusOf({ request }: Submission): Promise<string | undefined> {
  const book = await host.book();
  return book.find(({ reference }) => reference === request.acquirerReference)?.status;
}

/** A request that refers to what was submitted. */
function referring(
  { request }: Submission,
  operation: ConnectorOperation,
  minor = request.amount.minor,
): Submission {
  const { acquirerReference, amount, mode } = request;
  return {
    request: {
      ...{ operation, mode, amount: { ...amount, minor } },
      acquirerReference: newTransactionId(Date.now()),
      originalReference: acquirerReference,
      ...{ originalOperation: request.operation, originalAmount: amount },
    },
  };
}

describe.each([
  ['1987', '00'],
  ['1993', '000'],
] as const)('the host of another author, by %s,', (version, approved) => {
  beforeAll(async () => {
    host = await startJposHost({ version });
  }, HOST_START_WITHIN_MS);

  afterAll(() => host.stop());

  beforeEach(() => {
    connector = connectorAt(host.port, { version });
  });

  afterEach(() => connector.close());

  it('is understood: authorization code, address and security code', async () => {
    expect(await submit(debitTelling())).toMatchObject({
      kind: 'approved',
      connectorTxId: expect.stringMatching(/^[0-9A-Z]{12}$/u),
      avsResponse: 'F',
      cvvResponse: 'M',
      resultDetails: { AcquirerResponse: approved, AuthCode: expect.stringMatching(/^[0-9]{6}$/u) },
    });
  });

  it('is believed when it does not know itself', async () => {
    const outcome = await submit(debitTelling({ code: '96' }));
    expect(outcome).toEqual({ kind: 'unknown', reason: 'serverError' });
  });

  it('has a partial approval given back at once', async () => {
    const partial = debitTelling({ code: '10' });
    expect(await submit(partial)).toMatchObject({ kind: 'declined', resultCode: '800.100.203' });
    expect(await statusOf(partial)).toBe('reversed');
  });

  it('that approves too late has it undone by reference, by a process that knows nothing else', async () => {
    const late = debitTelling({ delivery: 'answeredLate' });
    expect(await submit(late, SHORT_MS)).toEqual({ kind: 'unknown', reason: 'timeout' });
    expect(await statusOf(late)).toBe('booked');
    const { acquirerReference, ...original } = late.request;
    const another = connectorAt(host.port, { version });
    const options = { timeoutMs: TIMEOUT_MS, original };
    expect(await another.reverse(acquirerReference, options)).toMatchObject({ kind: 'reversed' });
    await another.close();
    expect(await statusOf(late)).toBe('reversed');
  });

  it('captures what was authorized, all of it or less, gives back and reverses', async () => {
    for (const minor of [9_200n, 4_600n]) {
      const authorized = debitTelling();
      const authorization = { ...authorized.request, operation: 'authorization' } as const;
      const first = { ...authorized, request: authorization };
      expect(await submit(first)).toMatchObject({ kind: 'approved' });
      const capture = referring(first, 'capture', minor);
      expect(await submit(capture)).toMatchObject({ kind: 'approved' });
      expect(await submit(referring(capture, 'refund', minor))).toMatchObject({ kind: 'approved' });
      expect(await submit(referring(first, 'reversal'))).toMatchObject({ kind: 'approved' });
      expect(await statusOf(first)).toBe('reversed');
    }
  });

  it('declines the capture of what it does not have', async () => {
    const capture = referring(debitTelling(), 'capture');
    expect(await submit(capture)).toMatchObject({ kind: 'declined', resultCode: '800.100.167' });
  });

  it('does not undo what is described wrongly', async () => {
    const debit = debitTelling();
    await submit(debit);
    const { acquirerReference, amount, mode } = debit.request;
    const more = { ...amount, minor: amount.minor + 1n };
    for (const original of [
      { operation: 'authorization', amount, mode },
      { operation: 'debit', amount: more, mode },
    ] as const) {
      const { kind } = await connector.reverse(acquirerReference, {
        timeoutMs: TIMEOUT_MS,
        original,
      });
      expect(kind).not.toBe('reversed');
    }
    expect(await statusOf(debit)).toBe('booked');
  });

  it('is found again after it was killed in the middle of a payment', async () => {
    const killing = debitTelling({ delivery: 'killedAfterBooking' });
    expect(await submit(killing)).toEqual({ kind: 'unknown', reason: 'connectionLost' });
    await host.restart();
    const { acquirerReference, ...original } = killing.request;
    const options = { timeoutMs: TIMEOUT_MS, original };
    expect(await connector.reverse(acquirerReference, options)).toMatchObject({ kind: 'reversed' });
    expect(await submit(debitTelling())).toMatchObject({ kind: 'approved' });
  });
});

describe('a connection by TLS', () => {
  let authority: TestAuthority;
  let files: Awaited<ReturnType<TestAuthority['certificateOf']>>;
  let terminator: Server;

  beforeAll(async () => {
    host = await startJposHost();
    authority = await startTestAuthority();
    files = await authority.certificateOf('host');
    const [cert, key, ca] = await Promise.all(
      [files.certificateFile, files.keyFile, files.authorityFile].map((file) => readFile(file)),
    );
    terminator = createServer({ cert, key, ca, requestCert: true } as object, (socket) => {
      const upstream = connect(host.port, '127.0.0.1');
      for (const each of [socket, upstream]) each.on('error', () => undefined);
      socket.pipe(upstream).pipe(socket);
    });
    await new Promise<void>((resolve) => terminator.listen(0, '127.0.0.1', resolve));
  }, HOST_START_WITHIN_MS);

  afterAll(async () => {
    terminator.close();
    await authority.remove();
    await host.stop();
  });

  it('is made with a certificate to whoever has one of that authority', async () => {
    const { port } = terminator.address() as AddressInfo;
    const secure = connectorAt(port, { tls: files });
    const { request, instrument } = debitTelling();
    const options = { timeoutMs: TIMEOUT_MS, beginByMs: performance.now() + TIMEOUT_MS };
    expect(await secure.submit(request, instrument, options)).toMatchObject({ kind: 'approved' });
    await secure.close();
  });

  it.each([
    ['has none that we believe', () => (terminator.address() as AddressInfo).port],
    ['does not speak it', () => host.port],
  ])('is not made to a host that %s, and nothing is sent', async (_, port) => {
    const wary = connectorAt(port(), { tls: {} });
    const { request, instrument } = debitTelling();
    const options = { timeoutMs: TIMEOUT_MS, beginByMs: performance.now() + SHORT_MS };
    const outcome = await wary.submit(request, instrument, options);
    expect(outcome).toMatchObject({ kind: 'notPerformed' });
    await wary.close();
  });
});
