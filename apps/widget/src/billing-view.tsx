import { AWAY } from './away.js';
import {
  type BillingAddress,
  type BillingField,
  billingRules,
  isMandatory,
  shownFields,
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
  /** While it is not shown. */
  readonly style: { readonly display: 'none' } | undefined;
}

type FieldParts = BillingViewParts & { readonly field: BillingField };

/** Name and billing address in one group, the tax number in its own; what the shop does not ask for is not there. */
export function BillingGroups(parts: BillingViewParts) {
  const shown = shownFields(parts.options);
  const isTax = (field: BillingField) => field === 'taxNumber';
  return (
    <>
      <Group {...parts} name="billing" fields={shown.filter((field) => !isTax(field))} />
      <Group {...parts} name="taxNumber" fields={shown.filter(isTax)} />
    </>
  );
}

function Group({
  name,
  fields,
  ...parts
}: BillingViewParts & { readonly name: string; readonly fields: readonly BillingField[] }) {
  const { options, texts, form, wrong } = parts;
  if (fields.length === 0) return null;
  return (
    <div class={`wpwl-group wpwl-group-${name} wpwl-clearfix`} style={parts.style}>
      {fields.map((field) => (
        <div key={field} class={`wpwl-wrapper wpwl-wrapper-billing wpwl-wrapper-${field}`}>
          <label
            class={`wpwl-label wpwl-label-billing wpwl-label-${field}`}
            for={inputId(field, form)}
            style={options.showLabels ? undefined : AWAY}
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
    name: billingRules[field].parameter,
    autoComplete,
    // The label may be hidden.
    'aria-label': options.showLabels ? undefined : labelOf(field, parts),
    'aria-required': isMandatory(field, options),
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
  { options, texts }: Pick<BillingViewParts, 'options' | 'texts'>,
): string {
  return isMandatory(field, options) ? texts[field] : `${texts[field]} ${texts.optional}`;
}

function inputId(field: BillingField, form: string): string {
  return `wpwl-billing-${field}-${form}`;
}

function hintId(field: BillingField, form: string): string {
  return `wpwl-hint-billing-${field}-${form}`;
}
