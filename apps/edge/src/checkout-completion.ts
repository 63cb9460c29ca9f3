import type {
  AttemptNeverAskedQuery,
  CheckoutPurpose,
  CheckoutToCompleteAnswer,
  CheckoutToCompleteQuery,
  InitiatePayment,
  RegisterInstrument,
} from '@sluice/contracts';
import { isCheckoutId, newTransactionId, type TransactionId } from '@sluice/identifiers';
import {
  completedForm,
  completionFaults,
  DUE_DATE,
  type Form,
  formOfParameters,
  formToSave,
  isCompletion,
  REGISTRATION_ID,
  SAVED,
  SAVES,
  shownAmount,
  typeOfAccount,
  usedRegistrationOf,
  violations,
} from '@sluice/parameters';
import type { Clock } from '@sluice/service';
import type {
  AccessGuard,
  AdmittedRequest,
  BrowserHeaders,
  ShopperRequest,
} from './access-guard.js';
import { type Answer, Refused } from './answer.js';
import { checkKind, newOperation, refuseViolations } from './checked-form.js';
import { shopperAnswer, type ShopperOutcome } from './checkout-answer.js';
import type { AttemptStandings } from './attempt-standings.js';
import { offersDeletion } from './checkout-deletions.js';
import { checkoutFormAnswer } from './checkout-form-answer.js';
import { type CheckoutSavings, knownSaving, SAVED_GONE } from './checkout-savings.js';
import { type CheckoutSender, type CheckoutToChange, inCheckout } from './checkout-sender.js';
import { type Beforehand, NeverSent } from './command-client.js';
import type { OfferedRegistrations } from './offered-registrations.js';
import type { PaymentInitiation } from './payment-initiation.js';
import type { QueryClient } from './query-client.js';
import { BUSY, NO_PAYMENT_SESSION } from './refusals.js';
import type { RegistrationCreation } from './registration-creation.js';
import { checkoutResultUrl } from './shopper-addresses.js';

/** What checkouts are completed with. */
export interface CheckoutCompletionParts {
  readonly guard: Pick<AccessGuard, 'inNameOf'>;
  readonly queries: QueryClient;
  readonly checkouts: CheckoutSender;
  readonly offered: Pick<OfferedRegistrations, 'shown' | 'kindOf'>;
  readonly payments: Pick<PaymentInitiation, 'begin'>;
  readonly registrations: Pick<RegistrationCreation, 'begin'>;
  readonly savings: Pick<CheckoutSavings, 'save' | 'formOf' | 'forget' | 'forgetQuietly'>;
  readonly standings: Pick<AttemptStandings, 'answer'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** A shopper's form, where it was sent. */
export interface SentForm {
  /** As it was sent. */
  readonly id: string;
  readonly purpose: CheckoutPurpose;
  /** Whether the browser shows what is answered: the shopper waits for where to go. */
  readonly isNavigation: boolean;
}

/** A checkout that a form completes. */
interface Completing extends CheckoutToChange {
  /** The request that the merchant could have sent itself. */
  readonly admitted: AdmittedRequest;
  /** Whether the shopper has chosen among stored accounts. */
  readonly isChosen: boolean;
  /** It is what was saved before, and not what was sent. */
  readonly isOfSaved: boolean;
  readonly isNavigation: boolean;
  /** Of the form that was sent: the token of a wallet is good for that one alone. */
  readonly usedBy: string;
  readonly browser: BrowserHeaders | undefined;
}

/** What of that is said by whoever begins it. */
type How = Pick<Completing, 'isOfSaved' | 'isNavigation' | 'usedBy'>;

/**
 * Completes checkouts (page 0064): the payment or registration is the one that the merchant could have
 * asked for, with what the shopper has told, and begins once checkouts has recorded it as an attempt.
 */
export class CheckoutCompletion {
  constructor(private readonly parts: CheckoutCompletionParts) {}

  /** One that is not over. @throws Refused */
  async find(id: string): Promise<CheckoutToChange> {
    if (!isCheckoutId(id)) throw new Refused(NO_PAYMENT_SESSION);
    const query: CheckoutToCompleteQuery = { checkoutId: id };
    const { checkout } = await this.parts.queries.ask<CheckoutToCompleteAnswer>(
      ...(['checkouts', 'checkouts.toComplete', query] as const),
    );
    if (checkout === undefined) throw new Refused(NO_PAYMENT_SESSION);
    return { id, checkout };
  }

