import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpQueries, queryPattern, QueryServer, QueryUnavailable } from '@sluice/messaging';
import {
  createLogger,
  HttpClient,
  InternalClient,
  InternalServer,
  type InternalServerOptions,
  TlsMaterial,
} from '@sluice/service';
import { copyFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { startTestAuthority, type TestAuthority } from './test-certificates.js';

const logged: string[] = [];
const logger = createLogger({
  service: 'ledger',
  level: 'info',
  destination: { write: (line) => void logged.push(line) },
});
const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  logged.length = 0;
});

/** The service `ledger` with one query, asked by edge. */
async function ledger(
  handler: (parameters: unknown) => Promise<unknown>,
  options: Partial<InternalServerOptions> = {},
): Promise<{ url: string; server: InternalServer }> {
  const server = new InternalServer({ logger, ...options });
  const queries = new QueryServer(
    server,
    { host: '127.0.0.1', port: 0 },
    { 'ledger.book': ['edge'] },
  );
  queries.addHandler(queryPattern('ledger.book'), handler);
  const url = await queries.listen();
  closers.push(() => server.close());
  return { url, server };
}

function asker(urls: readonly string[], timeoutMs = 5_000, tls?: TlsMaterial): HttpQueries {
  const queries = new HttpQueries({ urls: { ledger: urls }, timeoutMs, tls });
  closers.push(() => queries.close());
  return queries;
}

async function reasonOf(answer: Promise<unknown>): Promise<string> {
  const error = await answer.then(
    () => new Error('there was an answer'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof QueryUnavailable)) throw error;
  return error.reason;
}

const silent = async (): Promise<string> => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
};

describe('a query over HTTP', () => {
  it('to a service without address, or without anybody there, says noService', async () => {
    const { url, server } = await ledger(() => Promise.resolve(1));
    await server.close();
    expect(await reasonOf(asker([url]).ask('ledger', 'ledger.book', {}))).toBe('noService');
    expect(await reasonOf(asker([url]).ask('other', 'other.book', {}))).toBe('noService');
  });

  it('that nobody handles says noHandler', async () => {
    const { url } = await ledger(() => Promise.resolve(1));
    expect(await reasonOf(asker([url]).ask('ledger', 'ledger.other', {}))).toBe('noHandler');
  });

  it('whose handler throws says failed, and the cause stays in the log of its owner', async () => {
    const { url } = await ledger(() => Promise.reject(new Error('a detail')));
    const error = await asker([url])
      .ask('ledger', 'ledger.book', {})
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: 'failed' });
    expect(String(error)).not.toContain('a detail');
    expect(logged.join('')).toContain('a detail');
  });

  it('without an answer in time says deadline', async () => {
    expect(await reasonOf(asker([await silent()], 50).ask('ledger', 'ledger.book', {}))).toBe(
      'deadline',
    );
  });

  it('beyond what is answered at once says overloaded', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const { url } = await ledger(() => gate, { unfinishedMax: 1 });
    const queries = asker([url]);
    const answers = [1, 2].map(() => queries.ask('ledger', 'ledger.book', {}));
    const [first = Promise.resolve(), second = Promise.resolve()] = answers;
    const refused = await Promise.race([reasonOf(first), reasonOf(second)]);
    open();
    expect(refused).toBe('overloaded');
    expect((await Promise.allSettled(answers)).map(({ status }) => status).sort()).toEqual([
      'fulfilled',
      'rejected',
    ]);
  });

  it('that is too long is refused, and never reaches its handler', async () => {
    let calls = 0;
    const { url } = await ledger(() => Promise.resolve((calls += 1)), { bodyBytesMax: 100 });
    const text = 'x'.repeat(101);
    expect(await reasonOf(asker([url]).ask('ledger', 'ledger.book', { text }))).toBe('failed');
    expect(calls).toBe(0);
  });

  it('goes to the instance that is there, whichever is not', async () => {
    const { url } = await ledger(() => Promise.resolve('here'));
    const gone = await ledger(() => Promise.resolve('gone'));
    await gone.server.close();
    const queries = asker([gone.url, url, await silent()], 5_000);
    for (let round = 0; round < 6; round += 1) {
      expect(await queries.ask('ledger', 'ledger.book', {})).toBe('here');
    }
  }, 15_000);

  it('in hand is answered while its server closes; later ones are not taken', async () => {
    let open = (): void => undefined;
    let begun = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const inHand = new Promise<void>((resolve) => (begun = resolve));
    const { url, server } = await ledger(() => {
      begun();
      return gate.then(() => 'answer');
    });
    const queries = asker([url]);
    const answer = queries.ask('ledger', 'ledger.book', {});
    await inHand;
    const closed = server.close();
    const closedAt = performance.now();
    expect(await reasonOf(asker([url]).ask('ledger', 'ledger.book', {}))).toBe('noService');
    open();
    expect(await answer).toBe('answer');
    await closed;
    expect(performance.now() - closedAt).toBeLessThan(5_000);
  });

  it('in hand is cut off when it takes longer than closing may', async () => {
    const { url, server } = await ledger(() => new Promise(() => undefined), { closeWaitMs: 100 });
    const answer = reasonOf(asker([url]).ask('ledger', 'ledger.book', {}));
    // Two requests on one connection follow each other, so this one says that the first is there.
    const client = new HttpClient({ origin: url });
    closers.push(() => client.close());
    await client.send({ method: 'POST', path: '/queries/none', body: '{}', timeoutMs: 5_000 });
    await server.close();
    expect(['failed', 'noService']).toContain(await answer);
  });
});

