import type { AuthenticateQuery } from '@sluice/contracts';
import { fitsElement } from '../messages/field-tables.js';
import type { MessageVersion } from '../messages/message-kinds.js';

/** What of a question says what it is for. */
export interface Purpose {
  readonly query: Pick<AuthenticateQuery, 'category' | 'parameters'>;
  readonly version: MessageVersion;
}

/** What a merchant authenticates a shopper for: the word of Interface 2.17. */
const purposes: Readonly<Record<string, string>> = {
  PAYMENT: '01',
  RECURRING: '02',
  INSTALLMENT: '03',
  ADD_CARD: '04',
  MAINTAIN_CARD: '05',
  EMV_ID: '06',
  BILLING_AGREEMENT: '07',
  SPLIT_SHIPMENT: '08',
  DELAYED_SHIPMENT: '09',
  _DELAYED_SHIPMENT: '09',
  SPLIT_PAYMENT: '10',
};
/** `threeDSRequestorAuthenticationInd` of a series of payments. */
export const RECURRING = '02';
/** The same of instalments. */
export const INSTALMENTS = '03';
const PAYMENT = '01';
const ADD_CARD = '04';

/** Whether something is paid with it. */
export function isPayment({ category }: Purpose['query']): boolean {
  return category === 'payment';
}

/** `threeDSRequestorAuthenticationInd`. */
export function purposeOf({ query, version }: Purpose): string {
  const { parameters } = query;
  const said = purposes[parameters['threeDSecure.authenticationInd'] ?? ''];
  // Before 2.3.1 the protocol has no word for 07 to 10: they are payments to it.
  if (said !== undefined) return isKnownIn(version, said) ? said : PAYMENT;
  if (!isPayment(query)) return ADD_CARD;
  if (parameters['standingInstruction.mode'] !== 'INITIAL') return PAYMENT;
  switch (parameters['standingInstruction.type']) {
    case 'RECURRING':
      return hasSeries(parameters) ? RECURRING : PAYMENT;
    case 'INSTALLMENT':
      return hasSeries(parameters) ? INSTALMENTS : PAYMENT;
    default:
      return PAYMENT;
  }
}

/** The version in which a purpose can be said, where the one that is spoken else has no word for it. */
export function versionOfPurpose(
  parameters: Readonly<Record<string, string>>,
): MessageVersion | undefined {
  const said = purposes[parameters['threeDSecure.authenticationInd'] ?? ''];
  return said === undefined || isKnownIn('2.2.0', said) ? undefined : '2.3.1';
}

function isKnownIn(version: MessageVersion, purpose: string): boolean {
  return fitsElement('AReq', version, 'threeDSRequestorAuthenticationInd', purpose);
}

/** What EMV demands of a series; one that is not described is authenticated as its first payment. */
function hasSeries(parameters: Readonly<Record<string, string>>): boolean {
  return (
    parameters['standingInstruction.expiry'] !== undefined &&
    parameters['standingInstruction.frequency'] !== undefined
  );
}
