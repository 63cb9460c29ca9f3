import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { CALL } from './frames.js';
import {
  clientOf,
  cut,
  endEverything,
  framed,
  gate,
  handMade,
  ledger,
  post,
  TIMEOUT_MS,
  wireTo,
} from './internal-client-fixture.js';

const SHORT_MS = 50;

afterEach(async () => {
  jest.restoreAllMocks();
  await endEverything();
});

const answered = (value: unknown) => ({
  ...{ kind: 'answered', statusCode: 200 },
  body: JSON.stringify(value),
});
const refused = (statusCode: number, reason: string) => ({
  ...{ kind: 'answered', statusCode },
  body: JSON.stringify({ reason }),
});

describe('calls to a server that speaks frames', () => {
  it('share one connection after the first, and each has its own answer, in any order', async () => {
    const last = gate();
    const { url } = await ledger({
      '/slow': async ({ at }: { at: number }) => {
        if (at === 99) last.open();
        await last.opened;
        return at;
      },
    });
    const wire = await wireTo(url);
    const client = await framed(wire.url);
    const before = wire.made();
    const calls = Array.from({ length: 100 }, (_, at) => post(client, '/slow', { at }));
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 100 }, (_, at) => answered(at)));
    expect(wire.made()).toBe(before);
  });

  it.each([
    ['a path that nobody serves', '/none', '{}', refused(404, 'noRoute')],
    ['what is not JSON', '/echo', '{', refused(400, 'malformed')],
    ['a body that is too long', '/echo', `"${'x'.repeat(1_000)}"`, refused(413, 'tooLarge')],
    ['a route that fails', '/fails', '{}', refused(500, 'failed')],
    ['a route that answers nothing', '/nothing', '{}', refused(500, 'failed')],
  ])('refuse %s as over HTTP', async (_, path, body, refusal) => {
    const { url } = await ledger(
      {
        '/fails': () => Promise.reject(new Error('a detail')),
        '/nothing': () => Promise.resolve(undefined),
      },
      { bodyBytesMax: 1_000 },
    );
    const request = { path, body, timeoutMs: TIMEOUT_MS };
    expect(await clientOf(url).post(request)).toEqual(refusal);
    const client = await framed(url);
    expect(await client.post(request)).toEqual(refusal);
    expect(client.isFramed).toBe(true);
  });

  it('beyond what is answered at once are overload', async () => {
    const { opened, open } = gate();
    const { url } = await ledger(
      { '/slow': () => opened.then(() => 'late') },
      { unfinishedMax: 1 },
    );
    const client = await framed(url);
    const first = post(client, '/slow');
    expect(await post(client, '/echo')).toEqual(refused(503, 'overloaded'));
    open();
    expect(await first).toMatchObject({ statusCode: 200 });
  });

  it('beyond what one connection carries at once go over HTTP', async () => {
    const { opened, open } = gate();
    let count = 0;
    const { url } = await ledger({
      '/slow': () => {
        if ((count += 1) === 300) open();
        return opened.then(() => 'late');
      },
    });
    const client = await framed(url);
    const calls = Array.from({ length: 300 }, () => post(client, '/slow'));
    for (const result of await Promise.all(calls))
      expect(result).toMatchObject({ statusCode: 200 });
  });

  it('that do not fit into a frame go over HTTP, and long answers come in parts', async () => {
    const { url } = await ledger({});
    const client = await framed(url, { answerBytesMax: 1024 * 1024 });
    const long = '🦥'.repeat(60_000);
    expect(await post(client, '/echo', long)).toEqual(answered(long));
    const { url: other } = await ledger({ '/long': () => Promise.resolve(long) });
    const asking = await framed(other, { answerBytesMax: 1024 * 1024 });
    const both = await Promise.all([post(asking, '/long'), post(asking, '/echo', 'short')]);
    expect(both).toEqual([answered(long), answered('short')]);
  });

  it('whose answer is too long are lost alone', async () => {
    const { url } = await ledger({ '/long': () => Promise.resolve('x'.repeat(200_000)) });
    const client = await framed(url);
    expect(await post(client, '/long')).toEqual({ kind: 'lost', reason: 'answerTooLong' });
    expect(await post(client, '/echo', 1)).toEqual(answered(1));
    expect(client.isFramed).toBe(true);
  });

  it('are lost with their connection, and not sent again', async () => {
    const begun = gate();
    let count = 0;
    const { url } = await ledger(
      {
        '/slow': () => {
          count += 1;
          begun.open();
          return new Promise(() => undefined);
        },
      },
      { closeWaitMs: SHORT_MS },
    );
    const wire = await wireTo(url);
    const client = await framed(wire.url);
    const call = post(client, '/slow');
    await begun.opened;
    cut(wire.open);
    expect(await call).toEqual({ kind: 'lost', reason: 'connectionLost' });
    expect(await post(client, '/echo', 1)).toEqual(answered(1));
    expect(count).toBe(1);
  });

  it('are lost when the client is closed', async () => {
    const { url } = await ledger(
      { '/slow': () => new Promise(() => undefined) },
      { closeWaitMs: 1 },
    );
    const client = await framed(url);
    const call = post(client, '/slow');
    await client.close();
    expect(await call).toEqual({ kind: 'lost', reason: 'connectionLost' });
    expect(await post(client, '/echo')).toMatchObject({ kind: 'notSent' });
  });

  it('were not sent where nobody listens any more', async () => {
    const { url, server } = await ledger({});
    const client = await framed(url);
    await server.close();
    expect(await post(client, '/echo')).toEqual({ kind: 'notSent', reason: 'notReachable' });
  });
});

