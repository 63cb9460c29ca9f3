import type {
  AccountField,
  AccountFieldName,
  AccountMode,
  AccountFormName,
  AccountOf,
} from './account-form-kind.js';
import type { AccountFormParts, MakeAccountForm } from './account-form-parts.js';
import {
  type AccountFormState,
  caretIn,
  emptyAccount,
  fieldsInMode,
  fieldsOfParameters,
  withField,
  wrongFields,
} from './account-form-state.js';
import { type AccountFormEvents, accountFormView } from './account-form-view.js';
import { MODE_PARAMETER } from './account-mode.js';
import { submitPath } from './field-form.js';
import { submitContained } from './form-container.js';
import { newFormName } from './form-name.js';
import { lendJsx } from './lent-elements.js';
import type { CallbackName } from './options.js';
import type { PaymentForm } from './payment-form.js';
import type { PostedField } from './posted-fields.js';
import type { Submission } from './submission.js';
import { summaryComplaint } from './summary-page.js';

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
class AccountForm implements PaymentForm {
  readonly container: HTMLDivElement;
  readonly #id = newFormName();
  readonly #of: AccountOf;
  readonly #fields: readonly AccountField[];
  readonly #modes: readonly AccountMode[];
  readonly #submission: Submission;
  #state: AccountFormState;

  constructor(private readonly parts: AccountFormParts) {
    const { name, kind, brand, language, checkout } = parts;
    this.#of = { brand, purpose: checkout.purpose, language };
    this.#fields = kind.fieldsOf(this.#of);
    this.#modes = kind.modesOf?.(this.#of) ?? [];
    this.#state = { ...emptyAccount, mode: this.#modes[0] };
    const ofKind = `wpwl-container-${name}`;
    const ofBrand = `${ofKind}-${brand}`;
    this.container = parts.newContainer(language, `${ofBrand}-${this.#id}`, ofKind, ofBrand);
    this.#submission = parts.newSubmission({
      ...{ parts, unanswered: 'WidgetError', paid: parts.paid },
      isSending: () => this.#state.isSending,
      show: (changes) => this.#set(changes),
      send: () => this.#send(),
      declined: () => this.#set({ isSending: false, message: 'declinedAccount' }),
      refused: (names) => this.#refused(names),
    });
  }

  show(): void {
    const { brand, options, checkout } = this.parts;
    const complaint = summaryComplaint(brand, options, checkout);
    if (complaint !== undefined) console.warn(`Sluice: ${complaint}`);
    this.#render();
    this.#submission.begin();
  }

  close(): void {
    this.#submission.close();
    this.parts.removeContainer(this.container);
  }

  amountChanged(): void {
    this.#render();
  }

  execute(): void {
    submitContained(this.container);
  }

  end(): void {
    this.#submission.end();
  }

  #set(changes: Partial<AccountFormState>): void {
    if (this.#submission.isClosed) return;
    this.#state = { ...this.#state, ...changes };
    this.#render();
  }

  #render(): void {
    const { name, kind, brand, paid, options, texts, form, PayButton } = this.parts;
    const parts = {
      ...{
        name,
        brand,
        amount: paid.text,
        options,
        texts,
        state: this.#state,
        events: this.#events,
      },
      ...{ form: this.#id, action: form.action, fields: this.#fields, modes: this.#modes },
      PayButton,
      title: kind.titleOf(this.#of, texts),
      agreement: kind.agreementOf(this.#of),
      isElsewhere: kind.isElsewhere,
      isAlone: this.parts.isAlone(),
      isRegistration: this.#of.purpose === 'registration',
    };
    this.parts.render(accountFormView(parts), this.container);
  }

  readonly #events: AccountFormEvents = {
    onSubmit: (event) => {
      event.preventDefault();
      this.#submit(event);
    },
    onTyped: (field, { target }) => {
      if (target instanceof HTMLInputElement) this.#typed(field, target);
      else if (target instanceof HTMLSelectElement) this.#edit(field, target.value);
    },
    onLeft: (field) =>
      this.parts.whenReleased(() => {
        const { values, wrong } = this.#state;
        // Nothing is wrong with what nobody has begun yet.
        if ((values[field.name] ?? '') === '') return;
        this.#set({ wrong: withField(wrong, field.name, field.isWrong(values)) });
      }),
    onMode: (mode) => {
      const { isSending, mode: before } = this.#state;
      if (!isSending && mode !== before) this.#set({ mode, wrong: [] });
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

  #submit(event: SubmitEvent): void {
    if (this.#state.isSending || this.#state.isOver) return;
    const { values, mode } = this.#state;
    const wrong = wrongFields(fieldsInMode(this.#fields, mode), values);
    this.#showWrong(wrong);
    if (wrong.length > 0) return;
    void this.#submission.submit(BEFORE[this.parts.name], event);
  }

  #showWrong(wrong: readonly AccountFieldName[]): void {
    this.#set({ wrong, message: undefined });
    const [first] = wrong;
    if (first !== undefined) this.#focus(first);
  }

  #send(): void {
    const { checkout, folder, send } = this.parts;
    const address = new URL(submitPath(checkout), folder);
    void send(address, this.#posted()).then((sent) => this.#submission.answered(sent));
  }

  /** The form's own fields as they are meant, and what the page has put into the form beside them. */
  #posted(): readonly PostedField[] {
    const { kind, brand, checkout, options, paid } = this.parts;
    const own = [MODE_PARAMETER, ...this.#fields.flatMap(({ parameters }) => parameters)];
    const element = this.container.querySelector('form');
    const inputs = element === null ? [] : [...new FormData(element)];
    return [
      ...this.#submission.fieldsOf(inputs.filter(([name]) => !own.includes(name))),
      ['paymentBrand', brand],
      ...kind.posted(this.#state.values, this.#of, this.#state.mode),
      ...(options.total === '' || checkout.purpose !== 'payment' ? [] : paid.posted),
    ];
  }

  #refused(names: readonly string[]): void {
    this.#set({ isSending: false });
    this.#showWrong(fieldsOfParameters(this.#fields, names));
    this.#set({ message: 'invalid' });
  }
}

/** The form of a brand that says an account. */
export const accountForm: MakeAccountForm = (parts) => {
  lendJsx(parts.jsx);
  return new AccountForm(parts);
};
