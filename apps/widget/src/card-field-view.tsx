import type { ComponentChildren, RefCallback } from 'preact';
import { AWAY } from './away.js';
import type { CardFormViewParts } from './card-form-view.js';
import type { FieldName } from './sent-answer.js';

/** One field with its label, and what is said of it. */
export function FieldGroup({
  field,
  label,
  children,
  ...parts
}: CardFormViewParts & {
  readonly field: FieldName;
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  const { state, texts, form, options, events } = parts;
  return (
    <div
      class={`wpwl-group wpwl-group-${field} wpwl-clearfix`}
      style={state.isSummary ? AWAY : undefined}
    >
      <div
        class={`wpwl-label wpwl-label-${field}`}
        id={labelId(field, form)}
        style={options.showLabels ? undefined : AWAY}
        onClick={() => events.onLabel(field)}
      >
        {label}
      </div>
      <div class={`wpwl-wrapper wpwl-wrapper-${field}`}>
        {children}
        <Hint field={field} state={state} texts={texts} form={form} />
        {field === 'cvv' && options.showCVVHint && (
          <div class="wpwl-hint wpwl-hint-cvvHint">
            {parts.isFourDigitCode ? texts.cvvHint4 : texts.cvvHint}
          </div>
        )}
      </div>
    </div>
  );
}

/** What is wrong, in words, where it is. */
export function Hint({
  field,
  state,
  texts,
  form,
}: Pick<CardFormViewParts, 'state' | 'texts' | 'form'> & { readonly field: FieldName }) {
  const fault = state.faults[field];
  if (fault === undefined) return null;
  const name = field === 'expiry' ? fault : `${field}Error`;
  return (
    <div class={`wpwl-hint wpwl-hint-${name}`} id={hintId(field, form)}>
      {texts[fault]}
    </div>
  );
}

/** A field that is in a frame of the gateway. */
export function FrameControl({
  field,
  label,
  address,
  shown,
  state,
}: CardFormViewParts & {
  readonly field: 'cardNumber' | 'cvv';
  readonly label: string;
  readonly address: string;
  readonly shown: RefCallback<HTMLIFrameElement>;
}) {
  const isWrong = state.faults[field] !== undefined;
  const focused = state.focused === field ? ' wpwl-control-focused' : '';
  return (
    <iframe
      ref={shown}
      class={`${controlClass(field, isWrong)} wpwl-control-iframe${focused}`}
      src={address}
      title={label}
      // Where nobody styles it; otherwise frames are 150 pixels high.
      height="44"
      width="100%"
      allow=""
    />
  );
}

/** The classes by which shops find a field. */
export function controlClass(field: FieldName, isWrong: boolean): string {
  return `wpwl-control wpwl-control-${field}${isWrong ? ' wpwl-has-error' : ''}`;
}

/** Of its label. */
export function labelId(field: FieldName, form: string): string {
  return `wpwl-label-${field}-${form}`;
}

/** Of what is said of it. */
export function hintId(field: FieldName, form: string): string {
  return `wpwl-hint-${field}-${form}`;
}
