import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpClient, TlsMaterial } from '@sluice/service';
import { startTestAuthority, type TestAuthority } from '@sluice/testing';
import { request } from 'node:https';
import { AuthenticationServerSettings } from './authentication-settings.js';
import { ResultsAddress } from './results-address.js';
import { ResultsServer } from './results-server.js';

const logger = { info: () => undefined, error: () => undefined };
const RESULT = '{"messageType":"RReq"}';
const ANSWER = { messageType: 'RRes' };

let ours: TestAuthority;
let others: TestAuthority;
const materials: TlsMaterial[] = [];
const read: string[] = [];
let server: ResultsServer;
let url: URL;

async function materialOf(authority: TestAuthority, service: string): Promise<TlsMaterial> {
  const files = await authority.certificateOf(service);
  const material = await TlsMaterial.open(files, (error) => expect(error).toBeUndefined());
  if (material === undefined) throw new Error('There are no files.');
  materials.push(material);
  return material;
}

beforeAll(async () => {
  [ours, others] = await Promise.all([startTestAuthority(), startTestAuthority()]);
  const results = {
    receive: (text: string) => {
      read.push(text);
      return Promise.resolve(ANSWER);
    },
  };
  server = new ResultsServer({ results, logger, tls: await materialOf(ours, 'risk') });
  url = new URL(await server.listen('127.0.0.1', 0));
});
afterAll(async () => {
  await server.close();
  for (const material of materials) material.close();
  await Promise.all([ours.remove(), others.remove()]);
});
beforeEach(() => {
  read.length = 0;
});

/** Sends a result with these certificates, whoever the server is. */
function sent(certificates: { readonly cert?: string; readonly key?: string }): Promise<string> {
  return new Promise((resolve) => {
    const asked = request(url, { ...certificates, method: 'POST', rejectUnauthorized: false });
    asked.on('response', (response) => {
      response.resume();
      resolve('answered');
    });
    asked.on('error', () => resolve('refused'));
    asked.end(RESULT);
  });
}

describe('results of authentications, by mutual TLS', () => {
  it('are taken from a directory server with a certificate of the authority', async () => {
    const client = new HttpClient({ origin: url.origin, tls: await materialOf(ours, 'simulator') });
    const answer = await client.send({
      ...{ method: 'POST', path: url.pathname, body: RESULT, timeoutMs: 5_000 },
    });
    expect(answer).toMatchObject({
      kind: 'answered',
      statusCode: 200,
      body: JSON.stringify(ANSWER),
    });
    expect(read).toEqual([RESULT]);
    await client.close();
  });

  it('are not read of anybody without a certificate', async () => {
    expect(await sent({})).toBe('refused');
    expect(read).toEqual([]);
  });

  it('are not read of anybody with a certificate of another authority', async () => {
    const { cert, key } = (await materialOf(others, 'simulator')).current;
    expect(await sent({ cert, key })).toBe('refused');
    expect(read).toEqual([]);
  });

  it('are not read in clear', async () => {
    const inClear = fetch(url.href.replace('https:', 'http:'), { method: 'POST', body: RESULT });
    await expect(inClear).rejects.toThrow();
    expect(read).toEqual([]);
  });

  it('are not taken in clear from another machine', async () => {
    const open = new ResultsServer({ results: { receive: () => Promise.resolve(ANSWER) }, logger });
    await expect(open.listen('0.0.0.0', 0)).rejects.toThrow('Without TLS files');
  });

  it('are answered where they are being told when risk ends, and then not taken any more', async () => {
    let record: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      record = resolve;
    });
    let recorded: () => void = () => undefined;
    const receive = () => {
      record();
      return new Promise<typeof ANSWER>((resolve) => {
        recorded = () => resolve(ANSWER);
      });
    };
    const tls = await materialOf(ours, 'risk');
    const ending = new ResultsServer({ results: { receive }, logger, tls });
    const { origin, pathname } = new URL(await ending.listen('127.0.0.1', 0));
    const client = new HttpClient({ origin, tls: await materialOf(ours, 'simulator') });
    const told = client.send({ method: 'POST', path: pathname, body: RESULT, timeoutMs: 5_000 });
    await begun;
    const ended = ending.close();
    setTimeout(recorded, 100);
    expect(await told).toMatchObject({ kind: 'answered', statusCode: 200 });
    await ended;
    const again = await client.send({
      method: 'POST',
      path: pathname,
      body: RESULT,
      timeoutMs: 500,
    });
    expect(again.kind).not.toBe('answered');
    await client.close();
  });

  it('are taken with certificates of their own, which no other service knows', async () => {
    const files = await others.certificateOf('risk');
    const settings = Object.assign(new AuthenticationServerSettings(), {
      resultsPort: 0,
      resultsCertificateFile: files.certificateFile,
      resultsKeyFile: files.keyFile,
      resultsAuthorityFile: files.authorityFile,
    });
    const address = new ResultsAddress(settings);
    const results = { receive: () => Promise.resolve(ANSWER) };
    const tls = await materialOf(ours, 'risk');
    const listening = await address.listen({ results, logger, tls });
    const { origin, pathname } = new URL(address.url ?? '');
    const sentBy = async (authority: TestAuthority) => {
      const client = new HttpClient({ origin, tls: await materialOf(authority, 'directory') });
      const request = { method: 'POST', path: pathname, body: RESULT, timeoutMs: 5_000 } as const;
      const { kind } = await client.send(request);
      await client.close();
      return kind;
    };
    expect(await sentBy(others)).toBe('answered');
    expect(await sentBy(ours)).not.toBe('answered');
    await listening?.close();
  });

  it('are not taken with one of three files alone', async () => {
    const { certificateFile } = await others.certificateOf('risk');
    const settings = { resultsPort: 0, resultsCertificateFile: certificateFile };
    const address = new ResultsAddress(Object.assign(new AuthenticationServerSettings(), settings));
    const results = { receive: () => Promise.resolve(ANSWER) };
    await expect(address.listen({ results, logger })).rejects.toThrow('RISK_RESULTS_KEY_FILE');
    expect(address.url).toBeUndefined();
  });
});
