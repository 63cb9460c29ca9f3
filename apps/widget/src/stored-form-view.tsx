import type { RefCallback, VNode } from 'preact';
import { AWAY } from './away.js';
import type { Texts } from './english.js';
import { formId } from './form-name.js';
import type { OfferedAccount } from './offered-accounts.js';
import type { Options } from './options.js';
import { payText } from './pay-text.js';
import type { StoredFormParts } from './stored-form-parts.js';
import type { StoredFormState } from './stored-form-state.js';

/** What the view tells its form; each is the same function at every rendering. */
export interface StoredFormEvents {
  readonly onSubmit: (event: SubmitEvent) => void;
  readonly onChosen: (id: string) => void;
  readonly onOthers: () => void;
  readonly onCodeLabel: () => void;
  readonly codeShown: RefCallback<HTMLIFrameElement>;
  /** The shopper wants an account to be deleted; has been asked, and means it, or does not. */
  readonly onDelete: (id: string) => void;
  readonly onDeleteMeant: (id: string) => void;
  readonly onDeleteNotMeant: (id: string) => void;
}

/** What a form for stored accounts is made of. */
export interface StoredFormViewParts extends Pick<StoredFormParts, 'PayButton' | 'brandTitle'> {
  readonly state: StoredFormState;
  readonly events: StoredFormEvents;
  readonly mayDelete: boolean;
  readonly isOver: (account: OfferedAccount) => boolean;
  readonly options: Options;
  readonly texts: Texts;
  /** Tells the ids of several forms apart. */
  readonly form: string;
  readonly action: string;
  /** Whether it is the page's only form. */
  readonly isAlone: boolean;
  /** Whether the code of the chosen one is asked for. */
  readonly asksCode: boolean;
  readonly codeAddress: string;
  /** Whether there are other forms, which are hidden. */
  readonly mayShowOthers: boolean;
  /** What is paid, as people write it; undefined where nobody says. */
  readonly amount: string | undefined;
}

/** The nesting and the classes by which shops find stored accounts (wire contract 10). */
export function storedFormView(parts: StoredFormViewParts): VNode {
  const { state, events, texts, action } = parts;
  const { accounts } = state;
  const said = (
    <div class="wpwl-message" role="status">
      {state.isDeleted ? texts.deleted : null}
    </div>
  );
  // Other forms are there to pay with, and this one stays to say so.
  if (accounts.length === 0) return said;
  return (
    <form
      class="wpwl-form wpwl-form-registrations wpwl-clearfix"
      action={action}
      method="POST"
      id={formId(parts.form)}
      aria-label={texts.stored}
      onSubmit={events.onSubmit}
    >
      <div class="wpwl-message" role="alert">
        {state.message === undefined ? null : (
          <div class="wpwl-message-error">{texts[state.message]}</div>
        )}
      </div>
      {said}
      {accounts.map((account) => (
        <Account key={account.id} {...parts} account={account} />
      ))}
      <SubmitGroup {...parts} />
    </form>
  );
}

type AccountParts = StoredFormViewParts & { readonly account: OfferedAccount };

function Account(parts: AccountParts) {
  const { account, state, events, texts, form, brandTitle } = parts;
  const { id, brand } = account;
  const isChosen = state.chosen === id;
  const isOver = parts.isOver(account);
  const [brandId, detailsId] = [`wpwl-brand-${id}-${form}`, `wpwl-details-${id}-${form}`];
  const selected = isChosen ? ' wpwl-selected' : '';
  return (
    <div
      class={`wpwl-registration wpwl-group wpwl-group-registration wpwl-clearfix${selected}`}
      // Whoever points at it means its button, which the keyboard has as well.
      onClick={() => !isOver && events.onChosen(id)}
    >
      <div class={cellClass('registrationId')}>
        <input
          type="radio"
          name="registrationId"
          value={id}
          checked={isChosen}
          disabled={isOver || state.isSending || state.isOver}
          data-action="change-registration"
          aria-labelledby={`${brandId} ${detailsId}`}
          onChange={() => events.onChosen(id)}
        />
      </div>
      <div class={cellClass('brand')}>
        <div class={`wpwl-brand wpwl-brand-card wpwl-brand-${brand}`} id={brandId}>
          {brandTitle(brand)}
        </div>
      </div>
      <div class={cellClass('details')} id={detailsId}>
        <Details account={account} />
        {isOver && <div class="wpwl-hint wpwl-hint-expiryYearError">{texts.expiryYearError}</div>}
      </div>
      {isChosen && parts.asksCode && <CodeCell {...parts} />}
      {parts.mayDelete && <DeleteCell {...parts} names={`${brandId} ${detailsId}`} />}
    </div>
  );
}

