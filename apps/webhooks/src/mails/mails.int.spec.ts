import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ALERT_EVERY_MS, DELIVERY_LIFE_MS, FAILING_FOR_MS } from '@sluice/domain-webhooks';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalMailServer, Mailing, OPS, SENDER } from '../../test/mails-fixture.js';
import {
  happened,
  LocalReceiver,
  newPayment,
  paymentEvent,
  SECRET,
  WebhooksProcess,
  WebhooksWorld,
} from '../../test/webhooks-fixture.js';
import { MAIL_LAPSES_AFTER_MS, MAIL_LIFE_MS, takeMail } from './mail-outbox.js';
import { mailSenderFor } from './mail-sender.js';
import { WATCH_EVERY_MS } from './mail-watch.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let world: WebhooksWorld;
let webhooks: WebhooksProcess;
let receiver: LocalReceiver;
let others: LocalReceiver[] = [];
let server: LocalMailServer;
let mailing: Mailing;

beforeAll(async () => {
  world = await WebhooksWorld.make();
}, 60_000);
afterAll(() => world.close());

beforeEach(async () => {
  await world.empty();
  receiver = await LocalReceiver.start();
  webhooks = await WebhooksProcess.start(world);
  server = await LocalMailServer.start();
  mailing = await Mailing.start(world, webhooks, server);
});
afterEach(async () => {
  await webhooks.close();
  await Promise.all([receiver, ...others].map((each) => each.close()));
  others = [];
  await server.close();
});

/** One more, which answers so for long. */
async function otherReceiver(status = 200): Promise<LocalReceiver> {
  const other = await LocalReceiver.start();
  other.reactions.push(...Array.from({ length: 100 }, () => status));
  others.push(other);
  return other;
}

const refusing = (count: number, status = 500) =>
  receiver.reactions.push(...Array.from({ length: count }, () => status));

/** A minute after the other, in each of which is told and mailed what is due. */
async function minutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    world.clock.advance(MINUTE_MS);
    await webhooks.tell();
    await mailing.processor.look();
  }
}

async function approved(): Promise<void> {
  await happened(world, paymentEvent(newPayment(), 2, 'TransactionApproved'));
  await webhooks.tell();
}

/** Until a little after the next time of digests. */
async function nextDigest(): Promise<void> {
  const sinceSixMs = (world.clock.now() - 6 * HOUR_MS) % (24 * HOUR_MS);
  world.clock.advance(24 * HOUR_MS - sinceSixMs + MINUTE_MS);
  await mailing.processor.look();
}

describe('a receiver that acknowledges nothing', () => {
  it('is mailed about once a quarter of an hour has passed, once a day, and once it is well', async () => {
    const id = await mailing.subscribe(receiver.url);
    refusing(1_000);
    await approved();
    await minutes(FAILING_FOR_MS / MINUTE_MS - 1);
    expect(server.taken()).toEqual([]);
    await minutes(60);
    const [alert, ...more] = server.taken();
    expect(more).toEqual([]);
    expect(alert).toMatchObject({ from: SENDER, to: [OPS] });
    const origin = new URL(receiver.url).origin;
    expect(alert?.subject).toBe(`Failing: ${origin} acknowledges no notifications`);
    expect(alert?.text).toContain(`sluice webhooks show ${id} --standing waiting`);
    expect(alert?.text).toContain('answered 500');
    receiver.reactions.length = 0;
    world.clock.advance(2 * HOUR_MS);
    await approved();
    await minutes(2);
    expect(server.subjects()).toEqual([`Well again: ${origin} takes notifications`]);
    refusing(1_000);
    await approved();
    await minutes(60);
    expect(server.taken()).toEqual([]);
  }, 60_000);

  it('is mailed about again a day later, while it still fails', async () => {
    await mailing.subscribe(receiver.url);
    refusing(1_000);
    await approved();
    await minutes(20);
    expect(server.taken()).toHaveLength(1);
    world.clock.advance(ALERT_EVERY_MS);
    await minutes(2);
    const subjects = server.subjects().filter((subject) => subject.startsWith('Failing'));
    expect(subjects).toHaveLength(1);
  }, 60_000);

  it('is nobody’s matter while it answers others, is paused, or has no address', async () => {
    const answering = await mailing.subscribe(receiver.url);
    refusing(1);
    await approved();
    await minutes(5);
    const paused = await otherReceiver(500);
    const pausedId = await mailing.subscribe(paused.url);
    await webhooks.subscribe(paused.url);
    await approved();
    await webhooks.subscriptions.decide(pausedId, 'spec', (metadata) => ({
      ...{ type: 'PauseSubscription', metadata },
    }));
    await minutes(30);
    expect(server.taken()).toEqual([]);
    expect(await webhooks.standingOf(answering)).toBe('active');
  }, 60_000);
});

