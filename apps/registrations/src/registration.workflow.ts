import { type KeepingVault, vaultReferenceOf } from '@sluice/contracts';
import type { Registration } from '@sluice/domain-registrations';
import type { Clock, Logger } from '@sluice/service';
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
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

/**
 * What the vault has to do for a registration, and the record of it. Each step is recorded as
 * wanted before it is taken and may be taken again, so that a crash in between leaves nothing
 * behind (R-CRA).
 */
export class RegistrationWorkflow {
  constructor(private readonly parts: WorkflowParts) {}

  /** Takes the step that the stream says is open; the caller holds the stream. Rejects without the vault. */
  async proceed(stream: RegistrationStream): Promise<void> {
    const { state } = stream;
    if (state === undefined) return;
    if (state.isToBeForgotten) await this.#forget(stream, state);
    else if (state.state === 'requested') await this.#keep(stream, state);
  }

  async #keep(stream: RegistrationStream, { id, merchantId, instrument }: Registration) {
    const { streams, writer, vault, clock } = this.parts;
    const heldReference = instrument && vaultReferenceOf(instrument);
    const kept =
      heldReference === undefined || merchantId === undefined
        ? undefined
        : await vault.keep({ heldReference, registrationId: id, merchantId });
    await streams.inTurn(stream, () =>
      writer.record(stream, {
        ...{ type: 'RecordKeeping', nowMs: clock.now() },
        ...(kept !== undefined && { kept }),
      }),
    );
    this.#log(stream, kept === undefined ? 'not kept' : 'kept');
  }

  async #forget(stream: RegistrationStream, { id }: Registration): Promise<void> {
    const { streams, writer, vault, clock } = this.parts;
    await vault.forgetKept(id);
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
