import type { CheckoutToComplete } from '@sluice/contracts';
import { idleParameters, REGISTRATION_ID } from '@sluice/parameters';
import type { AccessGuard, AdmittedRequest, ShopperRequest } from './access-guard.js';
import { type Answer, Refused } from './answer.js';
import { checkKind, refuseViolations } from './checked-form.js';
import { shopperAnswer, type ShopperOutcome } from './checkout-answer.js';
import type { CheckoutCompletion } from './checkout-completion.js';
import type { CheckoutSavings } from './checkout-savings.js';
import { inCheckout } from './checkout-sender.js';
import { CHECKOUT_UNDER_WAY, NOT_BY_SHOPPERS, REGISTRATION_UNKNOWN } from './refusals.js';
import type { RegistrationSender } from './registration-sender.js';

/** What shoppers delete stored accounts with. */
export interface CheckoutDeletionsParts {
  readonly guard: Pick<AccessGuard, 'inNameOf'>;
  readonly completion: Pick<CheckoutCompletion, 'find'>;
  readonly registrations: Pick<RegistrationSender, 'refer'>;
  readonly savings: Pick<CheckoutSavings, 'forgetQuietly'>;
}

/** A stored account, as a shopper's browser names it. */
export interface NamedInCheckout {
  /** Of the checkout, as it was sent. */
  readonly id: string;
  readonly registrationId: string;
}

/** Whether the shopper may delete what this checkout offers, by what its channel says now. */
export function offersDeletion(
  { access }: Pick<AdmittedRequest, 'access'>,
  { parameters, registrations = [], isBegun = false }: CheckoutToComplete,
): boolean {
  // What the merchant has named is paid with, whoever asks.
  const isFree = registrations.length > 0 && parameters[REGISTRATION_ID] === undefined;
  return access.shoppersMayDelete && isFree && !isBegun;
}

/**
 * Deletes a stored account as `DELETE /v1/registrations/{id}` does, for the shopper of a checkout that offers
 * it (page 0065): where the merchant has allowed it, and before anything is paid.
 */
export class CheckoutDeletions {
  constructor(private readonly parts: CheckoutDeletionsParts) {}

  /** @throws Refused */
  async delete(
    asked: ShopperRequest,
    { id: sentId, registrationId }: NamedInCheckout,
  ): Promise<Answer> {
    const { guard, completion, registrations, savings } = this.parts;
    const { id, checkout } = await completion.find(sentId);
    const { entityId, isBegun = false, registrations: offered = [], saved } = checkout;
    const ofShopper = guard.inNameOf(checkout, inCheckout(asked, id), asked.form);
    checkKind(ofShopper, 'read');
    refuseViolations(idleParameters(ofShopper.form, 'deletion'));
    if (!ofShopper.access.shoppersMayDelete) throw new Refused(NOT_BY_SHOPPERS, entityId);
    if (isBegun) throw new Refused(CHECKOUT_UNDER_WAY, entityId);
    const isOffered = offered.some((each) => each === registrationId);
    if (!isOffered || !offersDeletion(ofShopper, checkout)) {
      throw new Refused(REGISTRATION_UNKNOWN, entityId);
    }
    // Of a form there is no key, so this names no scope of one.
    const resource = `/v1/checkouts/${id}/registrations/${registrationId}`;
    const reference = { operation: 'deletion', registrationId, resource } as const;
    const { status, body } = await registrations.refer(ofShopper, reference);
    const isSaved = saved?.fields[REGISTRATION_ID] === registrationId;
    if (status < FAILED && isSaved) await savings.forgetQuietly(saved);
    const { id: madeId, result } = JSON.parse(body) as AnsweredDeletion;
    const { code: resultCode, description } = result;
    return shopperAnswer({ id: madeId, resultCode, description }, ofShopper.stamp);
  }
}

/** HTTP. */
const FAILED = 400;

/** What the merchant's own answer to a deletion has. */
interface AnsweredDeletion extends Pick<ShopperOutcome, 'id'> {
  readonly result: { readonly code: string; readonly description: string };
}
