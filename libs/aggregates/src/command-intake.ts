import type { Command, Event } from '@sluice/contracts';
import { ShardElsewhere, StoreBusy, StoreUnavailable } from '@sluice/event-store';
import {
  Execution,
  InfrastructureAway,
  UNHEARD_BEFORE_END_MS,
  Unrecorded,
} from '@sluice/messaging';
import { type Clock, inSpan } from '@sluice/service';
import { DuplicateCommands, type RecordedReplies, type UsedKey } from './duplicate-commands.js';
import {
  isInfrastructure,
  type Propose,
  type StreamWriter,
  type WriteResult,
} from './stream-writer.js';
import { type Stream, StreamBusy, type Streams } from './streams.js';

/**
 * What a command is answered with: a reply to what is recorded, one that says that nothing was
 * recorded, or the rest of the work, which is done outside the queue (D-12).
 */
export type CommandReply<Reply> = Reply | Unrecorded<Reply> | Execution<Reply>;

/** How a service words the replies that every service has. */
export interface ReplyWords<State, Reply> {
  /** Too many commands at once, for this stream or in all. */
  readonly busy: Reply;
  /** The store cannot be reached. */
  readonly unavailable: Reply;
  /** Another cell decides about the stream (page 0047). */
  readonly elsewhere: Reply;
  /** To a command whose idempotency key was used before. */
  readonly ofUsedKey: (used: UsedKey<Reply>) => Reply;
  /** What the stream says of a transaction. */
  readonly of: (state: State, transactionId: string) => Reply;
  /** Whether it says that something has still to be done for it. */
  readonly isRequested: (state: State, transactionId: string) => boolean;
  /**
   * The same for streams that this process does not hold, and whether an outcome is still to come.
   */
  readonly recorded: RecordedReplies<Reply>;
}

/** What the intake of commands is made of. */
export interface CommandIntakeParts<C extends Command, State, E extends Event, Reply> {
  readonly streams: Streams<State>;
  readonly writer: Pick<StreamWriter<C, State, E>, 'accept'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly words: ReplyWords<State, Reply>;
  /** Told how long a stage took: until the commit, and until the reply if something is executed. */
  readonly passed: (stage: 'accept' | 'total', startMs: number) => void;
}

/** A command before it is decided. */
export interface CommandToDecide<C extends Command, Reply> {
  readonly transactionId: string;
  /** By the monotonic clock. */
  readonly lifeEndsMs: number;
  readonly propose: Propose<C, Reply>;
  /**
   * Performs what was recorded as requested, and returns the reply. The stream is held until then.
   * `committedAtMs` is no later than the commit, by the monotonic clock (D-25).
   */
  readonly execute: (committedAtMs: number) => Promise<Reply>;
}

/** What became of a command in its turn. */
export interface Decided<Reply> {
  readonly reply: CommandReply<Reply>;
  /** The execution keeps holding the stream. */
  readonly executes: boolean;
  /** The same command was decided before. */
  readonly repeated: boolean;
}

/** Takes commands for streams: decides each in its turn, records it, and answers (D-12). */
export class CommandIntake<C extends Command, State, E extends Event, Reply> {
  /** Executions under way here, by transaction: a duplicate joins instead of running again. */
  readonly #running = new Map<string, Promise<Reply>>();
  readonly #duplicates: DuplicateCommands<Reply>;

  constructor(private readonly parts: CommandIntakeParts<C, State, E, Reply>) {
    this.#duplicates = new DuplicateCommands(parts.words.recorded);
  }

  /** Waits for what is under way here for this transaction, if anything is. */
  underWay(transactionId: string): Execution<Reply> | undefined {
    const running = this.#running.get(transactionId);
    return running === undefined ? undefined : new Execution(() => running);
  }

