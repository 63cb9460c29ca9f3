import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sluice/service';
import { ReferencePageModule, type RunningReferencePage } from '../src/index.js';
import type { ReferencePageSettings } from '../src/settings.js';

const committed = JSON.parse(
  readFileSync(new URL('../../../docs/reference/openapi.json', import.meta.url), 'utf8'),
) as object;

let test: RunningReferencePage;
let live: RunningReferencePage;
/** With the interface at another address. */
let apart: RunningReferencePage;
beforeAll(async () => {
  test = await start({ isBesideInterface: true });
  live = await start({ isBesideInterface: true, gatewayEnvironment: 'live' });
  apart = await start({});
});
afterAll(() => Promise.all([test, live, apart].map((page) => page.close())));

function start(settings: Partial<ReferencePageSettings>): Promise<RunningReferencePage> {
  const logger = createLogger({
    ...{ service: 'reference-page', level: 'error' },
    destination: { write: () => undefined },
  });
  return ReferencePageModule.start({ settings, logger });
}

describe('/openapi.json', () => {
  it('is the committed document, served by whoever is asked', async () => {
    const { status, headers, text } = await got(`${test.url}/openapi.json`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json;charset=UTF-8');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(JSON.parse(text)).toEqual({
      ...committed,
      servers: [{ url: '/', description: 'This installation' }],
    });
  });

  it('need not be sent twice', async () => {
    const first = await fetch(`${test.url}/openapi.json`);
    const tag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('public, no-cache');
    const again = (ifNoneMatch: string) =>
      fetch(`${test.url}/openapi.json`, { headers: { 'If-None-Match': ifNoneMatch } });
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const { status, headers } = await again(known);
      expect([known, status, headers.get('etag')]).toEqual([known, 304, tag]);
    }
    expect((await again('"other"')).status).toBe(200);
  });

  it('is compressed for those who can read that, under a tag of its own', async () => {
    const plain = await received('/openapi.json', 'identity');
    const compressed = await received('/openapi.json', 'br, gzip');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(compressed.headers.vary).toBe('accept-encoding');
    expect(compressed.headers.etag).not.toBe(plain.headers.etag);
    expect(gunzipSync(compressed.body).equals(plain.body)).toBe(true);
    expect(compressed.body.length).toBeLessThan(plain.body.length / 5);
  });
});

describe('/docs', () => {
  it.each([
    '/docs',
    '/docs/',
    '/docs/operations',
    '/docs/result-codes',
    '/docs/interface',
    '/docs/wire-contract',
  ])('%s is a page that runs nothing foreign', async (path) => {
    const { status, headers, text } = await got(`${test.url}${path}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it('is where the bare address leads', async () => {
    for (const { url } of [test, live]) {
      const { status, headers } = await fetch(`${url}/`, { redirect: 'manual' });
      expect([status, headers.get('location')]).toEqual([302, '/docs']);
    }
  });

  it('links nothing that is not there', async () => {
    const targets = new Map<string, Set<string>>();
    const idsOf = async (path: string): Promise<Set<string>> => {
      const { status, text } = await got(`${apart.url}${path}`);
      expect([path, status]).toEqual([path, 200]);
      return new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
    };
    const missing: string[] = [];
    for (const from of ['/docs', '/docs/result-codes', '/docs/interface', '/docs/wire-contract']) {
      const { text } = await got(`${apart.url}${from}`);
      for (const [, href = ''] of text.matchAll(/<a [^>]*href="([^"]+)"/g)) {
        const [path = '', anchor] = href.split('#');
        const page = path === '' ? from : path;
        if (!targets.has(page)) targets.set(page, await idsOf(page));
        if (anchor !== undefined && !targets.get(page)?.has(anchor)) missing.push(href);
      }
    }
    expect([...new Set(missing)]).toEqual([]);
    expect([...targets.keys()]).toEqual(
      expect.arrayContaining(['/docs/interface', '/openapi.json']),
    );
  });

  it('has an empty form on a test installation', async () => {
    const { text } = await got(`${test.url}/docs`);
    expect(text).toContain('try-form');
    expect(text).toContain('Fill in your access token');
  });

  it('says the limits of requests', async () => {
    const { text: page } = await got(`${test.url}/docs`);
    expect(page).toContain('<summary>Limits of a request</summary>');
    expect(page).toContain('<code>customer.browserFingerprint.value</code>: 16,384 bytes;');
    expect(page).toContain('of all maps together: 1,000;');
  });

  it('says plainly which requests are not served yet', async () => {
    const { text } = await got(`${live.url}/docs`);
    expect(text).toMatch(/<option value="report">report \(not served yet\)<\/option>/);
    expect(text).toMatch(/<option value="refund">refund<\/option>/);
    expect(text).toMatch(/<option value="schedule">schedule<\/option>/);
    expect(text).toMatch(/Not served by this version: report[^<]+404/);
  });

  it('shows no form on a live one', async () => {
    const { status, text } = await got(`${live.url}/docs`);
    expect(status).toBe(200);
    expect(text).toContain('This is a live installation');
    expect(text).not.toContain('try-form');
  });

  it.each([
    '/docs/package.json',
    '/docs/..%2fpackage.json',
    '/docs/constructor',
    '/docs/a/b',
    '/v1',
  ])('%s is 404', async (path) => {
    expect((await fetch(`${test.url}${path}`)).status).toBe(404);
  });

  it('is read, not written', async () => {
    expect((await fetch(`${test.url}/docs`, { method: 'POST' })).status).toBe(404);
  });

  it('has no form where the interface is at another address', async () => {
    const { text } = await got(`${apart.url}/docs`);
    expect(text).toContain('The interface has an address of its own here');
    expect(text).not.toContain('try-form');
    expect((await got(`${apart.url}/docs/result-codes`)).text).not.toContain('href="/v1');
    expect(JSON.parse((await got(`${apart.url}/openapi.json`)).text)).toEqual(committed);
  });
});

describe('HEAD', () => {
  it.each(['/docs', '/docs/operations', '/docs/reference-page.js', '/openapi.json'])(
    '%s answers as GET does, without the body',
    async (path) => {
      const asked = async (method: string) => {
        const response = await fetch(`${test.url}${path}`, { method });
        const headers = new Map(response.headers);
        // Of the time and of the connection, which `fetch` closes after HEAD.
        for (const name of ['date', 'connection', 'keep-alive']) headers.delete(name);
        return { status: response.status, headers, length: (await response.text()).length };
      };
      const [read, head] = [await asked('GET'), await asked('HEAD')];
      expect([read.status, read.length > 0, head.length]).toEqual([200, true, 0]);
      expect([head.status, head.headers]).toEqual([read.status, read.headers]);
    },
  );

  it('says its true length of what the asker has already', async () => {
    const url = `${test.url}/openapi.json`;
    const { headers } = await fetch(url, { method: 'HEAD' });
    const known = { 'If-None-Match': headers.get('etag') ?? '' };
    const again = await fetch(url, { method: 'HEAD', headers: known });
    const length = headers.get('content-length');
    expect([again.status, again.headers.get('content-length')]).toEqual([304, length]);
    expect(Number(length)).toBeGreaterThan(10_000);
  });
});

/** A page as text. */
async function got(url: string): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** An answer as it went over the wire: `fetch` would decompress it. */
function received(
  path: string,
  encoding: string,
): Promise<{ headers: Record<string, string | string[] | undefined>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    httpRequest(`${test.url}${path}`, { headers: { 'accept-encoding': encoding } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
    })
      .on('error', reject)
      .end();
  });
}
