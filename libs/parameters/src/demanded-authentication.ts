import type { Mode } from '@sluice/contracts';
import { parameterOfAuthentication } from './conditions.js';
import type { Form } from './form.js';
import { isThreeDSecureTestCard, threeDSecureTestCards } from './three-d-secure-test-cards.js';

/** What demands one where the card's number does. */
export const TEST_CARD = 'this test card';

/** Wishes for a challenge: the merchant's, a mandate, and one to be put on the list of the trusted. */
const CHALLENGES: readonly string[] = ['03', '04', '09'];

/** With these the simulators of the interface family go through an authentication (result codes 7). */
const SIMULATIONS = [
  'customParameters[3DS2_enrolled]',
  'customParameters[3DS2_flow]',
  'customParameters[3DS2_status]',
  'customParameters[3DS2_delay]',
  'customParameters[3DS2_fault]',
  // What an external server had, beside its other values; by itself it asks for one (page 0030).
  'threeDSecure.flow',
] as const;
const SAYS_NO: readonly string[] = ['', 'false'];

/** What is shown of the card that a payment is made with. */
interface PaidCard {
  /** The wallet that it came out of: then the form does not have its number. */
  readonly wallet?: string;
  readonly bin?: string;
  readonly last4?: string;
}

/**
 * What of a payment demands an authentication by 3-D Secure, in words; undefined when nothing does. Whether
 * anybody can be authenticated, and was not elsewhere, is for askedAuthentication to say.
 */
export function demandedAuthentication(
  form: Form,
  mode: Mode,
  instrument: PaidCard = {},
): string | undefined {
  const wished = wishedAuthentication(form);
  if (wished !== undefined) return wished;
  const simulation = SIMULATIONS.find((key) => !SAYS_NO.includes(form.get(key) ?? ''));
  if (simulation !== undefined) return simulation;
  // On a live installation a number means what its issuer says.
  const isTestCard = mode !== 'LIVE' && hasTestNumber(form, instrument);
  return isTestCard ? TEST_CARD : undefined;
}

/** The number of what is stored says nothing here, since nobody sends it. */
function hasTestNumber(form: Form, { wallet, bin, last4 }: PaidCard): boolean {
  if (threeDSecureTestCards.has(form.get('card.number') ?? '')) return true;
  const isKnown = wallet !== undefined && bin !== undefined && last4 !== undefined;
  return isKnown && isThreeDSecureTestCard(bin, last4);
}

/** The same of what the merchant himself wishes, which no card and no simulation does. */
export function wishedAuthentication(form: Form): string | undefined {
  const indicator = form.get('threeDSecure.challengeIndicator') ?? '';
  if (CHALLENGES.includes(indicator.padStart(2, '0'))) {
    return `threeDSecure.challengeIndicator ${indicator}`;
  }
  if (form.get('threeDSecure.challengeMandatedIndicator') === 'Y') {
    return 'threeDSecure.challengeMandatedIndicator Y';
  }
  return parameterOfAuthentication(form);
}
