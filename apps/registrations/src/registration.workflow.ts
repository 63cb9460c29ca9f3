import {
  type Expiry,
  type KeepingVault,
  type KeptDetails,
  vaultReferenceOf,
} from '@sluice/contracts';
import type { Registration } from '@sluice/domain-registrations';
import type { TransactionId } from '@sluice/identifiers';
import { type Clock, type Logger, Outage } from '@sluice/service';
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

/**
 * What the vault has to do for a registration, what the payment says that it was asked for with, and
 * the record of it. Each step is recorded as
 * wanted before it is taken and may be taken again, so that a crash in between leaves nothing
 * behind (R-CRA).
 */
export class RegistrationWorkflow {
  readonly #vault: Outage;
  readonly #payments: Outage;

  constructor(private readonly parts: WorkflowParts) {
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
   */
  async proceed(stream: RegistrationStream): Promise<void> {
    const { state } = stream;
    if (state === undefined) return;
    const { awaitedPaymentId } = state;
    if (awaitedPaymentId !== undefined) await this.#ask(stream, awaitedPaymentId);
    else if (state.isToBeForgotten) await this.#forget(stream, state);
    else if (state.state === 'requested') await this.#keep(stream, state);
    else if (state.update?.expiry !== undefined)
      await this.#change(stream, state, state.update.expiry);
  }

  async #keep(stream: RegistrationStream, registration: Registration): Promise<void> {
    const { streams, writer, clock } = this.parts;
    const answered = await answerTo(this.#vault, () => this.#kept(registration));
    if (answered === undefined) return;
    const { answer: kept } = answered;
    await streams.inTurn(stream, () =>
      writer.record(stream, {
        ...{ type: 'RecordKeeping', nowMs: clock.now() },
        ...(kept !== undefined && { kept }),
      }),
    );
    this.#log(stream, kept === undefined ? 'not kept' : 'kept');
    const { awaitedPaymentId, isPaymentMade = false } = stream.state ?? {};
    // One that is still to be made decides nothing yet.
    if (isPaymentMade && awaitedPaymentId !== undefined) await this.#ask(stream, awaitedPaymentId);
  }

  async #kept({ id, merchantId, instrument }: Registration): Promise<KeptDetails | undefined> {
    const heldReference = instrument && vaultReferenceOf(instrument);
    if (heldReference === undefined || merchantId === undefined) return undefined;
    return this.parts.vault.keep({ heldReference, registrationId: id, merchantId });
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

  /** An approved payment confirms it; after a failed one, its details are forgotten at once. */
  async #ask(stream: RegistrationStream, paymentId: TransactionId): Promise<void> {
    const { streams, writer, payments, clock } = this.parts;
    const { metadata } = stream.state ?? {};
    if (metadata === undefined) return;
    const answered = await answerTo(this.#payments, () =>
      payments.decisionOf(paymentId, metadata.entityId),
    );
    if (answered === undefined) return;
    const { answer: payment } = answered;
    await streams.inTurn(stream, () =>
      writer.record(stream, {
        ...{ type: 'RecordPayment', nowMs: clock.now() },
        ...(payment !== undefined && { payment }),
      }),
    );
    const { state } = stream;
    if (state?.awaitedPaymentId !== undefined) return;
    this.#log(stream, state?.state === 'kept' ? 'confirmed' : 'abandoned');
    if (state?.isToBeForgotten === true) await this.#forget(stream, state);
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
