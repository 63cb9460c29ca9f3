import { openPersonal, type PersonalParameters, unwrapPersonalKey } from '@sluice/aggregates';
import type { RegistrationAnswer, RegistrationOutcome, RegistrationQuery } from '@sluice/contracts';
import type { Registration } from '@sluice/domain-registrations';
import type { EventStore } from '@sluice/event-store';
import type { KeyProvider } from '@sluice/service';
import type { RegistrationsHandler } from './registrations.handler.js';
import { registrationOf } from './registration-aggregate.js';

/** Answers queries by folding the streams of registrations, so answers are always current. */
export class RegistrationQueries {
  constructor(
    private readonly store: Pick<EventStore, 'readByTransaction'>,
    private readonly handler: Pick<RegistrationsHandler, 'lookAtPayment'>,
    private readonly keys: KeyProvider,
  ) {}

  /** One registration of the asking tenant; somebody else's is answered like an unknown one. */
  async registration({ registrationId, entityId }: RegistrationQuery): Promise<RegistrationAnswer> {
    let found = await this.#find(registrationId, entityId);
    if (found?.state.awaitedPaymentId !== undefined) {
      await this.handler.lookAtPayment(registrationId);
      found = await this.#find(registrationId, entityId);
    }
    if (found === undefined) return {};
    const { state, personalKey } = found;
    const { metadata, instrument, parameters } = state;
    return {
      registration: {
        ...{ id: state.id, state: state.state, outcome: ownOutcome(state), entityId },
        ...{ channelName: metadata.channelName, mode: metadata.mode, parameters },
        ...(instrument !== undefined && { instrument }),
        personal: await this.#personalOf(state, personalKey),
      },
    };
  }

  async #find(
    registrationId: string,
    entityId: string,
  ): Promise<{ readonly state: Registration; readonly personalKey?: Buffer } | undefined> {
    const found = await this.store.readByTransaction(registrationId);
    // The ids of what was done to it are in its stream, too.
    if (found?.streamId !== registrationId) return undefined;
    const state = registrationOf(found.events);
    if (state?.metadata.entityId !== entityId) return undefined;
    const { personalKey } = found;
    return { state, ...(personalKey !== undefined && { personalKey }) };
  }

  /** Empty once the key was destroyed, which is how personal data is erased (page 0010). */
  async #personalOf(
    { id, personal }: Registration,
    wrapped: Buffer | undefined,
  ): Promise<PersonalParameters> {
    if (personal === undefined || wrapped === undefined) return {};
    return openPersonal(await unwrapPersonalKey(this.keys, id, wrapped), id, personal);
  }
}

/** What became of the request that made it. */
function ownOutcome({ id, outcomes }: Registration): RegistrationOutcome {
  const outcome = outcomes.get(id);
  if (outcome === undefined) throw new Error('A registration without its own request.');
  return outcome;
}
