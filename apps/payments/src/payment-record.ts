import {
  asExpired,
  decide,
  evolveAll,
  initialState,
  nextDue,
  type PaymentDecision,
  type PaymentEvent,
  paymentEventCodec,
  type PaymentState,
  type RecordFinding,
  type RecoverySchedule,
} from '@sluice/domain-payments';
import {
  type AppendMember,
  type AppendResult,
  DatabaseFailure,
  type EventStore,
  type RecordedEvent,
  StoreBusy,
  StoreUnavailable,
} from '@sluice/event-store';
import { newMessageId } from '@sluice/identifiers';
import type { Clock } from '@sluice/service';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connectors } from './connectors.js';
import { PaymentMetrics } from './payment-metrics.js';
import type { PaymentStream } from './payment-streams.js';

/** Version conflicts with other processes before a command is told "busy" (D-08). */
const CONFLICTS_MAX = 5;
const OUTCOME_RETRY_FIRST_MS = 20;
const OUTCOME_RETRY_MAX_MS = 1_000;

/** A command to decide with what its append claims beside the events, or an answer without one. */
export type Proposal<Answer> =
  | {
      readonly kind: 'command';
      readonly command: PaymentDecision;
      readonly claims: Omit<AppendMember, 'streamId' | 'expectedVersion' | 'events' | 'dueInMs'>;
    }
  | { readonly kind: 'answered'; readonly answer: Answer };

/** What became of a command. */
export type Acceptance<Answer> =
  | { readonly kind: 'recorded' }
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** It was decided before; the stream says how. */
  | { readonly kind: 'nothingNew' }
  | { readonly kind: 'contention' }
  | Extract<AppendResult, { kind: 'claimTaken' }>;

/** The part of the event store that one payment needs. */
export type PaymentEvents = Pick<
  EventStore,
  'append' | 'read' | 'readByTransaction' | 'personalKeys' | 'claimDueStreams' | 'schedule'
>;

/** Load, decide, append: the only way in which anything is recorded about a payment. */
export class PaymentRecord {
  readonly #closing = new AbortController();

  constructor(
    private readonly store: PaymentEvents,
    private readonly connectors: Connectors,
    private readonly schedule: RecoverySchedule,
    private readonly clock: Clock,
    private readonly metrics = new PaymentMetrics(),
  ) {}

  /** Reads the payment unless it is in memory. */
  async ensureLoaded(stream: PaymentStream): Promise<void> {
    if (!stream.loaded) await this.reload(stream);
  }

  /** Takes over what was read together with the index. */
  adopt(stream: PaymentStream, events: readonly RecordedEvent[]): void {
    stream.state = foldRecorded(events);
    stream.version = events.at(-1)?.version ?? 0;
    stream.loaded = true;
  }

  /** Reads the payment as it is now. */
  async reload(stream: PaymentStream): Promise<void> {
    this.adopt(stream, await this.store.read(stream.id));
  }

  /**
   * Decides and appends a command, again after each conflict with another process, at most five
   * times. A command that has outlived its time is recorded as not performed (D-03).
   */
  async accept<Answer>(
    stream: PaymentStream,
    propose: () => Promise<Proposal<Answer>>,
  ): Promise<Acceptance<Answer>> {
    try {
      return await this.#accept(stream, propose);
    } catch (error) {
      // What is in memory may be older than what was recorded: the next one reads again.
      stream.loaded = false;
      throw error;
    }
  }

  async #accept<Answer>(
    stream: PaymentStream,
    propose: () => Promise<Proposal<Answer>>,
  ): Promise<Acceptance<Answer>> {
    let expired = false;
    for (let conflicts = 0; conflicts <= CONFLICTS_MAX;) {
      const proposal = await propose();
      if (proposal.kind === 'answered') return proposal;
      const decided = decide(proposal.command, stream.state);
      if (decided.length === 0) return { kind: 'nothingNew' };
      const events = expired ? asExpired(decided, this.clock.now()) : decided;
      const { notAfterMs, ...claims } = proposal.claims;
      const life = expired || notAfterMs === undefined ? undefined : { notAfterMs };
      const result = await this.#append(stream, events, { ...claims, ...life });
      switch (result.kind) {
        case 'appended':
          return { kind: 'recorded' };
        case 'claimTaken':
          return result;
        case 'expired':
          expired = true;
          break;
        case 'versionConflict':
          conflicts += 1;
          await this.reload(stream);
      }
    }
    return { kind: 'contention' };
  }

  /**
   * Records what a call or an inquiry brought, however long that takes: the money has moved, so
   * there is no other answer (D-08). False when it said nothing new. Throws only when this process
   * ends; then the sweeper finds out again.
   */
  async record(stream: PaymentStream, finding: RecordFinding): Promise<boolean> {
    let pauseMs = OUTCOME_RETRY_FIRST_MS;
    for (;;) {
      this.#closing.signal.throwIfAborted();
      try {
        await this.ensureLoaded(stream);
        const events = decide(finding, stream.state);
        if (events.length === 0) return false;
        const commandId = newMessageId(this.clock.now());
        const result = await this.#append(stream, events, { commandId });
        if (result.kind === 'appended') return true;
        await this.reload(stream);
      } catch (error) {
        if (!isInfrastructure(error)) throw error;
        // Perhaps it was recorded: only the stream itself can tell.
        stream.loaded = false;
        await delay(pauseMs, undefined, { signal: this.#closing.signal });
        pauseMs = Math.min(pauseMs * 2, OUTCOME_RETRY_MAX_MS);
      }
    }
  }

  /** Gives up what is still being repeated. */
  close(): void {
    this.#closing.abort();
  }

  async #append(
    stream: PaymentStream,
    events: readonly PaymentEvent[],
    claims: Pick<AppendMember, 'commandId'> & Partial<AppendMember>,
  ): Promise<AppendResult> {
    const state = evolveAll(stream.state, events);
    const nowMs = this.clock.now();
    const result = await this.store.append({
      ...claims,
      streamId: stream.id,
      expectedVersion: stream.version,
      events: events.map((event) => ({
        id: newMessageId(nowMs),
        ...paymentEventCodec.encode(event),
      })),
      dueInMs: this.dueInMs(state),
    });
    this.metrics.appended(result, state, events);
    if (result.kind === 'appended') {
      stream.version = result.version;
      stream.state = state;
      stream.loaded = true;
    }
    return result;
  }

  /** When the sweeper has to look at a payment in this state, in milliseconds from now. */
  dueInMs(state: PaymentState): number | null {
    const nowMs = this.clock.now();
    const capabilities = this.connectors.capabilitiesFor(state);
    const dueMs = nextDue(state, nowMs, capabilities, this.schedule);
    return dueMs === null ? null : Math.max(0, dueMs - nowMs);
  }
}

/** Whether the database, and not our program, is at fault. */
export function isInfrastructure(error: unknown): boolean {
  return (
    error instanceof StoreBusy ||
    error instanceof StoreUnavailable ||
    error instanceof DatabaseFailure
  );
}

/** The state of a payment from its recorded events. */
export function foldRecorded(events: readonly RecordedEvent[]): PaymentState {
  return evolveAll(initialState, events.map(paymentEventCodec.decode));
}
