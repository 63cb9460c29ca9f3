import { brandNamed } from '@sluice/parameters/cards';
import { h, render } from 'preact';
import {
  type BillingField,
  billingFieldsOf,
  TAX_NUMBER_TYPE,
  wrongFields,
} from './billing-address.js';
import { followedBrand } from './brand-detection.js';
import {
  type CardFormState,
  faultOf,
  faultsOf,
  fieldNames,
  initialState,
  refusedField,
  withFault,
} from './card-form-state.js';
import { type CardFormEvents, CardFormView } from './card-form-view.js';
import { type CountryChoice, countryChoices } from './countries.js';
import { expiryOf, expiryText } from './expiry.js';
import { FieldFrame, frameAddress, type ToldByField } from './field-frame.js';
import type { CardRange, FieldKind } from './field-messages.js';
import { newContainer, submitContained } from './form-container.js';
import { newFormName } from './form-name.js';
import { removeContainer } from './form-removal.js';
import { callOfFrame } from './frame-callback.js';
import { frameLook } from './frame-look.js';
import type { CallbackName, FocusedField } from './options.js';
import type { PaymentForm, PaymentFormParts } from './payment-form.js';
import { type FieldName, fieldOfParameter } from './sent-answer.js';
import { Submission } from './submission.js';
import { isSavedFirst } from './summary-page.js';

/** What a card form is made with. */
export interface CardFormParts extends PaymentFormParts {
  /** The cards that it takes, the first of them chosen. */
  readonly brands: readonly [string, ...string[]];
  /** What it is called beside other forms. */
  readonly title: string;
}

const FIELD_OF_FRAME = { number: 'cardNumber', code: 'cvv' } as const;

/** One card form on a page: what is typed, what is wrong, and what is sent. */
export class CardForm implements PaymentForm {
  readonly container: HTMLDivElement;
  readonly #id = newFormName();
  readonly #frames = new Map<FieldKind, FieldFrame>();
  readonly #submission: Submission;
  readonly #countries: readonly CountryChoice[];
  #state: CardFormState;

