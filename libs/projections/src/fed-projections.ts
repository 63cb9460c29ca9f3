import type { Queries } from '@sluice/messaging';
import type { CounterSeries } from '@sluice/service';
import { Feeding, type FeedingOptions } from './feeding.js';
import type { Projection } from './projection.js';
import { QueriedEventSource } from './queried-event-source.js';
import type { RebuildSource, RebuildTarget } from './rebuild-options.js';

/** The databases between which a process rebuilds projections by itself. */
export interface RebuildPlaces {
  /** The owner role's connection: tables are made and dropped. */
  readonly target: RebuildTarget;
  /**
   * Where events are read, by the service that owns them; without an entry, an operator has to
   * rebuild.
   */
  readonly sources: Readonly<Record<string, RebuildSource>>;
}

/** What the projections of a service are fed with. */
export interface FedProjectionsOptions extends Omit<
  FeedingOptions,
  'projection' | 'source' | 'rebuild' | 'replayed'
> {
  readonly projections: readonly Projection[];
  /** Asks the owners of the events for what their topics have lost. */
  readonly queries: Queries;
  /** Absent if this process does not have both addresses. */
  readonly rebuild?: RebuildPlaces;
  /** Counts the events that a rebuild of the projection has read. */
  readonly replayed: (projection: Projection) => CounterSeries;
}

/** All projections that a service lists, each of them fed from the service that owns its events. */
export class FedProjections {
  readonly all: readonly Feeding[];

  constructor({ projections, queries, rebuild, replayed, ...parts }: FedProjectionsOptions) {
    this.all = projections.map((projection) => {
      const source = rebuild?.sources[projection.owner];
      return new Feeding({
        ...{ ...parts, projection, replayed: replayed(projection) },
        source: new QueriedEventSource(queries, projection),
        ...(rebuild !== undefined &&
          source !== undefined && { rebuild: { target: rebuild.target, source } }),
      });
    });
  }

  /** The feeding of a projection of the list. */
  of({ name }: Pick<Projection, 'name'>): Feeding {
    const feeding = this.all.find(({ projection }) => projection === name);
    if (feeding === undefined) throw new TypeError(`The projection ${name} is not fed here.`);
    return feeding;
  }

  /** Resolves when the current table sets are fed; throws when the database cannot be read. */
  async start(): Promise<void> {
    await Promise.all(this.all.map((feeding) => feeding.start()));
  }

  /** Waits for the current batches. */
  async close(): Promise<void> {
    await Promise.all(this.all.map((feeding) => feeding.close()));
  }
}
