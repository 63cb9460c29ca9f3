import { type KeepingVault, type KeptDetails, vaultReferenceOf } from '@sluice/contracts';
import type { Registration } from '@sluice/domain-registrations';
import { type Clock, type Logger, Outage } from '@sluice/service';
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
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>;
  readonly logger: Logger;
}

/**
 * What the vault has to do for a registration, and the record of it. Each step is recorded as
 * wanted before it is taken and may be taken again, so that a crash in between leaves nothing
 * behind (R-CRA).
 */
export class RegistrationWorkflow {
  readonly #outage: Outage;

  constructor(private readonly parts: WorkflowParts) {
    this.#outage = new Outage(parts.clock, parts.logger, {
      begins: 'The vault neither keeps nor forgets for registrations; it is asked again.',
      goesOn: 'The vault still neither keeps nor forgets for registrations.',
      ends: 'The vault keeps and forgets for registrations again.',
    });
  }

  /**
   * Takes the step that the stream says is open; the caller holds the stream. Without the vault it
   * stays open, for the sweeper.
   */
  async proceed(stream: RegistrationStream): Promise<void> {
    const { state } = stream;
    if (state === undefined) return;
    if (state.isToBeForgotten) await this.#forget(stream, state);
    else if (state.state === 'requested') await this.#keep(stream, state);
  }

  async #keep(stream: RegistrationStream, registration: Registration): Promise<void> {
    const { streams, writer, clock } = this.parts;
    const answered = await this.#answerTo(() => this.#kept(registration));
    if (answered === undefined) return;
    const { answer: kept } = answered;
    await streams.inTurn(stream, () =>
      writer.record(stream, {
        ...{ type: 'RecordKeeping', nowMs: clock.now() },
        ...(kept !== undefined && { kept }),
      }),
    );
    this.#log(stream, kept === undefined ? 'not kept' : 'kept');
  }

  async #kept({ id, merchantId, instrument }: Registration): Promise<KeptDetails | undefined> {
    const heldReference = instrument && vaultReferenceOf(instrument);
    if (heldReference === undefined || merchantId === undefined) return undefined;
    return this.parts.vault.keep({ heldReference, registrationId: id, merchantId });
  }

  async #forget(stream: RegistrationStream, { id }: Registration): Promise<void> {
    const { streams, writer, vault, clock } = this.parts;
    if ((await this.#answerTo(() => vault.forgetKept(id))) === undefined) return;
    await streams.inTurn(stream, () =>
      writer.record(stream, { type: 'RecordForgetting', nowMs: clock.now() }),
    );
    this.#log(stream, 'forgotten');
  }

  /** Undefined if the vault does not answer. */
  async #answerTo<Answer>(
    question: () => Promise<Answer>,
  ): Promise<{ readonly answer: Answer } | undefined> {
    try {
      const answer = await question();
      this.#outage.over();
      return { answer };
    } catch (error) {
      this.#outage.failed(error);
      return undefined;
    }
  }

  /** One line per step, which continues the trail that edge's line begins (S-LOG-02). */
  #log({ id, state }: RegistrationStream, what: string): void {
    const { ndc } = state?.metadata ?? {};
    this.parts.logger.info({ ndc, registrationId: id, details: what }, 'outcome');
  }
}
