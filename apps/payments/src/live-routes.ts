import type { RoutingAnswer, RoutingQuery } from '@sluice/contracts';
import type { Queries } from '@sluice/messaging';
import type { Outage } from '@sluice/service';
import { RoutingIndex, withoutRoutes } from './routing-index.js';

/** How often accounts is asked for changes: as often as edge asks who may call. */
const REFRESH_MS = 2_000;
/** Until it has answered for the first time, new payments have to wait for it. */
const FIRST_REFRESH_MS = 200;

/** The parts it is made of. */
export interface LiveRoutesParts {
  /** Absent: there are no routes. */
  readonly queries: Queries | undefined;
  /** Told of each attempt: an outage has many. */
  readonly outage: Pick<Outage, 'failed' | 'over'>;
  /** Told of each change. */
  readonly changed: (index: RoutingIndex) => void;
}

/**
 * The routes in memory, refreshed by asking accounts with the known version. While accounts cannot be
 * reached, the last ones stay in force: payments continue, only changes wait.
 */
export class LiveRoutes {
  #index: RoutingIndex | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(private readonly parts: LiveRoutesParts) {
    if (parts.queries === undefined) this.#index = withoutRoutes;
  }

  /** The routes as last heard; undefined until accounts has answered for the first time. */
  get index(): RoutingIndex | undefined {
    return this.#index;
  }

  /** Asks once and then keeps asking. Resolves after the first try, successful or not. */
  async start(): Promise<void> {
    if (this.parts.queries === undefined) return;
    await this.refresh();
    if (this.#closed) return;
    const afterMs = this.#index === undefined ? FIRST_REFRESH_MS : REFRESH_MS;
    this.#timer = setTimeout(() => void this.start(), afterMs);
    this.#timer.unref();
  }

  /** Asks accounts for changes now; a failure is reported, not thrown. */
  async refresh(): Promise<void> {
    const { queries, outage, changed } = this.parts;
    if (queries === undefined) return;
    const query: RoutingQuery = this.#index ? { knownVersion: this.#index.version } : {};
    try {
      const answer = await queries.ask<RoutingAnswer>('accounts', 'accounts.routing', query);
      outage.over();
      if (answer.directory === undefined) return;
      this.#index = new RoutingIndex(answer.directory);
      changed(this.#index);
    } catch (error) {
      outage.failed(error);
    }
  }

  /** Stops asking. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }
}
