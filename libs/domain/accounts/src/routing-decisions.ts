import {
  type AccountNode,
  endpointModes,
  type MerchantAccount,
  type Route,
} from '@sluice/contracts';
import type { AccountEvent } from './account-events.js';
import { isEqualData } from './equal-data.js';
import { type MerchantAccountFault, merchantAccountFault } from './merchant-account-form.js';
import { type RouteFault, routeFault } from './route-form.js';
import type {
  ConfigureMerchantAccount,
  ConfigureRoute,
  RemoveMerchantAccount,
  RoutingCommand,
} from './routing-commands.js';

/** What a node has of its own; the nodes below have it as well. */
export interface RoutingState {
  readonly merchantAccounts: readonly MerchantAccount[];
  readonly routes: readonly Route[];
}

/** A node with that; undefined before it is added. */
type RoutedNode = (RoutingState & { readonly node: AccountNode }) | undefined;

/** Why nothing is recorded of a command about merchant accounts and routes. */
export type RoutingRefusal =
  | MerchantAccountFault
  | RouteFault
  /** There is no such node. */
  | 'unknownNode'
  /** Neither the node nor one above it has the account. */
  | 'unknownMerchantAccount'
  | 'unknownRoute'
  /** Another node has an account of this id. */
  | 'idTaken'
  /** The payments on the account are with the acquirer of the connector that it has. */
  | 'otherConnector'
  /** The acquirer knows them under the merchant's ids that an endpoint has. */
  | 'otherMerchantId'
  /** The account has no endpoint for a mode of the route. */
  | 'endpointMissing'
  /** A route needs the endpoint or the account that would go. */
  | 'inUse'
  | 'tooManyMerchantAccounts'
  | 'tooManyRoutes';

/** A merchant has a handful of acquirers; a platform's node has some for each country. */
export const MERCHANT_ACCOUNTS_MAX = 100;
/** For each node. All routes of the nodes above a channel are looked at for each payment. */
export const ROUTES_MAX = 200;

/** Nothing configured. */
export const noRouting: RoutingState = { merchantAccounts: [], routes: [] };

type RoutingEvent = Extract<
  AccountEvent,
  { readonly data: { readonly merchantAccountId: unknown } | { readonly routeId: unknown } }
>;

/**
 * Why a command is refused; undefined for one that is recorded, or changes nothing because all is
 * as it says. `decide` records nothing of a refused one, so who sends it asks here.
 */
export function routingRefusal(
  command: RoutingCommand,
  state: RoutedNode,
): RoutingRefusal | undefined {
  if (state === undefined) return 'unknownNode';
  switch (command.type) {
    case 'ConfigureMerchantAccount':
      return accountRefusal(command, state);
    case 'RemoveMerchantAccount':
      return accountRemovalRefusal(command, state);
    case 'ConfigureRoute':
      return routeRefusal(command, state);
    case 'RemoveRoute':
      return find(state.routes, command.routeId) === undefined ? 'unknownRoute' : undefined;
  }
}

/** The events of a command that is not refused. */
export function decideRouting(command: RoutingCommand, state: RoutedNode): readonly AccountEvent[] {
  if (state === undefined || routingRefusal(command, state) !== undefined) return [];
  const { metadata } = command;
  const nodeId = state.node.id;
  switch (command.type) {
    case 'ConfigureMerchantAccount': {
      const { id: merchantAccountId, ...terms } = command.merchantAccount;
      if (isThere(state.merchantAccounts, command.merchantAccount)) return [];
      const data = { nodeId, merchantAccountId, ...terms };
      return [{ type: 'MerchantAccountConfigured', data, metadata }];
    }
    case 'RemoveMerchantAccount': {
      const { merchantAccountId } = command;
      return [{ type: 'MerchantAccountRemoved', data: { nodeId, merchantAccountId }, metadata }];
    }
    case 'ConfigureRoute': {
      const { id: routeId, ...terms } = command.route;
      if (isThere(state.routes, command.route)) return [];
      return [{ type: 'RouteConfigured', data: { nodeId, routeId, ...terms }, metadata }];
    }
    case 'RemoveRoute': {
      const { routeId } = command;
      return [{ type: 'RouteRemoved', data: { nodeId, routeId }, metadata }];
    }
  }
}

