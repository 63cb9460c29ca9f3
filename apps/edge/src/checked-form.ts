import type { InitialOperation, ReferenceOperation } from '@sluice/contracts';
import {
  checkForm,
  isNewPayment,
  type Kind,
  type NewPaymentKind,
  type ParameterError,
  type Place,
  unregisteredScheme,
  violations,
} from '@sluice/parameters';
import type { AdmittedRequest } from './access-guard.js';
import { Refused } from './answer.js';
import { invalidParameters } from './refusals.js';

/** What somebody may ask payments to do. */
export type RequestedOperation = InitialOperation | ReferenceOperation;

/** Throws Refused with everything that is wrong with a form as a request of this kind (D-37). */
export function checkKind({ form, mode, access }: AdmittedRequest, kind: Kind): void {
  refuseViolations([
    ...violations(form, kind, mode, access.compatibility),
    ...unregisteredScheme(form, kind, access.appSchemes),
  ]);
}

/** What a form asks payments to do; throws Refused with everything that is wrong with it (D-37). */
export function requestedOperation(
  { form, mode, access }: AdmittedRequest,
  place: Place,
): { readonly kind: Kind; readonly operation: RequestedOperation } {
  const { kind, operation, violations: found } = checkForm(form, place, mode, access.compatibility);
  refuseViolations([...found, ...unregisteredScheme(form, kind, access.appSchemes)]);
  if (operation === undefined) {
    throw new TypeError('a form without violations has an operation');
  }
  return { kind, operation };
}

/** The same of a form that can ask for nothing but a new payment. @throws Refused */
export function newOperation(admitted: AdmittedRequest): {
  readonly kind: NewPaymentKind;
  readonly operation: InitialOperation;
} {
  const { kind, operation } = requestedOperation(admitted, 'payments');
  if (isReference(operation) || !isNewPayment(kind)) throw new TypeError(`no ${kind} is new`);
  return { kind, operation };
}

/** Whether an operation refers to an earlier transaction. */
export function isReference(operation: RequestedOperation): operation is ReferenceOperation {
  return operation !== 'authorization' && operation !== 'debit' && operation !== 'credit';
}

/** Throws Refused if there are any. */
export function refuseViolations(found: readonly ParameterError[]): void {
  if (found.length > 0) throw new Refused(invalidParameters(...found));
}
