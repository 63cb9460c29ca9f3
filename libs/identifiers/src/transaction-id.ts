import { createHash } from 'node:crypto';
import { random } from './random.js';

declare const transactionIdBrand: unique symbol;

/**
 * The id of one transaction, and, for the first transaction of a chain, of the payment and its
 * stream: 32 lowercase hex digits (Interface 2.1) made of 48 bits of milliseconds, 16 bits of
 * chain shard and 64 random bits (D-01). Of a request with an idempotency key, 48 of these are the
 * beginning of the key's hash (D-36).
 */
export type TransactionId = string & { readonly [transactionIdBrand]: true };

const TRANSACTION_ID = /^[0-9a-f]{32}$/;
const TIME_HEX_DIGITS = 12;
const SHARD_HEX_DIGITS = 4;
const ID_HEX_DIGITS = 32;
/** What 48 bits hold: the year 10889. */
const TIME_MAX = 2 ** 48 - 1;
const SHORT_ID_HEX_DIGITS = 12;
const SHARD_BYTES = 2;
const RANDOM_BYTES = 8;
/**
 * So many digits of a key's hash that different keys of two days never share them by chance, and so
 * few that the ids of one key within a millisecond still differ.
 */
const KEY_MARK_HEX_DIGITS = 12;
const RANDOM_BYTES_BESIDE_MARK = 2;

/** Whether the text has the shape of a transaction id; it says nothing about existence. */
export function isTransactionId(text: string): text is TransactionId {
  return TRANSACTION_ID.test(text);
}

/**
 * The id of the first transaction of a new chain; it draws the chain shard at random, or from the
 * hash of the request's idempotency key, in hex: one key begins chains of one shard.
 */
export function newTransactionId(nowMs: number, keyHash?: string): TransactionId {
  const shard = keyHash?.slice(0, SHARD_HEX_DIGITS) ?? random(SHARD_BYTES).toString('hex');
  return assemble(nowMs, shard, keyHash);
}

/**
 * The id of a transaction that refers to `referenced`: same chain, hence same shard.
 * @param keyHash of the request's idempotency key, in hex
 */
export function newTransactionIdInChainOf(
  referenced: TransactionId,
  nowMs: number,
  keyHash?: string,
): TransactionId {
  return assemble(nowMs, chainShard(referenced), keyHash);
}

/**
 * The id of a further try at what has the id `first`: made of it, so that it is the same whenever somebody asks.
 * @param count 0 is the first one itself
 */
export function transactionIdOfTry(first: TransactionId, count: number): TransactionId {
  if (count === 0) return first;
  const begin = TIME_HEX_DIGITS + SHARD_HEX_DIGITS;
  const hash = createHash('sha256')
    .update(`${first} ${String(count)}`)
    .digest('hex');
  return `${first.slice(0, begin)}${hash.slice(0, ID_HEX_DIGITS - begin)}` as TransactionId;
}

/**
 * The id of what a plan does at a time: made of both, so that it is the same whoever asks and whenever. It
 * begins a chain of its own, of the plan's shard.
 * @param dueMs milliseconds since the epoch
 */
export function transactionIdOfRun(plan: TransactionId, dueMs: number): TransactionId {
  const hash = createHash('sha256')
    .update(`${plan} due ${String(dueMs)}`)
    .digest('hex')
    .slice(0, ID_HEX_DIGITS - TIME_HEX_DIGITS - SHARD_HEX_DIGITS);
  const time = dueMs.toString(16).padStart(TIME_HEX_DIGITS, '0');
  return `${time}${chainShard(plan)}${hash}` as TransactionId;
}

/** What the hash of the key begins with, if the id was made for a request with one (D-36). */
export function keyMark(id: TransactionId): string {
  const begin = TIME_HEX_DIGITS + SHARD_HEX_DIGITS;
  return id.slice(begin, begin + KEY_MARK_HEX_DIGITS);
}

/** The chain shard, 4 hex digits: the key of every command on this chain (D-01). */
export function chainShard(id: TransactionId): string {
  return id.slice(TIME_HEX_DIGITS, TIME_HEX_DIGITS + SHARD_HEX_DIGITS);
}

/** When the id was minted, in milliseconds since the epoch, by the clock of its maker. */
export function mintedAtMs(id: TransactionId): number {
  return Number.parseInt(id.slice(0, TIME_HEX_DIGITS), 16);
}

/**
 * Sorts before every id minted at that instant or later, and after every earlier one; it is no id of
 * a transaction. Instants that no id can have are moved to the nearest one.
 */
export function earliestIdAt(epochMs: number): string {
  const time = Math.min(Math.max(0, epochMs), TIME_MAX).toString(16).padStart(TIME_HEX_DIGITS, '0');
  return time.padEnd(ID_HEX_DIGITS, '0');
}

const SHORT_ID_DIGITS = 12;

/**
 * `NNNN.NNNN.NNNN`: digits of a transaction that people can read to each other (Interface 2.19). They
 * come from the random end of the id, so the same transaction has the same ones everywhere.
 */
export function shortIdOf(id: TransactionId): string {
  const random = Number.parseInt(id.slice(-SHORT_ID_HEX_DIGITS), 16);
  const digits = String(random).padStart(SHORT_ID_DIGITS, '0').slice(-SHORT_ID_DIGITS);
  return `${digits.slice(0, 4)}.${digits.slice(4, 8)}.${digits.slice(8)}`;
}

function assemble(nowMs: number, shard: string, keyHash: string | undefined): TransactionId {
  const time = nowMs.toString(16).padStart(TIME_HEX_DIGITS, '0');
  const end =
    keyHash === undefined
      ? random(RANDOM_BYTES).toString('hex')
      : keyHash.slice(0, KEY_MARK_HEX_DIGITS) + random(RANDOM_BYTES_BESIDE_MARK).toString('hex');
  return (time + shard + end) as TransactionId;
}
