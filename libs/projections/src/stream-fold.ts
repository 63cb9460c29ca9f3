import { CopyBuffer, type CopiedRow } from './copy-binary.js';
import {
  type ColumnType,
  faultOf,
  type ProjectedEvent,
  type Projection,
  type Row,
  storableCheck,
  todays,
} from './projection.js';

/** The result of a chunk. */
export interface FoldedChunk {
  /** For COPY: stream and version. */
  readonly streams: readonly Buffer[];
  /** The last complete stream; undefined if there is none. */
  readonly lastStream: string | undefined;
  readonly rowCount: number;
  readonly events: number;
  /** Streams that were left out because of an event that cannot be folded. */
  readonly setAside: readonly SetAside[];
}

/** The event because of which a stream is left out. */
export interface SetAside {
  readonly streamId: string;
  readonly version: number;
  readonly reason: string;
}

/**
 * Folds events, as COPY sends them in the order of streams and versions, into rows for COPY. One
 * stream is in memory at a time. Its rows go out when the next one begins.
 */
export class StreamFold {
  #streamId: string | undefined;
  #version = 0;
  #fault: string | undefined;
  readonly #rows = new Map<string, Row>();
  readonly #rowsOut: CopyBuffer;
  readonly #streamsOut: CopyBuffer;
  #lastStream: string | undefined;
  #rowCount = 0;
  #eventsInStream = 0;
  #events = 0;
  #setAside: SetAside[] = [];
  readonly #check: (row: Row) => string | undefined;

  constructor(
    private readonly projection: Projection,
    properties: readonly string[],
  ) {
    const typeOf = (property: string): ColumnType => projection.columns[property]?.type ?? 'text';
    this.#rowsOut = new CopyBuffer(properties.map((name) => [name, typeOf(name)]));
    this.#streamsOut = new CopyBuffer([
      ['streamId', typeOf('streamId')],
      ['version', 'int'],
    ]);
    this.#check = storableCheck(projection);
  }

  /** Whether there are enough rows to take. */
  get hasRows(): boolean {
    return this.#rowsOut.isFull;
  }

  /** The rows that are finished, for COPY; all of them with `rest`. */
  takeRows(rest = false): readonly Buffer[] {
    return this.#rowsOut.take(rest);
  }

  /** Takes the columns stream_id, version, type, schema_version, data and metadata. */
  add(event: CopiedRow): void {
    const streamId = event.text(0);
    if (streamId !== this.#streamId) {
      this.endStream();
      this.#streamId = streamId;
    }
    this.#eventsInStream += 1;
    if (this.#fault === undefined) this.#fold(eventOf(streamId, event));
  }

  /** The stream is complete: its rows may be taken. */
  endStream(): void {
    if (this.#streamId === undefined) return;
    this.#events += this.#eventsInStream;
    this.#lastStream = this.#streamId;
    // Before any of them goes out: a row that the table would refuse sets its whole stream aside.
    for (const row of this.#rows.values()) this.#fault ??= this.#check(row);
    if (this.#fault === undefined) {
      for (const row of this.#rows.values()) this.#rowsOut.add(row);
      this.#rowCount += this.#rows.size;
      this.#streamsOut.add({ streamId: this.#streamId, version: String(this.#version) });
    } else {
      const version = this.#version + 1;
      this.#setAside.push({ streamId: this.#streamId, version, reason: this.#fault });
    }
    this.#forgetStream();
  }

  /** Ends the chunk; an incomplete stream is discarded and comes again with the next one. */
  endChunk(): FoldedChunk {
    this.#forgetStream();
    const chunk = {
      streams: this.#streamsOut.take(true),
      lastStream: this.#lastStream,
      rowCount: this.#rowCount,
      events: this.#events,
      setAside: this.#setAside,
    };
    this.#lastStream = undefined;
    this.#rowCount = this.#events = 0;
    this.#setAside = [];
    return chunk;
  }

  #fold(event: ProjectedEvent): void {
    const { projection } = this;
    try {
      const known = todays(projection, event);
      if (event.version !== this.#version + 1) throw new TypeError('A version is missing.');
      const key = projection.keyOf(known);
      this.#rows.set(key, projection.fold(this.#rows.get(key), known));
      this.#version = event.version;
    } catch (error) {
      this.#fault = faultOf(error);
    }
  }

  #forgetStream(): void {
    this.#streamId = undefined;
    this.#version = this.#eventsInStream = 0;
    this.#fault = undefined;
    this.#rows.clear();
  }
}

function eventOf(streamId: string, copied: CopiedRow): ProjectedEvent {
  const metadata = copied.optionalText(5);
  return {
    streamId,
    version: copied.integer(1),
    type: copied.text(2),
    schemaVersion: copied.integer(3),
    data: JSON.parse(copied.text(4)),
    metadata: metadata === undefined ? undefined : JSON.parse(metadata),
  };
}
