import type { BankAccountVault, OrderAnswer, PlaceOrderQuery } from '@sluice/contracts';
import { fromMessage } from '@sluice/money';
import { codes, type ResultCode } from '@sluice/result-codes';
import { type Clock, type EntityClock, inTransaction } from '@sluice/service';
import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { type Creditors, takesMode } from './creditors.js';
import { usesOf, verdictOn } from './mandates.js';
import type { OrderState } from './schema.js';

/** Longer than the vault may take for keeping; then the order is given up by whoever asks for it. */
export const PLACING_MAX_MS = 30_000;
/** Nobody means a later day, and a bank would not take it. */
export const DUE_DAYS_MAX = 365;
const DAY_MS = 24 * 60 * 60 * 1_000;
const DATE_CHARACTERS = 10;
const ACCOUNT_HEX_DIGITS = 32;
const MANDATE: ResultCode = '100.500.303';

/** The parts it is made of. */
export interface OrdersParts {
  readonly pool: Pool;
  readonly vault: Pick<BankAccountVault, 'keepBankAccount'>;
  readonly creditors: Creditors;
  /** Of the machine. */
  readonly machine: Pick<Clock, 'now'>;
  readonly clock: Pick<EntityClock, 'now'>;
}

/** A row, as far as answers need it. */
interface OrderRow {
  readonly reference: string;
  readonly operation: string;
  readonly state: OrderState;
  readonly result_code: string | null;
  readonly account: string;
  readonly creditor: string;
  readonly sequence: string | null;
  readonly due_on: string | null;
  readonly placed_at: Date;
  readonly closed_at: Date | null;
  readonly mandate: string | null;
  readonly terms: string | null;
}

/** What is recorded of an order beside its query. */
interface RowParts {
  readonly account: string;
  readonly state: OrderState;
  readonly resultCode?: string;
  readonly sequence?: string | null;
  readonly dueOn?: string | null;
  readonly mandate?: string | null;
  readonly terms?: string | null;
}

const COLUMNS = `reference, operation, state, result_code, account, creditor, sequence,
  due_on::text, placed_at, closed_at, mandate, terms`;
const FIND = `SELECT ${COLUMNS} FROM orders WHERE reference = $1`;
const LOCK = `${FIND} FOR UPDATE`;
const INSERT = `
  INSERT INTO orders (reference, operation, original, creditor, minor, account, sequence, due_on,
                      state, result_code, placed_at, mandate, terms, entity_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT (reference) DO NOTHING`;
const MOVE = 'UPDATE orders SET state = $3 WHERE reference = $1 AND state = $2';

/** Orders of payments: placed once, whoever asks how often; taken back until they are in a file. */
export class Orders {
  constructor(private readonly parts: OrdersParts) {}

  /** Places an order, or says what has become of it. */
  async place(query: PlaceOrderQuery): Promise<OrderAnswer> {
    const creditor = this.parts.creditors.get(query.creditor);
    if (creditor === undefined) return refused('There is no creditor of this name');
    if (!takesMode(creditor, query.mode)) {
      return refused('The creditor is for the other kind of money, live or of tests');
    }
    const { operation } = query;
    if (operation !== 'credit' && operation !== 'refund' && creditor.creditorId === undefined) {
      return refused('The creditor has no creditor identifier, so it collects nothing');
    }
    const known = await this.#find(query.reference);
    if (known !== undefined) return answerOf(known);
    switch (operation) {
      case 'authorization':
      case 'debit':
      case 'credit':
        return this.#begin(query);
      case 'capture':
      case 'refund':
        return this.#follow(query);
      case 'reversal':
        return this.#reverse(query);
    }
  }

