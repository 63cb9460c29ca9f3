import type { ProjectionSchema } from './bookkeeping.js';
import type { Projection } from './projection.js';
import type { RebuildLock } from './rebuild-lock.js';

/** The owner's event store, read alone. */
export interface RebuildSource {
  /** A role that may read the events; it needs no more. */
  readonly url: string;
  readonly schema: string;
}

/** Where the new table set goes; `url` is the owner role's, because tables are made. */
export interface RebuildTarget extends ProjectionSchema {
  readonly url: string;
}

/** How far a fill has come. */
export interface RebuildProgress {
  readonly tableSet: number;
  /** With those of an earlier try that this one took up. */
  readonly events: number;
  /** Of this try, since it last told. */
  readonly eventsSince: number;
  /** By the server's statistics, so it may be passed. */
  readonly eventsEstimated: number;
  readonly rows: number;
  readonly elapsedMs: number;
  readonly eventsPerSecond: number;
  /** By the estimate and the rate so far. */
  readonly remainingMs: number;
}

/** What a rebuild is told. */
export interface RebuildOptions {
  readonly source: RebuildSource;
  readonly target: RebuildTarget;
  readonly projection: Projection;
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Aborted: the fill ends at the next chunk, and its tables are dropped unless it is resumable. */
  readonly signal?: AbortSignal;
  readonly chunkEvents?: number;
  /** Held already by whoever asks; otherwise it is taken here. */
  readonly lock?: RebuildLock;
  /** Takes up what an earlier fill has left, and leaves what it has when it ends early. */
  readonly resumable?: boolean;
  /** What the owner says its store is; a source that says otherwise is another one (D-23). */
  readonly incarnation?: string | undefined;
}
