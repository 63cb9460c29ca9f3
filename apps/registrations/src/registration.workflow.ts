import {
  type Expiry,
  type Instrument,
  type KeepingVault,
  type KeptBefore,
  type KeptDetails,
  vaultReferenceOf,
} from '@sluice/contracts';
import type { PaymentDecision, Registration } from '@sluice/domain-registrations';
import type { TransactionId } from '@sluice/identifiers';
import { type Clock, type EntityClock, type Logger, Outage } from '@sluice/service';
import { setTimeout as delay } from 'node:timers/promises';
import { ExistingRegistrations, type Standing, standingOf } from './existing-registrations.js';
import type { PaymentDecisions } from './payment-decisions.js';
import type {
  RegistrationStream,
  RegistrationStreams,
  RegistrationWriter,
} from './registration-aggregate.js';
import type { PersonalParts } from './registration-personal.js';

/** The parts a workflow is made of. */
export interface WorkflowParts extends PersonalParts {
  readonly streams: RegistrationStreams;
  readonly writer: RegistrationWriter;
  readonly vault: KeepingVault;
  readonly payments: PaymentDecisions;
  readonly machine: Clock;
  readonly clock: Pick<EntityClock, 'nowOf'>;
  readonly logger: Logger;
}

/**
 * What stood in the way of a step: the vault, or payments, did not answer; or others who store the same
 * account at once were in the middle of it.
 */
export type Hindrance = 'vault' | 'payments' | 'crowd';

/**
 * How a registration stands whose request came again under its key. `answered`: payments answers the
 * repetition with the first payment, and nothing can be paid by it any more.
 */
export type Repeated = Standing | 'answered';

/** More than one registration of the same account that is over, and not forgotten yet, is rare. */
const KEEP_TRIES_MAX = 3;

/**
 * How long whoever asks for an account to be stored waits for others who store the same one: longer than
 * nearly every payment takes, and short enough that the request that waits for this is answered in time.
 */
const CROWD_WAIT_MAX_MS = 10_000;
const CROWD_PAUSE_FIRST_MS = 50;
const CROWD_PAUSE_MAX_MS = 1_000;

/** A key is known to payments for a day at least (D-36); an hour is for clocks that differ. */
const KEY_KNOWN_FOR_MS = 23 * 60 * 60 * 1_000;

/**
 * What the vault has to do for a registration, what the payment says that it was asked for with, and
 * the record of it. Each step is recorded as
 * wanted before it is taken and may be taken again, so that a crash in between leaves nothing
 * behind (R-CRA).
 */
export class RegistrationWorkflow {
  readonly #closing = new AbortController();
  readonly #vault: Outage;
  readonly #payments: Outage;
  readonly #existing: ExistingRegistrations;

