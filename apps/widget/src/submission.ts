import { browserFields } from './browser-fields.js';
import { type ChallengeParts, isToBank, openChallenge } from './challenge-window.js';
import type { FromField } from './field-messages.js';
import { goOnAfter } from './onward.js';
import type { CallbackName } from './options.js';
import type { PaidAmount } from './paid-amount.js';
import type { PaymentFormParts } from './payment-form.js';
import { type PostedField, postedFields } from './posted-fields.js';
import { type FieldName, type Sent, sentOf } from './sent-answer.js';
import type { SubmissionState } from './submission-state.js';
import { isSavedFirst, SAVED_FIRST } from './summary-page.js';
import { checkoutIsOver, WidgetError, type WidgetErrorName } from './widget-error.js';

/** The form whose sending it is. */
export interface SubmittingForm {
  readonly parts: Pick<PaymentFormParts, 'options' | 'form' | 'checkout' | 'call' | 'report'>;
  /** What the form shows of the amount; absent where it sees to that itself. */
  readonly paid?: PaidAmount;
  /** What is reported where the gateway has not answered. */
  readonly unanswered: WidgetErrorName;
  isSending(): boolean;
  show(state: Partial<SubmissionState>): void;
  /** Sends what is in the form, whose answer `answered` is told. */
  send(): void;
  /** Of a form for cards, the frame's surroundings: a bank asks there, and not in the window. */
  readonly challenged?: Pick<ChallengeParts, 'container' | 'texts'> & {
    /** Whether a card is what is paid with. */
    isByCard(): boolean;
  };
  /** A card may come out of it, whose issuer is told of the browser too. */
  readonly isByWallet?: true;
  /** Shows a decline, which may be about one field. */
  declined(field: FieldName | undefined): void;
  /** Shows which of its fields the gateway refuses, by the names of their parameters. */
  refused(names: readonly string[]): void;
}

/** The page may say no before a form is sent; what it says of a card later counts as well. */
async function mayBeSent(
  call: PaymentFormParts['call'],
  name: CallbackName,
  event: SubmitEvent,
): Promise<boolean> {
  if (call(name, undefined, event) === false) return false;
  if (name !== 'onBeforeSubmitCard') return true;
  const later = call('onBeforeSubmitCardPromise', undefined, event);
  return (await Promise.resolve(later).catch(() => false)) !== false;
}

/** What becomes of a form that is sent: the same for every kind of form. */
export class Submission {
  /** Whether the shop's address is sent along: until the gateway says that the merchant has set another one. */
  #tellsAddress = true;
  #isClosed = false;
  #closeChallenge: (() => void) | undefined;

  constructor(private readonly of: SubmittingForm) {}

  begin(): void {
    window.addEventListener('pageshow', this.#cameBack);
  }

  close(): void {
    this.#isClosed = true;
    this.#closeChallenge?.();
    window.removeEventListener('pageshow', this.#cameBack);
  }

  /** Nothing that is typed can be sent any more. */
  end(): void {
    this.of.show({ isSending: false, isOver: true, message: 'over' });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** What a form's inputs say, and where the shopper comes back to. */
  fieldsOf(inputs: Iterable<readonly [string, unknown]>): readonly PostedField[] {
    const { fields, complaints } = postedFields(inputs);
    for (const complaint of complaints) console.warn(`Sluice: ${complaint}`);
    const { options, form, checkout } = this.of.parts;
    const isByCard = this.of.challenged?.isByCard() === true;
    const isTold = isByCard || this.of.isByWallet === true;
    const own = new Set(fields.map(([name]) => name));
    return [
      ...fields,
      ...(isTold ? browserFields().filter(([name]) => !own.has(name)) : []),
      ...(this.#tellsAddress ? [['shopperResultUrl', form.action] as const] : []),
      ...(isSavedFirst(options) && checkout.purpose === 'payment' ? [SAVED_FIRST] : []),
      ...(isByCard && options.challengeSize !== undefined
        ? [['customer.browser.challengeWindow', String(options.challengeSize)] as const]
        : []),
    ];
  }

  /** Sends the form, unless the page says no by the callback of this name. */
  async submit(name: CallbackName, event: SubmitEvent): Promise<void> {
    const { call } = this.of.parts;
    // Before anything is waited for: a second click finds it under way.
    this.of.show({ isSending: true, message: undefined });
    if (!(await mayBeSent(call, name, event))) {
      this.of.show({ isSending: false });
      return;
    }
    call('onSubmit', undefined, event);
    this.of.send();
    call('onAfterSubmit', undefined);
  }

  /** What a frame that has sent the form says of it. */
  answeredByFrame(message: FromField & { readonly kind: 'answered' | 'unanswered' }): void {
    const isAnswered = message.kind === 'answered';
    this.answered(isAnswered ? sentOf(message.status, message.body) : { kind: 'unknown' });
  }

  answered(sent: Sent): void {
    if (this.#isClosed) return;
    const { parts, unanswered } = this.of;
    switch (sent.kind) {
      case 'accepted':
        if (sent.saved !== undefined) {
          this.of.show({ isSending: false });
          parts.call('onSaveTransactionData', undefined, sent.saved);
        } else if (!this.#isChallenged(sent)) goOnAfter(sent, parts);
        return;
      case 'declined':
        this.of.declined(sent.field);
        return;
      case 'invalid':
        this.#invalid(sent.names);
        return;
      case 'over':
        this.end();
        parts.report(checkoutIsOver());
        return;
      case 'tooMany':
        this.of.show({ isSending: false, message: 'tooMany' });
        return;
      case 'unknown':
        this.of.show({ isSending: false, message: 'unknown' });
        parts.report(new WidgetError(unanswered, 'The gateway has not answered the payment form.'));
        return;
    }
  }

  /** Where the shop has set the size of a window for it, a bank that asks is shown in the page. */
  #isChallenged({ redirect }: Sent & { readonly kind: 'accepted' }): boolean {
    const { challenged, parts } = this.of;
    const { challengeSize: size, shopperResultTarget: target } = parts.options;
    const isAsked = redirect !== undefined && isToBank(redirect);
    if (!isAsked || size === undefined || challenged?.isByCard() !== true) return false;
    const { container, texts } = challenged;
    const givenUp = (): void => {
      this.of.show({ isSending: false });
      container.querySelector<HTMLElement>('.wpwl-button-pay')?.focus();
    };
    this.#closeChallenge = openChallenge({ redirect, size, container, texts, target, givenUp });
    return true;
  }

  /** The merchant's own address stands beside the form's: it is asked again without the latter. */
  #invalid(names: readonly string[]): void {
    if (this.#tellsAddress && names.includes('shopperResultUrl')) {
      this.#tellsAddress = false;
      this.of.send();
      return;
    }
    const { paid } = this.of;
    if (paid !== undefined && names.some((name) => name === 'amount' || name === 'currency')) {
      void paid.askAgain().finally(() => {
        this.of.show({ isSending: false, message: 'amountChanged' });
      });
      return;
    }
    this.of.refused(names);
    console.warn(`Sluice: the gateway refuses ${names.join(', ')} of the payment form.`);
  }

  /** By the browser's back button, with all that was typed. */
  readonly #cameBack = ({ persisted }: PageTransitionEvent): void => {
    if (persisted && this.of.isSending()) this.of.show({ isSending: false });
  };
}
