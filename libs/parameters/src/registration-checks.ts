import type { Expiry, InstrumentKind, Mode, ShownInstrument } from '@sluice/contracts';
import { codes, describeResult } from '@sluice/result-codes';
import { isExpired } from './card-expiry.js';
import { isAuthenticatedElsewhere, REGISTRATION_ID } from './conditions.js';
import { wishedAuthentication } from './demanded-authentication.js';
import { dividedAmount, dividedFromStored } from './divided-amount.js';
import type { Form } from './form.js';
import { type ForcedRejection, forcedRegistrationRejection } from './forced-registration.js';
import { repeatable } from './form-parser.js';
import { installmentsRejection } from './installments.js';
import {
  instrumentForms,
  instrumentKindOf,
  isStored,
  notStoredPart,
  shownInstrumentOf,
} from './instruments.js';
import { initialOperationByType, registrationTypeOf, scheduleTypeOf } from './kinds.js';
import { PARAMETER_ERRORS_MAX } from './limits.js';
import { ownAccounts } from './own-accounts.js';
import { paymentKindOf } from './payment-kind.js';
import type { ParameterError } from './parameter-error.js';
import { notServedRejection, type Rejection } from './rejection.js';
import { namesOtherBrand, shownBrandOf } from './shown-brand.js';
import {
  furtherAuthorizations,
  isInitiatedByMerchant,
  standingInstructionRejection,
} from './standing-instruction.js';

/** What commands say of the instrument that a form asks to be stored. */
export function registeredInstrumentOf(form: Form): ShownInstrument {
  return shownInstrumentOf(form, paymentKindOf(form).kind);
}

/**
 * Why a form without violations cannot be stored (D-37): it is recorded with this code. The security
 * code is not asked for, because it is never stored. What a test forces comes after all that is wrong.
 */
export function registrationRejection(
  form: Form,
  nowMs: number,
  mode: Mode,
): Rejection | ForcedRejection | undefined {
  const payment = paymentKindOf(form).kind;
  const kind = instrumentKindOf(form, payment);
  const divided = dividedAmount(form, kind);
  if (divided !== undefined) return notServedRejection(divided);
  const ofInstallments = installmentsRejection(form);
  if (ofInstallments !== undefined) return ofInstallments;
  if (kind === 'registration' || !isStored(form, payment) || !isStoredAlone(form, kind)) {
    const brand = shownBrandOf(form);
    const named = brand === undefined ? '' : ` (paymentBrand ${brand})`;
    const { words, wordsFor } = instrumentForms[kind];
    const paid = wordsFor?.(form) ?? words;
    const part = isStoredAlone(form, kind)
      ? `${notStoredPart(form, kind)}${named}`
      : `what is paid ${paid} is stored with a payment alone (createRegistration)${named}`;
    return notServedRejection(part);
  }
  // What is agreed when it is stored is agreed for its payments.
  const ofAgreement = standingInstructionRejection(form, nowMs);
  if (ofAgreement !== undefined) return ofAgreement;
  const ofAuthentication = authenticationRejection(form);
  if (ofAuthentication !== undefined) return ofAuthentication;
  const code = instrumentForms[kind].rejectionOf?.(form, nowMs);
  if (code !== undefined && code !== codes.securityCodeMissing) return { code };
  return forcedRegistrationRejection(form, mode);
}

/** What is stored is authenticated with a payment, or alone, but not by being stored (Interface 2.17). */
function authenticationRejection(form: Form): Rejection | undefined {
  const isDone = isAuthenticatedElsewhere(form) || form.get('threeDSecure.disable') === 'true';
  const wished = isDone ? undefined : wishedAuthentication(form);
  if (wished === undefined) return undefined;
  return notServedRejection(
    `${wished} demands 3-D Secure, and nobody is asked when an account is stored: send it with the payment, or to /v1/threeDSecure`,
  );
}

function isStoredAlone(form: Form, kind: InstrumentKind): boolean {
  return instrumentForms[kind].isStoredAlone?.(form) ?? true;
}

/** The id of the stored instrument that a payment is to be made with; undefined for another one. */
export function usedRegistrationOf(form: Form): string | undefined {
  return form.has('card.number') ? undefined : form.get(REGISTRATION_ID);
}

/**
 * Whether a request to the id of something may begin a payment, if that is a registration: PA, DB
 * and CD do (wire contract 4), but for a PA that says it is a further authorization.
 */
export function mayUseRegistration(form: Form): boolean {
  const practice = form.get('standingInstruction.industryPractice') ?? '';
  const type = form.get('paymentType') ?? '';
  return initialOperationByType.has(type) && !furtherAuthorizations.has(practice);
}

/** Whether a request to the id of something can refer to no transaction, whatever has that id: DB and CD. */
export function needsRegistration(form: Form): boolean {
  const operation = initialOperationByType.get(form.get('paymentType') ?? '');
  return operation !== undefined && operation !== 'authorization';
}

/** Whether a request to the id of a payment asks to store what that was made with (RG). */
export function asksToStore(form: Form): boolean {
  return form.get('paymentType') === registrationTypeOf('registration');
}

