import {
  accountIn,
  type CreditTransferBatch,
  type DirectDebitBatch,
  type OrderAccount,
  writeCreditTransfers,
  writeDirectDebits,
  type WrittenFile,
} from '@sluice/connectors';
import type { BankAccountVault } from '@sluice/contracts';
import { currency } from '@sluice/money';
import { random } from '@sluice/identifiers';
import {
  type Clock,
  type EntityClock,
  inTransaction,
  type Logger,
  type SetClocks,
} from '@sluice/service';
import type { Pool, PoolClient } from 'pg';
import type { SepaMetrics } from './sepa-metrics.js';
import { bankDaysAfter, batchesOf, gatheredOn } from './batches.js';
import type { Creditor, Creditors } from './creditors.js';
import { dayOf } from './orders.js';
import type { OutgoingFolder } from './outgoing-folder.js';
import { IS_SENDABLE } from './schema.js';

/** Every bank takes so many; the accounts of all are in memory while their file is written. */
export const ORDERS_PER_FILE_MAX = 10_000;
/** Accounts that the vault is asked for at once: payments under way need it, too. */
const REVEALS_AT_ONCE_MAX = 8;
const MESSAGE_ID_BYTES = 15;
/** Of a file's id, in its name and in those of its batches. */
const MARK_CHARACTERS = 8;
const SECONDS_CHARACTERS = 19;
const NAMES = { debits: 'pain.008', transfers: 'pain.001' } as const;
const OPERATIONS = { debits: ['debit', 'capture'], transfers: ['credit', 'refund'] } as const;
const EURO = currency('EUR');

type Kind = keyof typeof NAMES;

/** The parts it is made of. */
export interface GathererParts {
  readonly pool: Pool;
  readonly vault: Pick<BankAccountVault, 'revealBankAccount'>;
  readonly creditors: Creditors;
  readonly outgoing: OutgoingFolder;
  readonly debitLeadDays: number;
  /** Of the machine. */
  readonly machine: Pick<Clock, 'now'>;
  readonly clock: Pick<EntityClock, 'now'>;
  /** Whose orders are due by clocks of their own, and are in files of their own. */
  readonly setClocks: SetClocks;
  readonly logger: Logger;
  readonly metrics: SepaMetrics;
}

interface FileRow {
  readonly message_id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly creditor: string;
  readonly created_at: Date;
}

interface DueDay {
  readonly isDebit: boolean;
  readonly dueOn: string | null;
}

interface FiledOrder {
  readonly reference: string;
  readonly minor: string;
  readonly account: string;
  readonly sequence: 'OOFF' | 'RCUR' | null;
  readonly batch: string;
  readonly on_day: string;
}

/** Taken by no second process while it is being put into a file. */
const TAKE = `
  SELECT reference, sequence, due_on::text AS "dueOn" FROM orders
  WHERE state = 'waiting' AND creditor = $1 AND operation = ANY ($2)
    AND (due_on IS NULL OR due_on <= $3) AND ${IS_SENDABLE}
    AND CASE WHEN $5 = '' THEN entity_id <> ALL ($6) ELSE entity_id = $5 END
  ORDER BY placed_at, reference LIMIT $4 FOR UPDATE SKIP LOCKED`;
const WHOSE = `SELECT DISTINCT entity_id AS "entityId" FROM orders WHERE state = 'waiting'`;
/** Creditors alone that there are: what nobody gathers is not due. */
const DUE_DAYS = `
  SELECT DISTINCT operation = ANY ($3) AS "isDebit", due_on::text AS "dueOn" FROM orders
  WHERE state = 'waiting' AND entity_id = $1 AND creditor = ANY ($2) AND ${IS_SENDABLE}`;
const FILE = `
  INSERT INTO files (message_id, name, kind, creditor, created_at) VALUES ($1, $2, $3, $4, $5)`;
const PUT = `
  UPDATE orders SET state = 'inFile', file = $1, batch = now.batch, on_day = now.on_day
  FROM unnest($2::text[], $3::text[], $4::date[]) AS now (reference, batch, on_day)
  WHERE orders.reference = now.reference`;
const UNWRITTEN = `
  SELECT message_id, name, kind, creditor, created_at FROM files
  WHERE written_at IS NULL ORDER BY created_at, message_id`;
