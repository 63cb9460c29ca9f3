import { h, render } from 'preact';
import type {
  AccountField,
  AccountFieldName,
  AccountFormKind,
  AccountFormName,
  AccountOf,
} from './account-form-kind.js';
import {
  type AccountFormState,
  caretIn,
  emptyAccount,
  fieldsOfParameters,
  withField,
  wrongFields,
} from './account-form-state.js';
import { type AccountFormEvents, AccountFormView } from './account-form-view.js';
import { submitPath } from './field-form.js';
import { newFormName } from './form-name.js';
import { directionOf } from './languages.js';
import { goOnAfter } from './onward.js';
import type { CallbackName } from './options.js';
import type { PaymentForm, PaymentFormParts } from './payment-form.js';
import { type PostedField, postedFields } from './posted-fields.js';
import type { Sent } from './sent-answer.js';
import { sentFromPage } from './sent-from-page.js';
import { WidgetError } from './widget-error.js';

/** What a form that says an account is made with. */
export interface AccountFormParts extends PaymentFormParts {
  readonly name: AccountFormName;
  readonly kind: AccountFormKind;
  readonly brand: string;
}

/** By which the page may say no. */
const BEFORE: Readonly<Record<AccountFormName, CallbackName>> = {
  directDebit: 'onBeforeSubmitDirectDebit',
  virtualAccount: 'onBeforeSubmitVirtualAccount',
  onlineTransfer: 'onBeforeSubmitOnlineTransfer',
};

/**
 * A form that says which account is paid from, or nothing but the brand. There is no secret in it, so it
 * is the page's own, which sends it: the account is one that shoppers tell everybody who pays them.
 */
export class AccountForm implements PaymentForm {
  readonly container: HTMLDivElement;
  readonly #id = newFormName();
  readonly #of: AccountOf;
  readonly #fields: readonly AccountField[];
  /** Whether the shop's address is sent along: until the gateway says that the merchant has set another one. */
  #tellsAddress = true;
  #isClosed = false;
  #state: AccountFormState = emptyAccount;

  constructor(private readonly parts: AccountFormParts) {
    const { name, kind, brand, language, checkout } = parts;
    this.#of = { brand, purpose: checkout.purpose, language };
    this.#fields = kind.fieldsOf(this.#of);
    const container = document.createElement('div');
    const ofKind = `wpwl-container-${name}`;
    container.className = `wpwl-container ${ofKind} ${ofKind}-${brand}`;
    container.id = `${ofKind}-${brand}-${this.#id}`;
    container.lang = language;
    container.dir = directionOf(language);
    this.container = container;
  }

