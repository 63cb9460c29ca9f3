import type { Kind } from '../kinds.js';
import { optional, type Parameter } from '../parameter.js';

type Rows = Readonly<Record<string, Parameter>>;

/** The rows of a table under a prefix, with their own formats. */
export type Within<Prefix extends string, Table extends Rows> = {
  readonly [Key in keyof Table & string as `${Prefix}.${Key}`]: Omit<
    Table[Key],
    'kinds' | 'requirement' | 'requirementIn' | 'description' | 'conflict'
  > & {
    readonly kinds: readonly Kind[];
    readonly requirement: typeof optional;
    readonly description: string;
  };
};

/** Whom the parameters under a prefix are about. */
const WHOSE: Readonly<Record<string, string>> = {
  merchant: 'the merchant',
  shipping: 'whoever receives the goods',
};

/**
 * The same structure of somebody else: `merchant.billing.*` is `billing.*` of the merchant. All of it
 * is optional, and nothing is demanded together (Interface 2.9 to 2.11). The merchant says it, never
 * the shopper in the widget.
 */
export function within<const Prefix extends string, Table extends Rows>(
  prefix: Prefix,
  table: Table,
): Within<Prefix, Table> {
  const rows = Object.entries(table).map(([key, { conflict: _, requirementIn: __, ...row }]) => [
    `${prefix}.${key}`,
    {
      ...row,
      kinds: row.kinds.filter((kind) => kind !== 'widgetPayment'),
      requirement: optional,
      description: `Like \`${key}\`, for ${WHOSE[prefix] ?? prefix}.`,
    },
  ]);
  return Object.fromEntries(rows) as Within<Prefix, Table>;
}

/** A table without some of its rows. */
export function without<Table extends Rows, const Key extends keyof Table>(
  table: Table,
  ...keys: readonly Key[]
): Omit<Table, Key> {
  const left = Object.entries(table).filter(([key]) => !(keys as readonly unknown[]).includes(key));
  return Object.fromEntries(left) as Omit<Table, Key>;
}
