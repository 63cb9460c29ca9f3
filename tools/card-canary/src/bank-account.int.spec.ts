import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SimulatorConnector } from '@sluice/connectors';
import {
  COMMAND_TIME_TO_LIVE_MS,
  heldInstrument,
  type PaymentReply,
  type TransactionAnswer,
} from '@sluice/contracts';
import {
  chainShard,
  type EntityId,
  newMessageId,
  newNdc,
  newTransactionId,
} from '@sluice/identifiers';
import { InProcessBus } from '@sluice/messaging';
import { detailsToHold, parseForm, shownInstrumentOf, stored } from '@sluice/parameters';
import { PaymentsModule } from '@sluice/payments';
import {
  createLogger,
  EnvelopeSealer,
  ensureRolesAndSchema,
  FileKeyProvider,
  systemClock,
} from '@sluice/service';
import { SimulatorModule } from '@sluice/simulator';
import { type AnswerProxy, startAnswerProxy, startTestDatabase } from '@sluice/testing';
import { type RunningVault, VaultModule } from '@sluice/vault';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { tableTexts } from './table-texts.js';

// The way that the IBAN of a direct debit takes, with
// the vault, payments and the simulator; edge does with the form what commandOfEdge does.

const IBAN = 'DE23100000001234567890';
/** However it is cut. */
const TRACE = /1234567890|DE23/;
const entityId = 'aaaabbbbccccdddd0000111122223333' as EntityId;
const NEW_PAYMENT = 'bankAccountPayment';

const logged: string[] = [];
const closers: (() => Promise<unknown>)[] = [];
const bus = new InProcessBus({ drainMs: 1 });
let folder: string;
let databaseUrl: string;
let vault: RunningVault;
let sealer: EnvelopeSealer;
let proxy: AnswerProxy;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-bank-account-'));
  const database = await startTestDatabase();
  closers.push(() => database.drop());
  databaseUrl = database.url;
  const databases = await ensureRolesAndSchema(database.url, ['payments', 'vault']);
  const keys = await FileKeyProvider.open(join(folder, 'keys.json'), { createIfAbsent: true });
  sealer = new EnvelopeSealer(keys, systemClock);
  const logger = (service: string) =>
    createLogger({ service, level: 'debug', destination: { write: (line) => logged.push(line) } });
  const { appUrl, ownerUrl } = databases.vault;
  vault = await VaultModule.start({
    settings: {
      ...{ databaseUrl: appUrl, ownerDatabaseUrl: ownerUrl, fingerprintKey: Buffer.alloc(32, 7) },
      // Committed before it is held: what is on the disk is looked at as well.
      cardWriteAfterMs: 0,
    },
    keyProvider: keys,
    logger: logger('vault'),
  });
  closers.push(() => vault.close());
  const bookFile = join(folder, 'book.jsonl');
  const simulator = await SimulatorModule.start({
    settings: { port: 0, bookFile },
    logger: logger('simulator'),
  });
  closers.push(() => simulator.close());
  proxy = await startAnswerProxy(simulator.url);
  closers.push(() => proxy.close());
  const payments = await PaymentsModule.start({
    settings: {
      databaseUrl: databases.payments.appUrl,
      ownerDatabaseUrl: databases.payments.ownerUrl,
    },
    transport: bus.transport('payments'),
    vault: vault.vault,
    connectors: [new SimulatorConnector({ url: proxy.url, instruments: ['bankAccount'] })],
    keyProvider: keys,
    commandKeys: keys,
    logger: logger('payments'),
  });
  closers.push(() => payments.close());
}, 60_000);

afterAll(async () => {
  for (const close of closers.reverse()) await close();
  await rm(folder, { recursive: true });
});

const form = {
  ...{ amount: '92.00', currency: 'EUR', paymentType: 'DB', paymentBrand: 'DIRECTDEBIT_SEPA' },
  ...{ 'bankAccount.holder': 'Jane Jones', 'bankAccount.iban': IBAN },
  'bankAccount.bic': 'MARKDEF1100',
};

