import type { CheckoutToComplete, KnownSaving, SavedForm, SavingVault } from '@sluice/contracts';
import { newTransactionId } from '@sluice/identifiers';
import {
  type Form,
  type NewPaymentKind,
  REGISTRATION_ID,
  savedForm,
  savedParts,
  SAVES,
} from '@sluice/parameters';
import { codes, describeResult } from '@sluice/result-codes';
import { type Clock, type Logger, Outage } from '@sluice/service';
import type { AdmittedRequest } from './access-guard.js';
import { type Answer, type Refusal, Refused } from './answer.js';
import { refuseViolations } from './checked-form.js';
import { savedAnswer, shopperAnswer, unsavedAnswer } from './checkout-answer.js';
import type { CheckoutSender, CheckoutToChange } from './checkout-sender.js';
import { NeverSent } from './command-client.js';
import type { PaymentInitiation } from './payment-initiation.js';
import { BUSY, NO_PAYMENT_SESSION, UNAVAILABLE } from './refusals.js';

/** What is saved with. */
export interface CheckoutSavingsParts {
  readonly vault: SavingVault;
  readonly checkouts: Pick<CheckoutSender, 'save'>;
  readonly payments: Pick<PaymentInitiation, 'prospect'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A form that can be paid with, and is saved instead. */
export interface FormOfShopper extends CheckoutToChange {
  /** The payment that would be made of it. */
  readonly admitted: AdmittedRequest;
  readonly kind: NewPaymentKind;
  /** What the shopper has told, without what the merchant has. */
  readonly told: Form;
}

/** What the vault may still have of a form. */
export interface LeftForm {
  readonly vaultReference?: string | undefined;
}

/** What was typed is not there any more, or not all of it. */
export const SAVED_GONE: Refusal = {
  code: codes.invalidParameter,
  description: `${describeResult(codes.invalidParameter)} - what the shopper has typed is held no more, and has to be typed again`,
};

const SPENT_AT_ONCE = {
  name: SAVES,
  message: 'is not for wallets: their token is paid with at once',
};

/**
 * What a shopper has typed where the page shows a summary before it is paid (page 0068): account data is
 * with the vault, the rest with checkouts.
 */
export class CheckoutSavings {
  readonly #vault: Outage;

  constructor(private readonly parts: CheckoutSavingsParts) {
    this.#vault = new Outage(parts.clock, parts.logger, {
      begins: 'The vault saves nothing; forms that are only saved are answered with 503.',
      goesOn: 'The vault still saves nothing.',
      ends: 'The vault saves again.',
    });
  }

  /** Saves a form that nothing speaks against, in the place of what was saved. @throws Refused */
  async save({ id, checkout, admitted, kind, told }: FormOfShopper): Promise<Answer> {
    const { stamp, receivedAtMs } = admitted;
    const { toHold, fields } = savedParts(told, kind);
    if (toHold?.kind === 'wallet') refuseViolations([SPENT_AT_ONCE]);
    const { instrument, rejection } = await this.parts.payments.prospect(admitted, kind);
    if (rejection !== undefined) return unsavedAnswer(rejection, stamp);
    const lifeMs = (checkout.endsAtMs ?? receivedAtMs) - receivedAtMs;
    if (lifeMs <= 0) throw new Refused(NO_PAYMENT_SESSION);
    const vaultReference =
      toHold && (await this.#asked(() => this.parts.vault.saveDetails(toHold, lifeMs)));
    const transactionId = newTransactionId(receivedAtMs);
    let isSaved = false;
    try {
      const recorded = await this.parts.checkouts.save(admitted, {
        ...{ checkoutId: id, transactionId },
        ...{ saved: knownSaving(checkout.saved), fields },
        details: Object.keys({ ...toHold?.details, ...toHold?.inMemory }),
        ...(vaultReference !== undefined && { vaultReference }),
      });
      if (recorded.kind === 'savedOtherwise') throw new Refused(BUSY);
      if (recorded.kind === 'instead') {
        if (recorded.isPaid) await this.forgetQuietly(checkout.saved);
        const { transactionId: madeId, resultCode } = recorded.attempt;
        return shopperAnswer({ id: madeId, resultCode }, stamp);
      }
      isSaved = true;
      // After it: a saving that is refused leaves the one before as it was.
      await this.forgetQuietly(checkout.saved);
    } finally {
      if (!isSaved) await this.forgetQuietly({ vaultReference });
    }
    const paymentBrand = 'brand' in instrument ? instrument.brand : told.get('paymentBrand');
    const card = {
      holder: told.get('card.holder'),
      ...{ expiryMonth: told.get('card.expiryMonth'), expiryYear: told.get('card.expiryYear') },
    };
    const registrationId = told.get(REGISTRATION_ID);
    return savedAnswer({ id, saved: transactionId, paymentBrand, registrationId, card }, stamp);
  }

  /** The form that was saved, with all that was in it; undefined where any of it is gone. @throws Refused */
  async formOf({ fields, details, vaultReference }: SavedForm): Promise<Form | undefined> {
    const held =
      vaultReference && (await this.#asked(() => this.parts.vault.readSaved(vaultReference)));
    const found = typeof held === 'object' ? held : {};
    const isWhole = details.every((name) => Object.hasOwn(found, name));
    return isWhole ? savedForm(fields, found) : undefined;
  }

  /**
   * Forgets what the vault has of it, before anything is authorized with it.
   * @throws NeverSent where the vault does not say that it has
   */
  async forget(saved: SavedForm | undefined): Promise<void> {
    const reference = saved?.vaultReference;
    if (reference === undefined) return;
    try {
      await this.#asked(() => this.parts.vault.forgetSaved(reference));
    } catch {
      throw new NeverSent(UNAVAILABLE);
    }
  }

  /** What nobody will ask for; it expires where the vault does not hear of it. */
  async forgetQuietly({ vaultReference: reference }: LeftForm = {}): Promise<void> {
    if (reference === undefined) return;
    await this.#asked(() => this.parts.vault.forgetSaved(reference)).catch(() => undefined);
  }

  async #asked<Answered>(ask: () => Promise<Answered>): Promise<Answered> {
    try {
      const answer = await ask();
      this.#vault.over();
      return answer;
    } catch (error) {
      this.#vault.failed(error);
      throw new Refused(UNAVAILABLE);
    }
  }
}

/** Whether the checkout, as it is, can be paid with what was saved of it, as far as it says with what. */
export function isOffered(
  { fields, details }: Pick<SavedForm, 'fields' | 'details'>,
  { parameters, registrations = [] }: Pick<CheckoutToComplete, 'parameters' | 'registrations'>,
): boolean {
  const chosen = fields[REGISTRATION_ID];
  const named = parameters[REGISTRATION_ID];
  if (named !== undefined) return chosen === named || !details.includes('card.number');
  return chosen === undefined || registrations.some((each) => each === chosen);
}

/** What a command says of what is saved. */
export function knownSaving(saved: SavedForm | undefined): KnownSaving {
  return saved?.id ?? 'nothing';
}
