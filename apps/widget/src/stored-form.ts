import { deletedAccount } from './account-deletion.js';
import { type FieldFrame, frameAddress, type ToldByField } from './field-frame.js';
import { submitPath } from './field-form.js';
import { submitContained } from './form-container.js';
import { newFormName } from './form-name.js';
import { callOfFrame } from './frame-callback.js';
import { lendJsx } from './lent-elements.js';
import type { OfferedAccount } from './offered-accounts.js';
import type { CallbackName } from './options.js';
import type { PaymentForm } from './payment-form.js';
import { type FieldName, fieldOfParameter } from './sent-answer.js';
import type { MakeStoredForm, StoredFormParts } from './stored-form-parts.js';
import {
  besideDeleted,
  codeFault,
  initialState,
  noCode,
  type StoredFormState,
  withoutDeleted,
} from './stored-form-state.js';
import { type StoredFormEvents, storedFormView } from './stored-form-view.js';
import type { Submission } from './submission.js';
import { summaryComplaint } from './summary-page.js';

const NONE: readonly string[] = [];
const REGISTRATION_ID = 'registrationId';

/** By which the page may say no. */
const BEFORE = {
  card: 'onBeforeSubmitCard',
  bankAccount: 'onBeforeSubmitDirectDebit',
  virtualAccount: 'onBeforeSubmitVirtualAccount',
  other: 'onBeforeSubmitVirtualAccount',
} as const;

/** The stored accounts that the merchant offers, between which the shopper chooses. */
class StoredForm implements PaymentForm {
  readonly container: HTMLDivElement;
  readonly #id = newFormName();
  readonly #submission: Submission;
  /** Of the code of the account that is chosen, where one is asked for. */
  #frame: FieldFrame | undefined;
  #showOthers: (() => void) | undefined;
  #state: StoredFormState;