  /** What the widget shows of a checkout, of either purpose. @throws Refused */
  async form(asked: ShopperRequest, sentId: string): Promise<Answer> {
    const { id, checkout } = await this.find(sentId);
    return inCheckoutOf({ id, checkout }, async () => {
      const ofShopper = this.parts.guard.inNameOf(checkout, inCheckout(asked, id), asked.form);
      checkKind(ofShopper, 'read');
      const registrations = await this.parts.offered.shown(ofShopper, checkout);
      const { [REGISTRATION_ID]: registrationId, amount, currency } = checkout.parameters;
      const mayDelete = offersDeletion(ofShopper, checkout);
      const form = { id, registrations, registrationId, amount, currency, mayDelete };
      return checkoutFormAnswer(form, ofShopper.stamp);
    });
  }

  /** Begins what the form completes, and answers what the shopper's browser does next. @throws Refused */
  async complete(sent: ShopperRequest, form: SentForm): Promise<Answer> {
    const usedBy = newTransactionId(sent.receivedAtMs);
    for (let readings = 1; ; readings += 1) {
      try {
        return await this.#completeAsItIs(sent, form, usedBy);
      } catch (error) {
        if (!(error instanceof CheckoutChanged) || readings === READINGS_MAX) throw error;
      }
    }
  }

  async #completeAsItIs(
    sent: ShopperRequest,
    { id, purpose, isNavigation }: SentForm,
    usedBy: string,
  ): Promise<Answer> {
    const found = await this.find(id);
    if (found.checkout.purpose !== purpose) throw new Refused(NO_PAYMENT_SESSION);
    return inCheckoutOf(found, () => {
      const how = { isOfSaved: false, isNavigation, usedBy };
      return isOfSaved(sent.form, found)
        ? this.#completeSaved(sent, found, how)
        : this.#complete(sent, found, how);
    });
  }

