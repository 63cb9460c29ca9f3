import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { launched, NotificationReceiver } from '@sluice/testing';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { entityId as demo } from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const COMMAND_LINE = launched('apps/cli/dist/main.js');
const CHANNEL = '1'.repeat(32);
const TOKEN = 'a-token-of-this-spec-alone';
const folder = newFolder();
const tokenFile = join(folder, 'token');
let receiver: NotificationReceiver;

beforeAll(async () => {
  receiver = await NotificationReceiver.start('0f'.repeat(32));
  const channel = {
    ...{ entityId: CHANNEL, name: 'Books', merchant: 'Shop', accessTokens: [TOKEN] },
    webhooks: [receiver.seed()],
  };
  const seedFile = join(folder, 'seed.json');
  writeFileSync(seedFile, JSON.stringify({ channels: [channel] }));
  writeFileSync(tokenFile, `${TOKEN}\n`);
  await start(join(folder, 'data'), ['--seed', seedFile]);
}, START_WITHIN_MS);
afterAll(async () => {
  await receiver.close();
  await endSandboxes();
}, START_WITHIN_MS);

interface Triggered {
  readonly events: readonly {
    readonly name: string;
    readonly asked: readonly { readonly id: string; readonly resultCode: string }[];
  }[];
}

async function trigger(...words: readonly string[]): Promise<Triggered> {
  const line = [...COMMAND_LINE, '--data', join(folder, 'data'), '--json', 'trigger', ...words];
  return JSON.parse((await promisify(execFile)(process.execPath, line)).stdout) as Triggered;
}

const AS_BOOKS = ['--entity', CHANNEL, '--token-file', tokenFile];
type Expected = readonly [type: string, payload: object, action?: string];
const PAID = (paymentType: string, code = '000.100.110'): Expected => [
  'PAYMENT',
  { paymentType, result: { code } },
];
/** What the last notification says of what the last request is about, or of what that one has deleted. */
const EXPECTED: Readonly<Record<string, Expected>> = {
  'payment.approved': PAID('DB'),
  'payment.authorized': PAID('PA'),
  'payment.declined': PAID('DB', '800.100.155'),
  'payment.pending': PAID('DB', '000.200.000'),
  'payment.rejected': PAID('RF', '700.400.520'),
  'payment.captured': PAID('CP'),
  'payment.reversed': PAID('RV'),
  'payment.refunded': PAID('RF'),
  'payment.credited': PAID('CD'),
  'payment.chargeback': PAID('CB', '000.100.200'),
  'payment.chargebackReversed': PAID('CR'),
  'registration.created': ['REGISTRATION', { paymentBrand: 'VISA' }, 'CREATED'],
  'registration.updated': ['REGISTRATION', { card: { expiryYear: '2035' } }, 'UPDATED'],
  'registration.deleted': ['REGISTRATION', { paymentBrand: 'VISA' }, 'DELETED'],
  'schedule.created': ['SCHEDULE', { paymentType: 'SD', plan: { active: true } }],
  'schedule.run': ['SCHEDULE', { paymentType: 'SD', plan: { active: false } }],
  'schedule.rescheduled': ['SCHEDULE', { paymentType: 'SD', amount: '46.00' }],
  'schedule.descheduled': ['SCHEDULE', { paymentType: 'SD', plan: { active: false } }],
  'schedule.deleted': ['SCHEDULE', { paymentType: 'SD', plan: { active: false } }],
  // No rules hold for its channel.
  'risk.checked': ['RISK', { paymentType: 'RI', result: { code: '600.200.500' } }],
};
/** Those that are about what an earlier request has made, by its place. */
const MADE_BEFORE: Readonly<Record<string, number>> = {
  'registration.updated': 0,
  'registration.deleted': 0,
  'schedule.rescheduled': 1,
  'schedule.descheduled': 1,
  'schedule.deleted': 1,
};
/** Those of which two notifications are awaited: that it is there, and what becomes of it. */
const TOLD_TWICE = [
  ...['registration.updated', 'registration.deleted', 'schedule.run'],
  ...['schedule.rescheduled', 'schedule.descheduled', 'schedule.deleted'],
];

describe('sluice trigger', () => {
  it('has everything really happen that it names, and a receiver hears of it', async () => {
    const { events } = await trigger(...Object.keys(EXPECTED), ...AS_BOOKS);
    expect(events.map(({ name }) => name)).toEqual(Object.keys(EXPECTED));
    for (const { name, asked } of events) {
      const { id } = asked.at(MADE_BEFORE[name] ?? -1) ?? {};
      const told = () => receiver.told.filter(({ payload }) => payload.id === id);
      while (told().length < (TOLD_TWICE.includes(name) ? 2 : 1)) await receiver.next();
      const [type, payload, action] = EXPECTED[name] ?? [];
      expect([name, told().at(-1)]).toMatchObject([
        name,
        { type, payload, ...(action !== undefined && { action }) },
      ]);
    }
  }, 60_000);

  it('is about the demo channel unless another is said', async () => {
    const { events } = await trigger('payment.refunded');
    expect(events[0]?.asked).toHaveLength(2);
    expect(receiver.told.map(({ payload }) => payload.authentication.entityId)).not.toContain(demo);
  });

  it('says what is answered where it may not be done', async () => {
    const ended = await trigger('payment.approved', '--entity', CHANNEL).catch(
      (error: unknown) => error as { readonly code: number; readonly stderr: string },
    );
    expect(ended).toMatchObject({ code: 1 });
    expect('stderr' in ended && ended.stderr).toContain('800.900.100');
  });

  it('refuses what it does not know', async () => {
    const ended = await trigger('payment.forgiven').catch(
      (error: unknown) => error as { readonly code: number; readonly stderr: string },
    );
    expect(ended).toMatchObject({ code: 2 });
    // So that none is forgotten here.
    const names = Object.keys(EXPECTED).join(', ');
    expect('stderr' in ended && ended.stderr.replaceAll(/\s+/g, ' ')).toContain(names);
  });
});