  show(): void {
    this.#render();
    window.addEventListener('pageshow', this.#cameBack);
  }

  close(): void {
    this.#isClosed = true;
    window.removeEventListener('pageshow', this.#cameBack);
    render(null, this.container);
    this.container.remove();
  }

  execute(): void {
    this.container.querySelector('form')?.requestSubmit();
  }

  #set(changes: Partial<AccountFormState>): void {
    if (this.#isClosed) return;
    this.#state = { ...this.#state, ...changes };
    this.#render();
  }

  #render(): void {
    const { name, kind, brand, options, texts, form } = this.parts;
    const parts = {
      ...{ name, brand, options, texts, state: this.#state, events: this.#events },
      ...{ form: this.#id, action: form.action, fields: this.#fields },
      title: kind.titleOf(this.#of, texts),
      agreement: kind.agreementOf(this.#of),
      isElsewhere: kind.isElsewhere,
      isRegistration: this.#of.purpose === 'registration',
    };
    render(h(AccountFormView, parts), this.container);
  }

  readonly #events: AccountFormEvents = {
    onSubmit: (event) => {
      event.preventDefault();
      void this.#submit(event);
    },
    onTyped: (field, { target }) => {
      if (target instanceof HTMLInputElement) this.#typed(field, target);
      else if (target instanceof HTMLSelectElement) this.#edit(field, target.value);
    },
    onLeft: (field) => {
      const { values, wrong } = this.#state;
      // Nothing is wrong with what nobody has begun yet.
      if ((values[field.name] ?? '') === '') return;
      this.#set({ wrong: withField(wrong, field.name, field.isWrong(values)) });
    },
    onLabel: ({ name }) => this.#focus(name),
    onKey: (event) => {
      const isInput = event.target instanceof HTMLInputElement;
      if (event.key === 'Enter' && isInput && this.parts.options.disableSubmitOnEnter) {
        event.preventDefault();
      }
    },
  };

  /** What is typed in the middle stays under the caret. */
  #typed(field: AccountField, input: HTMLInputElement): void {
    const { shown } = field;
    const text = shown?.(input.value) ?? input.value;
    if (shown !== undefined && text !== input.value) {
      const before = shown(input.value.slice(0, input.selectionStart ?? input.value.length));
      input.value = text;
      const caret = caretIn(text, before.replaceAll(' ', '').length);
      input.setSelectionRange(caret, caret);
    }
    this.#edit(field, text);
  }

  /** A change takes back what was wrong with the field; whether it still is, is said when it is left. */
  #edit({ name }: AccountField, value: string): void {
    const { values, wrong } = this.#state;
    this.#set({ values: { ...values, [name]: value }, wrong: withField(wrong, name, false) });
  }

  #focus(name: AccountFieldName): void {
    this.container.querySelector<HTMLElement>(`.wpwl-control-${name}`)?.focus();
  }

  async #submit(event: SubmitEvent): Promise<void> {
    if (this.#state.isSending || this.#state.isOver) return;
    const wrong = wrongFields(this.#fields, this.#state.values);
    this.#showWrong(wrong);
    if (wrong.length > 0) return;
    const { call, name } = this.parts;
    if (call(BEFORE[name], undefined, event) === false) return;
    this.#set({ isSending: true });
    const answer = this.#send();
    call('onAfterSubmit', undefined);
    this.#answered(await answer);
  }

  #showWrong(wrong: readonly AccountFieldName[]): void {
    this.#set({ wrong, message: undefined });
    const [first] = wrong;
    if (first !== undefined) this.#focus(first);
  }

  #send(): Promise<Sent> {
    const { checkout, folder } = this.parts;
    return sentFromPage(new URL(submitPath(checkout), folder), this.#posted());
  }

  /** The form's own fields as they are meant, and what the page has put into the form beside them. */
  #posted(): readonly PostedField[] {
    const { kind, brand, form } = this.parts;
    const own = this.#fields.flatMap(({ parameters }) => parameters);
    const element = this.container.querySelector('form');
    const inputs = element === null ? [] : [...new FormData(element)];
    const { fields, complaints } = postedFields(inputs.filter(([name]) => !own.includes(name)));
    for (const complaint of complaints) console.warn(`Sluice: ${complaint}`);
    return [
      ...fields,
      ['paymentBrand', brand],
      ...kind.posted(this.#state.values, this.#of),
      ...(this.#tellsAddress ? [['shopperResultUrl', form.action] as const] : []),
    ];
  }

  #answered(sent: Sent): void {
    if (this.#isClosed) return;
    switch (sent.kind) {
      case 'accepted':
        goOnAfter(sent, this.parts);
        return;
      case 'declined':
        this.#set({ isSending: false, message: 'declinedAccount' });
        return;
      case 'invalid':
        this.#invalid(sent.names);
        return;
      case 'over':
        this.#set({ isSending: false, isOver: true, message: 'over' });
        this.parts.report(
          new WidgetError('InvalidCheckoutIdError', 'This checkout cannot be completed any more.'),
        );
        return;
      case 'unknown':
        this.#set({ isSending: false, message: 'unknown' });
        this.parts.report(
          new WidgetError('WidgetError', 'The gateway has not answered the payment form.'),
        );
        return;
    }
  }

  /** The merchant's own address stands beside the form's: it is asked again without the latter. */
  #invalid(names: readonly string[]): void {
    if (this.#tellsAddress && names.includes('shopperResultUrl')) {
      this.#tellsAddress = false;
      void this.#send().then((sent) => this.#answered(sent));
      return;
    }
    this.#set({ isSending: false });
    this.#showWrong(fieldsOfParameters(this.#fields, names));
    this.#set({ message: 'invalid' });
    console.warn(`Sluice: the gateway refuses ${names.join(', ')} of the payment form.`);
  }

  /** By the browser's back button, with all that was typed. */
  readonly #cameBack = ({ persisted }: PageTransitionEvent): void => {
    if (persisted && this.#state.isSending) this.#set({ isSending: false });
  };
}
