import type { RoutingAnswer, RoutingQuery } from '@sluice/contracts';
import type { Queries } from '@sluice/messaging';
import { LiveDirectory, type LiveDirectoryParts } from './live-directory.js';
import { RoutingIndex, withoutRoutes } from './routing-index.js';

/** The parts it is made of. */
export interface LiveRoutesParts extends Omit<LiveDirectoryParts<RoutingIndex>, 'ask'> {
  /** Absent: there are no routes. */
  readonly queries: Queries | undefined;
}

/** The routes of merchants as accounts has them. */
export class LiveRoutes extends LiveDirectory<RoutingIndex> {
  readonly #isAsked: boolean;

  constructor({ queries, ...parts }: LiveRoutesParts) {
    super({
      ...parts,
      ask: async (known) => {
        const query: RoutingQuery = known ? { knownVersion: known.version } : {};
        const answer = await queries?.ask<RoutingAnswer>('accounts', 'accounts.routing', query);
        return answer?.directory && new RoutingIndex(answer.directory);
      },
    });
    this.#isAsked = queries !== undefined;
  }

  override get index(): RoutingIndex | undefined {
    return this.#isAsked ? super.index : withoutRoutes;
  }

  override async start(): Promise<void> {
    if (this.#isAsked) await super.start();
  }

  override async refresh(): Promise<void> {
    if (this.#isAsked) await super.refresh();
  }
}
