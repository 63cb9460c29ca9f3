import {
  type Expiry,
  type KeepingVault,
  type KeptBefore,
  type KeptDetails,
  vaultReferenceOf,
} from '@sluice/contracts';
import type { PaymentDecision, Registration } from '@sluice/domain-registrations';
import type { TransactionId } from '@sluice/identifiers';
import { type Clock, type Logger, Outage } from '@sluice/service';
import { ExistingRegistrations } from './existing-registrations.js';
import type { PaymentDecisions } from './payment-decisions.js';
import type {
  RegistrationStream,
  RegistrationStreams,
  RegistrationWriter,
} from './registration-aggregate.js';

/** The parts a workflow is made of. */
export interface WorkflowParts {
  readonly streams: RegistrationStreams;
  readonly writer: RegistrationWriter;
  readonly vault: KeepingVault;
  readonly payments: PaymentDecisions;
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>;
  readonly logger: Logger;
}

/** More than one registration of the same account that is over, and not forgotten yet, is rare. */
const KEEP_TRIES_MAX = 3;

/**
 * What the vault has to do for a registration, what the payment says that it was asked for with, and
 * the record of it. Each step is recorded as
 * wanted before it is taken and may be taken again, so that a crash in between leaves nothing
 * behind (R-CRA).
 */
export class RegistrationWorkflow {
  readonly #vault: Outage;
  readonly #payments: Outage;
  readonly #existing: ExistingRegistrations;

