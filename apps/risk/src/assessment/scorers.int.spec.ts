import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger, systemClock } from '@sluice/service';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHANNEL, MERCHANT, payment, RiskWorld } from '../../test/risk-fixture.js';
import { RiskMetrics } from '../risk-metrics.js';
import { Scorers } from './scorers.js';

const SECRET = 'made-up-bearer-0123456789';

/** A scorer in the hand of a test. */
class ScriptedScorer {
  readonly asked: { readonly body: Record<string, unknown>; readonly authorization?: string }[] =
    [];
  answer: (response: ServerResponse) => void = json({ score: 10 });
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    const { authorization } = request.headers;
    this.asked.push({ body, ...(authorization !== undefined && { authorization }) });
    this.answer(response);
  }
}

function json(answer: unknown, status = 200): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  };
}

let scorer: ScriptedScorer;
let target: string;
let folder: string;
let file: string;
beforeEach(async () => {
  scorer = new ScriptedScorer();
  target = await scorer.listen();
  folder = await mkdtemp(join(tmpdir(), 'sluice-scorers-'));
  file = join(folder, 'scorers.json');
  await says({ scorers: [{ name: 'acme', url: `http://${target}/v2/score?x=1`, secret: SECRET }] });
});
afterEach(async () => {
  await scorer.close();
  await rm(folder, { recursive: true });
});

const says = (content: unknown) => writeFile(file, JSON.stringify(content));

describe('a node with a scorer', () => {
  let world: RiskWorld;
  let risk: Awaited<ReturnType<RiskWorld['start']>>;
  beforeEach(async () => {
    world = await RiskWorld.open();
    risk = await world.start({ scorersFile: file, privateTargets: [target] });
    const use = { name: 'acme', whenAway: 'review', channelId: 'C' };
    await world.rules.change(CHANNEL, { scorer: use, rejectFrom: 80 }, 'a spec');
    await risk.look();
  });
  afterEach(() => world.close());

  it('asks it about each payment, with its secret, and adds what it says', async () => {
    scorer.answer = json({ score: 79 });
    const query = payment({
      parameters: { 'customer.email': 'a@b.example', 'risk.parameters[tier]': 'new' },
    });
    expect(await risk.assess(query)).toMatchObject({ decision: 'accept', score: 79 });
    expect(scorer.asked).toMatchObject([
      {
        authorization: `Bearer ${SECRET}`,
        body: {
          ...{ id: query.assessmentId, channelId: 'C', amount: '92.00', currency: 'EUR' },
          ...{ parameters: { tier: 'new' }, sent: { 'customer.email': 'a@b.example' } },
        },
      },
    ]);
    scorer.answer = json({ score: 80 });
    expect((await risk.assess(payment())).decision).toBe('reject');
    expect((await risk.assessedNodes()).nodes?.assessed).toEqual([CHANNEL]);
    expect(world.logged()).not.toContain(SECRET);
  });

  it('has the first answer again where it is asked again, whatever the scorer says by then', async () => {
    const query = payment();
    const first = await risk.assess(query);
    scorer.answer = json({ score: 1, decision: 'reject' });
    expect(await risk.assess(query)).toEqual(first);
    expect(scorer.asked).toHaveLength(1);
  });

  it('is asked once of a payment that several processes are asked about at the same time', async () => {
    const other = await world.start({ scorersFile: file, privateTargets: [target] });
    await other.look();
    scorer.answer = (response) => void setTimeout(() => json({ score: 77 })(response), 300);
    const query = payment();
    const answers = [risk, other, risk, other].map((each) => each.assess(query));
    for (const answer of await Promise.all(answers)) expect(answer.score).toBe(77);
    expect(scorer.asked).toHaveLength(1);
  });

  it('is not asked again where the process that has asked ended before the answer', async () => {
    const query = payment();
    const text = 'INSERT INTO scorer_answers (assessment_id) VALUES ($1)';
    await world.rows(text, [query.assessmentId]);
    expect(await risk.assess(query)).toMatchObject({ decision: 'review' });
    expect(scorer.asked).toEqual([]);
  });

  it('keeps answers for an hour', async () => {
    const count = async () => (await world.rows('SELECT FROM scorer_answers')).length;
    await risk.assess(payment());
    await risk.look();
    expect(await count()).toBe(1);
    await world.rows("UPDATE scorer_answers SET asked_at = asked_at - interval '61 minutes'");
    await risk.look();
    expect(await count()).toBe(0);
  });

  it('is asked on where many wait for it at once: that they got no connection is no failure of its own', async () => {
    scorer.answer = (response) => void setTimeout(() => json({ score: 10 })(response), 500);
    const many = await Promise.all(Array.from({ length: 200 }, () => risk.assess(payment())));
    const decided = new Set(many.map(({ decision }) => decision));
    // Some are without the scorer: it answers 64 of them in half a second.
    expect(decided).toEqual(new Set(['accept', 'review']));
    scorer.answer = json({ score: 10 });
    expect((await risk.assess(payment())).decision).toBe('accept');
  });

  it('does not ask it of payments of other nodes', async () => {
    await risk.assess(payment({ nodes: [MERCHANT] }));
    expect(scorer.asked).toEqual([]);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['says nothing in time', () => undefined],
    ['breaks the connection', (response) => response.destroy()],
    ['fails', json({ score: 10 }, 500)],
    ['sends elsewhere', (response) => response.writeHead(302, { location: '/' }).end()],
    ['says something else', json({ score: 'high' })],
    ['says no JSON', (response) => response.end('<html>')],
    ['says too much', (response) => response.end('x'.repeat(20_000))],
  ])('does what it says where the scorer %s', async (_, answer) => {
    scorer.answer = answer;
    const beganMs = performance.now();
    expect(await risk.assess(payment())).toMatchObject({
      ...{ decision: 'review', resultCode: '000.400.080', fired: [{ id: 'scorer', name: 'acme' }] },
    });
    expect(performance.now() - beganMs).toBeLessThan(2_000);
    expect(world.logged()).toContain('A scorer does not answer.');
  });

  it('keeps nobody waiting once the scorer has failed again and again', async () => {
    scorer.answer = (response) => response.destroy();
    for (let at = 0; at < 8; at += 1) {
      expect((await risk.assess(payment())).decision).toBe('review');
    }
    expect(scorer.asked).toHaveLength(5);
  });

  it('asks a scorer that the installation does not know: that is refused', async () => {
    const unknown = { scorer: { name: 'other', whenAway: 'accept' } };
    await expect(world.rules.change(CHANNEL, unknown, 'jane')).rejects.toThrow(
      'scorer.name is no scorer of RISK_SCORERS_FILE (there are acme)',
    );
    await world.start();
    await expect(world.rules.change(CHANNEL, unknown, 'jane')).rejects.toThrow('(there is none)');
  });
});

