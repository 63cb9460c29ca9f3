import type { RecordedEvent } from '@sluice/event-store';
import type { FoundStream } from './event-store-of.js';
import { withoutPersonal } from './hidden-data.js';
import { instantText, textTable } from './text-table.js';

/** Up to where a stream is looked at. */
export interface HistoryEnd {
  /** Milliseconds since the epoch, by the database's clock. */
  readonly atMs?: number;
  readonly version?: number;
}

/** The events of a stream up to an end. */
export function eventsUntil(
  events: readonly RecordedEvent[],
  { atMs = Infinity, version = Infinity }: HistoryEnd,
): readonly RecordedEvent[] {
  const late = events.findIndex((event) => event.recordedAtMs > atMs || event.version > version);
  return late === -1 ? events : events.slice(0, late);
}

/** An event as JSON, without personal data. */
export function eventData(recorded: RecordedEvent): object {
  const { version, id, commandId, type, schemaVersion, recordedAtMs, data, metadata } = recorded;
  return {
    ...{ version, id, commandId, type, schemaVersion },
    recordedAt: new Date(recordedAtMs).toISOString(),
    data: withoutPersonal(data),
    metadata: withoutPersonal(metadata),
  };
}

/** A stream of any service as JSON: its events as they were stored. */
export function streamData({ streamId, events }: FoundStream, end: HistoryEnd): object {
  const shown = eventsUntil(events, end);
  return {
    ...{ streamId, version: shown.length, latestVersion: events.length },
    events: shown.map(eventData),
  };
}

/** What a person reads of a stream of any service: which events it has, and since when. */
export function streamText({ streamId, events }: FoundStream, end: HistoryEnd): string {
  const shown = eventsUntil(events, end);
  if (shown.length === 0) return `Stream ${streamId} had no events yet.`;
  const table = textTable(
    shown,
    [
      { title: '#', cell: ({ version }) => String(version), alignRight: true },
      { title: 'TIME (UTC)', cell: ({ recordedAtMs }) => instantText(recordedAtMs) },
      { title: 'EVENT', cell: ({ type }) => type },
    ],
    'No events.',
  );
  return `Stream ${streamId}, event ${shown.length} of ${events.length}\n\n${table}`;
}