  constructor(private readonly parts: CardFormParts) {
    const { brands, language, options } = parts;
    this.#state = initialState(brands[0], options.billingAddress?.given);
    this.#countries = options.billingAddress === undefined ? [] : countryChoices(language);
    const ofKind = 'wpwl-container-card';
    this.container = newContainer(language, `${ofKind}-${this.#id}`, ofKind);
    this.#submission = new Submission({
      ...{ parts, unanswered: 'PciIframeSubmitError', paid: parts.paid },
      challenged: { container: this.container, texts: parts.texts, isByCard: () => true },
      isSending: () => this.#state.isSending,
      show: (changes) => this.#set(changes),
      send: () => this.#send(),
      declined: (field) => this.#refused(field === undefined ? [] : [field], [], 'declined'),
      refused: (names) =>
        this.#refused(
          names.flatMap((name) => fieldOfParameter(name) ?? []),
          billingFieldsOf(names),
          'invalid',
        ),
    });
  }

  show(): void {
    this.#render();
    this.#submission.begin();
  }

  close(): void {
    this.#submission.close();
    for (const frame of this.#frames.values()) frame.close();
    removeContainer(this.container);
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

  #set(changes: Partial<CardFormState>): void {
    if (this.#submission.isClosed) return;
    this.#state = { ...this.#state, ...changes };
    this.#render();
  }

  #render(): void {
    const { paid, options, texts, brands, form, folder, checkout } = this.parts;
    const parts = {
      ...{ state: this.#state, events: this.#events, options, texts, brands, form: this.#id },
      ...{ action: form.action, amount: paid.text },
      ...{ title: this.parts.title, isAlone: this.parts.isAlone() },
      isRegistration: checkout.purpose === 'registration',
      isFourDigitCode: brandNamed(this.#state.brand)?.securityCodeDigits === 4,
      numberAddress: frameAddress(folder, 'number', this.#id),
      codeAddress: frameAddress(folder, 'code', this.#id),
      countries: this.#countries,
    };
    render(h(CardFormView, parts), this.container);
  }

  readonly #events: CardFormEvents = {
    onSubmit: (event) => {
      event.preventDefault();
      this.#submit(event);
    },
    onBrand: ({ target }) => {
      const isChoice = target instanceof HTMLSelectElement || target instanceof HTMLInputElement;
      if (isChoice) this.#chooseBrand(target.value);
    },
    onExpiry: ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      const expiry = expiryText(target.value, this.#state.expiry);
      // Preact leaves an input alone whose value it has set already.
      target.value = expiry;
      this.#edit({ expiry }, 'expiry');
    },
    onHolder: ({ target }) => {
      if (target instanceof HTMLInputElement) this.#edit({ holder: target.value }, 'cardHolder');
    },
    onExpiryLeft: () => this.#left('expiry', 'onBlurExpiryDate'),
    onHolderLeft: () => this.#left('cardHolder', 'onBlurCardHolder'),
    onKey: (event) => {
      const isInput = event.target instanceof HTMLInputElement;
      if (event.key === 'Enter' && isInput && this.parts.options.disableSubmitOnEnter) {
        event.preventDefault();
      }
    },
    onLabel: (field) => this.#focus(field),
    onBilling: (field, { target }) => {
      if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
      const { billing, wrongBilling, faults } = this.#state;
      const isOfName = faults.cardHolder === 'otherName';
      this.#set({
        faults: isOfName ? withFault(faults, 'cardHolder', undefined) : faults,
        billing: { ...billing, [field]: target.value },
        wrongBilling: wrongBilling.filter((one) => one !== field),
      });
    },
    onChange: () => this.#set({ isSummary: false }),
    numberShown: (element) => this.#shown('number', element),
    codeShown: (element) => this.#shown('code', element),
  };

  /** A change takes back what was wrong with the field; whether it still is, is said when it is left. */
  #edit(changes: Partial<CardFormState>, field: FieldName): void {
    this.#set({ ...changes, faults: withFault(this.#state.faults, field, undefined) });
    this.#takeBackOwn(field);
    this.#tellFault(field);
  }

  /** What the page has said of a field itself, by the classes of the form's own, goes as the form's own does. */
  #takeBackOwn(field: FieldName): void {
    for (const hint of this.container.querySelectorAll(`.wpwl-hint-${field}Error`)) hint.remove();
    this.container.querySelector(`.wpwl-control-${field}`)?.classList.remove('wpwl-has-error');
  }

  #left(field: FieldName, callback: CallbackName): void {
    this.parts.whenReleased(() => {
      // Nothing is wrong with what nobody has begun yet.
      if (this.#isEmpty(field)) return;
      const fault = faultOf(field, this.#state, this.#judge());
      this.#set({ faults: withFault(this.#state.faults, field, fault) });
      this.#tellFault(field);
    });
    this.parts.call(callback, undefined);
  }

  #isEmpty(field: FieldName): boolean {
    const { number, code, expiry, holder } = this.#state;
    switch (field) {
      case 'brand':
        return false;
      case 'cardNumber':
        return number.isEmpty;
      case 'cvv':
        return code.isEmpty;
      case 'expiry':
        return expiry === '';
      case 'cardHolder':
        return holder === '';
    }
  }

  #judge() {
    return { options: this.parts.options, nowMs: Date.now() };
  }

  #chooseBrand(brand: string): void {
    if (brand === this.#state.brand) return;
    this.#edit({ brand }, 'brand');
    for (const frame of this.#frames.values()) frame.tell({ kind: 'brand', brand });
    this.parts.call('onChangeBrand', undefined, brand);
  }

  #shown(kind: FieldKind, element: HTMLIFrameElement | null): void {
    if (element === null || this.#frames.get(kind)?.element === element) return;
    this.#frames.get(kind)?.close();
    const frame = new FieldFrame({
      ...{ kind, element },
      look: () => frameLook(kind, { ...this.parts, container: this.container }),
      told: (message) => this.#told(kind, message),
      report: this.parts.report,
    });
    this.#frames.set(kind, frame);
  }

  #told(kind: FieldKind, message: ToldByField): void {
    const field = FIELD_OF_FRAME[kind];
    switch (message.kind) {
      case 'ready':
        this.#ready(kind);
        return;
      case 'changed':
        this.#changed(kind, message);
        return;
      case 'range':
        this.#detectedRange(message);
        return;
      case 'focused':
        this.#set({ focused: field });
        this.#callOfFrame('onFocusIframeCommunication', kind);
        return;
      case 'blurred':
        this.#set({ focused: undefined });
        this.#callOfFrame('onBlurIframeCommunication', kind);
        this.#left(field, kind === 'number' ? 'onBlurCardNumber' : 'onBlurSecurityCode');
        return;
      case 'entered':
        if (!this.parts.options.disableSubmitOnEnter) this.execute();
        return;
      case 'answered':
      case 'unanswered':
        this.#submission.answeredByFrame(message);
        return;
    }
  }

  #ready(kind: FieldKind): void {
    // The frame that was sending is a new one now, and does not know what was answered.
    if (kind === 'number' && this.#state.isSending) this.#submission.answered({ kind: 'unknown' });
    const frame = this.#frames.get(kind);
    frame?.tell({ kind: 'brand', brand: this.#state.brand });
    this.#callOfFrame('onReadyIframeCommunication', kind);
    const focused = this.parts.options.autofocus;
    const field = focused === undefined ? undefined : FOCUSED[focused];
    if (field === FIELD_OF_FRAME[kind]) frame?.focus();
    else if (kind === 'number' && (field === 'expiry' || field === 'cardHolder'))
      this.#focus(field);
  }

  #changed(kind: FieldKind, { isEmpty, isValid, brands }: ToldByField & { kind: 'changed' }): void {
    const { [kind]: before, brand } = this.#state;
    const isSame = before.isEmpty === isEmpty && before.isValid === isValid;
    if (!isSame) this.#edit({ [kind]: { isEmpty, isValid } }, FIELD_OF_FRAME[kind]);
    if (kind !== 'number') return;
    if (this.#detected.join() !== brands.join()) {
      this.#detected = brands;
      this.parts.call('onDetectBrand', undefined, [...brands]);
    }
    this.#chooseBrand(followedBrand(brands, brand));
  }

  #detected: readonly string[] = [];

  /** As far as the list knows them; there is no digit in it. */
  #detectedRange({ brands, country, type }: CardRange): void {
    this.parts.call('onDetectBin', undefined, { brands: [...brands], country, type });
  }

  #callOfFrame(name: CallbackName, kind: FieldKind): void {
    callOfFrame(this.parts, name, this.#frames.get(kind)?.element);
  }

  #focus(field: FieldName): void {
    if (field === 'cardNumber') this.#frames.get('number')?.focus();
    else if (field === 'cvv') this.#frames.get('code')?.focus();
    else this.#focusControl(field);
  }

  #focusControl(name: string): void {
    this.container.querySelector<HTMLElement>(`.wpwl-control-${name}`)?.focus();
  }

  #tellFault(field: FieldName): void {
    if (field !== 'cardNumber' && field !== 'cvv') return;
    const fault = this.#state.faults[field];
    const frame = this.#frames.get(field === 'cvv' ? 'code' : 'number');
    frame?.tellFault(fault && this.parts.texts[fault]);
  }

  #submit(event: SubmitEvent): void {
    if (this.#state.isSending || this.#state.isOver || this.#isAsking) return;
    const faults = faultsOf(this.#state, this.#judge());
    if (faults.cardNumber === undefined && faults.cvv === undefined) {
      this.#submitJudged(event);
      return;
    }
    // WebKit moves the focus into a frame only while the button is being pressed.
    this.#focusFirst(faults);
    // It may be pressed sooner than the last digit is told of.
    this.#isAsking = true;
    void Promise.all([...this.#frames.values()].map((frame) => frame.asked())).then(() => {
      this.#isAsking = false;
      if (!this.#submission.isClosed) this.#submitJudged(event);
    });
  }

  #isAsking = false;

  #submitJudged(event: SubmitEvent): void {
    const faults = faultsOf(this.#state, this.#judge());
    const { options, checkout } = this.parts;
    const wrong = wrongFields(this.#state.billing, options);
    this.#showFaults(faults, wrong);
    if (Object.keys(faults).length > 0 || wrong.length > 0) return;
    const isSummarized = options.useSummaryPage && !isSavedFirst(options);
    if (isSummarized && checkout.purpose === 'payment' && !this.#state.isSummary) {
      this.#set({ isSummary: true });
      this.container.querySelector<HTMLElement>('.wpwl-label-summary')?.focus();
      return;
    }
    void this.#submission.submit('onBeforeSubmitCard', event);
  }

  #showFaults(faults: CardFormState['faults'], wrongBilling: readonly BillingField[]): void {
    const isRight = Object.keys(faults).length + wrongBilling.length === 0;
    const isSummary = isRight && this.#state.isSummary;
    this.#set({ faults, wrongBilling, isSummary, message: undefined });
    for (const field of fieldNames) this.#tellFault(field);
    const [firstOfAddress] = wrongBilling;
    if (this.#focusFirst(faults)) return;
    if (firstOfAddress !== undefined) this.#focusControl(firstOfAddress);
  }

  /** Of the fields that are wrong; whether there is one. */
  #focusFirst(faults: CardFormState['faults']): boolean {
    const first = fieldNames.find((field) => faults[field] !== undefined);
    if (first !== undefined) this.#focus(first);
    return first !== undefined;
  }

  #send(): void {
    const form = this.container.querySelector('form');
    const frame = this.#frames.get('number');
    const expiry = expiryOf(this.#state.expiry);
    if (form === null || frame === undefined || expiry === undefined) return;
    const fields = [
      ...this.#submission.fieldsOf(new FormData(form)),
      ['card.expiryMonth', expiry.month] as const,
      ['card.expiryYear', expiry.year] as const,
      ...((this.#state.billing.taxNumber ?? '').trim() === '' ? [] : [TAX_NUMBER_TYPE]),
    ];
    const { checkout, options, paid } = this.parts;
    const { id, purpose } = checkout;
    const isAmountShown = options.total !== '' || this.#state.isSummary;
    if (isAmountShown && purpose === 'payment') fields.push(...paid.posted);
    frame.tell({ kind: 'submit', checkout: { id, purpose }, fields });
  }

  #refused(
    fields: readonly FieldName[],
    wrongBilling: readonly BillingField[],
    message: 'declined' | 'invalid',
  ): void {
    this.#set({ isSending: false, isSummary: false });
    const faults = fields.map((field) => [field, refusedField[field]] as const);
    this.#showFaults(Object.fromEntries(faults), wrongBilling);
    this.#set({ message });
  }
}

const FOCUSED: Readonly<Record<FocusedField, FieldName>> = {
  'card.number': 'cardNumber',
  'card.cvv': 'cvv',
  'card.expiry': 'expiry',
  'card.holder': 'cardHolder',
};
