import type { VNode } from 'preact';
import { AWAY } from './away.js';
import type {
  AccountField,
  AccountFieldName,
  AccountFormName,
  AccountFormKind,
  AccountMode,
} from './account-form-kind.js';
import type { AccountFormParts } from './account-form-parts.js';
import type { AccountFormState } from './account-form-state.js';
import { MODE_PARAMETER } from './account-mode.js';
import type { TextName, Texts } from './english.js';
import { formId } from './form-name.js';
import type { Options } from './options.js';
import { payText } from './pay-text.js';
import { isSavedFirst } from './summary-page.js';

/** What the view tells its form; each is the same function at every rendering. */
export interface AccountFormEvents {
  readonly onSubmit: (event: SubmitEvent) => void;
  readonly onTyped: (field: AccountField, event: Event) => void;
  readonly onLeft: (field: AccountField) => void;
  readonly onMode: (mode: AccountMode) => void;
  readonly onLabel: (field: AccountField) => void;
  readonly onKey: (event: KeyboardEvent) => void;
}

/** What a form that says an account is made of. */
export interface AccountFormViewParts
  extends Pick<AccountFormKind, 'isElsewhere'>, Pick<AccountFormParts, 'PayButton'> {
  readonly name: AccountFormName;
  readonly brand: string;
  readonly title: string;
  readonly fields: readonly AccountField[];
  /** None where there is one way to pay. */
  readonly modes: readonly AccountMode[];
  readonly agreement: readonly TextName[];
  readonly state: AccountFormState;
  readonly events: AccountFormEvents;
  readonly options: Options;
  readonly texts: Texts;
  /** Tells the ids of several forms apart. */
  readonly form: string;
  readonly action: string;
  readonly isRegistration: boolean;
  /** Whether it is the page's only form. */
  readonly isAlone: boolean;
  /** What is paid, as people write it; undefined where nobody says. */
  readonly amount: string | undefined;
}

/** The nesting and the classes are those of the card form (wire contract 10), with other fields. */
export function accountFormView(parts: AccountFormViewParts): VNode {
  const { name, brand, title, fields, agreement, state, events, texts } = parts;
  const hasInputs = fields.length > 0 ? ' wpwl-form-has-inputs' : '';
  return (
    <form
      class={`wpwl-form wpwl-form-${name} wpwl-form-${name}-${brand}${hasInputs} wpwl-clearfix`}
      action={parts.action}
      method="POST"
      id={formId(parts.form)}
      aria-label={title}
      // What is wrong is said by the form, in its own language and beside the field.
      noValidate
      onSubmit={events.onSubmit}
      onKeyDown={events.onKey}
    >
      <div class="wpwl-message" role="alert">
        {state.message === undefined ? null : (
          <div class="wpwl-message-error">{texts[state.message]}</div>
        )}
      </div>
      <div class="wpwl-group wpwl-group-brand wpwl-clearfix">
        <div class="wpwl-wrapper wpwl-wrapper-brand">
          {/* Shops give it a picture by its class. */}
          <div class={`wpwl-brand wpwl-brand-custom wpwl-brand-${brand}`}>{title}</div>
        </div>
      </div>
      {parts.modes.length > 0 && <ModeGroup {...parts} />}
      {fields.map((field) => (
        <FieldGroup key={field.name} {...parts} field={field} />
      ))}
      {agreement.length > 0 && (
        <div class="wpwl-group wpwl-group-mandate wpwl-clearfix">
          <div class="wpwl-wrapper wpwl-wrapper-mandate" id={`wpwl-mandate-${parts.form}`}>
            {agreement.map((text) => texts[text]).join(' ')}
          </div>
        </div>
      )}
      <SubmitGroup {...parts} />
    </form>
  );
}

/** Shops hide it, and choose by script: each way is a radio button of its own class (wire contract 10). */
function ModeGroup({ modes, state, texts, form, events, options }: AccountFormViewParts) {
  const ofGroup = `wpwl-label-paymentMode-${form}`;
  return (
    <div
      class="wpwl-group wpwl-group-paymentMode wpwl-clearfix"
      role="radiogroup"
      aria-required
      aria-labelledby={ofGroup}
    >
      <div
        class="wpwl-label wpwl-label-paymentMode"
        id={ofGroup}
        style={options.showLabels ? undefined : AWAY}
      >
        {texts.paymentMode}
      </div>
      <div class="wpwl-wrapper wpwl-wrapper-paymentMode">
        {modes.map((mode) => (
          <label key={mode} class={`wpwl-wrapper-radio wpwl-wrapper-radio-${mode}`}>
            <input
              type="radio"
              class={`wpwl-control-radio wpwl-control-radio-${mode}`}
              name={MODE_PARAMETER}
              value={mode}
              checked={state.mode === mode}
              disabled={state.isSending || state.isOver}
              // A script that has checked it before it clicks tells of no change.
              onClick={() => events.onMode(mode)}
              onChange={() => events.onMode(mode)}
            />
            {texts[mode]}
          </label>
        ))}
      </div>
    </div>
  );
}

