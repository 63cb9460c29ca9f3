import type { Row } from './projection.js';

/** A few seconds of a busy installation; a row takes about a kilobyte. */
const STREAMS_MAX = 2_000;

/** A stream whose every event was applied here, so that all of its rows are known. */
interface RecentStream {
  readonly version: number;
  /** By key. */
  readonly rows: ReadonlyMap<string, Row>;
}

/** What became of a batch's streams and rows. */
interface Written {
  /** Versions before and after by stream. */
  readonly streams: ReadonlyMap<string, { readonly from: number; readonly to: number }>;
  /** By key. */
  readonly rows: ReadonlyMap<string, Row>;
}

/**
 * The streams that began here lately, with their rows: most payments end a moment after they have
 * begun. It may be outdated, because another process may have written in the meantime; whoever
 * writes by it has its versions checked.
 */
export class RecentStreams {
  readonly #streams = new Map<string, RecentStream>();

  /** The version that its rows had when they were written here. */
  versionOf(streamId: string): number | undefined {
    return this.#streams.get(streamId)?.version;
  }

  /** All of its rows by key. */
  rowsOf(streamId: string): ReadonlyMap<string, Row> | undefined {
    return this.#streams.get(streamId)?.rows;
  }

  /** Notes what was written of streams that began here. */
  wrote({ streams, rows }: Written): void {
    const byStream = new Map<string, Map<string, Row>>();
    for (const [key, row] of rows) {
      const streamId = row['streamId'] ?? '';
      const ofStream = byStream.get(streamId) ?? new Map<string, Row>();
      byStream.set(streamId, ofStream.set(key, row));
    }
    for (const [id, { from, to }] of streams) {
      const known = this.#streams.get(id);
      // Put last again: the first ones are forgotten first.
      this.#streams.delete(id);
      if (from > 0 && known?.version !== from) continue;
      const written = byStream.get(id) ?? [];
      this.#streams.set(id, { version: to, rows: new Map([...(known?.rows ?? []), ...written]) });
    }
    for (const id of this.#streams.keys()) {
      if (this.#streams.size <= STREAMS_MAX) return;
      this.#streams.delete(id);
    }
  }

  /** Forgets streams that another process has moved. */
  forget(streamIds: Iterable<string>): void {
    for (const id of streamIds) this.#streams.delete(id);
  }
}
