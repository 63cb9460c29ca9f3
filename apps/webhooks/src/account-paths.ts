import type { RoutedNode, RoutingAnswer, RoutingQuery } from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import type { Queries } from '@sluice/messaging';
import type { Clock } from '@sluice/service';

/** PSP, division, merchant, channel: whatever else the parents say is a mistake. */
const LEVELS_MAX = 4;
/** Nodes hardly ever move; a new one is asked for at once. */
const KNOWN_FOR_MS = 10_000;

/** Where entities stand in the account tree, which accounts keeps. */
export class AccountPaths {
  #nodes: ReadonlyMap<string, RoutedNode> = new Map();
  #version: string | undefined;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly queries: Queries,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
  ) {}

  /**
   * The entity and all nodes above it, from below.
   * @throws QueryUnavailable where it is not known, and accounts does not answer
   */
  async pathOf(entityId: EntityId): Promise<readonly EntityId[]> {
    const isOld = this.clock.monotonicMs() - this.#askedAtMs > KNOWN_FOR_MS;
    if (isOld || !this.#nodes.has(entityId)) await this.#ask(this.#nodes.has(entityId));
    const path: EntityId[] = [];
    for (
      let node = this.#nodes.get(entityId);
      node !== undefined && path.length < LEVELS_MAX;
      node = node.parentId && this.#nodes.get(node.parentId)
    ) {
      path.push(node.id);
    }
    // One that was taken out of the tree is told what was asked for below itself.
    return path.length === 0 ? [entityId] : path;
  }

  async #ask(mayBeOld: boolean): Promise<void> {
    const query: RoutingQuery = this.#version === undefined ? {} : { knownVersion: this.#version };
    try {
      const { directory } = await this.queries.ask<RoutingAnswer>(
        'accounts',
        'accounts.routing',
        query,
      );
      this.#askedAtMs = this.clock.monotonicMs();
      if (directory === undefined) return;
      this.#nodes = new Map(directory.nodes.map((node) => [node.id, node]));
      this.#version = directory.version;
    } catch (error) {
      // What was true ten seconds ago nearly always is.
      if (!mayBeOld) throw error;
    }
  }
}
