import type { CheckoutEventMetadata, Decider } from '@sluice/contracts';
import {
  type Attempt,
  attemptOf,
  type Checkout,
  type CheckoutState,
  evolve,
  latestAttempt,
  revisionOf,
} from './checkout.js';
import type { CheckoutEvent } from './checkout-events.js';
import type {
  CheckoutCommand,
  CreateCheckout,
  RecordAttempt,
  RecordReversal,
  SaveForm,
  SubmitAttempt,
  UpdateCheckout,
} from './commands.js';
import {
  isExpired,
  isGone,
  RESULT_CALL_AFTER_MS,
  REVERSALS_MAX,
  SAVINGS_MAX,
  UNSUCCESSFUL_ATTEMPTS_MAX,
} from './session.js';

/** What a checkout does: pure functions over its events, with the time in the command. */
export const checkoutDecider: Decider<CheckoutCommand, CheckoutState, CheckoutEvent> = {
  initialState: undefined,
  decide,
  evolve,
};

/**
 * The events of a command in this state; none where it changes nothing. Whether a request was
 * refused, and why, is told by `refusalOf`.
 */
function decide(command: CheckoutCommand, state: CheckoutState): CheckoutEvent[] {
  if (command.type === 'CreateCheckout') return state === undefined ? [created(command)] : [];
  if (state === undefined) return [];
  switch (command.type) {
    case 'UpdateCheckout': {
      if (refusalOf(command, state) !== undefined) return [];
      const { parameters, metadata } = command;
      if (state.changedBy.includes(metadata.causationId)) return [];
      const data = { checkoutId: state.id, parameters, ...optionalOf(command) };
      return [{ type: 'CheckoutUpdated', data, metadata }];
    }
    case 'SubmitAttempt':
      return refusalOf(command, state) === undefined ? submitted(command, state) : [];
    case 'SaveForm':
      return refusalOf(command, state) === undefined ? formSaved(command, state) : [];
    case 'RecordAttempt':
      return attemptRecorded(command, state);
    case 'RecordReversal':
      return reversalRecorded(command, state);
    case 'ServeStatus': {
      const attempt = latestAttempt(state);
      if (isGone(state, command.nowMs) || attempt?.state !== 'succeeded') return [];
      const { transactionId } = attempt;
      return [{ type: 'StatusServed', data: { transactionId }, metadata: at(state, command) }];
    }
    case 'DeleteCheckout':
      return deletionOf(state, command.nowMs) === 'possible'
        ? [
            {
              type: 'CheckoutDeleted',
              data: { checkoutId: state.id },
              metadata: at(state, command),
            },
          ]
        : [];
    case 'CallForResult':
      return isToBeCalled(state, command.nowMs)
        ? [{ type: 'ResultCalled', data: { checkoutId: state.id }, metadata: at(state, command) }]
        : [];
  }
}

/**
 * Why a request about a checkout is refused. `gone`: it is over, and answers as one that never was.
 * `underWay`: an attempt of which nothing is known yet may still succeed. `succeeded`: one has.
 * `exhausted`: too many have not, or too much was saved. `savedOtherwise`: something else is saved than
 * who asks believes, or nothing. `changed`: the attempt is made of what the merchant has changed since.
 */
export type CheckoutRefusal =
  'gone' | 'underWay' | 'succeeded' | 'exhausted' | 'savedOtherwise' | 'changed';

/** What a request that may be refused says of itself. */
export type RefusableRequest =
  | Pick<UpdateCheckout, 'type' | 'metadata'>
  | Pick<SubmitAttempt, 'type' | 'metadata' | 'transactionId' | 'saved' | 'revision'>
  | Pick<SaveForm, 'type' | 'metadata' | 'transactionId' | 'saved'>;

/** Undefined for what is to be done, and for the repetition of what was done. */
export function refusalOf(
  command: RefusableRequest,
  checkout: Checkout,
): CheckoutRefusal | undefined {
  if (isRepeated(command, checkout)) return undefined;
  if (isGone(checkout, command.metadata.recordedAtMs)) return 'gone';
  const attempt = latestAttempt(checkout);
  if (attempt?.state === 'succeeded') return 'succeeded';
  if (command.type === 'UpdateCheckout') {
    return attempt !== undefined && isUndecided(attempt) ? 'underWay' : undefined;
  }
  if (attempt?.state === 'submitted') return 'underWay';
  // The purpose without an amount has nothing that could be reversed.
  if (attempt?.state === 'open' && checkout.purpose === 'registration') return 'underWay';
  const saved = checkout.saved?.id ?? 'nothing';
  if (command.saved !== undefined && command.saved !== saved) return 'savedOtherwise';
  if (command.type === 'SaveForm' && checkout.savings >= SAVINGS_MAX) return 'exhausted';
  if (checkout.attempts.length >= UNSUCCESSFUL_ATTEMPTS_MAX) return 'exhausted';
  if (command.type === 'SaveForm') return undefined;
  // Nobody is charged an amount of which the merchant was told that it is no more.
  const { revision = revisionOf(checkout) } = command;
  return revision === revisionOf(checkout) ? undefined : 'changed';
}

/**
 * Whether a merchant can delete it: `pending` while an attempt may still succeed, or has succeeded and
 * nobody has read that, because the shopper may have paid.
 */
