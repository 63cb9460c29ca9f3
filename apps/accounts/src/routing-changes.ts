import type { MerchantAccount, MerchantAccountId, Route, RouteId } from '@sluice/contracts';
import {
  type RoutingCommand,
  type RoutingRefusal,
  routingRefusal,
  routingSentences,
  type SeedAccount,
} from '@sluice/domain-accounts';
import type { EntityId } from '@sluice/identifiers';
import type { AccountNodes, NodeState } from './account-nodes.js';

type Nodes = ReadonlyMap<string, NodeState>;
type Unsigned<Command> = Command extends RoutingCommand ? Omit<Command, 'metadata'> : never;

/** A change of one node's merchant accounts or routes, before it says who makes it. */
export type RoutingChange = Unsigned<RoutingCommand>;

/** A change that cannot be made; the message is the reason, for the person who wanted it. */
export class RoutingRefused extends Error {
  override readonly name = 'RoutingRefused';

  constructor(
    nodeId: string,
    readonly refusal: RoutingRefusal,
  ) {
    super(`${routingSentences[refusal]} (node ${nodeId})`);
  }
}

/** Changes the merchant accounts and routes of nodes, on behalf of somebody. */
export class RoutingChanges {
  constructor(
    private readonly nodes: AccountNodes,
    private readonly actor: string,
  ) {}

  /** Why a change would be refused as all is now; undefined if it would not. */
  async refusal(nodeId: EntityId, change: RoutingChange): Promise<RoutingRefusal | undefined> {
    const { nodes } = await this.nodes.now();
    const metadata = { recordedAtMs: 0, actor: this.actor, correlationId: '', causationId: '' };
    const command: RoutingCommand = { ...informed(change, nodeId, nodes), metadata };
    return routingRefusal(command, nodes.get(nodeId));
  }

  /** Makes a change. @throws RoutingRefused */
  async make(nodeId: EntityId, change: RoutingChange): Promise<void> {
    // What other nodes have can change until it is recorded: routes are looked at again in payments.
    const { nodes } = await this.nodes.now();
    const told = informed(change, nodeId, nodes);
    const refusal = await this.nodes.decide(nodeId, this.actor, (metadata) => ({
      ...told,
      metadata,
    }));
    if (refusal !== undefined) throw new RoutingRefused(nodeId, refusal);
  }

  /**
   * Gives nodes exactly what a seed says of them, where it says something. What leads somewhere goes
   * before what it leads to, and comes after it.
   * @throws RoutingRefused
   */
  async bringTo(accounts: readonly SeedAccount[]): Promise<void> {
    const said = accounts.filter(({ merchantAccounts, routes }) => merchantAccounts ?? routes);
    if (said.length === 0) return;
    const { nodes } = await this.nodes.now();
    for (const { id, routes } of said) {
      for (const routeId of surplus(nodes.get(id)?.routes, routes)) {
        await this.make(id, { type: 'RemoveRoute', routeId: routeId as RouteId });
      }
    }
    for (const { id, merchantAccounts = [] } of said) {
      for (const account of merchantAccounts) await this.make(id, configureAccount(account));
    }
    for (const { id, routes = [] } of said) {
      for (const route of routes) await this.make(id, configureRoute(route));
    }
    for (const { id, merchantAccounts } of said) {
      for (const accountId of surplus(nodes.get(id)?.merchantAccounts, merchantAccounts)) {
        await this.make(id, removeAccount(accountId as MerchantAccountId));
      }
    }
  }
}

/** Adds a merchant account, or brings it to what is said. */
export function configureAccount(merchantAccount: MerchantAccount): RoutingChange {
  const type = 'ConfigureMerchantAccount';
  return { type, merchantAccount, accountsElsewhere: [], idsElsewhere: [], routesBelow: [] };
}

/** Takes a merchant account away. */
export function removeAccount(merchantAccountId: MerchantAccountId): RoutingChange {
  return { type: 'RemoveMerchantAccount', merchantAccountId, routesBelow: [] };
}

/** Adds a route, or brings it to what is said. */
export function configureRoute(route: Route): RoutingChange {
  return { type: 'ConfigureRoute', route, accountsAbove: [] };
}

/** What a node has and a list does not say; nothing without a list. */
function surplus(
  has: readonly { readonly id: string }[] = [],
  said: readonly { readonly id: string }[] | undefined,
): readonly string[] {
  if (said === undefined) return [];
  return has.map(({ id }) => id).filter((id) => !said.some((each) => each.id === id));
}

/** The change with what its decider has to be told of other nodes. */
function informed(change: RoutingChange, nodeId: EntityId, nodes: Nodes): RoutingChange {
  switch (change.type) {
    case 'ConfigureMerchantAccount': {
      const others = [...nodes.values()].filter(({ node }) => node.id !== nodeId);
      const accountsElsewhere = others.flatMap(({ merchantAccounts }) => merchantAccounts);
      const idsElsewhere = others.flatMap(({ acquirerIds }) => acquirerIds);
      const below = routesBelow(nodeId, nodes);
      return { ...change, accountsElsewhere, idsElsewhere, routesBelow: below };
    }
    case 'RemoveMerchantAccount':
      return { ...change, routesBelow: routesBelow(nodeId, nodes) };
    case 'ConfigureRoute':
      return {
        ...change,
        accountsAbove: pathOf(nodeId, nodes)
          .slice(1)
          .flatMap(({ merchantAccounts }) => merchantAccounts),
      };
    case 'RemoveRoute':
      return change;
  }
}

function routesBelow(nodeId: EntityId, nodes: Nodes): readonly Route[] {
  return [...nodes.values()]
    .filter(({ node }) => node.id !== nodeId && isBelow(node.id, nodeId, nodes))
    .flatMap(({ routes }) => routes);
}

function isBelow(id: EntityId, nodeId: EntityId, nodes: Nodes): boolean {
  return pathOf(id, nodes).some(({ node }) => node.id === nodeId);
}

/** PSP, division, merchant, channel: whatever else the parents say is a mistake. */
const LEVELS_MAX = 4;

/** A node and those above it, from below. */
export function pathOf(nodeId: EntityId, nodes: Nodes): readonly NodeState[] {
  const path: NodeState[] = [];
  for (let id: EntityId | undefined = nodeId; id !== undefined && path.length < LEVELS_MAX;) {
    const state: NodeState | undefined = nodes.get(id);
    if (state === undefined) break;
    path.push(state);
    id = state.node.parentId;
  }
  return path;
}
