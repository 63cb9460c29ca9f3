import type { Message } from '@sluice/contracts';
import {
  type Attributes,
  inRequest,
  readTraceparent,
  type Span,
  startSpan,
  usesOlderNames,
} from '@sluice/service';

/** Which way a message goes; both have the same spans. */
export type MessagingSystem = 'kafka' | 'in_process';

/** The work on messages that has spans, as OpenTelemetry's conventions name it. */
type Operation = 'send' | 'receive' | 'process';

/** Where one message is. */
export interface MessagePlace {
  readonly system: MessagingSystem;
  /** As declared, not as on the broker. */
  readonly destination: string;
  readonly partition?: number | undefined;
  readonly offset?: string | undefined;
  readonly group?: string | undefined;
}

type Described = Pick<Message, 'id' | 'key' | 'correlationId'>;

/**
 * One message goes out; its span is for the message's headers, so that whoever gets it goes on with
 * the trace. Ends when the message is safe, or given up.
 */
export function startSending(place: MessagePlace, message?: Partial<Described>): Span {
  const span = startSpan(`send ${place.destination}`, { kind: 'producer' });
  if (span.isRecording) span.set(attributesOf('send', place, message));
  return span;
}

/** A message is worked on, as a part of its sender's trace. */
export function startProcessing(place: MessagePlace, message: Message): Span {
  const { traceparent: parent } = message;
  const name = `process ${place.destination}`;
  const span = startSpan(name, { kind: 'consumer', parent, isRoot: true });
  if (span.isRecording) span.set(attributesOf('process', place, message));
  return span;
}

/** A reply has come, sent by the span that its header names. */
export function noteReceived(place: MessagePlace, parent: string | undefined): void {
  if (readTraceparent(parent)?.isSampled !== true) return;
  const span = startSpan(`receive ${place.destination}`, { kind: 'client', parent });
  if (span.isRecording) span.set(attributesOf('receive', place));
  span.end();
}

/** Sends a batch of messages as one span that belongs to those among them which are followed. */
export function whileSending(
  place: MessagePlace,
  messages: readonly Message[],
  work: () => Promise<void>,
): Promise<void> {
  return inBatchSpan('send', place, messages, work);
}

/** Works on a batch of messages, likewise. */
export function whileProcessing(
  place: MessagePlace,
  messages: readonly Message[],
  work: () => Promise<void>,
): Promise<void> {
  return inBatchSpan('process', place, messages, work);
}

/**
 * Messages of one payment go on with its trace. Those of several have one span together, in a trace
 * of its own with a link to each; and where none is followed there is none.
 */
async function inBatchSpan(
  operation: 'send' | 'process',
  place: MessagePlace,
  messages: readonly Message[],
  work: () => Promise<void>,
): Promise<void> {
  const causes = followedCauses(messages);
  const [first] = causes;
  if (first === undefined) return work();
  const isOneTrace = new Set(causes.map((cause) => readTraceparent(cause)?.traceId)).size === 1;
  const span = startSpan(`${operation} ${place.destination}`, {
    kind: operation === 'send' ? 'producer' : 'consumer',
    ...(isOneTrace ? { parent: first } : { isRoot: true }),
    links: causes,
  });
  if (span.isRecording) {
    const [message] = messages;
    span.set(attributesOf(operation, place, messages.length === 1 ? message : undefined));
    span.set({ 'messaging.batch.message_count': messages.length });
  }
  const ndcs = new Set(messages.map(({ correlationId }) => correlationId));
  const [ndc] = ndcs;
  try {
    await inRequest(span, ndcs.size === 1 && ndc !== undefined ? { ndc } : {}, work);
  } catch (error) {
    span.failed(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** The different spans that caused messages of a trace that is recorded. */
function followedCauses(messages: readonly Message[]): readonly string[] {
  const causes = new Set<string>();
  // Nothing is followed while tracing is off, and then nobody reads what is left in the store.
  for (const { traceparent } of messages) {
    if (traceparent !== undefined && readTraceparent(traceparent)?.isSampled === true) {
      causes.add(traceparent);
    }
  }
  return [...causes];
}

/** The one word of an error for `error.type`. */
export function errorType(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}

/**
 * The names of OpenTelemetry's conventions for messaging. Keys are chains and streams, which name
 * nobody.
 */
function attributesOf(
  operation: Operation,
  { system, destination, partition, offset, group }: MessagePlace,
  message?: Partial<Described>,
): Attributes {
  const { id, key, correlationId } = message ?? {};
  return {
    'messaging.system': system,
    'messaging.operation.name': operation,
    'messaging.operation.type': operation,
    'messaging.destination.name': destination,
    ...(partition !== undefined && { 'messaging.destination.partition.id': String(partition) }),
    ...(group !== undefined && { 'messaging.consumer.group.name': group }),
    ...(offset !== undefined && { 'messaging.kafka.offset': Number(offset) }),
    ...(key !== undefined && { 'messaging.kafka.message.key': key }),
    ...(id !== undefined && { 'messaging.message.id': id }),
    ...(correlationId !== undefined && { 'sluice.ndc': correlationId }),
    ...(usesOlderNames() && olderNames(operation, { partition, group, offset })),
  };
}

function olderNames(
  operation: Operation,
  { partition, group, offset }: Pick<MessagePlace, 'partition' | 'group' | 'offset'>,
): Attributes {
  return {
    'messaging.operation': operation === 'send' ? 'publish' : operation,
    ...(partition !== undefined && { 'messaging.kafka.destination.partition': partition }),
    ...(group !== undefined && { 'messaging.kafka.consumer.group': group }),
    ...(offset !== undefined && { 'messaging.kafka.message.offset': Number(offset) }),
  };
}
