import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DEMO_ACCESS_TOKEN, DEMO_ENTITY_ID } from '@sluice/domain-accounts';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sluice } from './command-line-fixture.js';

/** What was asked, and what is answered, one after another. */
const asked: { method: string; form: Record<string, string>; token: string | undefined }[] = [];
const answers: { status?: number; body: object }[] = [];

const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { method = '', url = '', headers } = request;
    const query = new URL(url, 'http://sandbox').searchParams;
    const form = Object.fromEntries(method === 'GET' ? query : new URLSearchParams(body));
    asked.push({ method, form, token: headers.authorization });
    const { status = 200, body: answer } = answers.shift() ?? { status: 500, body: {} };
    response.writeHead(status).end(JSON.stringify(answer));
  });
});
const folder = mkdtempSync(join(tmpdir(), 'sluice-clock-'));
let url = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  asked.splice(0);
  answers.splice(0);
});

const DAY_MS = 86_400_000;
const shown = (now: string, more: object = {}): { body: object } => ({
  body: { clock: { now, aheadMs: 0, notFollowing: ['checkouts', 'webhooks'], ...more } },
});

describe('sluice clock', () => {
  it('show says how late it is, for whom, and who does not follow', async () => {
    answers.push(shown('2031-01-30 12:00:00+0000', { aheadMs: 3 * DAY_MS }));
    const { exitCode, output } = await sluice(`clock show --url ${url}`);
    expect(output).toBe(
      `It is 2031-01-30 12:00:00+0000 for ${DEMO_ENTITY_ID}, 3 days ahead.\n` +
        'Do not follow yet: checkouts, webhooks. For them it is as late as it really is.\n',
    );
    expect(exitCode).toBe(0);
    expect(asked).toEqual([
      { method: 'GET', form: { entityId: DEMO_ENTITY_ID }, token: `Bearer ${DEMO_ACCESS_TOKEN}` },
    ]);
  });

  it('advance asks until it is there, and counts what was done', async () => {
    answers.push(
      shown('2031-01-01 00:00:00+0000'),
      shown('2031-01-10 00:00:00+0000', { isThere: false, doneOnTheWay: 7 }),
      shown('2031-01-31 00:00:00+0000', { isThere: true, doneOnTheWay: 5, aheadMs: 30 * DAY_MS }),
    );
    const { output } = await sluice(`clock advance 30d --url ${url}`);
    expect(output).toContain('It is 2031-01-31 00:00:00+0000');
    expect(output).toContain('On the way 12 times something was due, and was done.');
    const to = '2031-01-31T00:00:00.000Z';
    expect(asked.map(({ form }) => form['to'])).toEqual([undefined, to, to]);
  });

  it('set moves to an instant, of a channel with its own token', async () => {
    const entity = 'a'.repeat(32);
    const arrived = { isThere: true, doneOnTheWay: 0, aheadMs: 1 };
    answers.push(shown('2031-01-01 00:00:00+0000'), shown('2031-02-01 08:00:00+0000', arrived));
    const tokenFile = join(folder, 'token');
    writeFileSync(tokenFile, 'theirs\n');
    const whose = `--entity ${entity} --token-file ${tokenFile} --url ${url}`;
    const { json } = await sluice(`--json clock set 2031-02-01T08:00 ${whose}`);
    expect(json()).toMatchObject({ entityId: entity, now: '2031-02-01 08:00:00+0000' });
    expect(asked[1]).toEqual({
      ...{ method: 'POST', token: 'Bearer theirs' },
      form: { entityId: entity, to: '2031-02-01T08:00:00.000Z' },
    });
  });

  it('follow has the machine’s clock again', async () => {
    answers.push(shown('2031-01-01 00:00:00+0000', { notFollowing: [] }));
    const { output } = await sluice(`clock follow --url ${url}`);
    expect(output).toBe(
      `It is 2031-01-01 00:00:00+0000 for ${DEMO_ENTITY_ID}, as for the machine.\n`,
    );
    expect(asked[0]?.form).toEqual({ entityId: DEMO_ENTITY_ID, follow: 'true' });
  });

  it('says what the sandbox refuses it for', async () => {
    const message = 'is not before 2031-01-01 00:00:00+0000';
    const result = { description: 'invalid', parameterErrors: [{ name: 'to', message }] };
    answers.push(shown('2031-01-01 00:00:00+0000'), { status: 400, body: { result } });
    const { exitCode, errors } = await sluice(`clock set 2030-01-01 --url ${url}`);
    expect([exitCode, errors.trim()]).toEqual([4, `Refused: to ${message}.`]);
  });

  it('says that there are none where there are none', async () => {
    answers.push({ status: 404, body: {} });
    const { exitCode, errors } = await sluice(`clock show --url ${url}`);
    expect(exitCode).toBe(4);
    expect(errors).toContain('has no clocks in hand: only a sandbox has.');
  });

  it.each([
    ['clock show --token-file /nowhere --url http://127.0.0.1:1', 1, /cannot be read/],
    ['clock show --entity demo --url http://127.0.0.1:1', 2, /no entity id/],
    ['clock show', 2, /start one \(npm start\)/],
    ['clock show --url nowhere', 2, /no address/],
    ['clock show --url http://127.0.0.1:1', 1, /Nobody answers/],
    ['clock advance 1m --url http://127.0.0.1:1', 2, /no duration/],
    ['clock set soon --url http://127.0.0.1:1', 2, /no date and time/],
  ])('%s ends with %d', async (line, code, sentence) => {
    const { exitCode, errors } = await sluice(line);
    expect(errors).toMatch(sentence);
    expect(exitCode).toBe(code);
  });
});