  /** What has become of an order; one whose placing was broken off is given up by the question. */
  async find(reference: string): Promise<OrderAnswer> {
    const row = await this.#find(reference);
    if (row?.state !== 'placing') return row === undefined ? NOT_FOUND : answerOf(row);
    const isOver = this.parts.machine.now() - row.placed_at.getTime() > PLACING_MAX_MS;
    if (!isOver || !(await this.#move(reference, 'placing', 'failed'))) return UNDER_WAY;
    return NOT_FOUND;
  }

  /** Takes an order back, if it is in no file yet. */
  async cancel(reference: string): Promise<OrderAnswer> {
    const found = await this.find(reference);
    if (found.kind !== 'approved') return found;
    for (const state of ['waiting', 'authorized'] as const) {
      if (await this.#move(reference, state, 'cancelled')) {
        return { kind: 'cancelled', id: reference };
      }
    }
    return UNDER_WAY;
  }

  /** The order is recorded first, so that what the vault keeps always belongs to one. */
  async #begin(query: PlaceOrderQuery): Promise<OrderAnswer> {
    const { heldReference, reference } = query;
    if (heldReference === undefined) return refused('There is no account');
    if (this.#isTooLate(query)) return notOnThatDay(reference);
    const recorded = await this.#record(query);
    if (recorded === 'known') return this.find(reference);
    return recorded === 'new' ? this.#keep(query, heldReference) : recorded;
  }

  #isTooLate({ dueOn, entityId = '' }: PlaceOrderQuery): boolean {
    const latest = this.parts.clock.now(entityId) + DUE_DAYS_MAX * DAY_MS;
    return dueOn !== undefined && dueOn > dayOf(latest);
  }

  /** The order itself, if its mandate allows it. */
  async #record(query: PlaceOrderQuery): Promise<'new' | 'known' | OrderAnswer> {
    const { reference, creditor, mandate: marks, sequence: wanted } = query;
    const row = { account: accountOf(reference), state: 'placing' } as const;
    return inTransaction(this.parts.pool, async (client) => {
      if (marks === undefined || wanted === undefined) {
        return (await this.#insert(client, query, row)) ? 'new' : 'known';
      }
      const { id: mandate, terms } = marks;
      const earlier = await usesOf(client, { creditor, mandate, reference });
      const verdict = verdictOn(wanted, marks, earlier);
      if (verdict.kind === 'refused') {
        return { kind: 'declined', id: reference, resultCode: MANDATE, reason: verdict.reason };
      }
      const { sequence } = verdict;
      const isFirst = await this.#insert(client, query, { ...row, sequence, mandate, terms });
      return isFirst ? 'new' : 'known';
    });
  }

  async #keep(
    { reference, operation }: PlaceOrderQuery,
    heldReference: string,
  ): Promise<OrderAnswer> {
    const account = accountOf(reference);
    if (!(await this.parts.vault.keepBankAccount({ heldReference, orderId: account }))) {
      await this.#move(reference, 'placing', 'failed');
      return refused('The vault holds the account no more');
    }
    const next = operation === 'authorization' ? 'authorized' : 'waiting';
    const isPlaced = await this.#move(reference, 'placing', next);
    // Given up meanwhile, which somebody may have been told.
    return isPlaced ? { kind: 'approved', id: reference } : refused('It took too long');
  }

  /** A capture or refund: by the account of what it refers to, and a capture on its day if it says none. */
  async #follow(query: PlaceOrderQuery): Promise<OrderAnswer> {
    const { reference, operation, originalReference = '' } = query;
    return inTransaction(this.parts.pool, async (client) => {
      const original = await rowOf(client, LOCK, originalReference);
      const states: readonly OrderState[] =
        operation === 'capture' ? ['authorized'] : ['waiting', 'inFile', 'accepted'];
      if (original === undefined || !states.includes(original.state)) {
        return refused('What it refers to is not there, or not in force');
      }
      if (original.closed_at !== null) {
        return refused('The account of what it refers to has been forgotten');
      }
      const { account, sequence, due_on: dueFrom, mandate, terms } = original;
      const { dueOn = dueFrom } = query;
      // Before the day of its authorization, the mandate may not be signed, and the debtor expects nothing.
      const isTooEarly = query.dueOn !== undefined && dueFrom !== null && query.dueOn < dueFrom;
      if (isTooEarly || this.#isTooLate(query)) return notOnThatDay(reference);
      const taken = operation === 'capture' ? { sequence, dueOn, mandate, terms } : {};
      const isNew = await this.#insert(client, query, { account, state: 'waiting', ...taken });
      return isNew ? { kind: 'approved', id: reference } : UNDER_WAY;
    });
  }