function FieldGroup(parts: AccountFormViewParts & { readonly field: AccountField }) {
  const { field, state, texts, form, options, events } = parts;
  const { name, mode } = field;
  return (
    <div
      class={`wpwl-group wpwl-group-${name} wpwl-clearfix`}
      style={mode === undefined || mode === state.mode ? undefined : AWAY}
    >
      <div
        class={`wpwl-label wpwl-label-${name}`}
        id={labelId(name, form)}
        style={options.showLabels ? undefined : AWAY}
        onClick={() => events.onLabel(field)}
      >
        {labelOf(field, texts)}
      </div>
      <div class={`wpwl-wrapper wpwl-wrapper-${name}`}>
        <Control {...parts} />
        {state.wrong.includes(name) && (
          <div class={`wpwl-hint wpwl-hint-${name}Error`} id={hintId(name, form)}>
            {texts[`${name}Error`]}
          </div>
        )}
      </div>
    </div>
  );
}

function Control(parts: AccountFormViewParts & { readonly field: AccountField }) {
  const { field, state, events, options, texts, form } = parts;
  const { name, parameters, choices, shown, inputMode } = field;
  const isWrong = state.wrong.includes(name);
  // What is optional is said once: by the label, where there is one.
  const title = options.showLabels ? texts[name] : labelOf(field, texts);
  const placeholder = options.showPlaceholders ? title : '';
  const same = {
    class: `wpwl-control wpwl-control-${name}${isWrong ? ' wpwl-has-error' : ''}`,
    name: parameters[0],
    autoComplete: field.autoComplete,
    'aria-labelledby': labelId(name, form),
    'aria-describedby': isWrong ? hintId(name, form) : undefined,
    'aria-required': isMandatory(field),
    'aria-invalid': isWrong,
    value: state.values[name] ?? '',
    onBlur: () => events.onLeft(field),
  };
  if (choices !== undefined) {
    return (
      <select {...same} onChange={(event) => events.onTyped(field, event)}>
        <option value="">{placeholder}</option>
        {choices.map(({ value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      {...same}
      type="text"
      inputMode={inputMode}
      dir={shown === undefined && inputMode === undefined ? undefined : 'ltr'}
      spellcheck={false}
      autoCapitalize={shown === undefined ? 'off' : 'characters'}
      placeholder={placeholder}
      onInput={(event) => events.onTyped(field, event)}
    />
  );
}

function SubmitGroup(parts: AccountFormViewParts) {
  const { brand, title, state, options, texts, agreement, PayButton } = parts;
  const text = buttonText(parts, title, texts);
  return (
    <div class="wpwl-group wpwl-group-submit wpwl-clearfix">
      <div class="wpwl-wrapper wpwl-wrapper-submit">
        <PayButton
          {...{ state, options, text }}
          class={` wpwl-button-pay-${brand}`}
          isWrong={state.wrong.length > 0}
          namedBy={parts.isAlone || text.includes(title) ? undefined : formId(parts.form)}
          describedBy={agreement.length > 0 ? `wpwl-mandate-${parts.form}` : undefined}
        />
      </div>
    </div>
  );
}

function buttonText(
  parts: AccountFormViewParts,
  title: string,
  { storeAccount, goOn }: Texts,
): string {
  if (parts.isRegistration) return storeAccount;
  const goesOn = parts.isElsewhere && !isSavedFirst(parts.options);
  return goesOn ? goOn.replace('{brand}', () => title) : payText(parts);
}

/** A field that is right while nothing is typed at all may stay so. */
function labelOf(field: AccountField, texts: Texts): string {
  const { [field.name]: label, optional } = texts;
  return isMandatory(field) ? label : `${label} ${optional}`;
}

function isMandatory({ isWrong }: AccountField): boolean {
  return isWrong({});
}

function labelId(field: AccountFieldName, form: string): string {
  return `wpwl-label-${field}-${form}`;
}

function hintId(field: AccountFieldName, form: string): string {
  return `wpwl-hint-${field}-${form}`;
}
