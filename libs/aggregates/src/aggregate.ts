import type { Command, Decider, Event, EventCodec } from '@sluice/contracts';
import type { MarkChanges, RecordedEvent } from '@sluice/event-store';

/** A kind of stream: its rules, and what else the write path has to know. */
export interface Aggregate<C extends Command, State, E extends Event> {
  readonly decider: Decider<C, State, E>;
  readonly codec: EventCodec<E>;
  /**
   * When a stream in this state has to be looked at again without a command, in milliseconds since
   * the epoch; null: never. Absent if nothing is ever due.
   */
  readonly dueAtMs?: (state: State, nowMs: number) => number | null;
  /** What an append that leads from one state to the other tells those who decide about other streams. */
  readonly marks?: (before: State, after: State) => MarkChanges | undefined;
  /** Ids that events give to what they begin: the stream is found by these, too. */
  readonly transactionIds?: (events: readonly E[]) => readonly string[];
  /** What is recorded in place of a command's events if the command expired first (D-03). */
  readonly expired?: (events: readonly E[], nowMs: number) => readonly E[];
}

/** The state of an aggregate after its recorded events. @throws NewerWriter */
export function stateOf<C extends Command, State, E extends Event>(
  { decider, codec }: Pick<Aggregate<C, State, E>, 'decider' | 'codec'>,
  events: readonly RecordedEvent[],
): State {
  return evolved(decider, decider.initialState, events.map(codec.decode));
}

/** The state after some more events. */
export function evolved<C extends Command, State, E extends Event>(
  { evolve, evolveAll }: Decider<C, State, E>,
  state: State,
  events: readonly E[],
): State {
  return evolveAll?.(state, events) ?? events.reduce(evolve, state);
}
