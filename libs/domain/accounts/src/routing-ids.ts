import type { MerchantAccountId, RouteId } from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import { createHash } from 'node:crypto';

const ID = /^[0-9a-f]{32}$/;
const ID_HEX_DIGITS = 32;

/** Whether a text is the id of a merchant account or a route. */
export function isRoutingId(text: string): boolean {
  return ID.test(text);
}

/** The id of a merchant account that is known by its name: the same name gives the same id. */
export function derivedAccountId(nodeId: EntityId, name: string): MerchantAccountId {
  return derived(`merchantAccount:${nodeId}:${name}`) as MerchantAccountId;
}

/** The id of a route that a file lists without one: by its place, so that a change is a change. */
export function derivedRouteId(nodeId: EntityId, index: number): RouteId {
  return derived(`route:${nodeId}:${index}`) as RouteId;
}

function derived(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, ID_HEX_DIGITS);
}
