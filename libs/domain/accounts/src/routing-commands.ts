import type {
  AccountEventMetadata,
  MerchantAccount,
  MerchantAccountId,
  Route,
  RouteId,
} from '@sluice/contracts';
import type { AcquirerIds } from './acquirer-ids.js';

/** Adds a merchant account to a node, or brings it to what is said; the same again changes nothing. */
export interface ConfigureMerchantAccount {
  readonly type: 'ConfigureMerchantAccount';
  readonly merchantAccount: MerchantAccount;
  /** Those of all other nodes: an id means one account wherever it is read. */
  readonly accountsElsewhere: readonly Pick<MerchantAccount, 'id'>[];
  /** Of the accounts that all other nodes have or had: one that moves has its payments, too. */
  readonly idsElsewhere: readonly AcquirerIds[];
  /** Of the nodes below: they have to go on. */
  readonly routesBelow: readonly Pick<Route, 'merchantAccountId' | 'modes'>[];
  readonly metadata: AccountEventMetadata;
}

/** Takes a merchant account away; no route may lead to it any more. */
export interface RemoveMerchantAccount {
  readonly type: 'RemoveMerchantAccount';
  readonly merchantAccountId: MerchantAccountId;
  /** Of the nodes below, which may use the accounts of this one. */
  readonly routesBelow: readonly Pick<Route, 'merchantAccountId'>[];
  readonly metadata: AccountEventMetadata;
}

/** Adds a route to a node, or brings it to what is said; the same again changes nothing. */
export interface ConfigureRoute {
  readonly type: 'ConfigureRoute';
  readonly route: Route;
  /** Those of the nodes above, which a route of this one may lead to. */
  readonly accountsAbove: readonly Pick<MerchantAccount, 'id' | 'endpoints'>[];
  readonly metadata: AccountEventMetadata;
}

/** Takes a route away. */
export interface RemoveRoute {
  readonly type: 'RemoveRoute';
  readonly routeId: RouteId;
  readonly metadata: AccountEventMetadata;
}

/** The commands about merchant accounts and routes. */
export type RoutingCommand =
  ConfigureMerchantAccount | RemoveMerchantAccount | ConfigureRoute | RemoveRoute;