const ORDERS = `
  SELECT reference, minor, account, sequence, batch, on_day::text FROM orders
  WHERE file = $1 ORDER BY batch, reference`;
const WRITTEN = 'UPDATE files SET written_at = $2, sha256 = $3 WHERE message_id = $1';

/**
 * Makes files of the orders that wait. Which order is in which file is committed first; the bytes
 * are made of that afterwards, and again after a crash, so that each order is in exactly one file.
 */
export class Gatherer {
  constructor(private readonly parts: GathererParts) {}

  /** Puts all orders that are due into files; returns how many files there are. */
  async gather(): Promise<number> {
    let files = await this.gatherOf('');
    for (const entityId of this.parts.setClocks.all().keys())
      files += await this.gatherOf(entityId);
    return files;
  }

  /** When there is something to gather of an entity next, by its clock; null: never. */
  async nextDueMs(entityId: string): Promise<number | null> {
    const { pool, creditors, debitLeadDays } = this.parts;
    const names = [...creditors.values()].map(({ name }) => name);
    const { rows } = await pool.query<DueDay>(DUE_DAYS, [entityId, names, OPERATIONS.debits]);
    const dates = rows.map(({ isDebit, dueOn }) =>
      // What waits for no day is due already.
      dueOn === null ? 0 : Date.parse(gatheredOn(dueOn, isDebit ? debitLeadDays : 0)),
    );
    return dates.length === 0 ? null : Math.min(...dates);
  }

  /** The same of one entity by its clock; empty: of all that have the machine's. */
  async gatherOf(entityId: string): Promise<number> {
    let files = 0;
    for (const creditor of this.parts.creditors.values()) {
      for (const kind of ['debits', 'transfers'] as const) {
        for (let isMore = true; isMore; files += isMore ? 1 : 0) {
          isMore = await inTransaction(this.parts.pool, (client) =>
            this.#gatherOne(client, creditor, { kind, entityId }),
          );
        }
      }
    }
    return files;
  }

  /** Writes the files that are not written yet. */
  async write(): Promise<void> {
    const { pool, outgoing, machine, logger, metrics } = this.parts;
    const { rows } = await pool.query<FileRow>(UNWRITTEN);
    for (const file of rows) {
      const written = await this.#compose(file);
      const { name, message_id: messageId } = file;
      if (written.kind === 'refused') {
        metrics.files('unwritable');
        // At most a hundred, and never a value.
        logger.error({ messageId, problems: written.problems }, 'A file cannot be written.');
        continue;
      }
      const hash = await outgoing.write(name, written);
      await pool.query(WRITTEN, [messageId, new Date(machine.now()), hash]);
      metrics.files('written');
      logger.info({ file: name, orders: written.transactions }, 'A file waits for the bank.');
    }
  }

