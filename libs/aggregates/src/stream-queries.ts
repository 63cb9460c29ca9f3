import {
  EVENTS_OF_EACH_MAX,
  type EventsOfStreamsAnswer,
  type EventsOfStreamsQuery,
  PERSONAL_PARAMETERS_MAX,
  type PersonalBlock,
  type PersonalParametersAnswer,
  type PersonalParametersQuery,
  type SealedParameters,
  STREAM_EVENTS_MAX,
  STREAM_HEADS_MAX,
  type StreamEventsAnswer,
  type StreamEventsQuery,
  type StreamHeadsAnswer,
  type StreamHeadsQuery,
  STREAMS_MAX,
} from '@sluice/contracts';
import { type Checkpoint, checkpointAtStart, type EventStore } from '@sluice/event-store';
import type { KeyProvider } from '@sluice/service';
import type { KeyObject } from 'node:crypto';
import { openPersonal, unwrapPersonalKey } from './personal-data.js';
import { publishedEvent } from './published-event.js';

/** A checkpoint as the text that readers pass back; xid8 and bigint have at most 20 digits. */
const CURSOR = /^[0-9]{1,20}-[0-9]{1,20}$/;

/** The part of the event store that these queries need. */
type Streams = Pick<
  EventStore,
  'readStreamAfter' | 'readStreams' | 'headsAfter' | 'headsNow' | 'incarnation' | 'personalKeys'
>;

/** What readers of published events ask their owner for: events they missed, and sealed data. */
export class StreamQueries {
  constructor(
    private readonly store: Streams,
    private readonly keys: KeyProvider,
  ) {}

  /** A stream's events after a version, as they were published. */
  async streamEvents({ streamId, afterVersion }: StreamEventsQuery): Promise<StreamEventsAnswer> {
    const [incarnation, events] = await Promise.all([
      this.store.incarnation(),
      this.store.readStreamAfter(streamId, afterVersion, STREAM_EVENTS_MAX),
    ]);
    return { events: events.map((event) => publishedEvent(event, incarnation)) };
  }

  /** The first events of many streams, in the order of the query. @throws RangeError for too many */
  async eventsOfStreams({ streamIds }: EventsOfStreamsQuery): Promise<EventsOfStreamsAnswer> {
    if (streamIds.length > STREAMS_MAX) {
      throw new RangeError(`At most ${String(STREAMS_MAX)} streams are read at once.`);
    }
    const [incarnation, streams] = await Promise.all([
      this.store.incarnation(),
      this.store.readStreams(streamIds, EVENTS_OF_EACH_MAX),
    ]);
    return {
      streams: streamIds.map((id) =>
        (streams.get(id) ?? []).map((event) => publishedEvent(event, incarnation)),
      ),
    };
  }

  /** The streams that have changed since a cursor. @throws RangeError for a query out of bounds */
  async streamHeads({
    after,
    limit,
    olderThanMs,
    now,
  }: StreamHeadsQuery): Promise<StreamHeadsAnswer> {
    const isInBounds = Number.isInteger(limit) && limit >= 1 && limit <= STREAM_HEADS_MAX;
    if (!isInBounds) throw new RangeError(`limit must be 1 to ${String(STREAM_HEADS_MAX)}.`);
    const [incarnation, { heads, next, more }] = await Promise.all([
      this.store.incarnation(),
      now === true
        ? this.store.headsNow(checkpointOf(after), limit)
        : this.store.headsAfter(checkpointOf(after), limit, olderThanMs),
    ]);
    return { heads, next: `${next.databaseTransaction}-${next.position}`, more, incarnation };
  }

  /** Opens sealed blocks, each independently of the others. @throws RangeError for too many */
  async personalParameters({ items }: PersonalParametersQuery): Promise<PersonalParametersAnswer> {
    if (items.length > PERSONAL_PARAMETERS_MAX) {
      throw new RangeError(`At most ${String(PERSONAL_PARAMETERS_MAX)} blocks are opened at once.`);
    }
    const streamIds = [...new Set(items.map(({ streamId }) => streamId))];
    const wrapped = await this.store.personalKeys.ofAll(streamIds);
    const keys = new Map<string, KeyObject>();
    for (const [streamId, key] of wrapped) {
      keys.set(streamId, await unwrapPersonalKey(this.keys, streamId, key));
    }
    return { blocks: items.map((item) => openBlock(keys.get(item.streamId), item)) };
  }
}

function openBlock(
  key: KeyObject | undefined,
  { transactionId, sealed }: SealedParameters,
): PersonalBlock {
  if (key === undefined) return { state: 'erased', personal: {} };
  try {
    return { state: 'opened', personal: openPersonal(key, transactionId, sealed) };
  } catch {
    // It was altered, or belongs to another transaction. That must not hide the other rows.
    return { state: 'unreadable', personal: {} };
  }
}

function checkpointOf(cursor: string | undefined): Checkpoint {
  if (cursor === undefined) return checkpointAtStart;
  if (!CURSOR.test(cursor)) throw new RangeError('after must be the next of an earlier answer.');
  const [databaseTransaction, position] = cursor.split('-') as [string, string];
  return { databaseTransaction, position };
}