describe('the scorer of the simulator', () => {
  it('is asked of tests, and never of live payments', async () => {
    const world = await RiskWorld.open();
    const risk = await world.start({ simulatorUrl: `http://${target}` });
    const use = { name: 'simulator', whenAway: 'reject' };
    await world.rules.change(CHANNEL, { scorer: use }, 'a spec');
    await risk.look();
    expect((await risk.assess(payment())).decision).toBe('accept');
    expect(await risk.assess(payment({ mode: 'LIVE' }))).toMatchObject({
      ...{ decision: 'reject', resultCode: '100.380.501' },
    });
    await risk.assess(payment({ mode: 'LIVE' }));
    expect(scorer.asked).toHaveLength(1);
    expect(world.logged().split('A node uses a scorer that is not there')).toHaveLength(2);
    await world.close();
  });
});

describe('a file of scorers', () => {
  const opened = async (privateTargets: readonly string[] = []) => {
    const logger = createLogger({ service: 'risk', level: 'silent' });
    const parts = { metrics: new RiskMetrics(), clock: systemClock, logger };
    const scorers = new Scorers({ ...parts, settings: { file, privateTargets } });
    await scorers.open();
    await scorers.close();
    return scorers.names;
  };
  const one = (changes: object) => ({
    scorers: [{ name: 'acme', url: 'https://scorer.example/score', ...changes }],
  });

  it('names those that rules may use', async () => {
    await says(one({}));
    expect(await opened()).toEqual(['acme']);
    expect(await opened([target])).toEqual(['acme']);
    await says({});
    expect(await opened()).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['a private address', one({ url: 'https://10.0.0.1/score' }), 'is not on the public internet'],
    ['no TLS', one({ url: 'http://scorer.example/score' }), 'without TLS'],
    [
      'a port of others',
      one({ url: 'https://scorer.example:5432/' }),
      'only the ports 443 and 8443',
    ],
    ['no address', one({ url: 'file:///etc/passwd' }), 'scorers[0].url must be an address'],
    ['a name of other letters', one({ name: 'A B' }), 'scorers[0].name must be 1 to 40'],
    ['the name of the simulator', one({ name: 'simulator' }), 'not "simulator"'],
    ['a member more', one({ tocken: 'x' }), 'has no "tocken"'],
    ['a secret with a blank', one({ secret: 'a b' }), 'secret must be a text'],
    ['no list', { scorers: 'acme' }, 'must have in "scorers" a list'],
    ['a name twice', { scorers: [...one({}).scorers, ...one({}).scorers] }, 'given twice'],
  ])('is refused with a sentence: %s', async (_, content, sentence) => {
    await says(content);
    await expect(opened()).rejects.toThrow(sentence);
  });

  it('is refused where it is not there, or no JSON, without repeating what is in it', async () => {
    await writeFile(file, `{"secret": "${SECRET}"`);
    const error = await opened().catch((reason: unknown) => String(reason));
    expect(error).toContain('is no JSON');
    expect(error).not.toContain(SECRET);
    await rm(file);
    await expect(opened()).rejects.toThrow('cannot be read (ENOENT)');
  });
});
