import type { RegistrationAnswer, RegistrationOutcome, RegistrationQuery } from '@sluice/contracts';
import { isBehind, type Registration } from '@sluice/domain-registrations';
import type { EventStore } from '@sluice/event-store';
import type { KeyProvider } from '@sluice/service';
import type { RegistrationsHandler } from './registrations.handler.js';
import { personalOf } from './registration-personal.js';
import { registrationOf } from './registration-aggregate.js';

/** Answers queries by folding the streams of registrations, so answers are always current. */
export class RegistrationQueries {
  constructor(
    private readonly store: Pick<EventStore, 'readWithKey'>,
    private readonly handler: Pick<RegistrationsHandler, 'bringUpToDate'>,
    private readonly keys: KeyProvider,
  ) {}

  /** One registration of the asking tenant; somebody else's is answered like an unknown one. */
  async registration(query: RegistrationQuery): Promise<RegistrationAnswer> {
    const { registrationId, entityId, atVersion } = query;
    // What was true then is known: nobody is asked what has come of it since.
    if (atVersion !== undefined) return this.#answer(await this.#find(query));
    let found = await this.#find({ registrationId, entityId });
    let isStillBehind = false;
    const existingId = found?.state.existing?.registrationId;
    // It never became one of its own, and who was told its id means the one that was there.
    if (existingId !== undefined)
      return this.registration({ registrationId: existingId, entityId });
    if (found !== undefined && isBehind(found.state)) {
      ({ isBehind: isStillBehind } = await this.handler.bringUpToDate(registrationId));
      found = await this.#find({ registrationId, entityId });
    }
    return this.#answer(found, isStillBehind);
  }

  async #answer(
    found: FoundRegistration | undefined,
    isStillBehind = false,
  ): Promise<RegistrationAnswer> {
    if (found === undefined) return {};
    const { state, personalKey } = found;
    const { metadata, instrument, fingerprint, paymentId, parameters } = state;
    const { entityId, channelName, mode } = metadata;
    return {
      registration: {
        ...{ id: state.id, state: state.state, outcome: ownOutcome(state), entityId },
        ...{ channelName, mode, parameters },
        ...(isStillBehind && { isBehind: true }),
        ...(instrument !== undefined && { instrument }),
        ...(fingerprint !== undefined && { accountFingerprint: fingerprint }),
        ...(paymentId !== undefined && { paymentId }),
        personal: await personalOf(state, personalKey, this.keys),
      },
    };
  }

  async #find({
    registrationId,
    entityId,
    atVersion = Infinity,
  }: RegistrationQuery): Promise<FoundRegistration | undefined> {
    // By the stream's own id: those of what was done to it are no registration's.
    const found = await this.store.readWithKey(registrationId);
    if (found === undefined) return undefined;
    const state = registrationOf(found.events.filter(({ version }) => version <= atVersion));
    if (state?.metadata.entityId !== entityId) return undefined;
    const { personalKey } = found;
    return { state, ...(personalKey !== undefined && { personalKey }) };
  }
}

interface FoundRegistration {
  readonly state: Registration;
  readonly personalKey?: Buffer;
}

/** What became of the request that made it. */
function ownOutcome({ id, outcomes }: Registration): RegistrationOutcome {
  const outcome = outcomes.get(id);
  if (outcome === undefined) throw new Error('A registration without its own request.');
  return outcome;
}
