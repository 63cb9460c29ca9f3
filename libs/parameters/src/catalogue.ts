import type { Format } from './format.js';
import type { Form } from './form.js';
import { indexBetween, keyPattern } from './key-pattern.js';
import { type Kind, kinds } from './kinds.js';
import { INDEX_MAX } from './limits.js';
import type { Parameter, Requirement } from './parameter.js';
import { airline } from './tables/airline.js';
import { asynchronous } from './tables/asynchronous.js';
import { bankAccount } from './tables/bank-account.js';
import { basic } from './tables/basic.js';
import { billing } from './tables/billing.js';
import { card } from './tables/card.js';
import { cart } from './tables/cart.js';
import { chargeback } from './tables/chargeback.js';
import { corporate } from './tables/corporate.js';
import { customParameters } from './tables/custom-parameters.js';
import { customer, shippingCustomer } from './tables/customer.js';
import { giftCard } from './tables/gift-card.js';
import { job } from './tables/job.js';
import { marketPlace } from './tables/market-place.js';
import { merchantBilling, merchantShipping } from './tables/merchant-address.js';
import { merchant } from './tables/merchant.js';
import { threeDSecureNetworks } from './tables/networks.js';
import { query } from './tables/query.js';
import { recipient } from './tables/recipient.js';
import { recurring } from './tables/recurring.js';
import { registration } from './tables/registration.js';
import { report } from './tables/report.js';
import { request } from './tables/request.js';
import { risk } from './tables/risk.js';
import { sender } from './tables/sender.js';
import { shipping } from './tables/shipping.js';
import { standingInstruction } from './tables/standing-instruction.js';
import { threeDSecure } from './tables/three-d-secure.js';
import { tokenAccount } from './tables/token-account.js';
import { virtualAccount } from './tables/virtual-account.js';
import { wallet } from './tables/wallet.js';
import { tolerated } from './tolerated.js';

/** One table per structure, in the interface's order. */
export const structures = {
  Request: request,
  'Basic payment parameters': basic,
  'Card account': card,
  Wallets: wallet,
  'Virtual account': virtualAccount,
  'Bank account': bankAccount,
  'Token account': tokenAccount,
  Customer: customer,
  'Shipping customer': shippingCustomer,
  'Billing address': billing,
  'Merchant billing address': merchantBilling,
  'Shipping address': shipping,
  'Merchant shipping address': merchantShipping,
  Corporate: corporate,
  Sender: sender,
  Recipient: recipient,
  Merchant: merchant,
  Cart: cart,
  Marketplace: marketPlace,
  Airline: airline,
  Registration: registration,
  '3-D Secure': threeDSecure,
  '3-D Secure by network': threeDSecureNetworks,
  'Custom parameters': customParameters,
  'Asynchronous payments': asynchronous,
  'Gift card': giftCard,
  Risk: risk,
  Chargebacks: chargeback,
  'Standing instruction': standingInstruction,
  Installments: recurring,
  Schedule: job,
  Query: query,
  Reports: report,
} as const;

type Tables = (typeof structures)[keyof typeof structures];
type KeyOf<Table> = Table extends unknown ? keyof Table : never;
type RowOf<Table, Key> = Table extends unknown
  ? Key extends keyof Table
    ? Table[Key]
    : never
  : never;

/** Every row by key. Keys are unique, which a spec proves. */
export const catalogue = Object.assign({}, ...Object.values(structures)) as {
  readonly [Key in KeyOf<Tables>]: RowOf<Tables, Key>;
};

/** A key of the catalogue. */
export type ParameterKey = keyof typeof catalogue;

/** What `read` makes of a parameter: the literals of a list, a number, a boolean or the text. */
export type ParameterValue<Key extends ParameterKey> =
  (typeof catalogue)[Key]['format'] extends Format<infer Value> ? Value : never;

/** A row with what lookups need. */
export interface CatalogueEntry {
  readonly key: ParameterKey;
  readonly row: Parameter;
  /** The row's place in the catalogue: violations are listed in this order. */
  readonly order: number;
  readonly structure: string | undefined;
}

/** What stands before the first dot of a name: `customer` of `customer.email`. */
export function structureOf(name: string): string | undefined {
  const dot = name.indexOf('.');
  return dot === -1 ? undefined : name.slice(0, dot);
}

/** Every row with its key and place. */
export const catalogueEntries: readonly CatalogueEntry[] = (
  Object.entries(catalogue) as [ParameterKey, Parameter][]
).map(([key, row], order) => ({ key, row, order, structure: structureOf(key) }));

const entriesByKey: ReadonlyMap<string, CatalogueEntry> = new Map(
  catalogueEntries.map((entry) => [entry.key, entry]),
);

