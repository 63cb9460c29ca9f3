import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SimulatorConnector } from '@sluice/connectors';
import {
  COMMAND_TIME_TO_LIVE_MS,
  heldInstrument,
  type InstrumentKind,
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
import {
  detailsToHold,
  type NewPaymentKind,
  parseForm,
  shownInstrumentOf,
  stored,
} from '@sluice/parameters';
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

// The way that the IBAN of a direct debit takes, and the account at a provider, with
// the vault, payments and the simulator; edge does with the form what commandOfEdge does.

const IBAN = 'DE23100000001234567890';
const ACCOUNT_ID = 'moriarty@example.org';
const MONEY = { amount: '92.00', currency: 'EUR', paymentType: 'DB' } as const;
const entityId = 'aaaabbbbccccdddd0000111122223333' as EntityId;

interface FollowedAccount {
  readonly request: NewPaymentKind;
  readonly form: Readonly<Record<string, string>>;
  /** The account, however it is cut. */
  readonly trace: RegExp;
  readonly onWire: string;
  /** What is seen of the payment. */
  readonly view: object;
}

const accounts: readonly (readonly [name: string, FollowedAccount])[] = [
  [
    'the IBAN of a direct debit',
    {
      request: 'bankAccountPayment',
      form: {
        ...{ ...MONEY, paymentBrand: 'DIRECTDEBIT_SEPA', 'bankAccount.holder': 'Jane Jones' },
        ...{ 'bankAccount.iban': IBAN, 'bankAccount.bic': 'MARKDEF1100' },
      },
      trace: /1234567890|DE23/,
      onWire: `"bankAccount.iban":"${IBAN}"`,
      view: {
        instrument: { kind: 'bankAccount', paymentMethod: 'DD', brand: 'DIRECTDEBIT_SEPA' },
        personal: { 'bankAccount.holder': 'Jane Jones', 'bankAccount.bic': 'MARKDEF1100' },
      },
    },
  ],
  [
    'the account at a provider',
    {
      request: 'virtualAccountPayment',
      form: {
        ...{ ...MONEY, paymentBrand: 'PAYPAL', 'virtualAccount.accountId': ACCOUNT_ID },
        'standingInstruction.source': 'MIT',
      },
      trace: /moriarty|arty@example/,
      onWire: `"virtualAccount.accountId":"${ACCOUNT_ID}"`,
      view: { instrument: { kind: 'virtualAccount', brand: 'PAYPAL' }, personal: {} },
    },
  ],
];

const KINDS: readonly InstrumentKind[] = ['bankAccount', 'virtualAccount'];
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
    connectors: [new SimulatorConnector({ url: proxy.url, instruments: KINDS })],
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

/** What edge makes of the form: details for the vault, then the command. */
async function commandOfEdge({ form, request }: FollowedAccount) {
  const parsed = parseForm(new URLSearchParams(form).toString());
  if (parsed.kind === 'refused') throw new Error('no form');
  const toHold = detailsToHold(parsed.form, request);
  if (toHold === undefined) throw new Error('nothing to hold');
  const held = await vault.vault.hold(toHold);
  const transactionId = newTransactionId(Date.now());
  const { parameters, personal } = stored(parsed.form, request);
  const ndc = newNdc(entityId);
  const instrument = heldInstrument(shownInstrumentOf(parsed.form, request), held.reference);
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

/** As the rows of held details begin; events have the references as well. */
const heldRows: string[] = [];

describe('what is paid with', () => {
  it.each(accounts)(
    'goes through the vault to the connector, %s, and stands nowhere else',
    async (_, account) => {
      const command = await commandOfEdge(account);
      const reference = command.data.instrument;
      const { kind } = reference;
      expect(reference).toMatchObject({ kind, vaultReference: expect.any(String) });
      const whileHeld = await allRows();
      const held = `(${(reference as { vaultReference: string }).vaultReference},`;
      expect(whileHeld).toContain(held);
      heldRows.push(held);

      const sent = JSON.stringify(command);
      const result = await bus.commands.send<PaymentReply>('payments', command, {
        deadlineMs: 10_000,
      });
      expect(result).toMatchObject({ kind: 'replied', reply: { outcome: { status: 'approved' } } });

      const wire = proxy.requests.map(({ text }) => text).filter((text) => text.includes('debit'));
      expect(wire.at(-1)).toContain(account.onWire);

      const { transactionId } = command.data;
      const view = await bus.queries.ask<TransactionAnswer>('payments', 'payments.transaction', {
        transactionId,
        entityId,
      });
      expect(view.transaction).toMatchObject({ status: 'approved', ...account.view });
      const afterwards = await allRows();
      expect(afterwards).toContain(transactionId);
      const book = await readFile(join(folder, 'book.jsonl'), 'utf8');
      const places = { sent, whileHeld, afterwards, view: JSON.stringify(view), book };
      for (const [place, text] of Object.entries({ ...places, logged: logged.join('') })) {
        expect([place, account.trace.exec(text)?.[0]]).toEqual([place, undefined]);
      }
      expect(logged.join('')).toContain('outcome');
    },
  );

  it('is gone seconds later by itself, and at once when the vault ends', async () => {
    expect(heldRows).toHaveLength(accounts.length);
    await vault.close();
    const rows = await allRows();
    expect(heldRows.filter((held) => rows.includes(held))).toEqual([]);
  });
});