  constructor(private readonly parts: WorkflowParts) {
    this.#existing = new ExistingRegistrations(parts, (stream) => this.proceed(stream));
    this.#vault = new Outage(parts.clock, parts.logger, {
      begins: 'The vault neither keeps nor forgets for registrations; it is asked again.',
      goesOn: 'The vault still neither keeps nor forgets for registrations.',
      ends: 'The vault keeps and forgets for registrations again.',
    });
    this.#payments = new Outage(parts.clock, parts.logger, {
      begins: 'Payments does not say what became of payments; their registrations are pending.',
      goesOn: 'Payments still does not say what became of payments.',
      ends: 'Payments says again what became of payments.',
    });
  }

  /**
   * Takes the step that the stream says is open; the caller holds the stream. Without the vault, or
   * while the payment is not decided, it stays open, for the sweeper.
   * @returns false if payments did not say what it knows, so that the stream may be behind
   */
  async proceed(stream: RegistrationStream): Promise<boolean> {
    const { state } = stream;
    if (state === undefined) return true;
    if (state.awaitedPayments.length > 0) return this.#ask(stream, state);
    if (state.isToBeForgotten) await this.#forget(stream, state);
    else if (state.state === 'requested') await this.#keep(stream, state);
    else if (state.update?.expiry !== undefined)
      await this.#change(stream, state, state.update.expiry);
    return true;
  }

  async #keep(
    stream: RegistrationStream,
    registration: Registration,
    tries = KEEP_TRIES_MAX,
  ): Promise<void> {
    const answered = await answerTo(this.#vault, () => this.#kept(registration));
    if (answered === undefined) return;
    const { answer: kept } = answered;
    if (kept !== undefined && 'keptFor' in kept) await this.#useExisting(stream, kept, tries);
    else await this.#recordKeeping(stream, kept);
    const { state } = stream;
    // One that is still to be made decides nothing yet.
    if (state?.isPaymentMade === true && state.awaitedPayments.length > 0) {
      await this.#ask(stream, state);
    }
  }

  async #kept(registration: Registration): Promise<KeptDetails | KeptBefore | undefined> {
    const { id, merchantId, instrument, mayBeExisting } = registration;
    const heldReference = instrument && vaultReferenceOf(instrument);
    if (heldReference === undefined || merchantId === undefined) return undefined;
    return this.parts.vault.keep({
      ...{ heldReference, registrationId: id, merchantId },
      scope: scopeOf(registration),
      ...(mayBeExisting && { mayBeExisting }),
    });
  }

  async #recordKeeping(stream: RegistrationStream, kept: KeptDetails | undefined): Promise<void> {
    const { streams, writer, clock } = this.parts;
    await streams.inTurn(stream, () =>
      writer.record(stream, {
        ...{ type: 'RecordKeeping', nowMs: clock.now() },
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
  ): Promise<void> {
    const { streams, writer, vault, clock } = this.parts;
    const { state } = stream;
    if (state === undefined) return;
    const registrationId = keptFor as TransactionId;
    const standing = await this.#existing.storeAgain(registrationId, state.paymentId);
    switch (standing) {
      case 'open':
        return;
      case 'over':
        if ((await answerTo(this.#vault, () => vault.forgetKept(keptFor))) === undefined) return;
        // Whoever has taken its place by then is asked about later.
        if (tries > 1) await this.#keep(stream, state, tries - 1);
        return;
      case 'usable':
        break;
    }
    const isRenewed = state.paymentId === undefined && expiry !== undefined;
    if (isRenewed && !(await this.#existing.renew(registrationId, expiry, state.metadata))) return;
    const existing = { registrationId, ...(expiry !== undefined && { expiry }) };
    await streams.inTurn(stream, () =>
      writer.record(stream, { type: 'RecordExisting', nowMs: clock.now(), existing }),
    );
    this.#log(stream, 'kept before');
  }

  /** Only an expiry is the vault's. The revision makes it one change, however often it is asked for. */
  async #change(
    stream: RegistrationStream,
    { id: registrationId, revision }: Registration,
    expiry: Expiry,
  ): Promise<void> {
    const { streams, writer, vault, clock } = this.parts;
    const answered = await answerTo(this.#vault, () =>
      vault.changeKept({ registrationId, revision, expiry }),
    );
    if (answered === undefined) return;
    const { answer: isChanged } = answered;
    await streams.inTurn(stream, () =>
      writer.record(stream, { type: 'RecordUpdate', nowMs: clock.now(), isChanged }),
    );
    this.#log(stream, isChanged ? 'changed' : 'not changed');
  }

  /**
   * An approved payment confirms it; after failed ones, its details are forgotten at once.
   * @returns false if payments did not answer
   */
  async #ask(stream: RegistrationStream, registration: Registration): Promise<boolean> {
    const { streams, writer, clock } = this.parts;
    const answered = await answerTo(this.#payments, () => this.#decisionsOf(registration));
    if (answered === undefined) return false;
    const { answer: decided } = answered;
    const { existing, metadata } = registration;
    const isApproved = [...decided.values()].some(({ kind }) => kind === 'approved');
    // What the payment has shown to be good is taken over, before nobody looks at this any more.
    if (isApproved && existing?.expiry !== undefined) {
      const { registrationId, expiry } = existing;
      if (!(await this.#existing.renew(registrationId, expiry, metadata))) return true;
    }
    await streams.inTurn(stream, () =>
      writer.record(stream, { type: 'RecordPayments', nowMs: clock.now(), payments: decided }),
    );
    const { state } = stream;
    // Deleted meanwhile: whoever did that has it forgotten.
    if (state === undefined || state.awaitedPayments.length > 0 || state.state === 'ended') {
      return true;
    }
    this.#log(stream, isApproved ? 'confirmed' : 'abandoned');
    if (state.isToBeForgotten) await this.#forget(stream, state);
    return true;
  }

  async #decisionsOf({
    awaitedPayments,
    metadata,
  }: Registration): Promise<ReadonlyMap<string, PaymentDecision>> {
    const decided = new Map<string, PaymentDecision>();
    for (const { paymentId } of awaitedPayments) {
      const decision = await this.parts.payments.decisionOf(paymentId, metadata.entityId);
      if (decision !== undefined) decided.set(paymentId, decision);
    }
    return decided;
  }

  async #forget(stream: RegistrationStream, { id }: Registration): Promise<void> {
    const { streams, writer, vault, clock } = this.parts;
    if ((await answerTo(this.#vault, () => vault.forgetKept(id))) === undefined) return;
    await streams.inTurn(stream, () =>
      writer.record(stream, { type: 'RecordForgetting', nowMs: clock.now() }),
    );
    this.#log(stream, 'forgotten');
  }

  /** One line per step, which continues the trail that edge's line begins (S-LOG-02). */
  #log({ id, state }: RegistrationStream, what: string): void {
    const { ndc } = state?.metadata ?? {};
    this.parts.logger.info({ ndc, registrationId: id, details: what }, 'outcome');
  }
}

/**
 * Within which the same account is stored once. Another channel could not use it, a test is nothing to
 * pay with, and at another provider the same e-mail address is another account.
 */
function scopeOf({ metadata, instrument }: Registration): string {
  const { entityId, mode } = metadata;
  const provider = instrument?.kind === 'virtualAccount' ? [instrument.brand] : [];
  return [entityId, mode, ...provider].join('|');
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
