import type { PublishedEvent } from '@sluice/contracts';
import type { RecordedEvent } from '@sluice/event-store';

/** What the metadata of every stream says about the cause of an event. */
interface Causes {
  readonly correlationId: string;
  readonly causationId: string;
  readonly traceparent?: string;
}

/**
 * The published form of a recorded event: the stored one, with its position. Events that a newer
 * release has written are published as well; whether they can be read is up to the readers (D-18).
 */
export function publishedEvent(
  { id, type, schemaVersion, streamId, version, recordedAtMs, ...recorded }: RecordedEvent,
  incarnation: string,
): PublishedEvent {
  const { data: event, metadata } = recorded;
  const { correlationId, causationId, traceparent } = metadata as Causes;
  return {
    ...{ id, type, schemaVersion, key: streamId, correlationId, causationId },
    ...(traceparent !== undefined && { traceparent }),
    data: { streamId, version, recordedAtMs, incarnation, event, metadata },
  };
}
