import {
  isInfrastructure,
  type PersonalParameters,
  type Proposal,
  sealParameters,
  type WriteResult,
} from '@sluice/aggregates';
import type { Expiry } from '@sluice/contracts';
import {
  isBehind,
  type Registration,
  type RegistrationCommand,
  unrecordedOutcome,
  type UpdateRegistration,
} from '@sluice/domain-registrations';
import { newMessageId, newTransactionIdInChainOf, type TransactionId } from '@sluice/identifiers';
import type { Clock, EntityClock } from '@sluice/service';
import type {
  RegistrationStream,
  RegistrationStreams,
  RegistrationWriter,
} from './registration-aggregate.js';
import {
  isOfOtherMandate,
  personalIn,
  type PersonalParts,
  withoutMandate,
} from './registration-personal.js';

/** How a registration stands whose account is to be stored again: `open` until somebody looks again. */
export type Standing = 'usable' | 'over' | 'open';

const ACCOUNT = 'bankAccount.';
const NOTHING_TO_DO = { kind: 'answered', answer: undefined } as const;

/** What the request says that is answered with another registration. */
interface Renewing extends Pick<Registration, 'metadata'> {
  /** What is personal of it. */
  readonly said: PersonalParameters;
  /** If it is another than the registration's. */
  readonly expiry: Expiry | undefined;
}

/** The parts of the registrations that have an account already. */
export interface ExistingRegistrationsParts extends PersonalParts {
  readonly streams: RegistrationStreams;
  readonly writer: RegistrationWriter;
  /** Its time is in ids. */
  readonly machine: Pick<Clock, 'now'>;
  readonly clock: Pick<EntityClock, 'nowOf'>;
}

/**
 * What the request to store an account again means for the registration that has it (page 0060).
 * Everything may be asked for again, so the request stays open until it is done.
 */
export class ExistingRegistrations {
  /** @param proceed takes the step that a stream says is open */
  constructor(
    private readonly parts: ExistingRegistrationsParts,
    private readonly proceed: (stream: RegistrationStream) => Promise<unknown>,
  ) {}

