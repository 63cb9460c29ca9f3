import type { CommandMessage, Message } from '@sluice/contracts';
import type { IHeaders } from 'kafkajs';

/** A message as it lies on the broker. */
export interface EncodedMessage {
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** What an answer to a command needs. */
export interface ReplyAddress {
  readonly partition: number;
  /** Of this sending; the same command may be sent twice. */
  readonly correlation: string;
  /** The request's id, for whoever reads the topic. */
  readonly ndc?: string;
}

/** What a reply says besides its value. */
export type ReplyOutcome = 'replied' | 'unanswered' | 'failed';

/** Thrown when a message on the broker cannot be one of Sluice's. */
export class Undecodable extends Error {
  override readonly name = 'Undecodable';
}

/** Throws TypeError when the data is nothing that JSON can hold. */
export function encodeMessage(message: Message): EncodedMessage {
  const { id, type, schemaVersion, key, correlationId, causationId, traceparent, data } = message;
  return {
    key,
    value: Buffer.from(JSON.stringify(data)),
    headers: {
      id,
      type,
      schemaVersion: String(schemaVersion),
      correlationId,
      causationId,
      ...(traceparent !== undefined && { traceparent }),
    },
  };
}

/** The same with a life and an address for the answer. */
export function encodeCommand(
  command: CommandMessage,
  reply: ReplyAddress,
  traceparent?: string,
): EncodedMessage {
  const { key, value, headers } = encodeMessage(
    traceparent === undefined ? command : { ...command, traceparent },
  );
  const life = { timeToLiveMs: String(command.timeToLiveMs) };
  const address = { replyPartition: String(reply.partition), replyCorrelation: reply.correlation };
  return { key, value, headers: { ...headers, ...life, ...address } };
}

/**
 * The headers of a command that has waited so many milliseconds: so much of its life is over. When the
 * whole of it is over by the broker's clock is said too, where that is known: a request may lie
 * in the socket of a broker that stands still, and its life begins when that goes on.
 */
export function agedHeaders(
  headers: EncodedMessage['headers'],
  {
    waitedMs,
    expiresAtMs,
  }: { readonly waitedMs: number; readonly expiresAtMs: number | undefined },
): EncodedMessage['headers'] {
  const timeToLiveMs = Math.max(0, Number(headers['timeToLiveMs']) - Math.floor(waitedMs));
  return {
    ...headers,
    timeToLiveMs: String(timeToLiveMs),
    ...(expiresAtMs !== undefined && { expiresAtMs: String(expiresAtMs) }),
  };
}

/** When the life of a command is over, by the broker's clock; undefined if its sender did not know that clock. */
export function expiryOf(raw: RawMessage): number | undefined {
  const instantMs = Number(headerOf(raw, 'expiresAtMs') ?? Number.NaN);
  return Number.isInteger(instantMs) ? instantMs : undefined;
}

/** The headers of an answer. */
export function replyHeaders(
  { correlation, ndc }: ReplyAddress,
  outcome: ReplyOutcome,
  traceparent: string | undefined,
): EncodedMessage['headers'] {
  return {
    correlation,
    outcome,
    ...(ndc !== undefined && { correlationId: ndc }),
    ...(traceparent !== undefined && { traceparent }),
  };
}

/** The part of a kafkajs message that is read. */
export interface RawMessage {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: IHeaders | undefined;
}

/** Reads one header; kafkajs gives bytes. */
export function headerOf({ headers }: RawMessage, name: string): string | undefined {
  const value = headers?.[name];
  return value === undefined ? undefined : String(Array.isArray(value) ? value[0] : value);
}

/** Throws Undecodable. */
export function decodeMessage(raw: RawMessage): Message {
  const traceparent = headerOf(raw, 'traceparent');
  return {
    id: required(raw, 'id'),
    type: required(raw, 'type'),
    schemaVersion: numberOf(raw, 'schemaVersion'),
    key: raw.key?.toString('utf8') ?? '',
    correlationId: required(raw, 'correlationId'),
    causationId: required(raw, 'causationId'),
    ...(traceparent !== undefined && { traceparent }),
    data: jsonOf(raw),
  };
}

/** Throws Undecodable. */
export function decodeCommand(raw: RawMessage): CommandMessage {
  return { ...decodeMessage(raw), timeToLiveMs: numberOf(raw, 'timeToLiveMs') };
}

/** Where the sender waits; one that does not wait has no address. */
export function replyAddressOf(raw: RawMessage): ReplyAddress | undefined {
  const correlation = headerOf(raw, 'replyCorrelation');
  const partition = Number(headerOf(raw, 'replyPartition') ?? Number.NaN);
  if (correlation === undefined || !Number.isInteger(partition)) return undefined;
  const ndc = headerOf(raw, 'correlationId');
  return { partition, correlation, ...(ndc !== undefined && { ndc }) };
}

function required(raw: RawMessage, name: string): string {
  const value = headerOf(raw, name);
  if (value === undefined) throw new Undecodable(`the header ${name} is missing`);
  return value;
}

function numberOf(raw: RawMessage, name: string): number {
  const value = Number(required(raw, name));
  if (!Number.isInteger(value)) throw new Undecodable(`the header ${name} is not a number`);
  return value;
}

function jsonOf({ value }: RawMessage): unknown {
  try {
    return JSON.parse(value?.toString('utf8') ?? '') as unknown;
  } catch {
    throw new Undecodable('the value is not JSON');
  }
}
