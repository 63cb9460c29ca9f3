import type { Message } from './messages.js';

/** What the message of a published event carries: the recorded event and its place. */
export interface PublishedEventData<Event = unknown, Metadata = unknown> {
  /** The stream's id; the message's key. */
  readonly streamId: string;
  /** 1, 2, 3, … within a stream, without a hole: a reader that sees one has missed an event. */
  readonly version: number;
  /** When it was recorded, milliseconds since the epoch, by the database's clock. */
  readonly recordedAtMs: number;
  /** Of the store; another one after a restore: rebuild from the store (D-23). */
  readonly incarnation: string;
  readonly event: Event;
  readonly metadata: Metadata;
}

/**
 * An event as its owner publishes it: a message of the topic, whose id is the recorded event's own
 * (D-06).
 */
export type PublishedEvent = Message<string, PublishedEventData>;

/** The query `<service>.streamEvents`: what a reader of the topic has missed (R-ES-06). */
export interface StreamEventsQuery {
  readonly streamId: string;
  readonly afterVersion: number;
}

/**
 * The most events in one answer of `<service>.streamEvents`; a caller that gets as many asks again.
 */
export const STREAM_EVENTS_MAX = 500;

/** Its answer, in order; empty when there is nothing newer, or no such stream. */
export interface StreamEventsAnswer {
  readonly events: readonly PublishedEvent[];
}

/** The query `<service>.eventsOfStreams`: the same of many, for a reader of all that have changed. */
export interface EventsOfStreamsQuery {
  /** Each once, at most STREAMS_MAX. */
  readonly streamIds: readonly string[];
}

/** What one query for the events of streams may name. */
export const STREAMS_MAX = 100;

/**
 * The most events of a stream in its answer, so that a few long ones do not make it too large: who gets as many
 * asks `<service>.streamEvents` for what comes after.
 */
export const EVENTS_OF_EACH_MAX = 50;

/** Its answer: from the first event of each on, in the order of the query; of none there is none. */
export interface EventsOfStreamsAnswer {
  readonly streams: readonly (readonly PublishedEvent[])[];
}

/**
 * The query `<service>.streamHeads`: which streams have changed, to compare with one's own (D-21).
 */
export interface StreamHeadsQuery {
  /**
   * `next` of the previous answer, which the reader keeps with its data; absent: from the start.
   */
  readonly after?: string;
  /** Events to look at, at most STREAM_HEADS_MAX. */
  readonly limit: number;
  /** Younger ones are left for the next query: the topic may still deliver them. */
  readonly olderThanMs: number;
  /**
   * Everything that is visible now, even if a transaction with an earlier place may still commit;
   * `next` then stays before that, so these changes are returned again. `olderThanMs` is ignored.
   */
  readonly now?: true;
}

/** What one query for heads may look at. */
export const STREAM_HEADS_MAX = 10_000;

/** Its answer. */
export interface StreamHeadsAnswer {
  /** Each stream that has changed, once, with the version it had reached at `next`. */
  readonly heads: readonly { readonly streamId: string; readonly version: number }[];
  /** Opaque; pass it as `after` of the next query. */
  readonly next: string;
  /** Whether to ask again at once. */
  readonly more: boolean;
  /** Of the store; a cursor of another one is useless (D-23). */
  readonly incarnation: string;
}

/** The query `<service>.personalParameters`: opens what published events carry sealed (D-22). */
export interface PersonalParametersQuery {
  /** At most PERSONAL_PARAMETERS_MAX. */
  readonly items: readonly SealedParameters[];
}

/** Blocks opened by one query. */
export const PERSONAL_PARAMETERS_MAX = 500;

/** A sealed block and where it belongs; it opens nowhere else. */
export interface SealedParameters {
  readonly streamId: string;
  readonly transactionId: string;
  /** The event's `personal`. */
  readonly sealed: string;
}

/** Its answer: one block for each item, in their order. */
export interface PersonalParametersAnswer {
  readonly blocks: readonly PersonalBlock[];
}

/**
 * `erased`: the key was destroyed, and with it the data. `unreadable`: it is not a block of this
 * payment.
 */
export interface PersonalBlock {
  readonly state: 'opened' | 'erased' | 'unreadable';
  /** By wire name; empty unless opened. */
  readonly personal: Readonly<Record<string, string>>;
}