  /**
   * Decides and records a command on a stream that the caller holds, and releases the stream in the
   * end.
   */
  async decide(stream: Stream<State>, command: CommandToDecide<C, Reply>): Promise<Decided<Reply>> {
    const { streams, writer, clock, passed } = this.parts;
    let executes = false;
    try {
      // Before the commit, so that the send window is never too long (D-25).
      const committedAtMs = clock.monotonicMs();
      const startMs = performance.now();
      const result = await inSpan('accept', {}, () =>
        streams.exclusively(stream, () => writer.accept(stream, command.propose)),
      );
      passed('accept', startMs);
      const run = (): Promise<Reply> =>
        this.#run(stream, command, () => command.execute(committedAtMs), startMs);
      const decided = await this.#answer(stream, command, result, run);
      executes = decided.executes;
      return decided;
    } catch (error) {
      if (error instanceof ShardElsewhere) return answered(this.elsewhere(command.lifeEndsMs));
      // If the append may have been recorded, the error is not clean (D-35).
      const uncertain = error instanceof StoreUnavailable && error.recorded === 'unknown';
      const isClean = error instanceof StreamBusy || isInfrastructure(error);
      if (!isClean || uncertain) throw error;
      return answered(this.nothingRecorded(error, command.lifeEndsMs));
    } finally {
      if (!executes) streams.release(stream);
    }
  }

  /**
   * The answer to a command that could not be decided, as long as its sender waits for it. Later
   * the sender has already answered that it is pending, so something has to be recorded: the
   * transport repeats the command until that is done, or keeps it as a dead letter (D-03, D-17).
   */
  nothingRecorded(error: unknown, lifeEndsMs: number): Unrecorded<Reply> {
    const { words } = this.parts;
    if (this.#isUnheard(lifeEndsMs)) {
      const message = 'A command whose sender waits no longer cannot be recorded.';
      throw new InfrastructureAway(message, { cause: error });
    }
    const isBusy = error instanceof StreamBusy || error instanceof StoreBusy;
    return new Unrecorded(isBusy ? words.busy : words.unavailable);
  }

  /**
   * The answer to a command that another cell decides about, as long as its sender waits and can ask
   * there. Later nobody would: the command is tried again, in case the shard comes back, and kept as
   * a dead letter (D-17). Its partition does not wait with it: to this cell nothing is away.
   */
  elsewhere(lifeEndsMs: number): Unrecorded<Reply> {
    if (this.#isUnheard(lifeEndsMs)) {
      throw new Error('Another cell has the shard of a command whose sender waits no longer.');
    }
    return new Unrecorded(this.parts.words.elsewhere);
  }

  #isUnheard(lifeEndsMs: number): boolean {
    return this.parts.clock.monotonicMs() + UNHEARD_BEFORE_END_MS > lifeEndsMs;
  }

  async #answer(
    stream: Stream<State>,
    { transactionId, lifeEndsMs }: CommandToDecide<C, Reply>,
    result: WriteResult<Reply>,
    run: () => Promise<Reply>,
  ): Promise<Decided<Reply>> {
    const { words } = this.parts;
    switch (result.kind) {
      case 'answered':
        return answered(result.answer);
      case 'contention':
        throw new StoreBusy('contention');
      case 'elsewhere':
        return answered(this.elsewhere(lifeEndsMs));
      case 'alreadyClaimed': {
        const reply = await this.#duplicates.replyTo(result, transactionId, words.ofUsedKey);
        return { reply, executes: false, repeated: result.claim === 'transaction' };
      }
      case 'nothingNew': {
        const known = words.of(stream.state, transactionId);
        const reply = this.#duplicates.outcomeFor(transactionId, known);
        return { reply, executes: false, repeated: true };
      }
      case 'recorded': {
        const { state } = stream;
        if (!words.isRequested(state, transactionId))
          return answered(words.of(state, transactionId));
        return { reply: new Execution(run), executes: true, repeated: false };
      }
    }
  }

  async #run(
    stream: Stream<State>,
    { transactionId }: CommandToDecide<C, Reply>,
    execute: () => Promise<Reply>,
    startMs: number,
  ): Promise<Reply> {
    const execution = execute();
    this.#running.set(transactionId, execution);
    try {
      return await execution;
    } finally {
      this.parts.passed('total', startMs);
      this.#running.delete(transactionId);
      this.parts.streams.release(stream);
    }
  }
}

function answered<Reply>(reply: CommandReply<Reply>): Decided<Reply> {
  return { reply, executes: false, repeated: false };
}
