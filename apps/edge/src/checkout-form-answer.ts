import { type AnswerStamp, paymentBrandOf, resultOf, stampFields } from '@sluice/answers';
import { type RegistrationView, shownInstrument, type ShownInstrument } from '@sluice/contracts';
import type { CheckoutId } from '@sluice/identifiers';
import { codes, httpStatusOf } from '@sluice/result-codes';
import type { Answer } from './answer.js';

/** What the form of a checkout shows. */
export interface CheckoutForm {
  readonly id: CheckoutId;
  /** In the order in which they are offered. */
  readonly registrations: readonly RegistrationView[];
  /** Where the merchant has named the one that is paid with. */
  readonly registrationId: string | undefined;
  /** What is charged, where something is. */
  readonly amount: string | undefined;
  readonly currency: string | undefined;
  /** Whether the shopper may delete what is offered. */
  readonly mayDelete: boolean;
}

/**
 * The answer to a form that asks what it shows. It is anybody's who knows the checkout's id: of a card
 * its brand, last four digits, expiry and holder, and nothing else (Interface 2.2); and what is paid,
 * which the shopper has to be shown.
 */
export function checkoutFormAnswer(
  { id, registrations, registrationId, amount, currency, mayDelete }: CheckoutForm,
  stamp: AnswerStamp,
): Answer {
  const code = codes.requestSuccessful;
  const body = JSON.stringify({
    registrations: registrations.map(shownFields),
    ...{ registrationId, amount, currency },
    ...(mayDelete && { mayDelete }),
    result: resultOf(code),
    ...stampFields({ ...stamp, ndc: id }),
  });
  return { status: httpStatusOf(code), resultCode: code, ndc: id, body };
}

function shownFields({ id, instrument, personal }: RegistrationView): object {
  if (instrument === undefined) return { id };
  const shown = shownInstrument(instrument);
  return { id, paymentBrand: paymentBrandOf(shown), ...accountOf(shown, personal) };
}

function accountOf(shown: ShownInstrument, personal: RegistrationView['personal']): object {
  switch (shown.kind) {
    case 'card': {
      const { last4: last4Digits, expiryMonth, expiryYear } = shown;
      const holder = personal['card.holder'];
      return { card: { last4Digits, expiryMonth, expiryYear, holder } };
    }
    case 'bankAccount': {
      const { maskedIban: iban, maskedNumber: number } = shown;
      return { bankAccount: { iban, number, holder: personal['bankAccount.holder'] } };
    }
    case 'tokenAccount': {
      const { maskedNumber: number, expiryMonth, expiryYear } = shown;
      return { tokenAccount: { number, expiryMonth, expiryYear } };
    }
    case 'virtualAccount':
    case 'wallet':
    case 'giftCard':
    case 'registration':
      return {};
  }
}
