import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentCommandMessage, PaymentReply } from '@sluice/contracts';
import { createLogger, EnvelopeSealer, systemClock } from '@sluice/service';
import { PaymentsProcess, PaymentsWorld } from '../test/payments-fixture.js';
import type { OpenedCommand } from './payment-commands.js';

let world: PaymentsWorld;
let payments: PaymentsProcess;
let sealer: EnvelopeSealer;
const logged: string[] = [];

beforeAll(async () => {
  world = await PaymentsWorld.make();
  sealer = new EnvelopeSealer(world.keys, systemClock);
  const destination = { write: (line: string) => void logged.push(line) };
  payments = await PaymentsProcess.start(world, {
    logger: createLogger({ service: 'payments', level: 'debug', destination }),
  });
}, 60_000);
afterAll(async () => {
  await payments.die();
  await world.close();
});

const JANE = { 'card.holder': 'Jane Jones', descriptor: 'For Jane' };

/** A debit of whom nothing is personal, and what is said in the place of that. */
function debitWith(personal: unknown): { command: OpenedCommand; sent: PaymentCommandMessage } {
  const command = payments.initiation('debit', 100);
  const sent = {
    ...command,
    data: { ...command.data, personal },
  } as unknown as PaymentCommandMessage;
  return { command, sent };
}

describe('a sealed command', () => {
  it('is opened for the acquirer, kept under the key of its payment, and shown to who reads it', async () => {
    const debit = payments.initiation('debit', 100, { personal: JANE });
    expect((await payments.outcome(debit)).status).toBe('approved');
    expect(world.connector.submitted.at(-1)?.parameters).toMatchObject({ descriptor: 'For Jane' });
    const view = await payments.view(debit.data.transactionId);
    expect(view?.personal).toEqual(JANE);
    const { rows } = await world.admin.query<{ text: string }>(
      `SELECT e::text AS text FROM payments.events e
       UNION ALL SELECT o::text FROM payments.outbox o`,
    );
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.map(({ text }) => text).join()).not.toMatch(/Jane/);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['in clear', async () => JANE],
    ['no envelope', async () => 'Jane'],
    ['null', async () => null],
    ['empty', async () => ({})],
    ['of another transaction', () => sealer.seal('another', JSON.stringify(JANE))],
    [
      'altered',
      async () => {
        const { command } = debitWith({});
        const { key, block } = await sealer.seal(command.data.transactionId, '{}');
        return { key, block: `AAAA${block.slice(4)}` };
      },
    ],
    ['under no key', async () => ({ key: 'AAAA', block: 'AAAA' })],
  ])('that cannot be opened fails, and nothing of it is recorded or said: %s', async (_, made) => {
    const before = world.connector.submitted.length;
    const { command, sent } = debitWith(await made());
    const result = await payments.bus.commands.send<PaymentReply>('payments', sent, {
      deadlineMs: 10_000,
    });
    expect(result).toEqual({ kind: 'failed' });
    expect(await world.eventTypes(command.data.transactionId)).toEqual([]);
    expect(world.connector.submitted).toHaveLength(before);
    expect(logged.join()).not.toMatch(/Jane/);
    // Others go on.
    expect((await payments.outcome(payments.initiation('debit', 100))).status).toBe('approved');
  });
});
