import { type BillingField, shownFields } from './billing-address.js';
import { brandTitle } from './brand-titles.js';
import type { CardFormViewParts } from './card-form-view.js';

/** What is paid, and with what, before it is sent. The number is nothing that this page knows. */
export function Summary(parts: CardFormViewParts) {
  const { state, texts, amount, form } = parts;
  return (
    <div
      class="wpwl-group wpwl-group-summary wpwl-clearfix"
      role="group"
      aria-labelledby={`wpwl-summary-${form}`}
    >
      <div
        class="wpwl-label-summary"
        id={`wpwl-summary-${form}`}
        // Whoever comes here by the keyboard goes on from here.
        tabIndex={-1}
      >
        {texts.summary}
      </div>
      <dl class="wpwl-wrapper wpwl-wrapper-summary">
        <Row name="amount" label={texts.amount} text={amount} />
        <Row name="brand" label={texts.brand} text={brandTitle(state.brand)} />
        <Row name="expiry" label={texts.expiryDate} text={state.expiry} isNumber />
        <Row name="cardHolder" label={texts.cardHolder} text={state.holder} />
        {shownFields(parts.options).map((field) => (
          <Row key={field} name={field} label={texts[field]} text={shownIn(parts, field)} />
        ))}
      </dl>
    </div>
  );
}

/** A country is typed by its code, and read by its name. */
function shownIn({ state, countries }: CardFormViewParts, field: BillingField): string | undefined {
  const text = state.billing[field];
  if (field !== 'country') return text;
  return countries.find(({ value }) => value === text)?.title ?? text;
}

function Row({
  name,
  label,
  text = '',
  isNumber = false,
}: {
  readonly name: string;
  readonly label: string;
  readonly text?: string | undefined;
  /** Numbers and dates go from left to right in every language. */
  readonly isNumber?: boolean;
}) {
  if (text.trim() === '') return null;
  return (
    <div class={`wpwl-summary wpwl-summary-${name}`}>
      <dt>{label}</dt>
      <dd dir={isNumber ? 'ltr' : undefined}>{text}</dd>
    </div>
  );
}