/** What edge makes of the form: details for the vault, then the command. */
async function commandOfEdge() {
  const parsed = parseForm(new URLSearchParams(form).toString());
  if (parsed.kind === 'refused') throw new Error('no form');
  const toHold = detailsToHold(parsed.form, NEW_PAYMENT);
  if (toHold === undefined) throw new Error('nothing to hold');
  const held = await vault.vault.hold(toHold);
  const transactionId = newTransactionId(Date.now());
  const { parameters, personal } = stored(parsed.form, NEW_PAYMENT);
  const ndc = newNdc(entityId);
  const instrument = heldInstrument(shownInstrumentOf(parsed.form, NEW_PAYMENT), held.reference);
  return {
    ...({ id: newMessageId(Date.now()), type: 'InitiatePayment', schemaVersion: 1 } as const),
    ...{ key: chainShard(transactionId), correlationId: ndc, causationId: ndc },
    timeToLiveMs: COMMAND_TIME_TO_LIVE_MS,
    data: {
      ...({ transactionId, parameters, instrument, operation: 'debit' } as const),
      personal: await sealer.seal(transactionId, JSON.stringify(personal)),
      amount: { minor: '9200', currency: 'EUR' },
      context: {
        ...({ entityId, channelName: 'demo', ndc, actor: entityId, mode: 'INTERNAL' } as const),
        ...{ manualChargebacks: true, receivedAtMs: Date.now() },
      },
    },
  };
}

/** Every row of every table; what is published stands in the outbox, as it goes to the topic. */
async function allRows(): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    let rows = '';
    for await (const { text } of tableTexts(client)) rows += text;
    return rows;
  } finally {
    await client.end();
  }
}

describe('the IBAN of a payment by bank account', () => {
  it('goes through the vault to the connector, and stands nowhere else', async () => {
    const command = await commandOfEdge();
    const reference = command.data.instrument;
    expect(reference).toMatchObject({ kind: 'bankAccount', vaultReference: expect.any(String) });
    const whileHeld = await allRows();
    // As the row of held details begins; the event has the reference as well.
    const held = `(${(reference as { vaultReference: string }).vaultReference},`;
    expect(whileHeld).toContain(held);

    const sent = JSON.stringify(command);
    const result = await bus.commands.send<PaymentReply>('payments', command, {
      deadlineMs: 10_000,
    });
    expect(result).toMatchObject({ kind: 'replied', reply: { outcome: { status: 'approved' } } });

    const [wire] = proxy.requests.map(({ text }) => text).filter((text) => text.includes('debit'));
    expect(wire).toContain(`"bankAccount.iban":"${IBAN}"`);

    const { transactionId } = command.data;
    const view = await bus.queries.ask<TransactionAnswer>('payments', 'payments.transaction', {
      transactionId,
      entityId,
    });
    expect(view.transaction).toMatchObject({
      status: 'approved',
      instrument: { kind: 'bankAccount', paymentMethod: 'DD', brand: 'DIRECTDEBIT_SEPA' },
      personal: { 'bankAccount.holder': 'Jane Jones', 'bankAccount.bic': 'MARKDEF1100' },
    });
    const afterwards = await allRows();
    expect(afterwards).toContain(transactionId);
    const book = await readFile(join(folder, 'book.jsonl'), 'utf8');
    const places = { sent, whileHeld, afterwards, view: JSON.stringify(view), book };
    for (const [place, text] of Object.entries({ ...places, logged: logged.join('') })) {
      expect([place, TRACE.exec(text)?.[0]]).toEqual([place, undefined]);
    }
    expect(logged.join('')).toContain('outcome');
    // Seconds later by itself, and at once when the vault ends.
    await vault.close();
    expect(await allRows()).not.toContain(held);
  });
});