describe('a query without anybody listed as its caller', () => {
  it('is refused when its handler is registered', () => {
    const server = new InternalServer({ logger });
    const queries = new QueryServer(server, { host: '127.0.0.1', port: 0 }, {});
    expect(() => queries.addHandler(queryPattern('ledger.book'), () => Promise.resolve(1))).toThrow(
      'The query ledger.book has no caller listed.',
    );
  });
});

describe('a server without certificates', () => {
  it('says once that nobody is checked', async () => {
    await ledger(() => Promise.resolve(1));
    expect(logged.filter((line) => line.includes('nobody checks'))).toHaveLength(1);
  });
});

describe('a server with certificates', () => {
  let authority: TestAuthority;
  let strangers: TestAuthority;

  beforeAll(async () => {
    authority = await startTestAuthority();
    strangers = await startTestAuthority();
  });

  afterAll(async () => {
    await authority.remove();
    await strangers.remove();
  });

  const materialOf = async (service: string, of = authority): Promise<TlsMaterial> => {
    const problem = (error: Error): never => {
      throw error;
    };
    const material = await TlsMaterial.open(await of.certificateOf(service), problem);
    if (material === undefined) throw new Error('no certificates');
    closers.push(() => material.close());
    return material;
  };
  const ask = async (url: string, tls?: TlsMaterial): Promise<unknown> =>
    asker([url], 5_000, tls).ask('ledger', 'ledger.book', {});

  it('answers the services that are listed (D-45)', async () => {
    const { url } = await ledger(() => Promise.resolve(1), { tls: await materialOf('ledger') });
    expect(url).toMatch(/^https:/);
    expect(await ask(url, await materialOf('edge'))).toBe(1);
  });

  it('refuses every other service of the installation, and notes it', async () => {
    let calls = 0;
    const handler = () => Promise.resolve((calls += 1));
    const { url } = await ledger(handler, { tls: await materialOf('ledger') });
    expect(await reasonOf(ask(url, await materialOf('webhooks')))).toBe('failed');
    expect(calls).toBe(0);
    const [audit = '{}'] = logged.filter((line) => line.includes('forbidden'));
    expect(JSON.parse(audit)).toMatchObject({ caller: 'webhooks', path: '/queries/ledger.book' });
  });

  it('does not speak with callers of another authority, nor with those without certificate', async () => {
    const { url } = await ledger(() => Promise.resolve(1), { tls: await materialOf('ledger') });
    const { ca } = (await materialOf('edge')).current;
    const { cert, key } = (await materialOf('edge', strangers)).current;
    const forged = { current: { ca, cert, key } } as unknown as TlsMaterial;
    expect(await reasonOf(ask(url, forged))).toMatch(/noService|failed/);
    expect(await reasonOf(ask(url))).toMatch(/noService|failed/);
    await expect(fetch(`${url}/queries/ledger.book`, { method: 'POST' })).rejects.toThrow();
  });

  it('is not believed when another authority has signed it', async () => {
    const { url } = await ledger(() => Promise.resolve(1), {
      tls: await materialOf('ledger', strangers),
    });
    expect(await reasonOf(ask(url, await materialOf('edge')))).toBe('noService');
  });

  it('takes over renewed files without a restart (D-55)', async () => {
    const former = await startTestAuthority();
    closers.push(() => former.remove());
    const files = await former.certificateOf('ledger');
    const tls = await TlsMaterial.open(files, () => undefined);
    if (tls === undefined) throw new Error('no certificates');
    closers.push(() => tls.close());
    const { url } = await ledger(() => Promise.resolve(1), { tls });
    const other = await strangers.certificateOf('ledger');
    await copyFile(other.certificateFile, files.certificateFile);
    const before = tls.current;
    await tls.reload();
    expect(tls.current).toBe(before);
    await copyFile(other.keyFile, files.keyFile);
    await copyFile(other.authorityFile, files.authorityFile);
    await tls.reload();
    expect(tls.current).not.toBe(before);
    expect(await ask(url, await materialOf('edge', strangers))).toBe(1);
  });

  describe('over the one connection of two processes', () => {
    const clientOf = async (url: string, tls: TlsMaterial): Promise<InternalClient> => {
      const client = new InternalClient({ origin: url, tls });
      closers.push(() => client.close());
      const asks = { path: '/queries/ledger.book', body: '{}', timeoutMs: 5_000 };
      await client.reach(asks, 1);
      return client;
    };
    const ask = (client: InternalClient) =>
      client.post({ path: '/queries/ledger.book', body: '{}', timeoutMs: 5_000 });

    it('is for those who are answered over HTTP', async () => {
      const { url } = await ledger(() => Promise.resolve(1), { tls: await materialOf('ledger') });
      const edge = await clientOf(url, await materialOf('edge'));
      const webhooks = await clientOf(url, await materialOf('webhooks'));
      expect([edge.isFramed, webhooks.isFramed]).toEqual([true, false]);
      expect(await ask(edge)).toMatchObject({ statusCode: 200 });
      expect(await ask(webhooks)).toMatchObject({ statusCode: 403 });
    });

    it('is followed by one with the renewed certificate, by which the caller is known (D-55)', async () => {
      const tls = await materialOf('ledger');
      const { url } = await ledger(() => Promise.resolve(1), { tls });
      const files = await authority.certificateOf('edge');
      const own = await TlsMaterial.open(files, () => undefined);
      if (own === undefined) throw new Error('no certificates');
      closers.push(() => own.close());
      const client = await clientOf(url, own);
      // The next certificate is another service's: the server tells them apart by what it is shown.
      const other = await authority.certificateOf('webhooks');
      await copyFile(other.certificateFile, files.certificateFile);
      await copyFile(other.keyFile, files.keyFile);
      await own.reload();
      expect(await ask(client)).toMatchObject({ statusCode: 200 });
      // Waits for the connection that the call has begun to make.
      await client.reach({ path: '/queries/none', body: '{}', timeoutMs: 5_000 }, 1);
      expect(client.isFramed).toBe(true);
      logged.length = 0;
      expect(await ask(client)).toMatchObject({ statusCode: 403 });
      const [audit = '{}'] = logged.filter((line) => line.includes('forbidden'));
      expect(JSON.parse(audit)).toMatchObject({ caller: 'webhooks', path: '/queries/ledger.book' });
    });

    it('is not made with a server of another authority', async () => {
      const { url } = await ledger(() => Promise.resolve(1), {
        tls: await materialOf('ledger', strangers),
      });
      const client = await clientOf(url, await materialOf('edge'));
      expect(client.isFramed).toBe(false);
      expect(await ask(client)).toEqual({ kind: 'notSent', reason: 'notReachable' });
    });
  });
});