/** Why a payment cannot be made with what was stored, as it is now. */
export function storedRejection(
  stored: ShownInstrument,
  form: Form,
  nowMs: number,
): Rejection | undefined {
  const code = instrumentForms[stored.kind].storedRejectionOf?.(stored, form, nowMs);
  if (code === codes.brandMismatch) return OTHER_BRAND;
  if (code !== undefined) return { code };
  const divided = dividedFromStored(form, stored.kind);
  if (divided !== undefined) return notServedRejection(divided);
  const inInstallments = installmentsRejection(form, stored.kind);
  if (inInstallments !== undefined) return inInstallments;
  return isOfDevice(stored) && !isInitiatedByMerchant(form) ? DEVICE_WITHOUT_SHOPPER : undefined;
}

/** The code's own text speaks of a card's number, and here none was sent. */
const OTHER_BRAND: Rejection = {
  code: codes.brandMismatch,
  description: `${describeResult(codes.brandMismatch)} - paymentBrand must be the one that is stored, or absent`,
};

/** What proves that the device took part was for one payment, and is not stored. */
function isOfDevice(stored: ShownInstrument): boolean {
  return stored.kind === 'card' && 'numberType' in stored && stored.numberType === 'DPAN';
}

const DEVICE_WITHOUT_SHOPPER: Rejection = notServedRejection(
  'the stored number of a device pays what the merchant initiates (standingInstruction.source MIT) and nothing else',
);

/**
 * What was sent with a request that says who asks and which type it is, and can say no more (wire
 * contract 4): the rest would be taken, and nothing would come of it (D-70).
 * @param operation what is asked for
 */
export function idleParameters(
  form: Form,
  operation: keyof typeof IDLE,
): readonly ParameterError[] {
  const type = TYPES_OF_IDLE[operation];
  const { masked } = ownAccounts(form);
  const errors: ParameterError[] = [];
  form.forEach((name, _value, meaning) => {
    if (meaning.kind !== 'row' || OF_ANYBODY.has(name) || isOfAccess(name)) return;
    if (name !== 'paymentType') {
      errors.push({ name: repeatable(name, masked), message: IDLE[operation] });
    } else if (form.get(name) !== type) {
      errors.push({ name, message: `must be ${type}` });
    }
  });
  return errors.slice(0, PARAMETER_ERRORS_MAX);
}

const OF_ANYBODY: ReadonlySet<string> = new Set(['entityId', 'testMode']);

const TYPES_OF_IDLE = {
  registration: registrationTypeOf('registration'),
  extension: registrationTypeOf('extension'),
  deletion: registrationTypeOf('deletion'),
  deschedule: scheduleTypeOf('deschedule'),
} as const;

const IDLE = {
  registration: 'has no part in RG, which stores what the payment was made with',
  extension: 'has no part in an extension, which is for 24 months from now',
  deletion: 'has no part in a deletion, which is of all that is stored',
  deschedule: 'has no part in the end of a schedule, which is as its notice says, or at once',
} as const;

/** Where what is kept of an instrument has the parameters that can be changed. */
const CHANGEABLE = ['card', 'tokenAccount', 'bankAccount'] as const satisfies InstrumentKind[];

/** What says of a request for a change who asks and what for, and nothing that could be changed. */
const NO_CHANGES: ReadonlySet<string> = new Set([
  ...['entityId', 'testMode', 'paymentType', 'paymentBrand', 'merchantTransactionId'],
]);

/**
 * What is wrong with a change that has no violations, for what is stored: it is of another account, of
 * another brand, or changes nothing.
 */
export function updateFaults(stored: ShownInstrument, form: Form): readonly ParameterError[] {
  const others = CHANGEABLE.filter((kind) => kind !== stored.kind)
    .flatMap((kind) => form.namesOf(kind))
    .map((name) => ({ name, message: `is of no ${stored.kind}, which is what is stored` }));
  if (others.length > 0) return others;
  if (stored.brand !== undefined && namesOtherBrand(form, stored.brand)) {
    return [{ name: 'paymentBrand', message: 'must be the one that is stored' }];
  }
  const changed: string[] = [];
  form.forEach((name, _value, meaning) => {
    if (meaning.kind === 'row' && !NO_CHANGES.has(name) && !isOfAccess(name)) changed.push(name);
  });
  if (changed.length > 0) return [];
  return [{ name: 'body', message: 'names nothing that is to be changed' }];
}

/** Whether a parameter says who asks. */
export function isOfAccess(name: string): boolean {
  return name.startsWith('authentication.');
}

/** The expiry that a change asks for, of whatever is stored: two requests for another one differ. */
export function askedExpiryOf(form: Form): Expiry | undefined {
  const [expiry] = CHANGEABLE.flatMap((kind) => changedExpiryOf({ kind }, form) ?? []);
  return expiry;
}

/** The new expiry that a form without violations has for what is stored. */
export function changedExpiryOf(
  { kind }: Pick<ShownInstrument, 'kind'>,
  form: Form,
): Expiry | undefined {
  const month = form.get(`${kind}.expiryMonth`);
  const year = form.get(`${kind}.expiryYear`);
  return month === undefined || year === undefined ? undefined : { month, year };
}

/** Why an instrument cannot have this expiry: it is over. */
export function expiryRejection({ month, year }: Expiry, nowMs: number): Rejection | undefined {
  return isExpired(year, month, nowMs) ? { code: codes.cardExpired } : undefined;
}