  constructor(private readonly parts: StoredFormParts) {
    const { accounts, language, showOthers } = parts;
    this.#state = initialState(accounts, this.#isUsable);
    this.#showOthers = showOthers;
    const ofKind = 'wpwl-container-registration';
    const id = `${ofKind}-${this.#id}`;
    this.container = parts.newContainer(language, id, ofKind, 'wpwl-registrations');
    this.#submission = parts.newSubmission({
      ...{ parts, unanswered: 'PciIframeSubmitError', paid: parts.paid },
      challenged: {
        ...{ container: this.container, texts: parts.texts },
        isByCard: () => this.#chosen?.kind === 'card',
      },
      isSending: () => this.#state.isSending,
      show: (changes) => this.#set(changes),
      send: () => this.#send(),
      declined: (field) => this.#refused(field, 'declined'),
      refused: (names) => this.#refused(names.map(fieldOfParameter).find(Boolean), 'invalid'),
    });
  }

  show(): void {
    const { options, checkout } = this.parts;
    const complaint = summaryComplaint('stored accounts', options, checkout);
    if (complaint !== undefined) console.warn(`Sluice: ${complaint}`);
    this.#render();
    this.#submission.begin();
  }

  close(): void {
    this.#submission.close();
    this.#frame?.close();
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

  #set(changes: Partial<StoredFormState>): void {
    if (this.#submission.isClosed) return;
    this.#state = { ...this.#state, ...changes };
    this.#render();
  }

  #render(): void {
    const { paid, options, texts, form, folder, PayButton, brandTitle, mayDelete } = this.parts;
    const parts = {
      ...{ state: this.#state, events: this.#events, options, texts, form: this.#id },
      ...{ amount: paid.text, PayButton, brandTitle, mayDelete },
      ...{ action: form.action, isAlone: this.parts.isAlone() },
      isOver: (account: OfferedAccount) => !this.#isUsable(account),
      asksCode: this.#asksCode(),
      codeAddress: frameAddress(folder, 'code', this.#id),
      mayShowOthers: this.#showOthers !== undefined,
    };
    this.parts.render(storedFormView(parts), this.container);
  }

  readonly #events: StoredFormEvents = {
    onSubmit: (event) => {
      event.preventDefault();
      this.#submit(event);
    },
    onChosen: (chosen) => this.#choose(chosen),
    onOthers: () => this.#goToOthers(),
    onCodeLabel: () => this.#frame?.focus(),
    codeShown: (element) => this.#shown(element),
    onDelete: (id) => {
      if (this.#state.deletion?.step === 'sent') return;
      const deletion = { id, step: 'asked' } as const;
      this.#set({ deletion, isDeleted: false, message: undefined });
      this.#focus('[data-action="keep-registration"]');
    },
    onDeleteMeant: (id) => {
      if (this.#state.deletion?.step === 'asked') void this.#delete(id);
    },
    onDeleteNotMeant: (id) => {
      if (this.#state.deletion?.step === 'sent') return;
      this.#set({ deletion: undefined });
      this.#focus(`[id="wpwl-delete-${id}-${this.#id}"]`);
    },
  };

  readonly #isUsable = (account: OfferedAccount): boolean =>
    !this.parts.isOver(account, Date.now());

  #focus(selector: string): void {
    this.container.querySelector<HTMLElement>(selector)?.focus();
  }

  #goToOthers(): void {
    const showOthers = this.#showOthers;
    this.#showOthers = undefined;
    this.#render();
    showOthers?.();
  }

  async #delete(id: string): Promise<void> {
    this.#set({ deletion: { id, step: 'sent' } });
    const { checkout, folder } = this.parts;
    const deleted = await deletedAccount(checkout, id, folder);
    if (this.#submission.isClosed) return;
    if (deleted !== 'deleted') {
      const isOver = deleted === 'over';
      this.#set({ deletion: undefined, isOver, message: isOver ? 'over' : 'notDeleted' });
      this.#focus(`[id="wpwl-delete-${id}-${this.#id}"]`);
      return;
    }
    const beside = besideDeleted(this.#state.accounts, id);
    this.#set(withoutDeleted(this.#state, id, this.#isUsable));
    if (beside !== undefined) {
      this.#focus(`input[value="${beside}"]`);
      return;
    }
    this.#goToOthers();
    const next = this.container.nextElementSibling;
    next?.querySelector<HTMLElement>('select, input, iframe, button')?.focus();
  }

  get #chosen(): OfferedAccount | undefined {
    return this.#state.accounts.find(({ id }) => id === this.#state.chosen);
  }

  #asksCode(): boolean {
    return this.parts.options.registrations.requireCvv && this.#chosen?.kind === 'card';
  }

  #choose(chosen: string): void {
    const { isSending, chosen: before } = this.#state;
    if (isSending || chosen === before) return;
    this.#set({ ...noCode, chosen, isDeleted: false });
  }

  /** Each account that is chosen has a frame of its own, so nothing is left in it of another one. */
  #shown(element: HTMLIFrameElement | null): void {
    if (this.#frame?.element === element) return;
    this.#frame?.close();
    this.#frame = undefined;
    if (element === null) return;
    this.#frame = this.parts.newFrame({
      ...{ kind: 'code', element },
      look: () =>
        this.parts.frameLook('code', {
          ...{ ...this.parts, brands: NONE, container: this.container },
        }),
      told: (message) => this.#told(message),
      report: this.parts.report,
    });
  }

  #told(message: ToldByField): void {
    switch (message.kind) {
      case 'ready':
        if (this.#state.isSending) this.#submission.answered({ kind: 'unknown' });
        this.#frame?.tell({ kind: 'brand', brand: this.#chosen?.brand ?? '' });
        this.#callOfFrame('onReadyIframeCommunication');
        return;
      case 'changed': {
        const { isEmpty, isValid } = message;
        const { code } = this.#state;
        if (code.isEmpty === isEmpty && code.isValid === isValid) return;
        this.#set({ code: { isEmpty, isValid }, fault: undefined });
        this.#tellFault();
        return;
      }
      case 'focused':
        this.#set({ isFocused: true });
        this.#callOfFrame('onFocusIframeCommunication');
        return;
      case 'blurred':
        this.#set({ isFocused: false });
        this.#callOfFrame('onBlurIframeCommunication');
        this.parts.whenReleased(() => {
          if (!this.#state.code.isEmpty) this.#judge();
        });
        this.parts.call('onBlurSecurityCode', undefined);
        return;
      case 'entered':
        if (!this.parts.options.disableSubmitOnEnter) this.execute();
        return;
      case 'range':
        return;
      case 'answered':
      case 'unanswered':
        this.#submission.answeredByFrame(message);
        return;
    }
  }

  #callOfFrame(name: CallbackName): void {
    callOfFrame(this.parts, name, this.#frame?.element);
  }

  #judge(): void {
    const { options } = this.parts;
    this.#set({ fault: codeFault(this.#state.code, options) });
    this.#tellFault();
  }

  #tellFault(): void {
    const { fault } = this.#state;
    this.#frame?.tellFault(fault && this.parts.texts[fault]);
  }

  #submit(event: SubmitEvent): void {
    const { isSending, isOver: isEnded, deletion } = this.#state;
    const chosen = this.#chosen;
    if (isSending || isEnded || this.#isAsking || chosen === undefined) return;
    if (deletion?.step === 'sent') return;
    this.#set({ deletion: undefined, isDeleted: false });
    const { code } = this.#state;
    const isWrong = this.#asksCode() && codeFault(code, this.parts.options) !== undefined;
    if (!isWrong || this.#frame === undefined) {
      this.#submitJudged(event, chosen);
      return;
    }
    // The button may be pressed sooner than the last digit is told of.
    this.#isAsking = true;
    void this.#frame.asked().then(() => {
      this.#isAsking = false;
      const isStill = this.#chosen === chosen && this.#state.deletion?.step !== 'sent';
      if (!this.#submission.isClosed && isStill) this.#submitJudged(event, chosen);
    });
  }

  #isAsking = false;

  #submitJudged(event: SubmitEvent, chosen: OfferedAccount): void {
    if (this.#asksCode()) {
      this.#judge();
      if (this.#state.fault !== undefined) {
        this.#frame?.focus();
        return;
      }
    }
    void this.#submission.submit(BEFORE[chosen.kind], event);
  }

  #send(): void {
    const form = this.container.querySelector('form');
    const { chosen } = this.#state;
    if (form === null || chosen === undefined) return;
    const { checkout, folder, options, paid } = this.parts;
    const { id, purpose } = checkout;
    // While it is sent, nothing can be chosen, and inputs that are disabled say nothing.
    const inputs = [...new FormData(form)].filter(([name]) => name !== REGISTRATION_ID);
    const fields = [
      ...this.#submission.fieldsOf([...inputs, [REGISTRATION_ID, chosen]]),
      ...(options.total === '' ? [] : paid.posted),
    ];
    if (this.#frame !== undefined) {
      this.#frame.tell({ kind: 'submit', checkout: { id, purpose }, fields });
      return;
    }
    const address = new URL(submitPath(checkout), folder);
    void this.parts.send(address, fields).then((sent) => this.#submission.answered(sent));
  }

  #refused(field: FieldName | undefined, message: 'declined' | 'invalid'): void {
    const isOfCode = field === 'cvv' && this.#frame !== undefined;
    this.#set({ isSending: false, fault: isOfCode ? 'cvvError' : undefined, message });
    this.#tellFault();
    if (isOfCode) this.#frame?.focus();
  }
}

/** The form of stored accounts. */
export const storedForm: MakeStoredForm = (parts) => {
  lendJsx(parts.jsx);
  return new StoredForm(parts);
};
