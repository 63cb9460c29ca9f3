import type { Message, PublishedEventData } from '@sluice/contracts';
import type { ArrivedEvent } from './apply-batch.js';
import { isStorable, type Projection } from './projection.js';

/** A published event, and the store that recorded it (D-23). */
export interface SourceEvent extends ArrivedEvent {
  readonly incarnation: string;
}

/** What a projection declares about its events. */
export type SourceOfEvents = Pick<Projection, 'owner' | 'columns'>;

/** The largest version that a row can hold. */
const VERSION_MAX = 2 ** 31 - 1;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Printable, and short enough for an index. */
const STREAM_ID = /^[!-~]{1,255}$/;

/** A message that the owner did not publish, whoever wrote it; no stream waits behind it. */
export class NotAnEvent extends Error {
  override readonly name = 'NotAnEvent';

  constructor(owner: string, field: string) {
    super(`Not an event of ${owner}: ${field} is missing or has another form.`);
  }
}

/**
 * An event as it was published; the message itself is kept in case it is parked. A stream's id must
 * be one that the projection's table can hold, because one statement looks up a whole batch of
 * them.
 * @throws NotAnEvent: the topic is open to whoever may write there
 */
export function sourceEventOf(message: Message, { owner, columns }: SourceOfEvents): SourceEvent {
  const data: unknown = message.data;
  if (!isObject(data)) throw new NotAnEvent(owner, 'data');
  const { streamId, version, incarnation, event, metadata } = data as Partial<PublishedEventData>;
  if (!isText(streamId, STREAM_ID) || !isStorable(columns.streamId?.type ?? 'text', streamId)) {
    throw new NotAnEvent(owner, 'streamId');
  }
  if (!Number.isInteger(version) || version === undefined || version < 1 || version > VERSION_MAX) {
    throw new NotAnEvent(owner, 'version');
  }
  if (!isText(incarnation, UUID)) throw new NotAnEvent(owner, 'incarnation');
  if (!isObject(event)) throw new NotAnEvent(owner, 'event');
  if (!isObject(metadata)) throw new NotAnEvent(owner, 'metadata');
  return {
    streamId,
    version,
    incarnation,
    type: message.type,
    schemaVersion: message.schemaVersion,
    data: event,
    metadata,
    // Rarely read: only needed for an event that is parked.
    get text() {
      return JSON.stringify(message);
    },
  };
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
