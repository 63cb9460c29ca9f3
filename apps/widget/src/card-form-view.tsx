import type { RefCallback } from 'preact';
import { AWAY } from './away.js';
import type { BillingField } from './billing-address.js';
import { BillingGroups } from './billing-view.js';
import { BrandGroup } from './brand-view.js';
import { controlClass, FieldGroup, FrameControl, hintId, labelId } from './card-field-view.js';
import type { CardFormState } from './card-form-state.js';
import type { CountryChoice } from './countries.js';
import type { Texts } from './english.js';
import { formId } from './form-name.js';
import type { Options } from './options.js';
import { PayButton } from './pay-button-view.js';
import { payText } from './pay-text.js';
import type { FieldName } from './sent-answer.js';
import { Summary } from './summary-view.js';

/** What the view tells its form; each is the same function at every rendering. */
export interface CardFormEvents {
  readonly onSubmit: (event: SubmitEvent) => void;
  readonly onBrand: (event: Event) => void;
  readonly onExpiry: (event: Event) => void;
  readonly onHolder: (event: Event) => void;
  readonly onExpiryLeft: () => void;
  readonly onHolderLeft: () => void;
  readonly onKey: (event: KeyboardEvent) => void;
  /** Back from the summary. */
  readonly onChange: () => void;
  readonly onLabel: (field: FieldName) => void;
  readonly onBilling: (field: BillingField, event: Event) => void;
  readonly numberShown: RefCallback<HTMLIFrameElement>;
  readonly codeShown: RefCallback<HTMLIFrameElement>;
}

/** What a card form is made of. */
export interface CardFormViewParts {
  readonly state: CardFormState;
  readonly events: CardFormEvents;
  readonly options: Options;
  readonly texts: Texts;
  readonly brands: readonly string[];
  /** Tells the ids of several forms apart. */
  readonly form: string;
  readonly action: string;
  readonly isRegistration: boolean;
  /** What it is called beside other forms. */
  readonly title: string;
  /** Whether it is the page's only form. */
  readonly isAlone: boolean;
  readonly isFourDigitCode: boolean;
  readonly numberAddress: string;
  readonly codeAddress: string;
  readonly countries: readonly CountryChoice[];
  /** What is paid, as people write it; undefined where nobody says. */
  readonly amount: string | undefined;
}

/** The card form with the nesting and the classes by which shops find its parts (wire contract 10). */
export function CardFormView(parts: CardFormViewParts) {
  const { state, events, options, texts, action } = parts;
  return (
    <form
      class="wpwl-form wpwl-form-card wpwl-form-has-inputs wpwl-clearfix"
      action={action}
      method="POST"
      onSubmit={events.onSubmit}
      onKeyDown={events.onKey}
      id={formId(parts.form)}
      aria-label={parts.title}
    >
      <div class="wpwl-message" role="alert">
        {state.message === undefined ? null : (
          <div class="wpwl-message-error">{texts[state.message]}</div>
        )}
      </div>
      <BrandGroup {...parts} />
      <FieldGroup {...parts} field="cardNumber" label={texts.cardNumber}>
        <FrameControl
          {...parts}
          field="cardNumber"
          label={texts.cardNumber}
          address={parts.numberAddress}
          shown={events.numberShown}
        />
      </FieldGroup>
      <FieldGroup {...parts} field="expiry" label={texts.expiryDate}>
        <ExpiryControl {...parts} />
      </FieldGroup>
      <FieldGroup {...parts} field="cardHolder" label={texts.cardHolder}>
        <HolderControl {...parts} />
      </FieldGroup>
      {options.requireCvv && (
        <FieldGroup {...parts} field="cvv" label={texts.cvv}>
          <FrameControl
            {...parts}
            field="cvv"
            label={texts.cvv}
            address={parts.codeAddress}
            shown={events.codeShown}
          />
        </FieldGroup>
      )}
      <BillingGroups
        {...{ options, texts, form: parts.form, countries: parts.countries }}
        address={state.billing}
        wrong={state.wrongBilling}
        onTyped={events.onBilling}
        style={state.isSummary ? AWAY : undefined}
      />
      {state.isSummary && <Summary {...parts} />}
      <SubmitGroup {...parts} />
    </form>
  );
}

function SubmitGroup(parts: CardFormViewParts) {
  const { state, events, options, texts } = parts;
  const isWrong = Object.keys(state.faults).length + state.wrongBilling.length > 0;
  return (
    <div class="wpwl-group wpwl-group-submit wpwl-clearfix">
      <div class="wpwl-wrapper wpwl-wrapper-submit">
        <PayButton
          {...{ state, options, isWrong, text: buttonText(parts) }}
          namedBy={parts.isAlone ? undefined : formId(parts.form)}
        />
        {state.isSummary && (
          <button
            type="button"
            class="wpwl-button wpwl-button-other wpwl-button-change"
            disabled={state.isSending}
            onClick={events.onChange}
          >
            {texts.change}
          </button>
        )}
      </div>
    </div>
  );
}

function buttonText(parts: CardFormViewParts): string {
  const { isRegistration, options, state, texts } = parts;
  if (isRegistration) return texts.store;
  return options.useSummaryPage && !state.isSummary ? texts.review : payText(parts);
}

function ExpiryControl({ state, events, options, texts, form }: CardFormViewParts) {
  const isWrong = state.faults.expiry !== undefined;
  return (
    <input
      class={controlClass('expiry', isWrong)}
      name="card.expiry"
      type="text"
      inputMode="numeric"
      autoComplete="cc-exp"
      dir="ltr"
      placeholder={options.showPlaceholders ? texts.mmyy : ''}
      aria-required
      aria-labelledby={labelId('expiry', form)}
      aria-describedby={isWrong ? hintId('expiry', form) : undefined}
      aria-invalid={isWrong}
      value={state.expiry}
      onInput={events.onExpiry}
      onBlur={events.onExpiryLeft}
    />
  );
}

function HolderControl({ state, events, options, texts, form }: CardFormViewParts) {
  const isWrong = state.faults.cardHolder !== undefined;
  return (
    <input
      class={controlClass('cardHolder', isWrong)}
      name="card.holder"
      type="text"
      autoComplete="cc-name"
      placeholder={options.showPlaceholders ? texts.cardHolder : ''}
      aria-required={!options.allowEmptyCardHolderName}
      aria-labelledby={labelId('cardHolder', form)}
      aria-describedby={isWrong ? hintId('cardHolder', form) : undefined}
      aria-invalid={isWrong}
      value={state.holder}
      onInput={events.onHolder}
      onBlur={events.onHolderLeft}
    />
  );
}
