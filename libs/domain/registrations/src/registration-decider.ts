import { type Decider, isPayable, type Mode, type RegistrationOutcome } from '@sluice/contracts';
import { codes, describeResult, successCode } from '@sluice/result-codes';
import { awaitedGivenUp, paymentsRecorded } from './awaited-payment.js';
import type {
  ChangeRegistration,
  ExpireRegistration,
  RecordExisting,
  RecordKeeping,
  RegistrationCommand,
  RequestRegistration,
  UpdateRegistration,
} from './commands.js';
import { updateDecided, updateGivenUp, updateRecorded } from './registration-update.js';
import { evolve, type Registration, type RegistrationStreamState } from './registration.js';
import type { RegistrationEvent } from './registration-events.js';
import { extendedUntil, keptUntil } from './retention.js';
import { paymentAwaited, storedAgain } from './stored-again.js';

/** As many as a payment has transactions (D-09): a stream stays short enough to be read whole. */
export const UPDATES_MAX = 1_000;
/** The same: each is recorded, so that whoever was told its id finds it. */
export const EXTENSIONS_MAX = 1_000;
/** What to do about 100.150.201, by what is waited for. */
const PAYMENT_UNDECIDED = unconfirmed('its payment is not decided yet; it can be deleted');
const NOT_STORED_YET = unconfirmed('it is still being stored: send this again in a minute');
const TOO_MANY_UPDATES = tooMany(`changed ${String(UPDATES_MAX)}`);
const TOO_MANY_EXTENSIONS = tooMany(`extended ${String(EXTENSIONS_MAX)}`);

/** Of a payment that was made before, which the vault forgets seconds after it (page 0011). */
const GONE = {
  resultCode: codes.registrationDetailsGone,
  resultDescription: `${describeResult(codes.registrationDetailsGone)} - what a payment is made with is forgotten seconds after it: send createRegistration=true with the payment`,
};

/** The rules of registrations (Interface 2.16, wire contract 4). */
export const registrationDecider: Decider<
  RegistrationCommand,
  RegistrationStreamState,
  RegistrationEvent
> = { initialState: undefined, decide, evolve };

function decide(
  command: RegistrationCommand,
  state: RegistrationStreamState,
): readonly RegistrationEvent[] {
  if (command.type === 'RequestRegistration') {
    return state === undefined ? [requested(command)] : [];
  }
  if (state === undefined) throw new Error(`${command.type} of a registration that is not there.`);
  switch (command.type) {
    case 'ChangeRegistration':
      return isDecided(command, state)
        ? []
        : [
            ...updateGivenUp(command, state),
            ...awaitedGivenUp(command, state),
            changed(command, state),
          ];
    case 'UpdateRegistration':
      // One at a time: the vault makes changes in the order in which they were asked for.
      return isDecided(command, state) || state.update !== undefined
        ? []
        : updateDecided(command, state);
    case 'RecordUpdate':
      return updateRecorded(command, state);
    case 'RecordKeeping':
      return isToBeKept(state) ? [keepingRecorded(command, state)] : [];
    case 'RecordExisting':
      return isToBeKept(state) ? [existingRecorded(command, state)] : [];
    case 'StoreAgain':
      return storedAgain(command, state);
    case 'AwaitRepetition':
      return paymentAwaited(command, state);
    case 'RecordPayments':
      return paymentsRecorded(command, state);
    case 'ExpireRegistration':
      return isOver(state, command.nowMs) ? expired(command, state) : [];
    case 'RecordForgetting':
      return state.isToBeForgotten ? [{ type: 'DetailsForgotten', ...own(state, command) }] : [];
  }
}

/** Whether the vault has not answered yet. */
function isToBeKept({ state, awaitedPayments }: Registration): boolean {
  return state === 'requested' && awaitedPayments.length === 0;
}

/** Repeated, or of one of which nothing is recorded. */
function isDecided(
  command: ChangeRegistration | UpdateRegistration,
  registration: Registration,
): boolean {
  return (
    registration.outcomes.has(command.transactionId) ||
    unrecordedOutcome(command, registration) !== undefined
  );
}

function requested(command: RequestRegistration): RegistrationEvent {
  const { transactionId, instrument, merchantId, parameters, personal, metadata } = command;
  const { rejection, resultDescription, paymentId, isPaymentMade, mayBeExisting } = command;
  const sealed = personal === undefined ? {} : { personal };
  if (rejection === undefined && isPayable(instrument)) {
    const asked = {
      ...(paymentId !== undefined && { paymentId }),
      ...(isPaymentMade !== undefined && { isPaymentMade }),
      ...(mayBeExisting !== undefined && { mayBeExisting }),
    };
    const data = { transactionId, instrument, merchantId, parameters, ...asked, ...sealed };
    return { type: 'RegistrationRequested', data, metadata };
  }
  const resultCode = rejection ?? codes.notConfigured;
  const described = resultDescription === undefined ? {} : { resultDescription };
  return {
    type: 'RegistrationRejected',
    data: { transactionId, resultCode, instrument, parameters, ...described, ...sealed },
    metadata,
  };
}