type DeleteCellParts = AccountParts & {
  /** Of what says which account it is: its last characters among it. */
  readonly names: string;
};

/** Asked twice in its place: what is deleted is gone. */
function DeleteCell({ account: { id }, state, events, texts, form, names }: DeleteCellParts) {
  const { deletion, isSending, isOver } = state;
  const [buttonId, questionId] = [`wpwl-delete-${id}-${form}`, `wpwl-question-${id}-${form}`];
  const isSent = deletion?.step === 'sent';
  const isAsked = deletion?.id === id;
  return (
    // Whoever points at this means no choice.
    <div class={cellClass('delete')} onClick={(event) => event.stopPropagation()}>
      {isAsked ? (
        <div role="group" aria-labelledby={`${questionId} ${names}`}>
          <div class="wpwl-label" id={questionId}>
            {texts.deleteQuestion}
          </div>
          <button
            type="button"
            class="wpwl-button wpwl-button-delete"
            data-action="confirm-delete-registration"
            // Disabled, it would lose the focus.
            aria-disabled={isSent}
            id={buttonId}
            aria-labelledby={`${buttonId} ${names}`}
            onClick={() => events.onDeleteMeant(id)}
          >
            {texts.deleteAccount}
          </button>{' '}
          <button
            type="button"
            class="wpwl-button wpwl-button-delete"
            data-action="keep-registration"
            aria-disabled={isSent}
            onClick={() => events.onDeleteNotMeant(id)}
          >
            {texts.cancel}
          </button>
        </div>
      ) : (
        <button
          type="button"
          class="wpwl-button wpwl-button-delete"
          data-action="delete-registration"
          disabled={isSending || isOver}
          id={buttonId}
          aria-labelledby={`${buttonId} ${names}`}
          onClick={() => events.onDelete(id)}
        >
          {texts.deleteAccount}
        </button>
      )}
    </div>
  );
}

/** Numbers and dates go from left to right in every language. */
function Details({ account: { ending, expiry, holder } }: Pick<AccountParts, 'account'>) {
  return (
    <>
      {ending !== '' && (
        <div class={cellClass('number')} dir="ltr">
          <span aria-hidden="true">•••• </span>
          {ending}
        </div>
      )}
      {expiry !== '' && (
        <div class={cellClass('expiry')} dir="ltr">
          {expiry}
        </div>
      )}
      {holder !== '' && <div class={cellClass('holder')}>{holder}</div>}
    </>
  );
}

function CodeCell({ account, state, events, options, texts, codeAddress }: AccountParts) {
  const { fault, isFocused } = state;
  const wrong = fault === undefined ? '' : ' wpwl-has-error';
  const focused = isFocused ? ' wpwl-control-focused' : '';
  return (
    <div class={cellClass('cvv')}>
      <div
        class="wpwl-label wpwl-label-cvv"
        style={options.showLabels ? undefined : AWAY}
        onClick={events.onCodeLabel}
      >
        {texts.cvv}
      </div>
      <iframe
        key={account.id}
        ref={events.codeShown}
        class={`wpwl-control wpwl-control-cvv${wrong} wpwl-control-iframe${focused}`}
        src={codeAddress}
        title={texts.cvv}
        // Where nobody styles it; otherwise frames are 150 pixels high.
        height="44"
        width="100%"
        allow=""
      />
      {fault !== undefined && <div class="wpwl-hint wpwl-hint-cvvError">{texts[fault]}</div>}
    </div>
  );
}

function SubmitGroup(parts: StoredFormViewParts) {
  const { state, events, options, texts, mayShowOthers, PayButton } = parts;
  const { chosen, fault, isSending } = state;
  return (
    <div class="wpwl-group wpwl-group-submit wpwl-clearfix">
      <div class="wpwl-wrapper wpwl-wrapper-submit">
        {chosen !== undefined && (
          <PayButton
            {...{ state, options, text: payText(parts), isWrong: fault !== undefined }}
            action="submit-registration"
            namedBy={parts.isAlone ? undefined : formId(parts.form)}
          />
        )}
        {mayShowOthers && (
          <button
            type="button"
            class="wpwl-button wpwl-button-other"
            data-action="show-initial-forms"
            disabled={isSending}
            onClick={events.onOthers}
          >
            {texts.otherWay}
          </button>
        )}
      </div>
    </div>
  );
}

function cellClass(name: string): string {
  return `wpwl-wrapper-registration wpwl-wrapper-registration-${name}`;
}
