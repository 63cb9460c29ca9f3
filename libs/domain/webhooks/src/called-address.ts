import type { CheckoutPurpose } from '@sluice/contracts';
import { isCheckoutId, type CheckoutId, type TransactionId } from '@sluice/identifiers';

/**
 * What a merchant is told by a bare GET of an address that stood in the request itself, for which there is no
 * subscription: a payment or registration at its `notificationUrl` (wire contract 5), a checkout at its
 * `shopperResultUrl`, where nobody has read its result (Interface 3).
 */
export const callTypes = ['PAYMENT_CALL', 'REGISTRATION_CALL', 'CHECKOUT_CALL'] as const;
/** One of them. */
export type CallType = (typeof callTypes)[number];

/** Whose queues those are that no subscription has: an id that is never drawn for one. */
export const NO_SUBSCRIPTION = '0'.repeat(32);

/** What a `notificationUrl` is told of. */
export interface CalledObject {
  readonly type: Exclude<CallType, 'CHECKOUT_CALL'>;
  /** Of the payment or registration. */
  readonly transactionId: TransactionId;
  /** Of its request. */
  readonly ndc: string;
}

/** What the address is told: where the result is read, and of what. */
export interface CalledResult {
  readonly id: TransactionId | CheckoutId;
  readonly resourcePath: string;
}

/** Whether a delivery is such a call. */
export function isCallType(type: string): type is CallType {
  return (callTypes as readonly string[]).includes(type);
}

/**
 * Of what is made for a checkout, whose id is its `ndc`, a merchant knows and reads the checkout alone; of
 * anything else the payment or registration itself (wire contract 5).
 */
export function calledResult({ type, transactionId, ndc }: CalledObject): CalledResult {
  const { resources, purpose } = RESOURCES[type];
  if (isCheckoutId(ndc)) return checkoutResult(ndc, purpose);
  return { id: transactionId, resourcePath: `/v1/${resources}/${transactionId}` };
}

/** Where the result of a checkout is read. */
export function checkoutResult(id: CheckoutId, purpose: CheckoutPurpose): CalledResult {
  return { id, resourcePath: `/v1/checkouts/${id}/${purpose}` };
}

interface Resource {
  readonly resources: string;
  /** Of its checkout. */
  readonly purpose: CheckoutPurpose;
}

const RESOURCES: Readonly<Record<CalledObject['type'], Resource>> = {
  PAYMENT_CALL: { resources: 'payments', purpose: 'payment' },
  REGISTRATION_CALL: { resources: 'registrations', purpose: 'registration' },
};
