import type { Command, Decider, Event } from '@sluice/contracts';
import assert from 'node:assert/strict';

/** `given(events).when(command).then(events)` for one decider. */
export interface DeciderSpec<C extends Command, E extends Event> {
  readonly given: (events: readonly E[]) => { when(command: C): Outcome<E> };
}

/** What must follow from the command. */
export interface Outcome<E extends Event> {
  /** Exactly these events, in this order. */
  then(expected: readonly E[]): void;
  /** No event at all. */
  thenNothingHappened(): void;
  /** The decider throws, because the input is impossible. */
  thenThrows(message: RegExp): void;
  /** The events, for assertions of another kind. */
  readonly events: readonly E[];
}

/** Specs of a decider read as sentences; every failure shows expected and actual events. */
export function deciderSpec<C extends Command, State, E extends Event>(
  decider: Decider<C, State, E>,
): DeciderSpec<C, E> {
  return {
    given: (events) => ({
      when: (command) => {
        const state = events.reduce(
          (folded, event) => decider.evolve(folded, event),
          decider.initialState,
        );
        const decide = (): readonly E[] => decider.decide(command, state);
        return {
          then: (expected) => {
            assert.deepStrictEqual(decide(), expected);
          },
          thenNothingHappened: () => {
            assert.deepStrictEqual(decide(), []);
          },
          thenThrows: (message) => {
            assert.throws(decide, message);
          },
          get events() {
            return decide();
          },
        };
      },
    }),
  };
}