  /** Nothing to pay with was sent: what was saved is meant, if anything was. */
  async #completeSaved(sent: ShopperRequest, found: CheckoutToChange, how: How): Promise<Answer> {
    const { saved, spent, entityId, parameters: ofMerchant } = found.checkout;
    const { isNavigation } = how;
    const paid = { ofMerchant, entityId, saved: saved?.id ?? spent?.id };
    refuseViolations(completionFaults(sent.form, paid));
    if (spent !== undefined) return this.#repeated(sent, found, isNavigation);
    if (saved === undefined) return this.#complete(sent, found, how);
    const form = await this.parts.savings.formOf(saved);
    if (form !== undefined) {
      return this.#complete({ ...sent, form }, found, { ...how, isOfSaved: true });
    }
    // Somebody may just have paid, with it or otherwise: that is recorded before it is forgotten.
    const now = await this.find(found.id);
    if (now.checkout.saved !== undefined && now.checkout.saved.id !== saved.id) {
      throw new CheckoutChanged(BUSY, entityId);
    }
    const { spent: spentNow, isBegun = false } = now.checkout;
    if (spentNow?.id !== saved.id && !isBegun) throw new Refused(SAVED_GONE);
    return this.#repeated(sent, now, isNavigation);
  }

  /** What was saved is paid with already, or was, or something else is: it is told what has become of that. */
  async #repeated(
    sent: ShopperRequest,
    { id, checkout }: CheckoutToChange,
    isNavigation: boolean,
  ): Promise<Answer> {
    const { purpose, spent, parameters, personal } = checkout;
    const asked = inCheckout(sent, id);
    const form = formOfParameters({
      ...{ ...parameters, ...personal },
      ...(spent?.shopperResultUrl !== undefined && { [RESULT_URL]: spent.shopperResultUrl }),
    });
    const admitted = this.parts.guard.inNameOf(checkout, asked, form);
    // Checkouts records nothing for it, because it is not saved any more.
    const transactionId = newTransactionId(admitted.receivedAtMs);
    const submitted = await this.parts.checkouts.submit(admitted, {
      ...{ checkoutId: id, purpose, transactionId, isOfSaved: true },
      saved: spent?.id ?? transactionId,
    });
    // An open attempt of something else: the shopper may still pay here instead.
    if (submitted.kind === 'savedOtherwise' && spent === undefined) throw new Refused(SAVED_GONE);
    const attempt = 'attempt' in submitted ? submitted.attempt : undefined;
    if (attempt === undefined) throw new TypeError('a saving that no attempt was made of');
    const standing = await this.parts.standings.answer(admitted, attempt, isNavigation);
    return this.#toShopper({ admitted, id, checkout }, standing);
  }

  async #complete(
    sent: ShopperRequest,
    { id, checkout }: CheckoutToChange,
    how: How,
  ): Promise<Answer> {
    const { purpose } = checkout;
    const asked = inCheckout(sent, id);
    const { guard } = this.parts;
    const ofShopper = guard.inNameOf(checkout, asked, asked.form);
    const { mode, access } = ofShopper;
    const { compatibility } = access;
    const ofMerchant = { ...checkout.parameters, ...checkout.personal };
    const offered = checkout.registrations ?? [];
    const toSave = formToSave(ofShopper.form);
    const shown = shownAmount(ofMerchant, toSave.form);
    // What the merchant has named needs no account of the shopper.
    const named = ofMerchant[REGISTRATION_ID];
    const told = named === undefined ? shown.form : shown.form.with(REGISTRATION_ID, named);
    const used = DUE_DATE in ofMerchant ? usedRegistrationOf(told) : undefined;
    const usedKind =
      used === undefined ? undefined : await this.parts.offered.kindOf(ofShopper, used);
    const stored = { offered, usedKind };
    const { form, isChosen, faults } = completedForm(ofMerchant, shown.form, stored);
    const found = violations(told, 'widgetPayment', mode, compatibility);
    const ofPurpose = toSave.isSaved && purpose === 'registration' ? [PAYS_NOTHING] : [];
    refuseViolations([...toSave.faults, ...ofPurpose, ...shown.faults, ...faults, ...found]);
    const { browser } = sent;
    const admitted = { ...ofShopper, form };
    const completing = { id, checkout, isChosen, admitted, browser, ...how };
    if (purpose === 'registration') return this.#store(completing);
    return this.#pay(completing, toSave.isSaved ? shown.form : undefined);
  }

  /** @param toSave what the shopper has told, where it is only saved */
  async #pay(completing: Completing, toSave: Form | undefined): Promise<Answer> {
    const { id, checkout, admitted, isChosen, usedBy, browser } = completing;
    const { kind, operation } = newOperation(admitted);
    if (toSave !== undefined) {
      return this.parts.savings.save({ id, checkout, admitted, kind, told: toSave });
    }
    const typeOf = (brand: string) => typeOfAccount(checkout.parameters, admitted.form, brand);
    const what = { kind, operation, isChosen, usedBy, typeOf };
    const told = { ...admitted, form: withBrowser(admitted.form, browser) };
    const answer = await this.#attempt(completing, (before) =>
      this.parts.payments.begin(told, { ...what, resource: resourceOf(completing), before }),
    );
    return this.#toShopper(completing, answer);
  }

  async #store(completing: Completing): Promise<Answer> {
    const { admitted } = completing;
    const resource = resourceOf(completing);
    const answer = await this.#attempt(completing, (before) =>
      this.parts.registrations.begin(admitted, { resource, before }),
    );
    return this.#toShopper(completing, answer);
  }

  /** Whatever has certainly not left holds up no further sending of the form. */
  async #attempt(
    completing: Completing,
    begin: (before: (command: Begun) => Promise<Beforehand>) => Promise<Answer>,
  ): Promise<Answer> {
    let recorded: TransactionId | undefined;
    try {
      return await begin(async (command) => {
        const { clock, savings } = this.parts;
        const begunAtMs = clock.monotonicMs();
        const instead = await this.#submit(completing, command.data.transactionId);
        if (instead !== undefined) return { kind: 'instead', answer: instead };
        recorded = command.data.transactionId;
        // Nothing is authorized while a code is still held that was saved before.
        await savings.forget(completing.checkout.saved);
        // Both together live as long as one: whoever looks at the attempt later counts on that (page 0064).
        const leftMs = Math.floor(command.timeToLiveMs - (clock.monotonicMs() - begunAtMs));
        return { kind: 'done', leftMs: Math.max(LIFE_LEFT_MIN_MS, leftMs) };
      });
    } catch (error) {
      if (error instanceof NeverSent && recorded !== undefined) {
        await this.#neverAsked(completing, recorded);
      }
      throw error;
    }
  }

  /** Records the attempt; what is answered where another one is in its place. */
  async #submit(
    { admitted, id: checkoutId, checkout, isOfSaved, isNavigation }: Completing,
    transactionId: TransactionId,
  ): Promise<Answer | undefined> {
    const { checkouts, standings, savings } = this.parts;
    const { purpose, saved, entityId, revision } = checkout;
    const submitted = await checkouts.submit(admitted, {
      ...{ checkoutId, purpose, transactionId, saved: knownSaving(saved) },
      ...(isOfSaved && { isOfSaved }),
      ...(revision !== undefined && { revision }),
    });
    if (submitted.kind === 'recorded') return undefined;
    if (submitted.kind === 'changed') throw new CheckoutChanged(BUSY, entityId);
    const { attempt } = submitted;
    if (submitted.kind === 'instead' && submitted.isPaid) await savings.forgetQuietly(saved);
    // Of what was saved, somebody else was faster; of what was typed, something was saved meanwhile.
    const isAnswered = submitted.kind === 'instead' || isOfSaved;
    if (!isAnswered || attempt === undefined) throw new Refused(BUSY);
    return standings.answer(admitted, attempt, isNavigation);
  }

  /** Where checkouts cannot be told, it finds that out later by itself. */
  async #neverAsked(
    { id: checkoutId }: CheckoutToChange,
    transactionId: TransactionId,
  ): Promise<void> {
    const query: AttemptNeverAskedQuery = { checkoutId, transactionId };
    try {
      await this.parts.queries.ask('checkouts', 'checkouts.neverAsked', query);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  /** The payment's own answer is the merchant's to read. */
  #toShopper(
    { admitted, id, checkout }: Pick<Completing, 'admitted' | 'id' | 'checkout'>,
    { body }: Answer,
  ): Answer {
    const { id: madeId, result, redirect } = JSON.parse(body) as AnsweredFields;
    const { code: resultCode, description } = result;
    const outcome = { id: madeId, resultCode, description };
    const shopperResultUrl = admitted.form.get(RESULT_URL);
    if (redirect !== undefined || shopperResultUrl === undefined) {
      return shopperAnswer({ ...outcome, redirect }, admitted.stamp);
    }
    const url = checkoutResultUrl(shopperResultUrl, id, checkout.purpose);
    const back = { url, method: 'GET', parameters: [] };
    return shopperAnswer({ ...outcome, redirect: back }, admitted.stamp);
  }
}

