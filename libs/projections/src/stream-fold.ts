import { CopyBuffer, copyLine, copyValue } from './copy-text.js';
import {
  faultOf,
  type ProjectedEvent,
  type Projection,
  type Row,
  storableCheck,
  todays,
} from './projection.js';

/** The result of a chunk. */
export interface FoldedChunk {
  /** Lines of COPY: stream and version. */
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
 * Folds lines of COPY, ordered by stream and version, into lines of COPY. One stream is in memory
 * at a time. Its rows go out when the next one begins.
 */
export class StreamFold {
  #streamId: string | undefined;
  #version = 0;
  #fault: string | undefined;
  readonly #rows = new Map<string, Row>();
  readonly #rowLines = new CopyBuffer();
  readonly #streamLines = new CopyBuffer();
  #lastStream: string | undefined;
  #rowCount = 0;
  #eventsInStream = 0;
  #events = 0;
  #setAside: SetAside[] = [];
  readonly #check: (row: Row) => string | undefined;

  constructor(
    private readonly projection: Projection,
    private readonly properties: readonly string[],
  ) {
    this.#check = storableCheck(projection);
  }

  /** Whether there are enough rows to take. */
  get hasRows(): boolean {
    return this.#rowLines.isFull;
  }

  /** The lines of the rows that are finished; all of them with `rest`. */
  takeRows(rest = false): readonly Buffer[] {
    return this.#rowLines.take(rest);
  }

  /** Takes the columns stream_id, version, type, schema_version, data and metadata. */
  add(line: string): void {
    const streamEnd = line.indexOf('\t');
    const streamId = line.slice(0, streamEnd);
    if (streamId !== this.#streamId) {
      this.endStream();
      this.#streamId = streamId;
    }
    this.#eventsInStream += 1;
    if (this.#fault === undefined) this.#fold(eventOf(streamId, line, streamEnd));
  }

  /** The stream is complete: its rows may be taken. */
  endStream(): void {
    if (this.#streamId === undefined) return;
    this.#events += this.#eventsInStream;
    this.#lastStream = this.#streamId;
    const lines = this.#fault === undefined ? this.#linesOfRows() : [];
    if (this.#fault === undefined) {
      for (const line of lines) this.#rowLines.add(line);
      this.#rowCount += lines.length;
      this.#streamLines.add(copyLine([this.#streamId, String(this.#version)]));
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
      streams: this.#streamLines.take(true),
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

  /** Notes a fault when the table would refuse one of them. */
  #linesOfRows(): readonly string[] {
    const lines: string[] = [];
    for (const row of this.#rows.values()) {
      this.#fault ??= this.#check(row);
      const values: (string | null)[] = [];
      for (const property of this.properties) values.push(row[property] ?? null);
      lines.push(copyLine(values));
    }
    return lines;
  }

  #forgetStream(): void {
    this.#streamId = undefined;
    this.#version = this.#eventsInStream = 0;
    this.#fault = undefined;
    this.#rows.clear();
  }
}

function eventOf(streamId: string, line: string, streamEnd: number): ProjectedEvent {
  const versionEnd = line.indexOf('\t', streamEnd + 1);
  const typeEnd = line.indexOf('\t', versionEnd + 1);
  const schemaVersionEnd = line.indexOf('\t', typeEnd + 1);
  const dataEnd = line.indexOf('\t', schemaVersionEnd + 1);
  const data = copyValue(line.slice(schemaVersionEnd + 1, dataEnd));
  const metadata = copyValue(line.slice(dataEnd + 1));
  return {
    streamId,
    version: Number(line.slice(streamEnd + 1, versionEnd)),
    type: line.slice(versionEnd + 1, typeEnd),
    schemaVersion: Number(line.slice(typeEnd + 1, schemaVersionEnd)),
    data: JSON.parse(data ?? 'null'),
    ...(metadata !== null && { metadata: JSON.parse(metadata) }),
  };
}