/** What a node has after one more event. */
export function evolveRouting(state: RoutingState, event: RoutingEvent): RoutingState {
  const { merchantAccounts, routes } = state;
  switch (event.type) {
    case 'MerchantAccountConfigured': {
      const { nodeId: _, merchantAccountId: id, ...terms } = event.data;
      return { routes, merchantAccounts: placed(merchantAccounts, { id, ...terms }) };
    }
    case 'MerchantAccountRemoved':
      return { routes, merchantAccounts: without(merchantAccounts, event.data.merchantAccountId) };
    case 'RouteConfigured': {
      const { nodeId: _, routeId: id, ...terms } = event.data;
      return { merchantAccounts, routes: placed(routes, { id, ...terms }) };
    }
    case 'RouteRemoved':
      return { merchantAccounts, routes: without(routes, event.data.routeId) };
  }
}

function accountRefusal(
  { merchantAccount, accountsElsewhere, routesBelow }: ConfigureMerchantAccount,
  { merchantAccounts, routes }: RoutingState,
): RoutingRefusal | undefined {
  const fault = merchantAccountFault(merchantAccount);
  if (fault !== undefined) return fault;
  const { id, endpoints, connector } = merchantAccount;
  if (find(accountsElsewhere, id) !== undefined) return 'idTaken';
  const before = find(merchantAccounts, id);
  if (before !== undefined && before.connector !== connector) return 'otherConnector';
  if (before !== undefined && !isSameMerchant(before.endpoints, endpoints)) {
    return 'otherMerchantId';
  }
  if (before === undefined && merchantAccounts.length >= MERCHANT_ACCOUNTS_MAX)
    return 'tooManyMerchantAccounts';
  const leading = [...routes, ...routesBelow].filter((route) => route.merchantAccountId === id);
  return leading.every((route) => hasEndpoints(endpoints, route)) ? undefined : 'inUse';
}

function accountRemovalRefusal(
  { merchantAccountId, routesBelow }: RemoveMerchantAccount,
  { merchantAccounts, routes }: RoutingState,
): RoutingRefusal | undefined {
  if (find(merchantAccounts, merchantAccountId) === undefined) return 'unknownMerchantAccount';
  const isUsed = [...routes, ...routesBelow].some(
    (route) => route.merchantAccountId === merchantAccountId,
  );
  return isUsed ? 'inUse' : undefined;
}

function routeRefusal(
  { route, accountsAbove }: ConfigureRoute,
  { merchantAccounts, routes }: RoutingState,
): RoutingRefusal | undefined {
  const fault = routeFault(route);
  if (fault !== undefined) return fault;
  const account = find([...merchantAccounts, ...accountsAbove], route.merchantAccountId);
  if (account === undefined) return 'unknownMerchantAccount';
  if (!hasEndpoints(account.endpoints, route)) return 'endpointMissing';
  const isNew = find(routes, route.id) === undefined;
  return isNew && routes.length >= ROUTES_MAX ? 'tooManyRoutes' : undefined;
}

/**
 * Of the settings, which have the acquirers' own names, the one by which a host of ISO 8583 finds a
 * payment again. Addresses and credentials change: hosts move, and keys are rotated.
 */
const OF_MERCHANT = 'acquirerId';

/**
 * Whether each endpoint that stays has the ids that its payments were made under. An inquiry under
 * another one finds none of them, and would say of what is booked that it was never sent.
 */
function isSameMerchant(
  before: MerchantAccount['endpoints'],
  after: MerchantAccount['endpoints'],
): boolean {
  return endpointModes.every((mode) => {
    const [old, changed] = [before[mode], after[mode]];
    if (old === undefined || changed === undefined) return true;
    return (
      old.acquirerMerchantId === changed.acquirerMerchantId &&
      old.settings[OF_MERCHANT] === changed.settings[OF_MERCHANT]
    );
  });
}

/** A route in a mode in which nobody can be called would be accepted, and do nothing. */
function hasEndpoints(
  endpoints: MerchantAccount['endpoints'],
  { modes }: Pick<Route, 'modes'>,
): boolean {
  return endpointModes.every((mode) => !modes.includes(mode) || endpoints[mode] !== undefined);
}

function find<Item extends { readonly id: string }>(
  items: readonly Item[],
  id: string,
): Item | undefined {
  return items.find((item) => item.id === id);
}

function isThere<Item extends { readonly id: string }>(
  items: readonly Item[],
  item: Item,
): boolean {
  const existing = find(items, item.id);
  return existing !== undefined && isEqualData(existing, item);
}

/** In place of the one with its id, or at the end. */
function placed<Item extends { readonly id: string }>(
  items: readonly Item[],
  item: Item,
): readonly Item[] {
  return find(items, item.id) === undefined
    ? [...items, item]
    : items.map((each) => (each.id === item.id ? item : each));
}

function without<Item extends { readonly id: string }>(
  items: readonly Item[],
  id: string,
): readonly Item[] {
  return items.filter((item) => item.id !== id);
}