/**
 * The row of a key as the catalogue writes it.
 * @throws RangeError when there is none
 */
export function entryOf(key: string): CatalogueEntry {
  const entry = entriesByKey.get(key);
  if (entry === undefined) throw new RangeError('not a key of the catalogue');
  return entry;
}

/**
 * What a name of a request is: a row of the catalogue; `known` = a name of the interface or its
 * clients that is accepted and not stored (D-38); `unknown` = refused.
 */
export type NameMeaning =
  | { readonly kind: 'row'; readonly entry: CatalogueEntry; readonly mapName?: string }
  | { readonly kind: 'known' }
  | { readonly kind: 'unknown' };

const known: NameMeaning = { kind: 'known' };
const unknown: NameMeaning = { kind: 'unknown' };

const plainNames: ReadonlyMap<string, NameMeaning> = new Map<string, NameMeaning>([
  ...tolerated.map((name): [string, NameMeaning] => [name, known]),
  ...catalogueEntries.map((entry): [string, NameMeaning] => [entry.key, { kind: 'row', entry }]),
]);

const namesWithoutBrackets: ReadonlySet<string> = new Set(
  [...plainNames.keys()].filter((name) => !name.includes('[')),
);

/** Whether a name without brackets is known, one of a few hundred. */
export function isPlainName(name: string): boolean {
  return namesWithoutBrackets.has(name);
}

/** Placeholders of the tables are not names: nobody may send `customParameters[name]` for all. */
const PLACEHOLDER = /\[(?:n|name|key|brand)\]/;

/** Names with brackets that the interface itself writes: `threeDSecure.schemeData[CB-USECASE]`. */
const literalNames: ReadonlyMap<string, NameMeaning> = new Map(
  [...plainNames].filter(([name]) => name.includes('[') && !PLACEHOLDER.test(name)),
);

/**
 * The names with one index, by what stands before it and then by what stands behind: long requests
 * are carts, and to put a pattern together for each name takes twice as long.
 */
const namesOfLists: ReadonlyMap<string, ReadonlyMap<string, NameMeaning>> = listNames();

function listNames(): Map<string, Map<string, NameMeaning>> {
  const lists = new Map<string, Map<string, NameMeaning>>();
  for (const [name, meaning] of plainNames) {
    const [list = '', rest, ...more] = name.split('[n]');
    // Lists that end sooner are left to `keyPattern`.
    const isLong = keyPattern(`${list}[${INDEX_MAX}]`) !== undefined;
    if (rest === undefined || more.length > 0 || !isLong) continue;
    const names = lists.get(list) ?? new Map<string, NameMeaning>();
    lists.set(list, names.set(rest, meaning));
  }
  return lists;
}

function inList(name: string, open: number): NameMeaning | undefined {
  const names = namesOfLists.get(name.slice(0, open));
  if (names === undefined) return undefined;
  const close = name.indexOf(']', open);
  return indexBetween(name, open + 1, close) === undefined
    ? undefined
    : names.get(name.slice(close + 1));
}

/** Looks a name up; the cost follows the name, not the size of the catalogue. */
export function meaningOf(name: string): NameMeaning {
  const open = name.indexOf('[');
  if (open === -1) return plainNames.get(name) ?? unknown;
  const listed = inList(name, open);
  if (listed !== undefined) return listed;
  const literal = literalNames.get(name);
  if (literal !== undefined) return literal;
  const found = keyPattern(name);
  if (found === undefined) return unknown;
  const meaning = plainNames.get(found.pattern) ?? unknown;
  if (found.mapName === undefined || meaning.kind !== 'row') return meaning;
  // Not spread: that takes three times as long as all the rest, and a body has 23,000 of them.
  return { kind: 'row', entry: meaning.entry, mapName: found.mapName };
}

/** What a kind demands of a row; undefined where the kind does not use it. */
export function requirementOf(row: Parameter, kind: Kind): Requirement | undefined {
  if (!row.kinds.includes(kind)) return undefined;
  return row.requirementIn?.[kind] ?? row.requirement;
}

const demandedByKind: ReadonlyMap<Kind, readonly CatalogueEntry[]> = new Map(
  kinds.map((kind) => [
    kind,
    catalogueEntries.filter(({ row }) => (requirementOf(row, kind)?.demanded ?? false) !== false),
  ]),
);

/** The rows that a kind demands and the form lacks. */
export function missingFrom(form: Form, kind: Kind): CatalogueEntry[] {
  return (demandedByKind.get(kind) ?? []).filter(({ key, row }) => {
    if (form.has(key)) return false;
    const demanded = requirementOf(row, kind)?.demanded;
    return typeof demanded === 'object' ? demanded.holds(form) : demanded;
  });
}