  /** Makes sure that it lasts as long as the payment may be approved that is answered with it. */
  async storeAgain(
    registrationId: TransactionId,
    paymentId: TransactionId | undefined,
  ): Promise<Standing> {
    return this.#with(registrationId, async (stream) => {
      const { streams, writer, clock } = this.parts;
      // Whoever made it may have died between the vault's answer and the record of it.
      if (isBeingKept(stream.state)) await this.proceed(stream);
      const tell = (): Promise<boolean> =>
        streams.inTurn(stream, () =>
          writer.record(stream, {
            ...{ type: 'StoreAgain', nowMs: clock.nowOf(stream.state) },
            ...(paymentId !== undefined && { paymentId }),
          }),
        );
      await tell();
      if (standingOf(stream.state, paymentId) === 'open') {
        // It waits for as many payments as it can; one of them may be approved by now.
        await this.proceed(stream);
        await tell();
      }
      return standingOf(stream.state, paymentId);
    });
  }

  /**
   * Takes over another expiry or mandate that the account came with, as a change of it would; false if
   * that has to be tried again.
   * @param expiry if it is another
   */
  async renew(
    registrationId: TransactionId,
    request: RegistrationStream,
    expiry: Expiry | undefined,
  ): Promise<boolean> {
    const asked = request.state;
    if (asked === undefined) return true;
    if (expiry === undefined && asked.instrument?.kind !== 'bankAccount') return true;
    return this.#with(registrationId, async (stream) => {
      // One change at a time, and none before a payment has confirmed it.
      if (stream.state !== undefined && isBehind(stream.state)) await this.proceed(stream);
      const result = await this.parts.streams.inTurn(stream, () =>
        this.#accepted(stream, async () => {
          const said = await personalIn(request, asked, this.parts);
          return this.#renewal(stream, { ...asked, said, expiry });
        }),
      );
      if (result?.kind === 'recorded') await this.proceed(stream);
      return result?.kind === 'recorded' || result?.kind === 'answered';
    });
  }

  async #renewal(
    stream: RegistrationStream,
    { metadata: requested, said, expiry }: Renewing,
  ): Promise<Proposal<RegistrationCommand, undefined>> {
    const { state } = stream;
    if (state === undefined) return NOTHING_TO_DO;
    const { machine, clock } = this.parts;
    const machineMs = machine.now();
    const transactionId = newTransactionIdInChainOf(stream.id as TransactionId, machineMs);
    const metadata = { ...requested, recordedAtMs: clock.nowOf(state) };
    const asked: UpdateRegistration = {
      ...{ type: 'UpdateRegistration', transactionId, parameters: {}, metadata },
      ...(expiry !== undefined && !hasExpiry(state, expiry) && { expiry }),
    };
    // Nothing of it can be changed any more.
    if (unrecordedOutcome(asked, state) !== undefined) return NOTHING_TO_DO;
    const personal = withMandateOf(said, await personalIn(stream, state, this.parts));
    const block =
      personal && (await sealParameters(stream, { transactionId, personal }, this.parts));
    const command = { ...asked, ...(block?.personal && { personal: block.personal }) };
    if (command.expiry === undefined && command.personal === undefined) return NOTHING_TO_DO;
    const claims = {
      ...{ commandId: newMessageId(machineMs), transactionIds: [transactionId] },
      ...(block?.personalKey !== undefined && { personalKey: block.personalKey }),
    };
    return { kind: 'command', command, claims };
  }

  /** Undefined while the database is away. */
  async #accepted(
    stream: RegistrationStream,
    propose: () => Promise<Proposal<RegistrationCommand, undefined>>,
  ): Promise<WriteResult<undefined> | undefined> {
    try {
      return await this.parts.writer.accept(stream, propose);
    } catch (error) {
      if (isInfrastructure(error)) return undefined;
      throw error;
    }
  }

  async #with<Result>(
    id: TransactionId,
    work: (stream: RegistrationStream) => Promise<Result>,
  ): Promise<Result> {
    const { streams, writer } = this.parts;
    const stream = streams.hold(id);
    try {
      // Not as somebody here has it in memory: another process may have ended it.
      await streams.inTurn(stream, () => writer.reload(stream));
      return await work(stream);
    } finally {
      streams.release(stream);
    }
  }
}

function isBeingKept(state: Registration | undefined): boolean {
  return state?.state === 'requested' && state.awaitedPayments.length === 0;
}

/** Of one that waits for a payment: whether it waits for this one, too. */
export function standingOf(
  state: Registration | undefined,
  paymentId: TransactionId | undefined,
): Standing {
  switch (state?.state) {
    case 'kept':
      return 'usable';
    case 'requested':
      // Too many payments are waited for already, or the vault has not said yet that it has it.
      return state.awaitedPayments.some((each) => each.paymentId === paymentId) ? 'usable' : 'open';
    case 'ended':
    case 'never':
    case undefined: // None whose events are there: nobody could use it.
      return 'over';
  }
}

/** No change is open in which it may get another one. */
function hasExpiry({ update, instrument }: Registration, { month, year }: Expiry): boolean {
  if (update !== undefined || instrument === undefined || !('expiryYear' in instrument)) {
    return false;
  }
  return instrument.expiryMonth === month && instrument.expiryYear === year;
}

/**
 * What is personal once another mandate is taken over, with what else was said of the account: a mandate
 * holds for who signed it. Undefined where no other one was said.
 */
function withMandateOf(
  said: PersonalParameters,
  before: PersonalParameters,
): PersonalParameters | undefined {
  if (!isOfOtherMandate(said, before)) return undefined;
  const ofAccount = Object.entries(said).filter(([name]) => name.startsWith(ACCOUNT));
  return { ...withoutMandate(before), ...Object.fromEntries(ofAccount) };
}
