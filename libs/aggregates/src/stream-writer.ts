import type { Command, Event } from '@sluice/contracts';
import {
  type AppendMember,
  type AppendResult,
  DatabaseFailure,
  type EventStore,
  type MarkChanges,
  type MarkName,
  type RecordedEvent,
  ShardElsewhere,
  StoreBusy,
  StoreUnavailable,
} from '@sluice/event-store';
import { newMessageId } from '@sluice/identifiers';
import type { Clock } from '@sluice/service';
import { setTimeout as delay } from 'node:timers/promises';
import { type Aggregate, evolved, stateOf } from './aggregate.js';
import type { Stream } from './streams.js';

/** Conflicts with other processes after which a command is answered "busy" (D-08). */
const CONFLICTS_MAX = 5;
const OUTCOME_RETRY_FIRST_MS = 20;
const OUTCOME_RETRY_MAX_MS = 1_000;

/**
 * A command to decide, with what its append claims besides events; or an answer without a command.
 */
export type Proposal<C extends Command, Answer = never> =
  | {
      readonly kind: 'command';
      readonly command: C;
      readonly claims: Omit<
        AppendMember,
        'streamId' | 'expectedVersion' | 'events' | 'dueInMs' | 'marks'
      >;
    }
  | { readonly kind: 'answered'; readonly answer: Answer };

/** What became of a command. */
export type WriteResult<Answer> =
  | { readonly kind: 'recorded' }
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** It was decided before; the stream says how. */
  | { readonly kind: 'nothingNew' }
  | { readonly kind: 'contention' }
  | Extract<AppendResult, { kind: 'alreadyClaimed' | 'elsewhere' }>;

/**
 * Proposes a command for the stream as it is now. `isMarked`: the proposal before this one was decided
 * by other marks than there are; whatever it knew of them has to be looked at again.
 */
export type Propose<C extends Command, Answer> = (
  isMarked: boolean,
) => Promise<Proposal<C, Answer>>;

/** The part of the event store that the write path needs. */
export type StreamStore = Pick<EventStore, 'append' | 'read'>;

/**
 * Told of every append, whatever its result; `state` and `events` are as they would be recorded.
 */
export type AppendListener<State, E extends Event> = (
  result: AppendResult,
  state: State,
  events: readonly E[],
) => void;

/** Load, decide, append: the only way in which anything is recorded about an aggregate. */
export class StreamWriter<C extends Command, State, E extends Event> {
  readonly #closing = new AbortController();

  constructor(
    private readonly aggregate: Aggregate<C, State, E>,
    private readonly store: StreamStore,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly appended: AppendListener<State, E> = () => undefined,
  ) {}

  /** Reads the stream unless it is in memory. */
  async ensureLoaded(stream: Stream<State>): Promise<void> {
    if (!stream.loaded) await this.reload(stream);
  }

  /** Takes over events that were already read, together with the index. */
  adopt(stream: Stream<State>, events: readonly RecordedEvent[]): void {
    stream.state = stateOf(this.aggregate, events);
    stream.version = events.at(-1)?.version ?? 0;
    stream.loaded = true;
  }

  /** Reads the stream as it is now. */
  async reload(stream: Stream<State>): Promise<void> {
    this.adopt(stream, await this.store.read(stream.id));
  }

  /**
   * Decides and appends a command, again after each conflict with another process, at most five
   * times. A command that has outlived its time is recorded as not performed (D-03).
   */
  async accept<Answer>(
    stream: Stream<State>,
    propose: Propose<C, Answer>,
  ): Promise<WriteResult<Answer>> {
    try {
      return await this.#accept(stream, propose);
    } catch (error) {
      // The state in memory may now be outdated, so the next command reads the stream again.
      stream.loaded = false;
      throw error;
    }
  }

