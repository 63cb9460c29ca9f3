import type { ProjectionSchema } from './bookkeeping.js';
import type { Projection } from './projection.js';
import type { RebuildLock } from './rebuild-lock.js';

/** The owner's event store, which is only read. */
export interface RebuildSource {
  /** A role that may read the events; it needs no more. */
  readonly url: string;
  readonly schema: string;
  /** If it lies in several cells (page 0047): the databases of the others, with the same schema. */
  readonly otherCells?: readonly string[];
}

/** Where the new table set goes; `url` is the owner role's, because tables are made. */
export interface RebuildTarget extends ProjectionSchema {
  readonly url: string;
}

/** The progress of a fill. */
export interface RebuildProgress {
  readonly tableSet: number;
  /** Including those of an earlier attempt that this one resumed. */
  readonly events: number;
  /** Of this attempt, since the last report. */
  readonly eventsSince: number;
  /** By the server's statistics, so there may be more. */
  readonly eventsEstimated: number;
  readonly rows: number;
  readonly elapsedMs: number;
  readonly eventsPerSecond: number;
  /** By the estimate and the rate so far. */
  readonly remainingMs: number;
}

/** The settings of a rebuild. */
export interface RebuildOptions {
  readonly source: RebuildSource;
  readonly target: RebuildTarget;
  readonly projection: Projection;
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Aborted: the fill ends at the next chunk, and its tables are dropped unless it is resumable. */
  readonly signal?: AbortSignal;
  readonly chunkEvents?: number;
  /** If the caller already holds it; otherwise it is taken here. */
  readonly lock?: RebuildLock;
  /** Resumes what an earlier fill has left, and keeps its own tables if it ends early. */
  readonly resumable?: boolean;
  /**
   * The incarnation that the owner reports; a source with another one is a different store (D-23).
   */
  readonly incarnation?: string | undefined;
}
