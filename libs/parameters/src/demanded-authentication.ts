import type { Mode } from '@sluice/contracts';
import { isAuthenticatedElsewhere, parameterOfAuthentication } from './conditions.js';
import type { Form } from './form.js';
import { threeDSecureTestCards } from './three-d-secure-test-cards.js';

/** An external server did not authenticate the shopper. */
const FAILED: readonly (string | undefined)[] = ['N', 'U'];

/** Wishes for a challenge: the merchant's, a mandate, and one to be put on the list of the trusted. */
const CHALLENGES: readonly string[] = ['03', '04', '09'];

/** With these the simulators of the interface family go through an authentication (result codes 7). */
const SIMULATIONS = [
  'customParameters[3DS2_enrolled]',
  'customParameters[3DS2_flow]',
  // What an external server had, beside its other values; by itself it asks for one (page 0030).
  'threeDSecure.flow',
] as const;
const SAYS_NO: readonly string[] = ['', 'false'];

/**
 * What of a payment demands an authentication by 3-D Secure, in words; undefined when nothing does.
 * Such a payment is never approved without one (D-70). What an external server found out is one,
 * unless it says that it failed; and whoever disables 3-D Secure wants none (Interface 2.17).
 */
export function demandedAuthentication(form: Form, mode: Mode): string | undefined {
  const status = form.get('threeDSecure.authenticationStatus');
  if (FAILED.includes(status)) return `threeDSecure.authenticationStatus ${status ?? ''}`;
  if (form.get('threeDSecure.disable') === 'true' || isAuthenticatedElsewhere(form)) {
    return undefined;
  }
  const indicator = form.get('threeDSecure.challengeIndicator') ?? '';
  if (CHALLENGES.includes(indicator.padStart(2, '0'))) {
    return `threeDSecure.challengeIndicator ${indicator}`;
  }
  if (form.get('threeDSecure.challengeMandatedIndicator') === 'Y') {
    return 'threeDSecure.challengeMandatedIndicator Y';
  }
  const simulation = SIMULATIONS.find((key) => !SAYS_NO.includes(form.get(key) ?? ''));
  if (simulation !== undefined) return simulation;
  const parameter = parameterOfAuthentication(form);
  if (parameter !== undefined) return parameter;
  // On a live installation a number means what its issuer says.
  const isTestCard = mode !== 'LIVE' && threeDSecureTestCards.has(form.get('card.number') ?? '');
  return isTestCard ? 'this test card' : undefined;
}
