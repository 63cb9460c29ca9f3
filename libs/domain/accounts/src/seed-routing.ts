import {
  type Endpoint,
  endpointModes,
  type MerchantAccount,
  type MerchantAccountId,
  type Mode,
  type Route,
  type RouteId,
  type StoredSecret,
} from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import { type Amount, isCurrency, parseAmount } from '@sluice/money';
import { JsonSyntaxError, type LocatedValue, parseLocatedJson } from './located-json.js';
import { CREDENTIALS_MAX, merchantAccountFault, SETTINGS_MAX } from './merchant-account-form.js';
import { CONDITION_VALUES_MAX, routeFault } from './route-form.js';
import { derivedAccountId, derivedRouteId, isRoutingId } from './routing-ids.js';
import { routingSentences } from './routing-sentences.js';
import { itemsOf, located, type Members, membersOf, SeedRefused, textOf } from './seed-values.js';

/** Longer than any value of an endpoint or a condition may be; what it may be is asked later. */
const TEXT_CHARACTERS_MAX = 10_000;
const ACCOUNT_MEMBERS = ['id', 'name', 'connector', 'endpoints'];
const ENDPOINT_MEMBERS = ['address', 'acquirerMerchantId', 'settings', 'credentials'];
const CONDITION_MEMBERS = ['modes', 'methods', 'brands', 'currencies', 'binCountries'] as const;
const ROUTE_MEMBERS = [
  ...['id', 'merchantAccount', ...CONDITION_MEMBERS],
  ...['amountFrom', 'amountTo', 'priority', 'weight', 'takesDeclined'],
];
const AMOUNT = /^([0-9.]{1,20}) ([A-Z]{3})$/;

/** The id of the merchant account that a name or an id stands for; undefined if there is none. */
export type FindAccount = (nameOrId: string) => MerchantAccountId | undefined;

/** Where a route stands in a file, and which accounts it may lead to. */
export interface RoutePlace {
  readonly nodeId: EntityId;
  /** In the list; where a route says no id it has one by its place. */
  readonly index: number;
  readonly find: FindAccount;
}

/** What a text that says one merchant account or route comes to; `line` counts from 1. */
export type ReadResult<Read> =
  | { readonly kind: 'read'; readonly value: Read }
  | { readonly kind: 'refused'; readonly line: number; readonly reason: string };

/** Reads a merchant account in the form of a seed file. */
export function parseMerchantAccount(text: string, nodeId: EntityId): ReadResult<MerchantAccount> {
  return readText(text, (value) => readMerchantAccount(value, nodeId));
}

/** Reads a route in the form of a seed file. */
export function parseRoute(text: string, place: RoutePlace): ReadResult<Route> {
  return readText(text, (value) => readRoute(value, place));
}

function readText<Read>(text: string, read: (value: LocatedValue) => Read): ReadResult<Read> {
  try {
    return { kind: 'read', value: read(parseLocatedJson(text)) };
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof SeedRefused) {
      return { kind: 'refused', line: error.line, reason: error.reason };
    }
    throw error;
  }
}

/** Reads a merchant account. @throws SeedRefused */
export function readMerchantAccount(value: LocatedValue, nodeId: EntityId): MerchantAccount {
  const members = membersOf(value, 'a merchant account', ACCOUNT_MEMBERS);
  const name = textOf(members, value, 'name', TEXT_CHARACTERS_MAX).text;
  const id = idIfAny(members, value) ?? derivedAccountId(nodeId, name);
  const connector = textOf(members, value, 'connector', TEXT_CHARACTERS_MAX).text;
  const endpoints = endpointsOf(members, value);
  const account = { id: id as MerchantAccountId, name, connector, endpoints };
  const fault = merchantAccountFault(account);
  if (fault !== undefined) throw new SeedRefused(value.line, routingSentences[fault]);
  return account;
}

/** Reads a route. @throws SeedRefused */
export function readRoute(value: LocatedValue, { nodeId, index, find }: RoutePlace): Route {
  const members = membersOf(value, 'a route', ROUTE_MEMBERS);
  const { text, line } = textOf(members, value, 'merchantAccount', TEXT_CHARACTERS_MAX);
  const merchantAccountId = find(text);
  if (merchantAccountId === undefined) {
    throw new SeedRefused(line, routingSentences.unknownMerchantAccount);
  }
  const id = (idIfAny(members, value) ?? derivedRouteId(nodeId, index)) as RouteId;
  const [amountFrom, amountTo] = (['amountFrom', 'amountTo'] as const).map((name) =>
    amountOf(members, name),
  );
  const route: Route = {
    ...{ id, merchantAccountId },
    modes: textsOf(members, value, 'modes') as readonly Mode[],
    ...conditionsOf(members, value),
    ...(amountFrom && { amountFrom }),
    ...(amountTo && { amountTo }),
    priority: numberOf(members, 'priority') ?? 0,
    weight: numberOf(members, 'weight') ?? 1,
    ...(isTrue(members, 'takesDeclined') && { takesDeclined: true }),
  };
  const fault = routeFault(route);
  if (fault !== undefined) throw new SeedRefused(value.line, routingSentences[fault]);
  return route;
}