function changed(
  { operation, transactionId, parameters, metadata }: ChangeRegistration,
  { id: referencedId, keptUntilMs = 0 }: Registration,
): RegistrationEvent {
  const resultCode = successCode(metadata.mode);
  const request = { transactionId, referencedId, resultCode, parameters };
  if (operation === 'deletion') return { type: 'RegistrationDeleted', data: request, metadata };
  const until = extendedUntil(keptUntilMs, metadata.recordedAtMs);
  return { type: 'LifeExtended', data: { ...request, keptUntilMs: until }, metadata };
}

/**
 * The refusal of what cannot be done to it, of which nothing is recorded: it may be sent a thousand
 * times. Undefined for what is to be decided.
 */
export function unrecordedOutcome(
  command: ChangeRegistration | UpdateRegistration,
  registration: Registration,
): RegistrationOutcome | undefined {
  const { transactionId: id, metadata } = command;
  if (registration.outcomes.has(id)) return undefined;
  const operation = command.type === 'UpdateRegistration' ? 'update' : command.operation;
  const outcome = { id, referencedId: registration.id, operation } as const;
  const refusal = refusalOf(registration, operation) ?? refusalOfMode(metadata.mode, registration);
  if (refusal !== undefined) return { ...outcome, status: 'rejected', ...refusal };
  switch (operation) {
    case 'update':
      return registration.revision < UPDATES_MAX ? undefined : { ...outcome, ...TOO_MANY_UPDATES };
    case 'extension':
      return extensionsOf(registration) < EXTENSIONS_MAX
        ? undefined
        : { ...outcome, ...TOO_MANY_EXTENSIONS };
    case 'deletion':
      return undefined;
  }
}

type Refusal = Pick<RegistrationOutcome, 'resultCode' | 'resultDescription'>;

function tooMany(what: string): Refusal & Pick<RegistrationOutcome, 'status'> {
  const resultCode = codes.notConfigured;
  const resultDescription = `${describeResult(resultCode)} - a registration is ${what} times at the most`;
  return { status: 'rejected', resultCode, resultDescription };
}

function unconfirmed(why: string): Refusal {
  const resultCode = codes.registrationUnconfirmed;
  return { resultCode, resultDescription: `${describeResult(resultCode)} - ${why}` };
}

function extensionsOf({ outcomes }: Registration): number {
  return [...outcomes.values()].filter(({ operation }) => operation === 'extension').length;
}

/** Wire contract 4: the code of a second deletion, which clients take for done. */
function refusalOf(
  { state, awaitedPayments }: Registration,
  operation: 'update' | ChangeRegistration['operation'],
): Refusal | undefined {
  switch (state) {
    case 'kept':
      return undefined;
    case 'requested':
      if (awaitedPayments.length === 0) return NOT_STORED_YET;
      // The vault has it, and can forget it whatever becomes of the payment.
      return operation === 'deletion' ? undefined : PAYMENT_UNDECIDED;
    case 'ended':
      return { resultCode: codes.registrationClosed };
    case 'never':
      return { resultCode: codes.registrationUnknown };
  }
}

/** What is done to it has its mode (D-64). */
function refusalOfMode(mode: Mode, { metadata }: Registration): Refusal | undefined {
  return mode === metadata.mode ? undefined : { resultCode: codes.modeDiffers };
}

function keepingRecorded(
  { kept, nowMs }: RecordKeeping,
  { id: transactionId, instrument, metadata, isPaymentMade }: Registration,
): RegistrationEvent {
  if (kept === undefined) {
    const data = { transactionId, ...(isPaymentMade ? GONE : { resultCode: codes.notPerformed }) };
    return { type: 'DetailsNotKept', data, metadata: { ...metadata, recordedAtMs: nowMs } };
  }
  const { reference: vaultReference, fingerprint } = kept;
  return {
    type: 'DetailsKept',
    data: {
      ...{ transactionId, resultCode: successCode(metadata.mode), vaultReference, fingerprint },
      keptUntilMs: keptUntil(instrument, metadata.recordedAtMs),
    },
    metadata: { ...metadata, recordedAtMs: nowMs },
  };
}

function existingRecorded(
  { existing, nowMs }: RecordExisting,
  { id: transactionId, metadata }: Registration,
): RegistrationEvent {
  return {
    type: 'ExistingFound',
    data: { transactionId, resultCode: successCode(metadata.mode), ...existing },
    metadata: { ...metadata, recordedAtMs: nowMs },
  };
}

function expired(command: ExpireRegistration, registration: Registration): RegistrationEvent[] {
  const { metadata } = registration;
  const now = { metadata: { ...metadata, recordedAtMs: command.nowMs } };
  return [
    ...updateGivenUp(now, registration),
    { type: 'RegistrationExpired', ...own(registration, command) },
  ];
}

function isOver({ state, keptUntilMs = Infinity }: Registration, nowMs: number): boolean {
  return state === 'kept' && nowMs >= keptUntilMs;
}

function own(
  { id, metadata }: Registration,
  { nowMs }: { readonly nowMs: number },
): Pick<Extract<RegistrationEvent, { type: 'DetailsForgotten' }>, 'data' | 'metadata'> {
  return { data: { registrationId: id }, metadata: { ...metadata, recordedAtMs: nowMs } };
}
