import {
  type AccountNode,
  endpointModes,
  type MerchantAccount,
  type Route,
} from '@sluice/contracts';
import type { AccountEvent } from './account-events.js';
import { type AcquirerIds, idsOf, isSameMerchant } from './acquirer-ids.js';
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
  /** Of all accounts that it has or had. */
  readonly acquirerIds: readonly AcquirerIds[];
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
export const noRouting: RoutingState = { merchantAccounts: [], routes: [], acquirerIds: [] };

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
  const { merchantAccounts, routes, acquirerIds } = state;
  switch (event.type) {
    case 'MerchantAccountConfigured': {
      const { nodeId: _, merchantAccountId: id, ...terms } = event.data;
      const account = { id, ...terms };
      const ids = idsOf(account, find(acquirerIds, id));
      return {
        routes,
        merchantAccounts: placed(merchantAccounts, account),
        acquirerIds: placed(acquirerIds, ids),
      };
    }
    case 'MerchantAccountRemoved': {
      const { merchantAccountId } = event.data;
      return { ...state, merchantAccounts: without(merchantAccounts, merchantAccountId) };
    }
    case 'RouteConfigured': {
      const { nodeId: _, routeId: id, ...terms } = event.data;
      return { ...state, routes: placed(routes, { id, ...terms }) };
    }
    case 'RouteRemoved':
      return { ...state, routes: without(routes, event.data.routeId) };
  }
}

function accountRefusal(
  { merchantAccount, accountsElsewhere, idsElsewhere, routesBelow }: ConfigureMerchantAccount,
  { merchantAccounts, routes, acquirerIds }: RoutingState,
): RoutingRefusal | undefined {
  const fault = merchantAccountFault(merchantAccount);
  if (fault !== undefined) return fault;
  const { id, endpoints, connector } = merchantAccount;
  if (find(accountsElsewhere, id) !== undefined) return 'idTaken';
  const known = [...acquirerIds, ...idsElsewhere].filter((ids) => ids.id === id);
  if (known.some((ids) => ids.connector !== connector)) return 'otherConnector';
  if (!known.every((ids) => isSameMerchant(ids, endpoints))) return 'otherMerchantId';
  const isNew = find(merchantAccounts, id) === undefined;
  if (isNew && merchantAccounts.length >= MERCHANT_ACCOUNTS_MAX) return 'tooManyMerchantAccounts';
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