export function deletionOf(checkout: Checkout, nowMs: number): 'possible' | 'pending' | 'gone' {
  if (isGone(checkout, nowMs)) return 'gone';
  const attempt = latestAttempt(checkout);
  if (attempt === undefined) return 'possible';
  return isUndecided(attempt) || attempt.state === 'succeeded' ? 'pending' : 'possible';
}

/** Whether the shopper is completing it, or has completed it: what it is of is settled then. */
export function isBegun(checkout: Checkout): boolean {
  const attempt = latestAttempt(checkout);
  return attempt !== undefined && (attempt.state === 'succeeded' || isUndecided(attempt));
}

function isRepeated(command: RefusableRequest, checkout: Checkout): boolean {
  switch (command.type) {
    case 'UpdateCheckout':
      return false;
    case 'SubmitAttempt':
      return attemptOf(checkout, command.transactionId) !== undefined;
    case 'SaveForm':
      return checkout.saved?.id === command.transactionId;
  }
}

/** Whether the merchant's page of results has to be called (Interface 3). */
export function isToBeCalled(checkout: Checkout, nowMs: number): boolean {
  const { createdAtMs, attempts, isCalled } = checkout;
  if (isCalled || isGone(checkout, nowMs) || attempts.length === 0) return false;
  return nowMs >= createdAtMs + RESULT_CALL_AFTER_MS;
}

function isUndecided({ state }: Attempt): boolean {
  return state === 'submitted' || state === 'open';
}

function created(command: CreateCheckout): CheckoutEvent {
  const { checkoutId, purpose, parameters, script, metadata } = command;
  const pinned = script === undefined ? {} : { script };
  const data = { checkoutId, purpose, parameters, ...optionalOf(command), ...pinned };
  return { type: 'CheckoutCreated', data, metadata };
}

/** An attempt that was open is given up for the new one, before anybody knows how either ends. */
function submitted(command: SubmitAttempt, checkout: Checkout): CheckoutEvent[] {
  const { transactionId, personal, isOfSaved, metadata } = command;
  if (attemptOf(checkout, transactionId) !== undefined) return [];
  const { saved } = checkout;
  const data = {
    transactionId,
    ...(personal !== undefined && { personal }),
    ...(isOfSaved === true && saved !== undefined && { saved: saved.id }),
  };
  const attempt = { type: 'AttemptSubmitted', data, metadata } as const;
  const before = latestAttempt(checkout);
  if (before?.state !== 'open') return [attempt];
  const given = { transactionId: before.transactionId, successor: transactionId };
  return [{ type: 'AttemptSuperseded', data: given, metadata }, attempt];
}

function formSaved(command: SaveForm, checkout: Checkout): CheckoutEvent[] {
  const { transactionId, details, vaultReference, fields, metadata } = command;
  if (isRepeated(command, checkout)) return [];
  const held = vaultReference === undefined ? {} : { vaultReference };
  return [{ type: 'FormSaved', data: { transactionId, details, fields, ...held }, metadata }];
}

function attemptRecorded(command: RecordAttempt, checkout: Checkout): CheckoutEvent[] {
  const { transactionId, decision, reversalId, nowMs } = command;
  const attempt = checkout.attempts.find((one) => one.transactionId === transactionId);
  if (attempt === undefined) return [];
  const { state } = attempt;
  const { kind, resultCode } = decision;
  const metadata = at(checkout, command);
  const data = { transactionId, resultCode };
  if (kind === 'open') {
    return state === 'submitted' ? [{ type: 'AttemptOpened', data, metadata }] : [];
  }
  if (!isUndecided(attempt) && state !== 'superseded') return [];
  if (kind === 'failed') return [{ type: 'AttemptFailed', data, metadata }];
  const succeeded = { type: 'AttemptSucceeded', data, metadata } as const;
  // What was accepted in time completes, however long it takes; who was away for too long is late.
  const isLate = state === 'superseded' || (state === 'open' && isExpired(checkout, nowMs));
  if (!isLate) return [succeeded];
  const reversal = { transactionId: reversalId, referencedId: transactionId };
  return [succeeded, { type: 'ReversalRequested', data: reversal, metadata }];
}

function reversalRecorded(command: RecordReversal, checkout: Checkout): CheckoutEvent[] {
  const { transactionId, isReversed, resultCode, nextReversalId } = command;
  const attempt = checkout.attempts.find(({ reversalId }) => reversalId === transactionId);
  if (attempt?.state !== 'reversing') return [];
  const { transactionId: referencedId, reversals } = attempt;
  const metadata = at(checkout, command);
  const data = { transactionId, referencedId, resultCode, isReversed };
  const ended = { type: 'ReversalEnded', data, metadata } as const;
  if (isReversed || reversals >= REVERSALS_MAX) return [ended];
  const next = { transactionId: nextReversalId, referencedId };
  return [ended, { type: 'ReversalRequested', data: next, metadata }];
}

function optionalOf({
  personal,
  registrations,
}: UpdateCheckout | CreateCheckout): Pick<UpdateCheckout, 'personal' | 'registrations'> {
  return {
    ...(personal !== undefined && { personal }),
    ...(registrations !== undefined && { registrations }),
  };
}

function at({ metadata }: Checkout, { nowMs }: { readonly nowMs: number }): CheckoutEventMetadata {
  return { ...metadata, recordedAtMs: nowMs };
}
