import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CertificateExpiry,
  createLogger,
  HttpClient,
  InternalServer,
  internalServerMetrics,
  processMetrics,
  PrometheusMetrics,
  TlsMaterial,
} from '@sluice/service';
import { startTestAuthority, type TestAuthority } from './test-certificates.js';

const logger = createLogger({ service: 'ledger', level: 'silent' });
let authority: TestAuthority;

beforeAll(async () => {
  authority = await startTestAuthority();
});
afterAll(async () => {
  await authority.remove();
});

async function materialOf(service: string): Promise<TlsMaterial> {
  const files = await authority.certificateOf(service);
  const material = await TlsMaterial.open(files, () => undefined);
  if (material === undefined) throw new Error('there are no files');
  return material;
}

async function linesOf(metrics: PrometheusMetrics, name: string): Promise<readonly string[]> {
  return (await metrics.exposition()).split('\n').filter((line) => line.startsWith(`${name}{`));
}

describe('the certificates of a process', () => {
  it('say how long they last, our own and the authority we trust', async () => {
    const metrics = new PrometheusMetrics(processMetrics);
    const certificates = new CertificateExpiry(metrics);
    const name = 'sluice_certificate_expires_in_seconds';
    certificates.add('kafka', undefined);
    expect(await linesOf(metrics, name)).toEqual([]);
    const material = await materialOf('ledger');
    certificates.add('internal', material);
    const lines = await linesOf(metrics, name);
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      `${name}{use="internal",part="own"}`,
      `${name}{use="internal",part="authority"}`,
    ]);
    for (const line of lines) {
      const seconds = Number(line.split(' ')[1]);
      expect(seconds).toBeGreaterThan(86_400);
      expect(seconds).toBeLessThanOrEqual(2 * 86_400);
    }
    material.close();
  });
});

describe('the internal port', () => {
  it('counts calls by route and by the service in the certificate', async () => {
    const metrics = new PrometheusMetrics(internalServerMetrics);
    const tls = await materialOf('ledger');
    const server = new InternalServer({ logger, tls, metrics });
    server.route({ path: '/book', callers: ['edge'], answer: () => Promise.resolve('{}') });
    const origin = await server.listen('127.0.0.1', 0);
    for (const caller of ['edge', 'stranger']) {
      const theirs = await materialOf(caller);
      const client = new HttpClient({ origin, tls: theirs });
      for (const path of ['/book', '/other']) {
        await client.send({ method: 'POST', path, body: '{}', timeoutMs: 5_000 });
      }
      await client.close();
      theirs.close();
    }
    await server.close();
    tls.close();
    const name = 'sluice_internal_calls_total';
    expect(await linesOf(metrics, name)).toEqual([
      `${name}{http_route="/book",caller="edge",result="answered"} 1`,
      // Who may call one route may still ask for others that are not there.
      `${name}{http_route="other",caller="other",result="forbidden"} 2`,
      `${name}{http_route="/book",caller="other",result="forbidden"} 1`,
    ]);
    const durations = await linesOf(metrics, 'http_server_request_duration_seconds_count');
    expect(durations).toHaveLength(3);
  });
});