/** What is refused says whose checkout it is, and where its shopper goes back to. */
async function inCheckoutOf(
  { id, checkout }: CheckoutToChange,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  const { entityId, purpose, personal, saved, spent } = checkout;
  const shop = personal[RESULT_URL] ?? saved?.fields[RESULT_URL] ?? spent?.shopperResultUrl;
  const backUrl = shop && checkoutResultUrl(shop, id, purpose);
  try {
    return await answer();
  } catch (error) {
    if (error instanceof CheckoutChanged) throw error;
    throw error instanceof Refused ? new Refused(error.refusal, entityId, backUrl) : error;
  }
}

/** Whether a form is of what was saved. Where nothing was, only who says so means it. */
function isOfSaved(form: Form, { checkout: { saved, spent } }: CheckoutToChange): boolean {
  if (!isCompletion(form)) return false;
  return form.size === 0 || form.has(SAVED) || saved !== undefined || spent !== undefined;
}

/** The checkout was changed since it was read: what was made of it pays nothing. */
class CheckoutChanged extends Refused {}

/**
 * How often a form is made into a payment of what the merchant says by then. Who changes a checkout
 * more often while a form is sent is no shop: the form is answered that it can be sent again.
 */
const READINGS_MAX = 4;

const RESULT_URL = 'shopperResultUrl';
const PAYS_NOTHING = {
  name: SAVES,
  message: 'is of what is paid, and this checkout only stores',
};

/** A command that an attempt leads to. */
type Begun = InitiatePayment | RegisterInstrument;

/** A command that came back at the last moment is sent with a life that is over: recorded, and not performed. */
const LIFE_LEFT_MIN_MS = 1;

/** What the answers to new payments and registrations have. */
interface AnsweredFields extends Pick<ShopperOutcome, 'id' | 'redirect'> {
  readonly result: { readonly code: string; readonly description: string };
}

/** Of a form there is no key, so this names no scope of one. */
function resourceOf({ id, checkout: { purpose } }: Completing): string {
  return `/v1/checkouts/${id}/${purpose}`;
}

/** Issuers of cards are told what the browser says of itself, unless somebody has said so already. */
function withBrowser(form: Form, browser: BrowserHeaders = {}): Form {
  if (!CARDS.some((name) => form.has(name))) return form;
  const untold = Object.entries(browser).filter(([name]) => !form.has(name));
  return untold.reduce((told, [name, value]) => told.with(name, value), form);
}

/** Of them one is there where a card may be paid with. */
const CARDS = ['card.number', REGISTRATION_ID, 'googlePay.paymentToken'] as const;
