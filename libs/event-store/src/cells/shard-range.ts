import { SHARD_COUNT } from './cell-tables.js';

/** Chain shards from `first` to `last`, both included. */
export interface ShardRange {
  readonly first: number;
  readonly last: number;
}

const RANGE = /^([0-9a-f]{4})-([0-9a-f]{4})$/;
/** How PostgreSQL prints a range of integers. */
const PRINTED = /\[([0-9]+),([0-9]+)\)/g;
const HEX = 16;
/** A shard has so many hex digits. */
const DIGITS = 4;

/** Reads `8000-ffff`; undefined for anything else, and for a range that ends before it begins. */
export function parseShardRange(text: string): ShardRange | undefined {
  const [, from, to] = RANGE.exec(text) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const range = { first: parseInt(from, HEX), last: parseInt(to, HEX) };
  return range.first <= range.last ? range : undefined;
}

/** As `parseShardRange` reads it. */
export function shardRangeText({ first, last }: ShardRange): string {
  const digits = (shard: number): string => shard.toString(HEX).padStart(DIGITS, '0');
  return `${digits(first)}-${digits(last)}`;
}

/** As a parameter of type `int4range`. @throws TypeError for what is no range of shards */
export function sqlRange({ first, last }: ShardRange): string {
  if (!(Number.isInteger(first) && Number.isInteger(last) && first >= 0 && first <= last)) {
    throw new TypeError('A range of shards begins with a shard, and ends with it or a later one.');
  }
  if (last >= SHARD_COUNT) throw new TypeError(`There is no shard ${last}.`);
  return `[${first},${last + 1})`;
}

/** The ranges that PostgreSQL prints of an `int4range` or `int4multirange`. */
export function rangesOf(printed: string): readonly ShardRange[] {
  return [...printed.matchAll(PRINTED)].map(([, from, to]) => ({
    first: Number(from),
    last: Number(to) - 1,
  }));
}

/** How many shards the ranges have together. */
export function shardsIn(ranges: readonly ShardRange[]): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}
