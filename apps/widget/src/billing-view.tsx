import {
  type BillingAddress,
  type BillingField,
  billingFields,
  billingRules,
  isMandatory,
} from './billing-address.js';
import type { CountryChoice } from './countries.js';
import type { Texts } from './english.js';
import type { Options } from './options.js';

/** What the fields of an address are made of. */
export interface BillingViewParts {
  readonly address: BillingAddress;
  readonly wrong: readonly BillingField[];
  readonly countries: readonly CountryChoice[];
  readonly onTyped: (field: BillingField, event: Event) => void;
  readonly options: Options;
  readonly texts: Texts;
  readonly form: string;
}

type FieldParts = BillingViewParts & { readonly field: BillingField };

/** The billing address, in one group; nothing where the shop does not ask for it (wire contract 10). */
export function BillingGroup(parts: BillingViewParts) {
  const { options, texts, form, wrong } = parts;
  if (options.billingAddress === undefined) return null;
  return (
    <div class="wpwl-group wpwl-group-billing wpwl-clearfix">
      {billingFields.map((field) => (
        <div key={field} class={`wpwl-wrapper wpwl-wrapper-billing wpwl-wrapper-${field}`}>
          <label
            class={`wpwl-label wpwl-label-billing wpwl-label-${field}`}
            for={inputId(field, form)}
            hidden={!options.showLabels}
          >
            {labelOf(field, parts)}
          </label>
          <Control {...parts} field={field} />
          {wrong.includes(field) && (
            <div class={`wpwl-hint wpwl-hint-${field}Error`} id={hintId(field, form)}>
              {texts[billingRules[field].error]}
            </div>
          )}
        </div>
      ))}
    </div>
  );
}

function Control(parts: FieldParts) {
  const { field, address, wrong, onTyped, options, form } = parts;
  const { autoComplete, charactersMax } = billingRules[field];
  const isWrong = wrong.includes(field);
  const placeholder = options.showPlaceholders ? labelOf(field, parts) : '';
  const same = {
    class: `wpwl-control wpwl-control-billing wpwl-control-${field}${isWrong ? ' wpwl-has-error' : ''}`,
    id: inputId(field, form),
    name: `billing.${field}`,
    autoComplete,
    // The label may be hidden.
    'aria-label': options.showLabels ? undefined : labelOf(field, parts),
    'aria-invalid': isWrong,
    'aria-describedby': isWrong ? hintId(field, form) : undefined,
    value: address[field] ?? '',
  };
  if (field !== 'country') {
    return (
      <input
        {...same}
        type="text"
        maxLength={charactersMax}
        placeholder={placeholder}
        onInput={(event) => onTyped(field, event)}
      />
    );
  }
  return (
    <select {...same} onChange={(event) => onTyped(field, event)}>
      <option value="">{placeholder}</option>
      {parts.countries.map(({ value, title }) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </select>
  );
}

/** A field that may stay empty says so. */
function labelOf(
  field: BillingField,
  { options: { billingAddress }, texts }: Pick<BillingViewParts, 'options' | 'texts'>,
): string {
  const isNeeded = billingAddress !== undefined && isMandatory(field, billingAddress);
  return isNeeded ? texts[field] : `${texts[field]} ${texts.optional}`;
}

function inputId(field: BillingField, form: string): string {
  return `wpwl-billing-${field}-${form}`;
}

function hintId(field: BillingField, form: string): string {
  return `wpwl-hint-billing-${field}-${form}`;
}
