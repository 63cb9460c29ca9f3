import { isCheckoutId, type CheckoutId, type TransactionId } from '@sluice/identifiers';

/**
 * What a merchant is told by a bare GET of an address that stood in the request itself, for which there is no
 * subscription: a payment or registration at its `notificationUrl` (wire contract 5).
 */
export const callTypes = ['PAYMENT_CALL', 'REGISTRATION_CALL'] as const;
/** One of them. */
export type CallType = (typeof callTypes)[number];

/** Whose queues those are that no subscription has: an id that is never drawn for one. */
export const NO_SUBSCRIPTION = '0'.repeat(32);

/** What such a call is about. */
export interface CalledObject {
  readonly type: CallType;
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
  const [resources, ofCheckout] = RESOURCES[type];
  return isCheckoutId(ndc)
    ? { id: ndc, resourcePath: `/v1/checkouts/${ndc}/${ofCheckout}` }
    : { id: transactionId, resourcePath: `/v1/${resources}/${transactionId}` };
}

const RESOURCES: Readonly<Record<CallType, readonly [resources: string, ofCheckout: string]>> = {
  PAYMENT_CALL: ['payments', 'payment'],
  REGISTRATION_CALL: ['registrations', 'registration'],
};
