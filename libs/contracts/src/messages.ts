/** What travels between services. `data` is JSON-safe: amounts in minor units are strings. */
export interface Message<Type extends string = string, Data = unknown> {
  /** UUID, time-ordered; receivers deduplicate by it. */
  readonly id: string;
  readonly type: Type;
  readonly schemaVersion: number;
  /**
   * Messages of one key are handled in order: the chain shard for commands, the stream id for
   * events.
   */
  readonly key: string;
  /** The `ndc` of the request that started it all. */
  readonly correlationId: string;
  /** The id of the message that caused this one; a first message names itself. */
  readonly causationId: string;
  readonly traceparent?: string;
  readonly data: Data;
}

/** A command has a limited life: when it is older, it is recorded as not performed (D-03). */
export interface CommandMessage<Type extends string = string, Data = unknown> extends Message<
  Type,
  Data
> {
  readonly timeToLiveMs: number;
}

/** An amount on the wire between services: minor units as a decimal string, ISO 4217 code. */
export type { AmountText as AmountMessage } from '@sluice/money';