  async #gatherOne(
    client: PoolClient,
    creditor: Creditor,
    { kind, entityId }: { readonly kind: Kind; readonly entityId: string },
  ): Promise<boolean> {
    const { clock, debitLeadDays } = this.parts;
    const nowMs = clock.now(entityId);
    const leadDays = kind === 'debits' ? debitLeadDays : 0;
    const earliest = bankDaysAfter(dayOf(nowMs), leadDays);
    const ahead = entityId === '' ? await this.#ahead(client) : [];
    const values = [
      creditor.name,
      OPERATIONS[kind],
      earliest,
      ORDERS_PER_FILE_MAX,
      entityId,
      ahead,
    ];
    const { rows } = await client.query<Parameters<typeof batchesOf>[0][number]>(TAKE, values);
    if (rows.length === 0) return false;
    const messageId = `SLU${random(MESSAGE_ID_BYTES).toString('hex')}`;
    const at = new Date(nowMs).toISOString().slice(0, SECONDS_CHARACTERS);
    const stamp = at.replaceAll(/[-:]/gu, '');
    const mark = messageId.slice(-MARK_CHARACTERS);
    const name = `${stamp}-${creditor.name}-${NAMES[kind]}-${mark}.xml`;
    await client.query(FILE, [messageId, name, kind, creditor.name, `${at}Z`]);
    const batched = batchesOf(rows, earliest);
    await client.query(PUT, [
      messageId,
      batched.map(({ reference }) => reference),
      // Those of two files may be for one day, and a bank may refuse the second one as a repetition.
      batched.map(({ batch }) => `${batch}-${mark}`),
      batched.map(({ onDay }) => onDay),
    ]);
    return true;
  }

  /** Who has a clock of his own, somebody moving it or not. */
  async #ahead(client: PoolClient): Promise<readonly string[]> {
    const { rows } = await client.query<{ readonly entityId: string }>(WHOSE);
    const ids = rows.map(({ entityId }) => entityId);
    return ids.filter((entityId) => this.parts.setClocks.aheadMs(entityId) > 0);
  }

  async #compose(file: FileRow): Promise<WrittenFile> {
    const { pool, creditors } = this.parts;
    const creditor = creditors.get(file.creditor);
    if (creditor === undefined) return refusedAt('creditor');
    const { rows } = await pool.query<FiledOrder>(ORDERS, [file.message_id]);
    const accounts = await this.#accountsOf(rows);
    const header = {
      messageId: file.message_id,
      createdAt: `${file.created_at.toISOString().slice(0, SECONDS_CHARACTERS)}Z`,
      initiatingParty: creditor.party.name,
    };
    const batches = groupedByBatch(rows);
    const gone = rows.findIndex(({ account }) => !accounts.has(account));
    if (gone !== -1) return refusedAt(`orders[${gone}].account`);
    if (file.kind === 'transfers') {
      const transfers = batches.map((batch) => transferBatch(creditor, batch, accounts));
      return writeCreditTransfers({ ...header, batches: transfers });
    }
    const debits = batches.map((batch) => debitBatch(creditor, batch, accounts));
    return writeDirectDebits({ ...header, batches: debits });
  }

  async #accountsOf(rows: readonly FiledOrder[]): Promise<ReadonlyMap<string, OrderAccount>> {
    const names = [...new Set(rows.map(({ account }) => account))];
    const accounts = new Map<string, OrderAccount>();
    for (let at = 0; at < names.length; at += REVEALS_AT_ONCE_MAX) {
      const some = names.slice(at, at + REVEALS_AT_ONCE_MAX).map(async (name) => {
        const revealed = await this.parts.vault.revealBankAccount(name);
        const account = revealed && accountIn(revealed.details);
        if (account !== undefined) accounts.set(name, account);
      });
      await Promise.all(some);
    }
    return accounts;
  }
}

function groupedByBatch(rows: readonly FiledOrder[]): readonly (readonly FiledOrder[])[] {
  const batches = new Map<string, FiledOrder[]>();
  for (const row of rows) {
    const batch = batches.get(row.batch);
    if (batch === undefined) batches.set(row.batch, [row]);
    else batch.push(row);
  }
  return [...batches.values()];
}

type Accounts = ReadonlyMap<string, OrderAccount>;

function debitBatch(
  { party, creditorId = '' }: Creditor,
  rows: readonly FiledOrder[],
  accounts: Accounts,
): DirectDebitBatch {
  const [first] = rows;
  return {
    ...{ id: first?.batch ?? '', creditor: party, creditorId },
    ...{ sequence: first?.sequence ?? 'OOFF', collectionDate: first?.on_day ?? '' },
    debits: rows.map((row) => {
      const { party: debtor, mandate, remittance } = accountOfRow(row, accounts);
      return {
        ...{ endToEndId: row.reference, amount: amountOf(row), debtor },
        mandate: mandate ?? { id: '', signedOn: '' },
        ...(remittance !== undefined && { remittance }),
      };
    }),
  };
}

function transferBatch(
  { party }: Creditor,
  rows: readonly FiledOrder[],
  accounts: Accounts,
): CreditTransferBatch {
  const [first] = rows;
  return {
    ...{ id: first?.batch ?? '', debtor: party, executionDate: first?.on_day ?? '' },
    transfers: rows.map((row) => {
      const { party: creditor, remittance } = accountOfRow(row, accounts);
      return {
        ...{ endToEndId: row.reference, amount: amountOf(row), creditor },
        ...(remittance !== undefined && { remittance }),
      };
    }),
  };
}

function accountOfRow({ account }: FiledOrder, accounts: Accounts): OrderAccount {
  const found = accounts.get(account);
  if (found === undefined) throw new Error('An account that was looked for is not there.');
  return found;
}

function amountOf({ minor }: FiledOrder) {
  return { minor: BigInt(minor), currency: EURO };
}

function refusedAt(at: string): WrittenFile {
  return { kind: 'refused', problems: [{ at, reason: 'empty' }] };
}
