/** An event as it was recorded. */
export interface RecordedEvent {
  readonly streamId: string;
  readonly version: number;
  readonly id: string;
  readonly commandId: string;
  readonly type: string;
  readonly schemaVersion: number;
  /** Parsed JSON. */
  readonly data: unknown;
  /** Parsed JSON. */
  readonly metadata: unknown;
  /** Milliseconds since the epoch, by the database's clock. */
  readonly recordedAtMs: number;
}

/** The columns of an event, of row `e`. */
export const EVENT_COLUMNS = `e.stream_id, e.version, e.event_id, e.command_id, e.type,
  e.schema_version, e.data::text, e.metadata::text, extract(epoch FROM e.recorded_at)::float8 * 1000`;

/** The values of those columns. */
export type EventRow = [string, number, string, string, string, number, string, string, number];

/** The event of a row, its data in the shape in which it was written. */
export function storedEvent(row: readonly [...EventRow, ...unknown[]]): RecordedEvent {
  const [streamId, version, id, commandId, type, schemaVersion, data, metadata, ms] = row;
  return {
    streamId,
    version,
    id,
    commandId,
    type,
    schemaVersion,
    data: JSON.parse(data),
    metadata: JSON.parse(metadata),
    recordedAtMs: Math.round(ms),
  };
}
