import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpClient, TlsMaterial } from '@sluice/service';
import { fixedClock, startTestAuthority, type TestAuthority } from '@sluice/testing';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { AccessControlServer } from './access-control-server.js';
import { AuthenticationBook } from './authentication-book.js';
import { DirectoryServer } from './directory-server.js';
import { ResultSender } from './result-sender.js';

let authority: TestAuthority;
let simulators: TlsMaterial;
let risks: TlsMaterial;

async function materialOf(service: string): Promise<TlsMaterial> {
  const files = await authority.certificateOf(service);
  const material = await TlsMaterial.open(files, (error) => expect(error).toBeUndefined());
  if (material === undefined) throw new Error('There are no files.');
  return material;
}

beforeAll(async () => {
  authority = await startTestAuthority();
  simulators = await materialOf('simulator');
  risks = await materialOf('risk');
});
afterAll(async () => {
  simulators.close();
  risks.close();
  await authority.remove();
});

function directoryWith(tls: TlsMaterial | undefined): DirectoryServer {
  const waits = { pageMs: 1_000, unseenMs: 1, lateMs: 1, retryMs: 1 };
  const parts = { book: new AuthenticationBook(), clock: fixedClock(0), settings: waits, tls };
  const pages = { method: () => 'http://pages.test', challenge: () => 'http://pages.test' };
  return new DirectoryServer({ acs: new AccessControlServer(parts), pages, tls });
}

describe('directory servers with certificates', () => {
  let directory: DirectoryServer;
  let origin: string;
  beforeAll(async () => {
    directory = directoryWith(simulators);
    origin = await directory.listen('127.0.0.1', 0);
  });
  afterAll(() => directory.close());

  it('answer a 3-D Secure server that has one', async () => {
    const client = new HttpClient({ origin, tls: risks });
    const answer = await client.send({
      method: 'POST',
      path: '/3ds/visa',
      body: '{}',
      timeoutMs: 5_000,
    });
    expect(answer).toMatchObject({ kind: 'answered', statusCode: 200 });
    await client.close();
  });

  it('do not answer anybody else', async () => {
    expect(await withoutCertificate(origin, risks.current.ca)).toBe('refused');
  });

  it('are not reached in clear from another machine', async () => {
    const other = directoryWith(undefined);
    await expect(other.listen('0.0.0.0', 0)).rejects.toThrow('Without TLS files');
  });
});

/** A caller that trusts the authority, and shows nothing. */
function withoutCertificate(origin: string, ca: string): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(`${origin}/3ds/visa`, { method: 'POST', ca }, () => resolve('answered'));
    sent.on('error', () => resolve('refused'));
    sent.end('{}');
  });
}

describe('results with certificates', () => {
  it('go to a server of the same authority, which sees whose they are', async () => {
    const callers: string[] = [];
    const server = createServer(
      { ...risks.current, requestCert: true, rejectUnauthorized: true },
      (received, response) => {
        callers.push((received.socket as TLSSocket).getPeerCertificate().subjectaltname ?? '');
        response.end('{"messageType":"RRes","threeDSServerTransID":"1","acsTransID":"2"}');
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const sender = new ResultSender(simulators, () => Promise.resolve());
    const message = { threeDSServerTransID: '1', acsTransID: '2' };
    expect(await sender.send(`https://127.0.0.1:${port}/`, message)).toBe(true);
    expect(callers).toEqual([expect.stringContaining('URI:spiffe://sluice/simulator')]);
    await new Promise((resolve) => server.close(resolve));
  });

  it('go nowhere in clear', async () => {
    const sender = new ResultSender(simulators, () => Promise.resolve());
    expect(await sender.send('http://127.0.0.1:1/', {})).toBe(false);
  });
});
