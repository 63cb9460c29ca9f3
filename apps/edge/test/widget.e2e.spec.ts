import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CreateCheckout } from '@sluice/contracts';
import { newCheckoutId } from '@sluice/identifiers';
import { QueryUnavailable } from '@sluice/messaging';
import { build } from '../../../tools/build.mjs';
import { post } from './http-client.js';
import { entityId, ScriptedEdge } from './scripted-edge.js';

/** Bundling loads a compiler, on a machine that runs other suites meanwhile. */
const BUILD_WITHIN_MS = 120_000;

const edge = new ScriptedEdge();
beforeAll(async () => {
  await build(undefined, ['apps/widget']);
  await edge.start();
}, BUILD_WITHIN_MS);
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const id = newCheckoutId('sluice');

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** As it is sent: `fetch` would unpack it. */
function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(`${edge.url}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0, headers: got } = response;
        resolve({ status: statusCode, headers: got, bytes: Buffer.concat(chunks) });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

const loader = (query = `?checkoutId=${id}`, headers = {}) =>
  get(`/v1/paymentWidgets.js${query}`, headers);

/** What the loader of a checkout says of the files. */
async function started(): Promise<{ version: string; integrity: string }> {
  const { bytes } = await loader();
  const [, start = '{}'] = /\}\)\((\{.*\})\);\n$/.exec(bytes.toString()) ?? [];
  return JSON.parse(start) as { version: string; integrity: string };
}

describe('paymentWidgets.js', () => {
  it('is a script bound to its checkout, which any page may load, and asks for again', async () => {
    const { status, headers, bytes } = await loader();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cache-control': 'public, no-cache',
      'x-content-type-options': 'nosniff',
    });
    expect(bytes.toString()).toContain(`"id":"${id}","purpose":"payment"`);
    const again = await loader(undefined, { 'if-none-match': String(headers['etag']) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    const other = await loader(`?checkoutId=${id}/registration`, {
      'if-none-match': String(headers['etag']),
    });
    expect(other.status).toBe(200);
    expect(other.bytes.toString()).toContain('"purpose":"registration"');
  });

  it.each(['', '?checkoutId=x', `?checkoutId=${id}%3C/script%3E`, `?checkoutId=${id}/../x`])(
    'is a script that tells the page, and says nothing of the request: %j',
    async (query) => {
      const { status, headers, bytes } = await loader(query);
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        ...[200, 'text/javascript; charset=utf-8', 'no-store'],
      ]);
      const told: Error[] = [];
      const said: string[] = [];
      const page = {
        window: { wpwlOptions: { onError: (error: Error) => void told.push(error) } },
      };
      runInNewContext(bytes.toString(), page);
      const message = 'checkoutId is the id of a checkout, or that and /registration.';
      expect(told).toMatchObject([{ name: 'InvalidCheckoutIdError', message }]);
      const console = { error: (text: string) => void said.push(text) };
      for (const window of [{}, { wpwlOptions: {} }]) {
        runInNewContext(bytes.toString(), { window, console });
      }
      expect(said).toEqual([`Sluice: ${message}`, `Sluice: ${message}`]);
    },
  );

  it('asks nobody, and is logged without its query', async () => {
    await loader();
    expect([edge.queries, edge.checkouts]).toEqual([[], []]);
    expect(edge.done.map(({ path, status }) => [path, status])).toEqual([
      ['/v1/paymentWidgets.js', 200],
    ]);
    expect(edge.logged.join()).not.toContain(id);
  });
});

describe('the script of a checkout that was made with integrity=true', () => {
  const money = { entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' };
  const hashOf = (bytes: Buffer) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
  const create = (fields: Readonly<Record<string, string>>, headers = {}) =>
    post(`${edge.url}/v1/checkouts`, { ...fields, integrity: 'true' }, headers);

  it('has the hash that the merchant was told, and that is recorded', async () => {
    const { body } = await create(money);
    const { bytes } = await loader(`?checkoutId=${body.id}`);
    expect(body['integrity']).toBe(hashOf(bytes));
    expect(edge.checkouts[0]?.data).toMatchObject({ script: body['integrity'] });
  });

  it('is that of a registration where nothing is paid', async () => {
    const { body } = await create({ entityId, createRegistration: 'true' });
    const { bytes } = await loader(`?checkoutId=${body.id}/registration`);
    expect(body['integrity']).toBe(hashOf(bytes));
  });

  it('is told again when the request is repeated under its key', async () => {
    const headers = { 'Idempotency-Key': 'one' };
    const first = await create(money, headers);
    const claim = (edge.checkouts[0] as CreateCheckout).data.idempotency;
    if (claim === undefined) throw new Error('no claim was sent');
    const { fingerprint, answer } = claim;
    edge.script.checkOut = () => ({
      kind: 'replied',
      reply: { kind: 'keyTaken', fingerprint, answer },
    });
    expect((await create(money, headers)).text).toBe(first.text);
  });

  it('is not promised by an instance whose build others cannot have', async () => {
    const alone = new ScriptedEdge();
    await alone.start();
    alone.script.keepWidget = () => {
      throw new QueryUnavailable('checkouts.keepWidget', 'noService');
    };
    const url = `${alone.url}/v1/checkouts`;
    const pinned = await post(url, { ...money, integrity: 'true' });
    const plain = await post(url, money);
    await alone.close();
    expect([pinned.status, plain.status]).toEqual([503, 200]);
    expect(plain.body).not.toHaveProperty('integrity');
  });
});

describe('the build of another instance', () => {
  const version = 'abcdef01'.repeat(4);
  const bundle = JSON.stringify({
    ...{ version, loader: 'told = sluiceStart;', integrity: 'sha384-x' },
    files: { 'widget.js': 'let it = "another";' },
  });
  const other = newCheckoutId(`sluice-${version.slice(0, 8)}`);
  beforeEach(() => {
    edge.script.widget = ({ version: asked }) => (version.startsWith(asked) ? { bundle } : {});
  });

  it('is served for checkouts that were made by it', async () => {
    const { bytes } = await loader(`?checkoutId=${other}`);
    expect(bytes.toString()).toBe(
      `(sluiceStart=>{told = sluiceStart;})({"id":"${other}","purpose":"payment","version":"${version}","integrity":"sha384-x"});\n`,
    );
    const path = `/v1/widget/${version}/widget.js`;
    const file = await get(path, { 'accept-encoding': 'br' });
    expect(brotliDecompressSync(file.bytes).toString()).toBe('let it = "another";');
    expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('is not there if nobody has left it', async () => {
    const { status } = await get(`/v1/widget/${'12345678'.repeat(4)}/widget.js`);
    expect(status).toBe(404);
  });

  it('cannot be told while checkouts is away', async () => {
    edge.script.widget = () => {
      throw new QueryUnavailable('checkouts.widget', 'noService');
    };
    const unknown = newCheckoutId('sluice-99999999');
    const { status, headers } = await loader(`?checkoutId=${unknown}`);
    expect([status, headers['cache-control']]).toEqual([503, 'no-store']);
  });
});

describe('a file of the widget', () => {
  it('is kept for ever, and is the one that the loader has the hash of', async () => {
    const { version, integrity } = await started();
    const { status, headers, bytes } = await get(`/v1/widget/${version}/widget.js`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    });
    expect(`sha384-${createHash('sha384').update(bytes).digest('base64')}`).toBe(integrity);
    expect((await started()).version).toBe(version);
  });

  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['br', 'br;q=1.0, gzip;q=0.5', brotliDecompressSync],
    ['gzip', 'gzip, deflate', gunzipSync],
    ['gzip', 'br;q=0, gzip', gunzipSync],
    [undefined, 'identity', (bytes: Buffer) => bytes],
  ] as const)('comes as %s to who accepts %s', async (encoding, accepted, unpacked) => {
    const { version } = await started();
    const path = `/v1/widget/${version}/widget.js`;
    const { headers, bytes } = await get(path, { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
    expect(unpacked(bytes).equals((await get(path)).bytes)).toBe(true);
    const etag = String(headers['etag']);
    const again = await get(path, { 'accept-encoding': accepted, 'if-none-match': `"x", ${etag}` });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  it('that is a frame runs its own script, and sends to the gateway alone', async () => {
    const { version } = await started();
    const { headers } = await get(`/v1/widget/${version}/field.html`);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'cross-origin-embedder-policy': 'require-corp',
    });
    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"],
      ...["base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'"],
    ]);
  });

  it('is not there under another version or name', async () => {
    const { version } = await started();
    for (const path of [`${'0'.repeat(32)}/widget.js`, `${version}/bundle.json`, `${version}/x`]) {
      const { status, headers } = await get(`/v1/widget/${path}`);
      expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
    }
  });
});
