import {
  type AuthenticationSettings,
  type MerchantAccount,
  type MerchantAccountId,
  type NodeRouting,
  type RoutedNode,
  routeFromMessage,
  type RoutingDirectory,
} from '@sluice/contracts';
import { type PlacedRoute, routesOf } from '@sluice/domain-routing';
import type { EntityId } from '@sluice/identifiers';

/** PSP, division, merchant, channel: whatever else the parents say is a mistake. */
const LEVELS_MAX = 4;

/** The routes and merchant accounts of an installation, for quick answers. */
export class RoutingIndex {
  readonly version: string;
  /** Whether there is any route; without one, payments go where the installation's settings say. */
  readonly hasRoutes: boolean;
  readonly accounts: ReadonlyMap<MerchantAccountId, MerchantAccount>;
  readonly #nodes: ReadonlyMap<EntityId, RoutedNode>;
  readonly #placed = new Map<EntityId, readonly PlacedRoute[]>();

  constructor({ version, nodes }: RoutingDirectory) {
    this.version = version;
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
    this.hasRoutes = nodes.some(({ routes = [] }) => routes.length > 0);
    const accounts = nodes.flatMap(({ merchantAccounts = [] }) => merchantAccounts);
    this.accounts = new Map(accounts.map((account) => [account.id, account]));
  }

  /** The routes of an entity and of those above it; computed once for each entity. */
  routesOf(entityId: EntityId): readonly PlacedRoute[] {
    const known = this.#placed.get(entityId);
    if (known !== undefined) return known;
    const placed = routesOf(this.#pathOf(entityId));
    // Of nodes alone: any other id is what somebody made up, and there is no end of those.
    if (this.#nodes.has(entityId)) this.#placed.set(entityId, placed);
    return placed;
  }

  /** The entity and every node above it, itself first; itself alone if it is not known. */
  nodesAbove(entityId: EntityId): readonly EntityId[] {
    return [entityId, ...this.#nodesOf(entityId).map(({ id }) => id)].filter(
      (id, index, all) => all.indexOf(id) === index,
    );
  }

  /** What the nearest node that says anything says of 3-D Secure; undefined if none does. */
  authenticationOf(entityId: EntityId): AuthenticationSettings | undefined {
    return this.#nodesOf(entityId).find(({ authentication }) => authentication)?.authentication;
  }

  #pathOf(entityId: EntityId): readonly NodeRouting[] {
    return this.#nodesOf(entityId).map(({ id: nodeId, merchantAccounts = [], routes = [] }) => ({
      ...{ nodeId, merchantAccounts, routes: routes.map(routeFromMessage) },
    }));
  }

  #nodesOf(entityId: EntityId): readonly RoutedNode[] {
    const path: RoutedNode[] = [];
    for (let id: EntityId | undefined = entityId; id !== undefined && path.length < LEVELS_MAX;) {
      const node: RoutedNode | undefined = this.#nodes.get(id);
      if (node === undefined) break;
      path.push(node);
      id = node.parentId;
    }
    return path;
  }
}

/** Of an installation whose accounts nobody is asked for. */
export const withoutRoutes = new RoutingIndex({ version: 'none', nodes: [] });