function endpointsOf(members: Members, parent: LocatedValue): MerchantAccount['endpoints'] {
  const value = members.get('endpoints')?.value;
  if (value === undefined) throw new SeedRefused(parent.line, routingSentences.noEndpoint);
  const modes = membersOf(value, '"endpoints"', endpointModes);
  return Object.fromEntries([...modes].map(([mode, member]) => [mode, endpointOf(member.value)]));
}

function endpointOf(value: LocatedValue): Endpoint {
  const members = membersOf(value, 'an endpoint', ENDPOINT_MEMBERS);
  const textAt = (name: string): string => textOf(members, value, name, TEXT_CHARACTERS_MAX).text;
  return {
    ...{ address: textAt('address'), acquirerMerchantId: textAt('acquirerMerchantId') },
    settings: Object.fromEntries(namedTexts(members, 'settings', SETTINGS_MAX)),
    credentials: Object.fromEntries(
      namedTexts(members, 'credentials', CREDENTIALS_MAX).map(([name, reference]) => {
        return [name, { kind: 'reference', reference } satisfies StoredSecret];
      }),
    ),
  };
}

/** Of a credential nothing is said but that it is wrong: it may be the secret itself. */
function namedTexts(members: Members, name: string, countMax: number): [string, string][] {
  const value = members.get(name)?.value;
  if (value === undefined) return [];
  if (value.kind !== 'object') throw new SeedRefused(value.line, `"${name}" must be an object`);
  if (value.members.length > countMax) {
    throw new SeedRefused(value.line, routingSentences.tooManySettings);
  }
  return value.members.map(({ name: each, value: text, line }) => {
    if (text.kind === 'string') return [each, text.text];
    const sentence = name === 'credentials' ? 'secretInClear' : 'malformedSetting';
    throw new SeedRefused(line, routingSentences[sentence]);
  });
}

function conditionsOf(members: Members, parent: LocatedValue): Partial<Route> {
  const listed = (['methods', 'brands', 'currencies', 'binCountries'] as const).filter((name) =>
    members.has(name),
  );
  return Object.fromEntries(listed.map((name) => [name, textsOf(members, parent, name)]));
}

function textsOf(members: Members, parent: LocatedValue, name: string): readonly string[] {
  return itemsOf(members, parent, name, CONDITION_VALUES_MAX).map(
    (item) => located(item, `a value of "${name}"`, TEXT_CHARACTERS_MAX).text,
  );
}

/** `10.00 EUR`, as the interface writes amounts, with the currency behind. */
function amountOf(members: Members, name: string): Amount | undefined {
  const value = members.get(name)?.value;
  if (value === undefined) return undefined;
  const text = located(value, `"${name}"`, TEXT_CHARACTERS_MAX).text;
  const [, number = '', code = ''] = AMOUNT.exec(text) ?? [];
  const parsed = isCurrency(code) ? parseAmount(number, code) : undefined;
  if (parsed?.kind === 'amount') return parsed.amount;
  throw new SeedRefused(value.line, `"${name}" must be an amount above 0 like "10.00 EUR"`);
}

function numberOf(members: Members, name: string): number | undefined {
  const value = members.get(name)?.value;
  if (value === undefined) return undefined;
  if (value.kind === 'number') return value.number;
  throw new SeedRefused(value.line, `"${name}" must be a number`);
}

function isTrue(members: Members, name: string): boolean {
  const value = members.get(name)?.value;
  if (value === undefined) return false;
  if (value.kind === 'boolean') return value.isTrue;
  throw new SeedRefused(value.line, `"${name}" must be true or false`);
}

function idIfAny(members: Members, parent: LocatedValue): string | undefined {
  if (!members.has('id')) return undefined;
  const { text, line } = textOf(members, parent, 'id', TEXT_CHARACTERS_MAX);
  if (isRoutingId(text)) return text;
  throw new SeedRefused(line, routingSentences.malformedId);
}