  async #accept<Answer>(
    stream: Stream<State>,
    propose: Propose<C, Answer>,
  ): Promise<WriteResult<Answer>> {
    const { decider, expired: expire } = this.aggregate;
    let [expired, isMarked] = [false, false];
    for (let conflicts = 0; conflicts <= CONFLICTS_MAX;) {
      const proposal = await propose(isMarked);
      if (proposal.kind === 'answered') return proposal;
      const decided = decider.decide(proposal.command, stream.state);
      if (decided.length === 0) return { kind: 'nothingNew' };
      const events = expired ? (expire?.(decided, this.clock.now()) ?? decided) : decided;
      const { notAfterMs, ...claims } = proposal.claims;
      const life = expired || notAfterMs === undefined ? undefined : { notAfterMs };
      const result = await this.#append(stream, events, { ...claims, ...life });
      switch (result.kind) {
        case 'appended':
          return { kind: 'recorded' };
        case 'alreadyClaimed':
        case 'elsewhere':
          return result;
        case 'expired':
          expired = true;
          break;
        case 'markedMeanwhile':
          conflicts += 1;
          isMarked = true;
          break;
        case 'versionConflict':
          conflicts += 1;
          await this.reload(stream);
      }
    }
    return { kind: 'contention' };
  }

  /**
   * Records the result of a call or an inquiry, and tries for as long as it takes: the money has
   * moved, so it must not get lost (D-08). False if it was nothing new. Throws only if this process
   * ends, or the stream has moved to another cell (ShardElsewhere); then the sweeper inquires again.
   */
  async record(stream: Stream<State>, finding: C): Promise<boolean> {
    let pauseMs = OUTCOME_RETRY_FIRST_MS;
    for (;;) {
      this.#closing.signal.throwIfAborted();
      try {
        await this.ensureLoaded(stream);
        const events = this.aggregate.decider.decide(finding, stream.state);
        if (events.length === 0) return false;
        const commandId = newMessageId(this.clock.now());
        const result = await this.#append(stream, events, { commandId });
        if (result.kind === 'appended') return true;
        if (result.kind === 'elsewhere') throw new ShardElsewhere(stream.id);
        await this.reload(stream);
      } catch (error) {
        if (!isInfrastructure(error)) throw error;
        // It may have been recorded: only the stream itself can tell.
        stream.loaded = false;
        await delay(pauseMs, undefined, { signal: this.#closing.signal });
        pauseMs = nextPauseMs(pauseMs);
      }
    }
  }

  /** Gives up what is still being repeated. */
  close(): void {
    this.#closing.abort();
  }

  async #append(
    stream: Stream<State>,
    events: readonly E[],
    { heldMark, ...claims }: Pick<AppendMember, 'commandId'> & Partial<AppendMember>,
  ): Promise<AppendResult> {
    const { decider, codec } = this.aggregate;
    const begun = this.aggregate.transactionIds?.(events) ?? [];
    const state = evolved(decider, stream.state, events);
    const marks = this.aggregate.marks?.(stream.state, state);
    const nowMs = this.clock.now();
    const result = await this.store.append({
      ...claims,
      ...(begun.length > 0 && { transactionIds: [...(claims.transactionIds ?? []), ...begun] }),
      ...(marks && { marks }),
      ...(heldMark && isBeside(heldMark, marks) && { heldMark }),
      streamId: stream.id,
      expectedVersion: stream.version,
      events: events.map((event) => ({
        id: newMessageId(nowMs),
        ...codec.encode(event),
      })),
      dueInMs: this.dueInMs(state),
    });
    this.appended(result, state, events);
    if (result.kind === 'appended') {
      stream.version = result.version;
      stream.state = state;
      stream.loaded = true;
    }
    return result;
  }

  /** When somebody has to look at a stream in this state again, in milliseconds from now. */
  dueInMs(state: State): number | null {
    const nowMs = this.clock.now();
    const dueAtMs = this.aggregate.dueAtMs?.(state, nowMs) ?? null;
    return dueAtMs === null ? null : Math.max(0, dueAtMs - nowMs);
  }
}

/** Only what leaves a mark beside the one that it was decided by changes what others decide by. */
function isBeside({ subject }: MarkName, marks: MarkChanges | undefined): boolean {
  return marks?.left.some((mark) => mark.subject === subject) ?? false;
}

/** The pause after one of so long: twice that, up to a second. */
export function nextPauseMs(pauseMs: number): number {
  return Math.min(pauseMs * 2, OUTCOME_RETRY_MAX_MS);
}

/** Whether the database is at fault, not this program. */
export function isInfrastructure(error: unknown): boolean {
  return (
    error instanceof StoreBusy ||
    error instanceof StoreUnavailable ||
    error instanceof DatabaseFailure
  );
}