  async #reverse(query: PlaceOrderQuery): Promise<OrderAnswer> {
    const { reference, originalReference = '' } = query;
    return inTransaction(this.parts.pool, async (client) => {
      const original = await rowOf(client, LOCK, originalReference);
      if (original === undefined) return refused('What it refers to is not there');
      const { account, state } = original;
      if (state !== 'waiting' && state !== 'authorized') {
        const resultCode = state === 'cancelled' ? codes.alreadyReversed : codes.tooLateToReverse;
        await this.#insert(client, query, { account, state: 'declined', resultCode });
        return { kind: 'declined', id: reference, resultCode };
      }
      await client.query(MOVE, [originalReference, state, 'cancelled']);
      await this.#insert(client, query, { account, state: 'done' });
      return { kind: 'approved', id: reference };
    });
  }

  #find(reference: string): Promise<OrderRow | undefined> {
    return rowOf(this.parts.pool, FIND, reference);
  }

  async #move(reference: string, from: OrderState, to: OrderState): Promise<boolean> {
    return (await this.parts.pool.query(MOVE, [reference, from, to])).rowCount === 1;
  }

  async #insert(
    client: Pool | PoolClient,
    query: PlaceOrderQuery,
    row: RowParts,
  ): Promise<boolean> {
    const { reference, operation, originalReference, creditor, amount } = query;
    const { account, state, resultCode, mandate, terms } = row;
    const { sequence = query.sequence, dueOn = query.dueOn } = row;
    const { rowCount } = await client.query(INSERT, [
      ...[reference, operation, originalReference, creditor, fromMessage(amount).minor],
      ...[account, sequence, dueOn, state, resultCode, new Date(this.parts.machine.now())],
      ...[mandate, terms, query.entityId ?? ''],
    ]);
    return rowCount === 1;
  }
}

const NOT_FOUND: OrderAnswer = { kind: 'notFound' };
const UNDER_WAY: OrderAnswer = { kind: 'underWay' };

async function rowOf(
  client: Pool | PoolClient,
  text: string,
  reference: string,
): Promise<OrderRow | undefined> {
  return (await client.query<OrderRow>(text, [reference])).rows[0];
}

/** What the vault knows the account by. */
export function accountOf(reference: string): string {
  const hash = createHash('sha256').update(`sepa|${reference}`).digest('hex');
  return hash.slice(0, ACCOUNT_HEX_DIGITS);
}

/** The day of an instant, in UTC. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, DATE_CHARACTERS);
}

function answerOf({ state, reference: id, result_code: resultCode }: OrderRow): OrderAnswer {
  switch (state) {
    case 'placing':
      return UNDER_WAY;
    case 'failed':
      return NOT_FOUND;
    case 'cancelled':
      return { kind: 'cancelled', id };
    case 'declined':
      return { kind: 'declined', id, resultCode: resultCode ?? codes.tooLateToReverse };
    case 'authorized':
    case 'waiting':
    case 'inFile':
    case 'accepted':
    case 'rejected':
    case 'returned':
    case 'done':
      return { kind: 'approved', id };
  }
}

function notOnThatDay(id: string): OrderAnswer {
  return { kind: 'declined', id, resultCode: codes.dueDateInvalid };
}

function refused(reason: string): OrderAnswer {
  return { kind: 'refused', reason };
}