describe('a call without an answer in time', () => {
  it('is lost, and a connection that was silent all the time takes no more calls', async () => {
    const { url } = await ledger(
      { '/slow': () => new Promise(() => undefined) },
      { closeWaitMs: 1 },
    );
    const client = await framed(url);
    expect(await post(client, '/slow', {}, SHORT_MS)).toEqual({ kind: 'lost', reason: 'timeout' });
    expect(client.isFramed).toBe(false);
    expect(await post(client, '/echo', 1)).toEqual(answered(1));
    await client.reach({ path: '/echo', body: '{}', timeoutMs: TIMEOUT_MS }, 1);
    expect(client.isFramed).toBe(true);
  });

  it('does not harm a connection that answered others meanwhile', async () => {
    const { url } = await ledger(
      { '/slow': () => new Promise(() => undefined) },
      { closeWaitMs: 1 },
    );
    const client = await framed(url);
    const late = post(client, '/slow', {}, 4 * SHORT_MS);
    expect(await post(client, '/echo', 1)).toEqual(answered(1));
    expect(await late).toEqual({ kind: 'lost', reason: 'timeout' });
    expect(client.isFramed).toBe(true);
  });
});

describe('a server that closes', () => {
  it('answers what is under way, and the client goes elsewhere', async () => {
    const { opened, open } = gate();
    const { url, server } = await ledger({ '/slow': () => opened.then(() => 'late') });
    const client = await framed(url);
    const call = post(client, '/slow');
    await post(client, '/echo');
    const closed = server.close();
    open();
    expect(await call).toEqual(answered('late'));
    await closed;
    expect(client.isFramed).toBe(false);
  });

  it('refuses what was written before the goodbye was read, and waits for no client', async () => {
    const { url, server } = await ledger({});
    const { writer, frames } = await handMade(url);
    const closed = server.close();
    writer.send(7, CALL, '/echo', '{}');
    await closed;
    expect(frames.map(({ id, code }) => [id, code])).toEqual([
      [0, CALL],
      [7, 503],
    ]);
  });

  it('writes a long answer to its end first', async () => {
    const { url, server } = await ledger({
      '/long': () => Promise.resolve('x'.repeat(16 * 1024 * 1024)),
    });
    const { socket, writer, frames } = await handMade(url);
    writer.send(7, CALL, '/long', '{}');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    const closed = server.close();
    socket.resume();
    await closed;
    await new Promise((resolve) =>
      socket.closed ? resolve(undefined) : socket.once('close', resolve),
    );
    const answer = frames.filter(({ id }) => id === 7);
    expect(answer.at(-1)?.code).toBe(200);
    const bytes = answer.reduce((sum, { body }) => sum + body.length, 0);
    expect(bytes).toBe(16 * 1024 * 1024 + 2);
  });

  it('ends what takes longer than closing may', async () => {
    const begun = gate();
    const { url, server } = await ledger(
      {
        '/slow': () => {
          begun.open();
          return new Promise(() => undefined);
        },
      },
      { closeWaitMs: 1 },
    );
    const call = post(await framed(url), '/slow');
    await begun.opened;
    await server.close();
    expect(await call).toEqual({ kind: 'lost', reason: 'connectionLost' });
  });
});

describe('a connection that has served for a minute', () => {
  it('is followed by another one, to which another instance may answer', async () => {
    const { url } = await ledger({});
    const wire = await wireTo(url);
    const client = await framed(wire.url);
    const [before] = [wire.made()];
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
    expect(await post(client, '/echo', 1)).toEqual(answered(1));
    await client.reach({ path: '/echo', body: '{}', timeoutMs: TIMEOUT_MS }, 1);
    expect(wire.made()).toBe(before + 1);
    expect(client.isFramed).toBe(true);
  });
});
