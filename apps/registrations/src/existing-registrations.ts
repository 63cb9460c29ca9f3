import { isInfrastructure, type Proposal, type WriteResult } from '@sluice/aggregates';
import type { Expiry, RegistrationEventMetadata } from '@sluice/contracts';
import {
  type Registration,
  type RegistrationCommand,
  unrecordedOutcome,
  type UpdateRegistration,
} from '@sluice/domain-registrations';
import { newMessageId, newTransactionIdInChainOf, type TransactionId } from '@sluice/identifiers';
import type { Clock } from '@sluice/service';
import type {
  RegistrationStream,
  RegistrationStreams,
  RegistrationWriter,
} from './registration-aggregate.js';

/** How a registration stands whose account is to be stored again: `open` until somebody looks again. */
export type Standing = 'usable' | 'over' | 'open';

/** The parts of the registrations that have an account already. */
export interface ExistingRegistrationsParts {
  readonly streams: RegistrationStreams;
  readonly writer: RegistrationWriter;
  readonly clock: Pick<Clock, 'now'>;
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
            ...{ type: 'StoreAgain', nowMs: clock.now() },
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

  /** Takes over another expiry, as a change of it would; false if that has to be tried again. */
  async renew(
    registrationId: TransactionId,
    expiry: Expiry,
    request: RegistrationEventMetadata,
  ): Promise<boolean> {
    return this.#with(registrationId, async (stream) => {
      const { streams, clock } = this.parts;
      // One change at a time.
      if (stream.state?.update !== undefined) await this.proceed(stream);
      const nowMs = clock.now();
      const transactionId = newTransactionIdInChainOf(registrationId, nowMs);
      const metadata = { ...request, recordedAtMs: nowMs };
      const command: UpdateRegistration = {
        ...{ type: 'UpdateRegistration', transactionId, parameters: {}, expiry, metadata },
      };
      const claims = { commandId: newMessageId(nowMs), transactionIds: [transactionId] };
      const result = await streams.inTurn(stream, () =>
        this.#accepted(stream, () => {
          const answered = { kind: 'answered', answer: undefined } as const;
          return isDone(command, stream.state) ? answered : { kind: 'command', command, claims };
        }),
      );
      if (result?.kind === 'recorded') await this.proceed(stream);
      return result?.kind === 'recorded' || result?.kind === 'answered';
    });
  }

  /** Undefined while the database is away. */
  async #accepted(
    stream: RegistrationStream,
    propose: () => Proposal<RegistrationCommand, undefined>,
  ): Promise<WriteResult<undefined> | undefined> {
    try {
      return await this.parts.writer.accept(stream, () => Promise.resolve(propose()));
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

/** It has this expiry, or nothing of it can be changed any more. */
function isDone(command: UpdateRegistration, state: Registration | undefined): boolean {
  if (state === undefined || unrecordedOutcome(command, state) !== undefined) return true;
  const { instrument } = state;
  if (state.update !== undefined || instrument === undefined || !('expiryYear' in instrument)) {
    return false;
  }
  const { expiry } = command;
  return instrument.expiryMonth === expiry?.month && instrument.expiryYear === expiry?.year;
}
