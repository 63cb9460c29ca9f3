import type {
  MerchantAccount,
  MerchantAccountId,
  Mode,
  NodeRouting,
  Route,
} from '@sluice/contracts';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import type { Amount } from '@sluice/money';

/** What is known of a payment when its route is chosen. */
export interface RoutedPayment {
  /** Decides among weighted routes, so that a repetition takes the same. */
  readonly id: TransactionId;
  readonly mode: Mode;
  /** Interface 2.19 `paymentMethods`. */
  readonly method: string;
  /** `paymentBrand`; absent for a method without. */
  readonly brand?: string;
  readonly amount: Amount;
  /** ISO 3166-1 alpha-2; absent if nobody knows who issued the card. */
  readonly binCountry?: string;
  /** Whether the shopper pays it in installments; absent: at once. */
  readonly inInstallments?: boolean;
}

/** What this installation has for such a payment. */
export interface Installation {
  /** The names of the connectors that are configured and take the payment's instrument. */
  readonly connectors: readonly string[];
  /** Accounts whose endpoint cannot be used as it is said, e.g. for want of a secret; the log says why. */
  readonly unusable?: ReadonlySet<MerchantAccountId>;
  /** Accounts whose acquirer does not take what the payment is made with. */
  readonly notTaking?: ReadonlySet<MerchantAccountId>;
  /** Accounts whose acquirer charges all of it at once, whatever the shopper has agreed to. */
  readonly atOnceOnly?: ReadonlySet<MerchantAccountId>;
  /** The one that plays all acquirers in the mode INTERNAL; absent if none does. */
  readonly simulator?: string;
}

/** A route where it stands. */
export interface PlacedRoute {
  readonly route: Route;
  readonly nodeId: EntityId;
  /** How far above the payment's own entity its node is; 0 = it is the entity's own. */
  readonly level: number;
  /** Absent if neither its node nor one above it has the account that it leads to. */
  readonly account?: MerchantAccount;
}

/**
 * The routes of an entity: its own, and those of the nodes above, which come in this order. A route
 * finds its account at its own node or above it, never below or beside: those are other merchants'.
 */
export function routesOf(path: readonly NodeRouting[]): readonly PlacedRoute[] {
  return path.flatMap(({ nodeId, routes }, level) => {
    const accounts = path.slice(level).flatMap(({ merchantAccounts }) => merchantAccounts);
    return routes.map((route) => {
      const account = accounts.find(({ id }) => id === route.merchantAccountId);
      return { route, nodeId, level, ...(account !== undefined && { account }) };
    });
  });
}
