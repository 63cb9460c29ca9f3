import { setTimeout as delay } from 'node:timers/promises';
import {
  type AppendMember,
  type AppendResult,
  StoreBusy,
  StoreUnavailable,
} from './append-member.js';
import { AppendStatements, type StoreTraits } from './append-parameters.js';
import { outcomeLetters } from './append-parts.js';
import type { Coalesced } from './coalescer.js';
import { type Database, DatabaseFailure } from './database.js';
import type { IdempotencyKeys } from './idempotency.js';

/** How often a statement with one member is repeated after a conflict that had no clear answer. */
const REPEATS_MAX = 5;
const FIRST_PAUSE_MS = 20;
const PAUSE_MAX_MS = 500;

/** An append that waits for its result. */
export interface PendingAppend extends Coalesced {
  readonly member: AppendMember;
  /** By the monotonic clock: how long to retry while the database cannot be reached. */
  readonly patientUntilMs: number;
  /** The same while `inDoubt`. */
  readonly inDoubtUntilMs: number;
  /** A statement with this member was sent, and its result is unknown. */
  inDoubt: boolean;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Executes statements until each of their members has its result. */
export class Appender {
  readonly #schema: string;
  readonly #statements: AppendStatements;

  constructor(
    private readonly database: Database,
    private readonly keys: IdempotencyKeys,
    private readonly monotonicMs: () => number,
    { schema, ...traits }: { readonly schema: string } & StoreTraits,
  ) {
    this.#schema = schema;
    this.#statements = new AppendStatements(schema, traits);
  }

  /** Ends when every member has its result or its error; never rejects. */
  async run(pending: readonly PendingAppend[]): Promise<void> {
    let left = pending;
    for (let tries = 1; left.length > 0; tries += 1) {
      try {
        await this.#attempt(left);
        return;
      } catch (error) {
        // A failure before sending is a member's fault too: an invalid id, for example.
        const failure =
          error instanceof DatabaseFailure ? error : new DatabaseFailure('refused', error);
        switch (failure.kind) {
          case 'conflict':
          case 'refused':
            // One member's conflict or fault must not fail the others, so they are split.
            if (left.length > 1) return this.#runHalves(left);
            if (failure.kind === 'refused') return rejectAll(left, failure.cause);
            if (tries > REPEATS_MAX) return rejectAll(left, new StoreBusy('contention'));
            break;
          case 'notExecuted':
          case 'inDoubt':
            left = await this.#wait(left, failure, tries);
        }
      }
    }
  }

  async #runHalves(pending: readonly PendingAppend[]): Promise<void> {
    const middle = Math.ceil(pending.length / 2);
    await this.run(pending.slice(0, middle));
    await this.run(pending.slice(middle));
  }

  /** Returns those that keep waiting for the database; the others are told what is known. */
  async #wait(
    pending: readonly PendingAppend[],
    failure: DatabaseFailure,
    tries: number,
  ): Promise<readonly PendingAppend[]> {
    const nowMs = this.monotonicMs();
    for (const append of pending) {
      append.inDoubt ||= failure.kind === 'inDoubt';
      if (isPatient(append, nowMs)) continue;
      const recorded = append.inDoubt ? 'unknown' : 'no';
      append.reject(new StoreUnavailable(recorded, { cause: failure.cause }));
    }
    const patient = pending.filter((append) => isPatient(append, nowMs));
    if (patient.length > 0) await delay(Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), PAUSE_MAX_MS));
    return patient;
  }

  async #attempt(pending: readonly PendingAppend[]): Promise<void> {
    const [alone] = pending;
    if (pending.length === 1 && alone !== undefined && (await this.#appendAlone(alone.member))) {
      return alone.resolve(appended(alone.member));
    }
    const statement = this.#statements.of(pending.map(({ member }) => member));
    const [row] = await this.database.execute<[string]>(statement);
    const letters = row?.[0] ?? '';
    const others: Promise<void>[] = [];
    pending.forEach((append, index) => {
      const letter = letters.charAt(index);
      if (letter === outcomeLetters.appended) append.resolve(appended(append.member));
      else others.push(this.#settle(append, letter));
    });
    await Promise.all(others);
  }

  /** False if something prevents it: the statement for many returns what. */
  async #appendAlone(member: AppendMember): Promise<boolean> {
    try {
      return (await this.database.execute(this.#statements.ofAlone(member))).length === 1;
    } catch (error) {
      if (error instanceof DatabaseFailure && error.kind === 'conflict') return false;
      throw error;
    }
  }

  async #settle(append: PendingAppend, letter: string): Promise<void> {
    try {
      const result = await this.#resultOf(append, letter);
      if (result === undefined) await this.run([append]);
      else append.resolve(result);
    } catch (error) {
      if (!(error instanceof DatabaseFailure)) return append.reject(error);
      // The result can still be found out: appending again is harmless, because the version guards
      // it.
      await this.run(await this.#wait([append], error, 1));
    }
  }

  /** Undefined: what prevented it is gone, so append again. */
  async #resultOf(append: PendingAppend, letter: string): Promise<AppendResult | undefined> {
    const { member } = append;
    if (append.inDoubt && (await this.#isRecorded(member))) return appended(member);
    switch (letter) {
      case outcomeLetters.versionConflict:
        return { kind: 'versionConflict' };
      case outcomeLetters.expired:
        return { kind: 'expired' };
      case outcomeLetters.markedMeanwhile:
        return { kind: 'markedMeanwhile' };
      case outcomeLetters.elsewhere:
        return { kind: 'elsewhere' };
      case outcomeLetters.transactionTaken:
        return { kind: 'alreadyClaimed', claim: 'transaction' };
      case outcomeLetters.idempotencyTaken: {
        const taken = await this.keys.findOrRelease(append.idempotencyKey ?? '');
        return taken && { kind: 'alreadyClaimed', claim: 'idempotency', ...taken };
      }
      default:
        throw new Error('The append statement gave no outcome for a member.');
    }
  }

  /** Whether an append whose answer was lost had been committed (R-CRA-06). */
  async #isRecorded(member: AppendMember): Promise<boolean> {
    const rows = await this.database.execute({
      name: 'is recorded',
      text: `SELECT 1 FROM ${this.#schema}.events
             WHERE stream_id = $1 AND version = $2 AND event_id = $3`,
      values: [member.streamId, member.expectedVersion + 1, member.events[0]?.id],
    });
    return rows.length > 0;
  }
}

function isPatient(append: PendingAppend, nowMs: number): boolean {
  return nowMs < (append.inDoubt ? append.inDoubtUntilMs : append.patientUntilMs);
}

function appended({ expectedVersion, events }: AppendMember): AppendResult {
  return { kind: 'appended', version: expectedVersion + events.length };
}

function rejectAll(pending: readonly PendingAppend[], error: unknown): void {
  for (const append of pending) append.reject(error);
}
