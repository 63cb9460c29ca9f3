/** A request to change something; `type` is an imperative with the aggregate's name. */
export interface Command {
  readonly type: string;
}

/** Something that happened; `type` is past tense. Facts are never refused or changed. */
export interface Event {
  readonly type: string;
}

/**
 * The pure rules of a service: which events follow from a command in a state, and which state
 * follows from an event. Time, ids and settings come with the command, never from outside.
 */
export interface Decider<C extends Command, State, E extends Event> {
  readonly initialState: State;
  readonly decide: (command: C, state: State) => readonly E[];
  readonly evolve: (state: State, event: E) => State;
  /** The same as `evolve` of each event, if doing it at once is cheaper. */
  readonly evolveAll?: (state: State, events: readonly E[]) => State;
}