describe('a subscription that is switched off by 410', () => {
  it('is mailed about at once, and when it is on again', async () => {
    const id = await mailing.subscribe(receiver.url);
    refusing(1, 410);
    await approved();
    await minutes(3);
    const origin = new URL(receiver.url).origin;
    expect(server.subjects()).toEqual([`Switched off: ${origin} is told nothing any more`]);
    await webhooks.subscriptions.decide(id, 'test', (metadata) => ({
      ...{ type: 'RecordTest', url: receiver.url, statusCode: 200, metadata },
    }));
    await minutes(2);
    expect(server.subjects()).toEqual([`Well again: ${origin} takes notifications`]);
  });
});

describe('a notification that is given up after 30 days', () => {
  it('is mailed about', async () => {
    await mailing.subscribe(receiver.url);
    refusing(1_000);
    await approved();
    world.clock.advance(DELIVERY_LIFE_MS);
    receiver.reactions.length = 0;
    await approved();
    await minutes(2);
    const origin = new URL(receiver.url).origin;
    const alerts = server.subjects().filter((subject) => !subject.startsWith('Daily'));
    expect(alerts).toEqual([`Given up: 1 notification to ${origin}`]);
    await minutes(5);
    expect(server.taken()).toEqual([]);
  });
});

describe('the daily digest', () => {
  it('is one mail for each address, with what is not acknowledged', async () => {
    const other = await otherReceiver(503);
    refusing(2);
    const one = await mailing.subscribe(receiver.url);
    const two = await mailing.subscribe(other.url);
    await mailing.subscribe(other.url, 'Books@shop.example');
    const well = await otherReceiver();
    await mailing.subscribe(well.url, 'well@shop.example');
    await approved();
    await approved();
    await nextDigest();
    const digests = server
      .taken()
      .filter(({ subject }) => subject.startsWith('Daily digest'))
      .sort((first, second) => (first.to.join() < second.to.join() ? 1 : -1));
    expect(digests.map(({ to, subject }) => [to, subject])).toEqual([
      [[OPS], 'Daily digest: 4 notifications not acknowledged, 2 receivers'],
      [
        ['Books@shop.example'],
        `Daily digest: 2 notifications not acknowledged, ${new URL(other.url).origin}`,
      ],
    ]);
    for (const text of [one, two, 'answered 500', 'answered 503', '1 failed call']) {
      expect(digests[0]?.text).toContain(text);
    }
    await minutes(60);
    expect(server.subjects().filter((subject) => subject.startsWith('Daily'))).toEqual([]);
  }, 60_000);
});

