import type { EntityId } from '@sluice/identifiers';
import { type Amount, type AmountText, type Currency, fromMessage, toMessage } from '@sluice/money';
import type { AuthenticationSettings } from './authentications.js';
import type { Mode } from './payments.js';

/** Every mode that a payment can have. */
export const modes = ['INTERNAL', 'EXTERNAL', 'LIVE'] as const satisfies readonly Mode[];

/** The modes in which somebody else's host is called; in INTERNAL the simulator plays it. */
export const endpointModes = ['EXTERNAL', 'LIVE'] as const satisfies readonly Mode[];

/** One of them. */
export type EndpointMode = (typeof endpointModes)[number];

declare const merchantAccountBrand: unique symbol;
declare const routeBrand: unique symbol;

/** 32 lowercase hexadecimal digits (Interface 2.19 `merchantAccount.id`: AN32). */
export type MerchantAccountId = string & { readonly [merchantAccountBrand]: true };

/** 32 lowercase hexadecimal digits. */
export type RouteId = string & { readonly [routeBrand]: true };

/** The form that a secret has outside the memory of whoever uses it: it never stands in clear. */
export const secretKinds = ['reference'] as const;

/** A secret of an acquirer, by the name under which the installation mounts it. */
export interface StoredSecret {
  readonly kind: (typeof secretKinds)[number];
  readonly reference: string;
}

/**
 * The address of an endpoint which is the acquirer that the installation's own settings lead to: it
 * is then told once where that is, and how to be let in.
 */
export function installationAddress(connector: string): string {
  return `installation:${connector}`;
}

/** An acquirer's host, and who we are there. */
export interface Endpoint {
  /**
   * A URL, whose scheme says how it is spoken to; never with a user or a password. Or that of the
   * installation's own acquirer, see `installationAddress`.
   */
  readonly address: string;
  /** The id that the acquirer has given to the merchant: at its test system often another one. */
  readonly acquirerMerchantId: string;
  /** What the connector needs besides, by its own names; nothing secret. */
  readonly settings: Readonly<Record<string, string>>;
  /** By the connector's own names. */
  readonly credentials: Readonly<Record<string, StoredSecret>>;
}

/** An account that a merchant has with an acquirer. */
export interface MerchantAccount {
  readonly id: MerchantAccountId;
  /** Interface 2.19 `merchantAccount.name`: AN32. */
  readonly name: string;
  /** The connector that speaks to this acquirer, as request events name it. */
  readonly connector: string;
  /** Without an endpoint for a mode, the account has no payments in it. */
  readonly endpoints: Readonly<Partial<Record<EndpointMode, Endpoint>>>;
}

/**
 * Which payments of a node and all below it may go to which merchant account. All conditions have
 * to hold; an absent one always does.
 */
export interface Route {
  readonly id: RouteId;
  /** Of this node, or of one above it. */
  readonly merchantAccountId: MerchantAccountId;
  /** INTERNAL: the simulator plays the acquirer, so that routes can be tried. */
  readonly modes: readonly Mode[];
  /** Interface 2.19 `paymentMethods`. */
  readonly methods?: readonly string[];
  /** `paymentBrand`. */
  readonly brands?: readonly string[];
  readonly currencies?: readonly Currency[];
  /** ISO 3166-1 alpha-2: the country of the card's issuer. */
  readonly binCountries?: readonly string[];
  /** The least amount, inclusive; amounts of other currencies are not compared. */
  readonly amountFrom?: Amount;
  /** The greatest amount, inclusive; of the same currency. */
  readonly amountTo?: Amount;
  /** Of the routes that a payment may take, those with the lowest number are used first. */
  readonly priority: number;
  /** Its share among routes of the same node and priority. */
  readonly weight: number;
  /**
   * Whether it may also take what another account's acquirer has declined, where the issuer advises to
   * try one (page 0054). Absent: no, because merchants pay for each attempt.
   */
  readonly takesDeclined?: boolean;
}

/** What a node of the account tree says of routing. */
export interface NodeRouting {
  readonly nodeId: EntityId;
  readonly merchantAccounts: readonly MerchantAccount[];
  readonly routes: readonly Route[];
}

/**
 * Why a payment takes a route: no route is needed, it is the only one, it comes before all others,
 * or it was drawn among those that share their place.
 */
export const routeRules = ['simulator', 'onlyRoute', 'priority', 'weight'] as const;

/** One of them. */
export type RouteRule = (typeof routeRules)[number];

/** A route as it travels between services. */
export type RouteMessage = Omit<Route, 'amountFrom' | 'amountTo'> & {
  readonly amountFrom?: AmountText;
  readonly amountTo?: AmountText;
};

/** A node of the account tree, as far as the way of its payments is concerned. */
export interface RoutedNode {
  readonly id: EntityId;
  /** Absent for a PSP only. */
  readonly parentId?: EntityId;
  /** Absent where the node has none of its own. */
  readonly merchantAccounts?: readonly MerchantAccount[];
  readonly routes?: readonly RouteMessage[];
  /** For this node and all below that say nothing else; absent: what the one above says. */
  readonly authentication?: AuthenticationSettings;
}

/** Everything payments keeps in memory to decide where payments go. */
export interface RoutingDirectory {
  /** Different after every change; payments sends the one that it has with each question. */
  readonly version: string;
  /** All of them: what one says holds for those below. */
  readonly nodes: readonly RoutedNode[];
}

/** The query `accounts.routing`. */
export interface RoutingQuery {
  /** The version that the asking instance has; absent at first. */
  readonly knownVersion?: string;
}

/** Its answer; without a directory when nothing has changed. */
export interface RoutingAnswer {
  readonly directory?: RoutingDirectory;
}

/** A route for a message, whose amounts are texts. */
export function routeToMessage({ amountFrom, amountTo, ...route }: Route): RouteMessage {
  return {
    ...route,
    ...(amountFrom && { amountFrom: toMessage(amountFrom) }),
    ...(amountTo && { amountTo: toMessage(amountTo) }),
  };
}

/** The route of a message. */
export function routeFromMessage({ amountFrom, amountTo, ...route }: RouteMessage): Route {
  return {
    ...route,
    ...(amountFrom && { amountFrom: fromMessage(amountFrom) }),
    ...(amountTo && { amountTo: fromMessage(amountTo) }),
  };
}
