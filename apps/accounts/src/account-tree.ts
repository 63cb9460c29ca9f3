import {
  type AccessDirectory,
  type AccountEventMetadata,
  accessTokenHash,
  DEFAULT_SCHEDULE_SETTINGS,
  legacyCredentialHash,
  routeToMessage,
  type RoutedNode,
  type RoutingDirectory,
  type ScheduleSettings,
} from '@sluice/contracts';
import type { AccountCommand, Credential, SeedAccount, SeedTerms } from '@sluice/domain-accounts';
import type { EntityId } from '@sluice/identifiers';
import type { AccountNodes, NodeState } from './account-nodes.js';
import { inBatches } from './in-batches.js';
import { RoutingChanges } from './routing-changes.js';

/** How the nodes of a seed are made. */
export interface SeedOptions {
  /**
   * Whether chargebacks may be recorded over HTTP (D-32): in sandboxes, not on live installations.
   */
  readonly manualChargebacks: boolean;
}

/** The parts of the tree. */
export interface AccountTreeParts {
  readonly nodes: AccountNodes;
  /** Of the hashes (S-AUT-01); edge has the same one. */
  readonly credentialKey: Buffer;
}

/** Who an installation's own seed is, among those who change the tree. */
const SEED = 'seed';

/** What seeds make of the tree of accounts, and what the tree adds up to. */
export class AccountTree {
  readonly #changes: RoutingChanges;

  constructor(private readonly parts: AccountTreeParts) {
    this.#changes = new RoutingChanges(parts.nodes, SEED);
  }

  /**
   * Adds nodes, or brings existing ones to what the seed says: a node then has exactly the
   * credentials and switches listed, so seeding twice records nothing and a token taken out of the
   * file is revoked. An implied node that exists is not changed. The accounts are ordered from the
   * top, so that a node exists before those below it.
   * @throws RoutingRefused
   */
  async seed(accounts: readonly SeedAccount[], options: SeedOptions): Promise<void> {
    for (const kind of ['psp', 'division', 'merchant', 'channel'] as const) {
      const ofKind = accounts.filter((each) => each.kind === kind);
      await inBatches(ofKind, (each) => this.#place(each, options));
    }
    await this.#changes.bringTo(accounts);
  }

  /** Revokes credentials, whichever node has them. */
  async revoke(terms: Pick<SeedTerms, 'accessTokens' | 'legacyCredentials'>): Promise<void> {
    const { nodes } = await this.parts.nodes.now();
    const credentials = this.#hashed(terms);
    const has = (state: NodeState): boolean =>
      state.credentials.some(({ hash }) => credentials.some((each) => each.hash === hash));
    const owners = [...nodes].filter(([, state]) => has(state)).map(([id]) => id);
    await inBatches(owners, (id) =>
      this.#decide(id, (metadata) => ({ type: 'RevokeCredentials', credentials, metadata })),
    );
  }

  /** Takes away the merchant accounts and routes that a seed gives to these nodes, where they are. */
  async removeRouting(accounts: readonly SeedAccount[]): Promise<void> {
    const { nodes } = await this.parts.nodes.now();
    const emptied = accounts.filter(
      ({ id, merchantAccounts }) => merchantAccounts !== undefined && nodes.has(id),
    );
    await this.#changes.bringTo(
      emptied.map((each) => ({ ...each, merchantAccounts: [], routes: [] })),
    );
  }

  /** The whole directory, or undefined when it still has the version that the asker knows. */
  async directory(knownVersion: string | undefined): Promise<AccessDirectory | undefined> {
    const { version, nodes } = await this.parts.nodes.now();
    if (version === knownVersion) return undefined;
    const states = [...nodes.values()];
    return {
      version,
      nodes: states.map(({ node: { threeDSecure: _, schedules: __, ...node } }) => node),
      credentials: states.flatMap(({ node, credentials }) =>
        [...credentials]
          .sort(byKindAndHash)
          .map((credential) => ({ ...credential, nodeId: node.id })),
      ),
    };
  }

  /**
   * The same of the way of payments. Every node has its place in it, also where there are no routes:
   * rules of risk and 3-D Secure hold for all that stands below.
   */
  async routing(knownVersion: string | undefined): Promise<RoutingDirectory | undefined> {
    const { version, nodes } = await this.parts.nodes.now();
    if (version === knownVersion) return undefined;
    return { version, nodes: [...nodes.values()].map(routedNode) };
  }

  /** When the schedules of a channel run: as it says, or the nearest node above it that says so. */
  async schedules(entityId: EntityId): Promise<ScheduleSettings> {
    const { nodes } = await this.parts.nodes.now();
    let state = nodes.get(entityId);
    while (state !== undefined && state.node.schedules === undefined) {
      const { parentId } = state.node;
      state = parentId === undefined ? undefined : nodes.get(parentId);
    }
    return state?.node.schedules ?? DEFAULT_SCHEDULE_SETTINGS;
  }

  #place(
    {
      terms,
      merchantAccounts: _accounts,
      routes: _routes,
      webhooks: _webhooks,
      ...node
    }: SeedAccount,
    options: SeedOptions,
  ): Promise<void> {
    const manualChargebacks = node.kind === 'channel' && options.manualChargebacks;
    const { compatibility = {}, registrations, appSchemes, shoppersMayDelete } = terms ?? {};
    const { threeDSecure, schedules } = terms ?? {};
    const chosen = {
      ...(registrations !== undefined && { registrations }),
      ...(appSchemes !== undefined && { appSchemes }),
      ...(shoppersMayDelete !== undefined && { shoppersMayDelete }),
      ...(threeDSecure !== undefined && { threeDSecure }),
      ...(schedules !== undefined && { schedules }),
    };
    return this.#decide(node.id, (metadata) => ({
      type: 'PlaceNode',
      node: { ...node, manualChargebacks, compatibility, ...chosen },
      ...(terms !== undefined && { credentials: this.#hashed(terms) }),
      metadata,
    }));
  }

  async #decide(
    nodeId: string,
    commandOf: (metadata: AccountEventMetadata) => AccountCommand,
  ): Promise<void> {
    await this.parts.nodes.decide(nodeId, SEED, commandOf);
  }

  #hashed({
    accessTokens,
    legacyCredentials,
  }: Pick<SeedTerms, 'accessTokens' | 'legacyCredentials'>): readonly Credential[] {
    const key = this.parts.credentialKey;
    return [
      ...accessTokens.map((token) => ({
        kind: 'accessToken' as const,
        hash: accessTokenHash(key, token),
      })),
      ...legacyCredentials.map((credential) => ({
        kind: 'legacy' as const,
        hash: legacyCredentialHash(key, credential),
      })),
    ];
  }
}

function routedNode({ node, merchantAccounts, routes }: NodeState): RoutedNode {
  return {
    id: node.id,
    ...(node.parentId !== undefined && { parentId: node.parentId }),
    ...(merchantAccounts.length > 0 && { merchantAccounts }),
    ...(routes.length > 0 && { routes: routes.map(routeToMessage) }),
    ...(node.threeDSecure !== undefined && { authentication: node.threeDSecure }),
  };
}

function byKindAndHash(one: Credential, other: Credential): number {
  const [left, right] = [one, other].map(({ kind, hash }) => `${kind} ${hash}`);
  return (left ?? '') < (right ?? '') ? -1 : 1;
}