describe('a mail', () => {
  /** A subscription was switched off, and what there is to mail is due. */
  async function switchedOff(): Promise<string> {
    const id = await mailing.subscribe(receiver.url);
    refusing(1, 410);
    await approved();
    world.clock.advance(WATCH_EVERY_MS);
    return id;
  }

  it('is sent by one of two processes that look at the same time', async () => {
    await switchedOff();
    const second = await WebhooksProcess.start(world);
    const other = await Mailing.start(world, second, server);
    await Promise.all([mailing.processor.look(), other.processor.look()]);
    await Promise.all([mailing.processor.look(), other.processor.look()]);
    expect(server.taken()).toHaveLength(1);
    await second.close();
  });

  it('of a process that dies before it is sent is sent by another one, a little later', async () => {
    await switchedOff();
    const away = await Mailing.start(world, webhooks, { way: { ...server.way } });
    server.refusesWith = 451;
    await away.processor.look();
    // Taken, and nothing is heard of it.
    world.clock.advance(MINUTE_MS);
    expect(await takeMail(webhooks.pool, world.clock.now())).toBeDefined();
    server.refusesWith = undefined;
    await mailing.processor.look();
    expect(server.taken()).toEqual([]);
    world.clock.advance(MAIL_LAPSES_AFTER_MS);
    await mailing.processor.look();
    expect(server.taken()).toHaveLength(1);
  });

  it('that was sent, and not recorded as sent, comes again with the same Message-ID', async () => {
    await switchedOff();
    await mailing.processor.look();
    await world.administrator.query('UPDATE webhooks.mails SET sent_at = NULL, due_at = made_at');
    await mailing.processor.look();
    const [first, second, ...more] = server.taken();
    expect(more).toEqual([]);
    expect(first?.messageId).toMatch(/^<[0-9a-f-]{36}@gateway\.example>$/);
    expect(second?.messageId).toBe(first?.messageId);
  });

  it('waits for a relay that is away, for a day', async () => {
    await switchedOff();
    server.refusesWith = 451;
    await minutes(30);
    expect(server.taken()).toEqual([]);
    server.refusesWith = undefined;
    await minutes(31);
    expect(server.taken()).toHaveLength(1);
    expect(world.logged.join('\n')).toMatch(/Mails cannot be sent\..*Mails are sent again\./s);
  });

  it('is not sent to whoever wants none any more', async () => {
    const id = await switchedOff();
    server.refusesWith = 451;
    await mailing.processor.look();
    server.refusesWith = undefined;
    await webhooks.subscriptions.decide(id, 'spec', (metadata) => ({
      ...{ type: 'ChangeSubscription', changes: { alertEmails: '' }, isTrusted: false, metadata },
    }));
    await minutes(5);
    expect(server.taken()).toEqual([]);
    const { rows } = await world.administrator.query('SELECT FROM webhooks.mails');
    expect(rows).toEqual([]);
  });

  it('is not tried while another one has just shown that the relay is away', async () => {
    await switchedOff();
    await mailing.subscribe(receiver.url, 'books@shop.example');
    refusing(1, 410);
    await approved();
    server.refusesWith = 451;
    await mailing.processor.look();
    const tries = async () => {
      const text = 'SELECT tries FROM webhooks.mails ORDER BY tries';
      const { rows } = await world.administrator.query<{ tries: number }>(text);
      return rows.map((row) => row.tries);
    };
    // The relay is away: the other mail is left for the next look.
    expect(await tries()).toEqual([0, 1]);
    await mailing.processor.look();
    expect(await tries()).toEqual([1, 1]);
  });

  it('is given up after a day, and at once where its address is refused', async () => {
    await switchedOff();
    server.refusesWith = 550;
    await mailing.processor.look();
    server.refusesWith = undefined;
    await minutes(5);
    expect(server.taken()).toEqual([]);
    const { rows } = await world.administrator.query(
      'SELECT tries, due_at, sent_at, trouble FROM webhooks.mails',
    );
    expect(rows).toEqual([
      { tries: 1, due_at: null, sent_at: null, trouble: 'EENVELOPE RCPT TO 550' },
    ]);
    server.refusesWith = 451;
    await switchedOff();
    await mailing.processor.look();
    world.clock.advance(MAIL_LIFE_MS);
    await mailing.processor.look();
    server.refusesWith = undefined;
    await minutes(90);
    expect(server.subjects().filter((subject) => subject.startsWith('Switched'))).toEqual([]);
  }, 60_000);

  it('leaves its address and no secret in tables and log', async () => {
    await switchedOff();
    server.refusesWith = 550;
    await mailing.processor.look();
    const contents = `${await world.contents()}${world.logged.join('\n')}`;
    expect(contents).toContain('EENVELOPE');
    for (const secret of [OPS, OPS.toUpperCase(), SECRET.reveal()]) {
      expect(contents).not.toContain(secret);
    }
  });

  it('has one recipient, no other header than ours, and nobody who is away answers it', async () => {
    await switchedOff();
    await mailing.processor.look();
    const [mail] = server.taken();
    const [head = ''] = mail?.raw.split('\r\n\r\n') ?? [];
    const names = head
      .split('\r\n')
      .filter((line) => /^\S/.test(line))
      .map((line) => line.split(':')[0]);
    expect([...names].sort()).toEqual([
      ...['Auto-Submitted', 'Content-Transfer-Encoding', 'Content-Type', 'Date', 'From'],
      ...['MIME-Version', 'Message-ID', 'Subject', 'To'],
    ]);
    expect(head).toContain(`\r\nTo: ${OPS}`);
  });

  it('becomes a file where there is a folder instead of a server, and the log says which', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-mails-'));
    const path = join(folder, 'mails');
    const way = { relay: { kind: 'folder', path }, sender: SENDER } as const;
    mailing = await Mailing.start(world, webhooks, { way });
    await switchedOff();
    await mailing.processor.look();
    const [name = '', ...more] = await readdir(path);
    expect(more).toEqual([]);
    expect(name).toMatch(/^[0-9a-f-]{36}\.eml$/);
    expect(await readFile(join(path, name), 'utf8')).toContain('Subject: Switched off: http://');
    expect(world.logged.join('\n')).toContain(join(path, name));
    await rm(folder, { recursive: true });
  });

  it('goes to nobody without TLS from a live installation', async () => {
    const sender = mailSenderFor(server.way, { mustEncrypt: true, logger: world.logger });
    const mail = { id: 'a', address: OPS, subject: 's', text: 't', madeAtMs: 0 };
    const result = await sender.send(mail, new AbortController().signal);
    expect(result).toEqual({ kind: 'failed', trouble: expect.stringMatching(/^ETLS/) });
    expect(server.taken()).toEqual([]);
  });
});
