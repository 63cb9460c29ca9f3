import type { Endpoint, MerchantAccountId, RouteId, RouteRule } from '@sluice/contracts';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import { codes } from '@sluice/result-codes';
import { createHash } from 'node:crypto';
import {
  type ConditionName,
  isCalled,
  routeConditions,
  unmetCondition,
} from './route-conditions.js';
import type { Installation, PlacedRoute, RoutedPayment } from './routed-payment.js';

/** Why this route and no other: plain data for the event. */
export interface ChoiceReason {
  readonly rule: RouteRule;
  /** The number of routes that the payment could have taken. */
  readonly candidates: number;
  /** Of the rule `weight`: its share, the sum of all shares, and the number drawn, from 0. */
  readonly weight?: number;
  readonly weights?: number;
  readonly drawn?: number;
}

/** Where a payment goes, or why it goes nowhere. */
export type Choice =
  | {
      readonly kind: 'route';
      readonly routeId: RouteId;
      readonly merchantAccountId: MerchantAccountId;
      /** The one that submits it: in the mode INTERNAL the simulator's. */
      readonly connector: string;
      /** Absent in the mode INTERNAL. */
      readonly endpoint?: Endpoint;
      readonly reason: ChoiceReason;
    }
  /** The entity has nothing of its own for the mode INTERNAL. */
  | { readonly kind: 'simulator'; readonly connector: string; readonly reason: ChoiceReason }
  | {
      readonly kind: 'refused';
      readonly resultCode: string;
      /** What no route was left with. */
      readonly unmet: ConditionName;
    };

/** Enough of a hash that no share of weights is preferred, and exact as a number. */
const DRAWN_BYTES = 6;

/**
 * Where a new payment goes: of the routes whose conditions it meets, one of the nearest node with
 * any, of the lowest priority number there, by weight. The same payment among the same routes always
 * goes the same way, in whichever order they come.
 */
export function chooseRoute(
  payment: RoutedPayment,
  routes: readonly PlacedRoute[],
  installation: Installation,
): Choice {
  const { mode } = payment;
  if (!isCalled(mode) && !routes.some(({ route }) => route.modes.includes(mode))) {
    return simulated(installation);
  }
  let left = routes;
  for (const { name, holds, refusal } of routeConditions) {
    const before = left;
    left = before.filter((placed) => holds(placed, payment, installation));
    if (left.length === 0) {
      return { kind: 'refused', resultCode: refusal(before, payment), unmet: name };
    }
  }
  return picked(payment, left, installation, 0);
}

/**
 * Whether a payment to come may take any route, so that its shopper can be offered to pay so. Who issued
 * the card is known once its number is, so a route for cards of some countries may take it.
 */
export function mayBeTaken(
  payment: Omit<RoutedPayment, 'id' | 'binCountry'>,
  routes: readonly PlacedRoute[],
  installation: Installation,
): boolean {
  const { mode } = payment;
  if (!isCalled(mode) && !routes.some(({ route }) => route.modes.includes(mode))) {
    return installation.simulator !== undefined;
  }
  const asked = routeConditions.filter(({ name }) => name !== 'binCountry');
  return routes.some((placed) => asked.every(({ holds }) => holds(placed, payment, installation)));
}

function simulated({ simulator }: Installation): Choice {
  if (simulator === undefined) {
    return { kind: 'refused', resultCode: codes.connectorNotAvailable, unmet: 'connector' };
  }
  return { kind: 'simulator', connector: simulator, reason: { rule: 'simulator', candidates: 0 } };
}

/** For operators: each route with the first condition that the payment does not meet, if any. */
export function explainRoutes(
  payment: RoutedPayment,
  routes: readonly PlacedRoute[],
  installation: Installation,
): readonly {
  readonly routeId: RouteId;
  readonly nodeId: EntityId;
  readonly unmet?: ConditionName;
}[] {
  return routes.map((placed) => {
    const unmet = unmetCondition(placed, payment, installation);
    const { nodeId, route } = placed;
    return { routeId: route.id, nodeId, ...(unmet !== undefined && { unmet }) };
  });
}

/** One of the routes that a payment may take; there is at least one. */
export function picked(
  payment: RoutedPayment,
  candidates: readonly PlacedRoute[],
  installation: Installation,
  earlierAttempts: number,
): Choice {
  const level = Math.min(...candidates.map((placed) => placed.level));
  const ofNode = candidates.filter((placed) => placed.level === level);
  const priority = Math.min(...ofNode.map(({ route }) => route.priority));
  const shared = ofNode.filter(({ route }) => route.priority === priority);
  const count = { candidates: candidates.length };
  const [only] = shared;
  if (only !== undefined && shared.length === 1) {
    const rule = candidates.length === 1 ? 'onlyRoute' : 'priority';
    return chosen(only, payment, installation, { rule, ...count });
  }
  const { placed, ...draw } = drawnByWeight(payment.id, shared, earlierAttempts);
  return chosen(placed, payment, installation, { rule: 'weight', ...count, ...draw });
}

function chosen(
  { route, account }: PlacedRoute,
  { mode }: RoutedPayment,
  { simulator }: Installation,
  reason: ChoiceReason,
): Choice {
  const connector = isCalled(mode) ? account?.connector : simulator;
  if (account === undefined || connector === undefined) {
    throw new Error(`Route ${route.id} was chosen although nobody can be called.`);
  }
  const endpoint = isCalled(mode) ? account.endpoints[mode] : undefined;
  return {
    ...{ kind: 'route', routeId: route.id, merchantAccountId: account.id, connector },
    ...(endpoint !== undefined && { endpoint }),
    reason,
  };
}

/**
 * Each attempt of a payment draws anew, or whoever shares the first route with another one would
 * share the second as well.
 */
function drawnByWeight(
  paymentId: TransactionId,
  shared: readonly PlacedRoute[],
  earlierAttempts: number,
) {
  const sorted = [...shared].sort((one, other) => (one.route.id < other.route.id ? -1 : 1));
  const weights = sorted.reduce((sum, { route }) => sum + route.weight, 0);
  const hash = createHash('sha256').update(`${paymentId}:${earlierAttempts}`).digest();
  const drawn = hash.readUIntBE(0, DRAWN_BYTES) % weights;
  let end = 0;
  for (const placed of sorted) {
    const { weight } = placed.route;
    end += weight;
    if (drawn < end) return { placed, weight, weights, drawn };
  }
  throw new Error('No weight: a route has at least 1.');
}
