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

/** What an entity has from those above it. */
interface Path {
  readonly ids: readonly EntityId[];
  readonly authentication: AuthenticationSettings | undefined;
}

/** The routes and merchant accounts of an installation, for quick answers. */
export class RoutingIndex {
  readonly version: string;
  /** Whether there is any route; without one, payments go where the installation's settings say. */
  readonly hasRoutes: boolean;
  readonly accounts: ReadonlyMap<MerchantAccountId, MerchantAccount>;
  readonly #nodes: ReadonlyMap<EntityId, RoutedNode>;
  readonly #placed = new Map<EntityId, readonly PlacedRoute[]>();
  readonly #paths = new Map<EntityId, Path>();

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
    const placed = routesOf(this.#routingsOf(entityId));
    // Of nodes alone: any other id is what somebody made up, and there is no end of those.
    if (this.#nodes.has(entityId)) this.#placed.set(entityId, placed);
    return placed;
  }

  /** The entity and every node above it, itself first; itself alone if it is not known. */
  nodesAbove(entityId: EntityId): readonly EntityId[] {
    return this.#pathOf(entityId).ids;
  }

  /** What the nearest node that says anything says of 3-D Secure; undefined if none does. */
  authenticationOf(entityId: EntityId): AuthenticationSettings | undefined {
    return this.#pathOf(entityId).authentication;
  }

  /** Every payment asks for it, so it is found once for each entity. */
  #pathOf(entityId: EntityId): Path {
    const known = this.#paths.get(entityId);
    if (known !== undefined) return known;
    const nodes = this.#nodesOf(entityId);
    const ids = new Set([entityId, ...nodes.map(({ id }) => id)]);
    const said = nodes.find(({ authentication }) => authentication);
    const path = { ids: [...ids], authentication: said?.authentication };
    if (this.#nodes.has(entityId)) this.#paths.set(entityId, path);
    return path;
  }

  #routingsOf(entityId: EntityId): readonly NodeRouting[] {
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