  constructor(private readonly parts: WorkflowParts) {
    this.#existing = new ExistingRegistrations(parts, (stream) => this.proceed(stream));
    this.#vault = new Outage(parts.machine, parts.logger, {
      begins: 'The vault neither keeps nor forgets for registrations; it is asked again.',
      goesOn: 'The vault still neither keeps nor forgets for registrations.',
      ends: 'The vault keeps and forgets for registrations again.',
    });
    this.#payments = new Outage(parts.machine, parts.logger, {
      begins: 'Payments does not say what became of payments; their registrations are pending.',
      goesOn: 'Payments still does not say what became of payments.',
      ends: 'Payments says again what became of payments.',
    });
  }

  /**
   * Takes the step that the stream says is open; the caller holds the stream. Without the vault, or
   * while the payment is not decided, it stays open, for the sweeper.
   * @returns what stood in the way, if anything did
   */
  async proceed(stream: RegistrationStream): Promise<Hindrance | undefined> {
    const { state } = stream;
    if (state === undefined) return undefined;
    if (state.awaitedPayments.length > 0) return this.#ask(stream, state);
    if (state.isToBeForgotten) return this.#forget(stream, state);
    if (state.state === 'requested') return this.#keep(stream, state);
    const expiry = state.update?.expiry;
    return expiry === undefined ? undefined : this.#change(stream, state, expiry);
  }

  /**
   * The same for somebody who waits for it: while others who store the same account at once stand in the
   * way, again and again. Whoever was told "pending" or 503 instead would only send it again.
   * @param untilMs of the monotonic clock; ten seconds at the most
   */
  async proceedInCrowd(stream: RegistrationStream, untilMs: number): Promise<void> {
    const { machine } = this.parts;
    const { signal } = this.#closing;
    const endMs = Math.min(untilMs, machine.monotonicMs() + CROWD_WAIT_MAX_MS);
    for (let pauseMs = CROWD_PAUSE_FIRST_MS; ; pauseMs = nextPauseMs(pauseMs)) {
      if ((await this.proceed(stream)) !== 'crowd') return;
      if (signal.aborted || machine.monotonicMs() + pauseMs > endMs) return;
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /**
   * The request that a registration was made by comes again under its key, and its payment with another
   * id: the registration waits for both, because it is not known here which of them is made.
   * @param untilMs as `proceedInCrowd` has it
   */
  async repeat(
    registrationId: TransactionId,
    paymentId: TransactionId,
    untilMs: number,
  ): Promise<Repeated> {
    const { streams, writer, clock } = this.parts;
    const stream = streams.hold(registrationId);
    try {
      // Not as somebody here has it in memory: another process may have gone on with it.
      await streams.inTurn(stream, () => writer.reload(stream));
      await this.proceedInCrowd(stream, untilMs);
      const others = await this.#storeForRepetition(stream, paymentId);
      await streams.inTurn(stream, () =>
        writer.record(stream, {
          type: 'AwaitRepetition',
          nowMs: clock.nowOf(stream.state),
          paymentId,
        }),
      );
      const standing = others ?? standingOf(stream.state, paymentId);
      return standing === 'over' ? await this.#standingOfEnded(stream) : standing;
    } finally {
      streams.release(stream);
    }
  }

  /** Whoever waits in a crowd goes on with what is known. */
  close(): void {
    this.#closing.abort();
  }

  /** Of the registration that the account had before; undefined if it had none. */
  async #storeForRepetition(
    { id, state }: RegistrationStream,
    paymentId: TransactionId,
  ): Promise<Standing | undefined> {
    const existingId = state?.existing?.registrationId;
    if (existingId === undefined) return undefined;
    // None of its payments was approved: nobody was told that it is stored.
    if (state?.outcomes.get(id)?.status === 'rejected') return 'over';
    return this.#existing.storeAgain(existingId, paymentId);
  }

  /**
   * Its payment has failed, or it was deleted after that: then payments knows the key. If the payment was
   * never made, the repetition may be, and needs a registration of its own.
   */
  async #standingOfEnded({ state }: RegistrationStream): Promise<Repeated> {
    const { payments, clock } = this.parts;
    const paymentId = state?.paymentId;
    if (state === undefined || paymentId === undefined) return 'over';
    const { entityId, recordedAtMs } = state.metadata;
    const asked = await answerTo(this.#payments, () => payments.decisionOf(paymentId, entityId));
    if (asked === undefined) return 'open';
    const isKeyKnown = clock.nowOf(state) - recordedAtMs < KEY_KNOWN_FOR_MS;
    return asked.answer !== undefined && isKeyKnown ? 'answered' : 'over';
  }

  async #keep(
    stream: RegistrationStream,
    registration: Registration,
    tries = KEEP_TRIES_MAX,
  ): Promise<Hindrance | undefined> {
    const answered = await answerTo(this.#vault, () => this.#kept(registration));
    if (answered === undefined) return 'vault';
    const { answer: kept } = answered;
    if (kept !== undefined && 'keptFor' in kept) {
      const hindrance = await this.#useExisting(stream, kept, tries);
      if (hindrance !== undefined) return hindrance;
    } else await this.#recordKeeping(stream, kept);
    const { state } = stream;
    // One that is still to be made decides nothing yet.
    if (state?.isPaymentMade === true && state.awaitedPayments.length > 0) {
      return this.#ask(stream, state);
    }
    return undefined;
  }

  async #kept(registration: Registration): Promise<KeptDetails | KeptBefore | undefined> {
    const { id, merchantId, instrument, mayBeExisting } = registration;
    const heldReference = instrument && vaultReferenceOf(instrument);
    if (heldReference === undefined || merchantId === undefined) return undefined;
    return this.parts.vault.keep({
      ...{ heldReference, registrationId: id, merchantId },
      scope: scopeOf(registration),
      ...(mayBeExisting && isOneAccount(instrument) && { mayBeExisting }),
    });
  }

  async #recordKeeping(stream: RegistrationStream, kept: KeptDetails | undefined): Promise<void> {
    const { streams, writer, clock } = this.parts;
    await streams.inTurn(stream, () =>
      writer.record(stream, {
        ...{ type: 'RecordKeeping', nowMs: clock.nowOf(stream.state) },
        ...(kept !== undefined && { kept }),
      }),
    );
    this.#log(stream, kept === undefined ? 'not kept' : 'kept');
  }

  /**
   * The one that has the account is told first, so that it cannot be forgotten for a payment that
   * failed while this one is answered with it. One that is over, and that the vault has not forgotten
   * yet, is forgotten now: then this one is kept.
   */
  async #useExisting(
    stream: RegistrationStream,
    { keptFor, expiry }: KeptBefore,
    tries: number,
  ): Promise<Hindrance | undefined> {
    const { streams, writer, vault, clock } = this.parts;
    const { state } = stream;
    if (state === undefined) return undefined;
    const registrationId = keptFor as TransactionId;
    const standing = await this.#existing.storeAgain(registrationId, state.paymentId);
    switch (standing) {
      case 'open':
        return 'crowd';
      case 'over':
        if ((await answerTo(this.#vault, () => vault.forgetKept(keptFor))) === undefined) {
          return 'vault';
        }
        // Whoever has taken its place by then is asked about later.
        return tries > 1 ? this.#keep(stream, state, tries - 1) : 'crowd';
      case 'usable':
        break;
    }
    const isDecided = state.paymentId === undefined;
    if (isDecided && !(await this.#existing.renew(registrationId, stream, expiry))) return 'crowd';
    const existing = { registrationId, ...(expiry !== undefined && { expiry }) };
    await streams.inTurn(stream, () =>
      writer.record(stream, { type: 'RecordExisting', nowMs: clock.nowOf(stream.state), existing }),
    );
    this.#log(stream, 'kept before');
    return undefined;
  }

  /** Only an expiry is the vault's. The revision makes it one change, however often it is asked for. */
  async #change(
    stream: RegistrationStream,
    { id: registrationId, revision }: Registration,
    expiry: Expiry,
  ): Promise<Hindrance | undefined> {
    const { streams, writer, vault, clock } = this.parts;
    const answered = await answerTo(this.#vault, () =>
      vault.changeKept({ registrationId, revision, expiry }),
    );
    if (answered === undefined) return 'vault';
    const { answer: isChanged } = answered;
    await streams.inTurn(stream, () =>
      writer.record(stream, { type: 'RecordUpdate', nowMs: clock.nowOf(stream.state), isChanged }),
    );
    this.#log(stream, isChanged ? 'changed' : 'not changed');
    return undefined;
  }

  /** An approved payment confirms it; after failed ones, its details are forgotten at once. */
  async #ask(
    stream: RegistrationStream,
    registration: Registration,
  ): Promise<Hindrance | undefined> {
    const { streams, writer, clock } = this.parts;
    const answered = await answerTo(this.#payments, () => this.#decisionsOf(registration));
    if (answered === undefined) return 'payments';
    const { answer: decided } = answered;
    const { existing } = registration;
    const isApproved = [...decided.values()].some(({ kind }) => kind === 'approved');
    // What the payment has shown to be good is taken over, before nobody looks at this any more.
    if (isApproved && existing !== undefined) {
      const { registrationId, expiry } = existing;
      if (!(await this.#existing.renew(registrationId, stream, expiry))) return 'crowd';
    }
    await streams.inTurn(stream, () =>
      writer.record(stream, {
        type: 'RecordPayments',
        nowMs: clock.nowOf(stream.state),
        payments: decided,
      }),
    );
    const { state } = stream;
    // Deleted meanwhile: whoever did that has it forgotten.
    if (state === undefined || state.awaitedPayments.length > 0 || state.state === 'ended') {
      return undefined;
    }
    this.#log(stream, isApproved ? 'confirmed' : 'abandoned');
    return state.isToBeForgotten ? this.#forget(stream, state) : undefined;
  }

  /** Of all of them, or as far as one that is approved: that is enough. */
  async #decisionsOf({
    awaitedPayments,
    metadata,
  }: Registration): Promise<ReadonlyMap<string, PaymentDecision>> {
    const decided = new Map<string, PaymentDecision>();
    for (const { paymentId } of awaitedPayments) {
      const decision = await this.parts.payments.decisionOf(paymentId, metadata.entityId);
      if (decision !== undefined) decided.set(paymentId, decision);
      if (decision?.kind === 'approved') break;
    }
    return decided;
  }

  async #forget(stream: RegistrationStream, { id }: Registration): Promise<Hindrance | undefined> {
    const { streams, writer, vault, clock } = this.parts;
    if ((await answerTo(this.#vault, () => vault.forgetKept(id))) === undefined) return 'vault';
    await streams.inTurn(stream, () =>
      writer.record(stream, { type: 'RecordForgetting', nowMs: clock.nowOf(stream.state) }),
    );
    this.#log(stream, 'forgotten');
    return undefined;
  }

  /** One line per step, which continues the trail that edge's line begins (S-LOG-02). */
  #log({ id, state }: RegistrationStream, what: string): void {
    const { ndc } = state?.metadata ?? {};
    this.parts.logger.info({ ndc, registrationId: id, details: what }, 'outcome');
  }
}

/** Twice as long, up to a second: others are soon done, or not soon at all. */
function nextPauseMs(pauseMs: number): number {
  return Math.min(2 * pauseMs, CROWD_PAUSE_MAX_MS);
}

/**
 * Within which the same account is stored once. Another channel could not use it, a test is nothing to
 * pay with; at another provider the same e-mail address is another account, and of another issuer the
 * same token.
 */
function scopeOf({ metadata, instrument }: Registration): string {
  const { entityId, mode } = metadata;
  return [entityId, mode, ...issuerOf(instrument)].join('|');
}

function issuerOf(instrument: Instrument | undefined): readonly string[] {
  switch (instrument?.kind) {
    case 'bankAccount':
      // The same account, and yet whoever stores an IBAN is not told of one that has none.
      return isOneAccount(instrument) ? [] : ['by number'];
    case 'virtualAccount':
      return [instrument.brand ?? ''];
    case 'tokenAccount':
      return [instrument.paymentMethod, instrument.brand ?? ''];
    default:
      return [];
  }
}

/**
 * Whether the vault can tell it from all others. Many banks have an account of one number, and which bank
 * is meant may be said in two ways, by its code or its BIC.
 */
function isOneAccount(instrument: Instrument | undefined): boolean {
  return instrument?.kind !== 'bankAccount' || instrument.maskedIban !== undefined;
}

/** Undefined if it does not answer. */
async function answerTo<Answer>(
  outage: Outage,
  question: () => Promise<Answer>,
): Promise<{ readonly answer: Answer } | undefined> {
  try {
    const answer = await question();
    outage.over();
    return { answer };
  } catch (error) {
    outage.failed(error);
    return undefined;
  }
}
