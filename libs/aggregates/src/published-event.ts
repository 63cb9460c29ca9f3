import type { PublishedEvent } from '@sluice/contracts';
import type { RecordedEvent } from '@sluice/event-store';

/** What metadata of every stream says about where an event comes from. */
interface Causes {
  readonly correlationId: string;
  readonly causationId: string;
  readonly traceparent?: string;
}

/**
 * The published form of a recorded event: the stored one, with its place. One that a newer release has
 * written goes out as well: it is for the readers to know (D-18).
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
