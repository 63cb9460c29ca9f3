import { setShown } from './away.js';
import { submitPath } from './field-form.js';
import { newFormName } from './form-name.js';
import { offeredWallet, type OfferedWallet } from './offered-wallet.js';
import type { PaymentForm } from './payment-form.js';
import type { PostedField } from './posted-fields.js';
import type { Sent } from './sent-answer.js';
import type { Submission } from './submission.js';
import { notSent, type SubmissionState } from './submission-state.js';
import { SAVED_FIRST } from './summary-page.js';
import type { WalletFormName, WalletFormParts } from './wallet-form-parts.js';
import { walletSheet } from './wallet-style.js';
import { WidgetError } from './widget-error.js';

/** What the shopper's sheet tells of itself. */
export interface SheetEvents {
  /** There is a token: what is sent of it, and how the sheet hears what has become of it. */
  readonly authorized: (fields: readonly PostedField[], ended: (isPaid: boolean) => void) => void;
  readonly cancelled: () => void;
  /** The gateway says that it would be another amount by now. */
  readonly amountChanged: () => void;
  /** In words for who has made the page. */
  readonly failed: (reason: string) => void;
}

/** A wallet as its provider's script has it, on a page that may use it. */
export interface ReadyWallet {
  /** The provider's own button, which calls this when it is pressed; undefined: the form's. */
  readonly button: ((press: () => void) => HTMLElement) | undefined;
  /** Opens the sheet, in the shopper's gesture; what takes it away again. */
  readonly open: (offered: OfferedWallet, events: SheetEvents) => () => void;
}

/** What is another thing with each provider. */
export interface Wallet {
  readonly name: WalletFormName;
  readonly title: string;
  /** Of the form's own button: its classes, and what browsers that know the wallet draw. */
  readonly buttonClasses: readonly string[];
  readonly buttonStyle?: Readonly<Record<string, string>>;
  /** What the page has for it beside the callback of all wallets. */
  readonly onCancel: (() => void) | undefined;
  /** By what the browser, or whoever uses it, cannot pay so: a sentence for the console. */
  readonly prepare: (offered: OfferedWallet) => Promise<ReadyWallet | string>;
}

/**
 * The button of a wallet. Its card never comes here: the provider's sheet gives a token, which only the
 * gateway opens. What is rendered is so little that it needs no view, and so no Preact.
 */
export class WalletForm implements PaymentForm {
  readonly container: HTMLDivElement;
  readonly #form = document.createElement('form');
  readonly #message = element('div', 'wpwl-message');
  readonly #wrapper = element('div', 'wpwl-wrapper wpwl-wrapper-submit');
  readonly #submission: Submission;
  #button: HTMLElement;
  #state: SubmissionState = notSent;
  #offered: OfferedWallet | undefined;
  #ready: ReadyWallet | undefined;
  /** Of a sheet that is open. */
  #takeAway: (() => void) | undefined;
  /** What the sheet has given, and how it hears the end. */
  #token: readonly PostedField[] = [];
  #ended: ((isPaid: boolean) => void) | undefined;
  #sheet: CSSStyleSheet | undefined;

  constructor(
    private readonly parts: WalletFormParts,
    private readonly wallet: Wallet,
  ) {
    const { brand, language } = parts;
    const ofKind = 'wpwl-container-virtualAccount';
    const ofBrand = `${ofKind}-${brand}`;
    this.container = parts.newContainer(language, `${ofBrand}-${newFormName()}`, ofKind, ofBrand);
    this.#button = this.#ownButton();
    this.#submission = parts.newSubmission({
      ...({ parts, unanswered: 'WidgetError', isByWallet: true } as const),
      isSending: () => this.#state.isSending,
      show: (changes) => this.#set(changes),
      send: () => this.#send(),
      declined: () => this.#notPaid('declinedAccount'),
      refused: (names) => {
        const isOther = names.includes('amount') || names.includes('currency');
        this.#notPaid(isOther ? 'amountChanged' : 'invalid');
      },
    });
  }

  show(): void {
    const { brand, options, checkout } = this.parts;
    if (options.useSummaryPage && checkout.purpose === 'payment') {
      console.warn(`Sluice: ${brand} pays at once, without a summary (useSummaryPage).`);
    }
    const name = `wpwl-form-virtualAccount`;
    this.#form.className = `wpwl-form ${name} ${name}-${brand} wpwl-clearfix`;
    this.#form.setAttribute('aria-label', this.wallet.title);
    this.#form.addEventListener('submit', this.#pressed);
    this.#message.setAttribute('role', 'alert');
    const group = element('div', 'wpwl-group wpwl-group-submit wpwl-clearfix');
    this.#wrapper.append(this.#button);
    group.append(this.#wrapper);
    this.#form.append(this.#message, group);
    this.container.append(this.#form);
    if (options.style !== 'none') {
      this.#sheet = walletSheet();
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.#sheet];
    }
    this.#submission.begin();
    this.#render();
    void this.#prepare();
  }

  close(): void {
    this.#submission.close();
    this.#takeAway?.();
    const others = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
    document.adoptedStyleSheets = others;
    this.container.remove();
  }

  execute(): void {
    this.#form.requestSubmit();
  }

  end(): void {
    this.#submission.end();
  }

  /** There at once, so that nothing moves once the provider's script has come. */
  #ownButton(): HTMLButtonElement {
    const { brand } = this.parts;
    const button = element('button', `wpwl-button wpwl-button-pay wpwl-button-pay-${brand}`);
    button.classList.add(...this.wallet.buttonClasses);
    for (const [name, value] of Object.entries(this.wallet.buttonStyle ?? {})) {
      button.style.setProperty(name, value);
    }
    button.textContent = this.wallet.title;
    return button;
  }

  async #prepare(): Promise<void> {
    const { brand } = this.parts;
    try {
      const offered = await offeredWallet(this.wallet.name, this.parts);
      const ready =
        offered === undefined
          ? 'the gateway has nothing set up for it on this page'
          : await this.wallet.prepare(offered);
      // A form that says that it is over stays to say so.
      if (this.#submission.isClosed || this.#state.isOver) return;
      if (typeof ready !== 'string') {
        this.#begin(offered, ready);
        return;
      }
      console.warn(`Sluice: ${brand} is not shown: ${ready}.`);
    } catch (error) {
      if (this.#state.isOver) return;
      this.#report(`${brand} is not shown: ${sentenceOf(error)}`);
    }
    // The container stays, because it marks where the page's own form was.
    setShown(this.#form, false);
  }

  #begin(offered: OfferedWallet | undefined, ready: ReadyWallet): void {
    this.#offered = offered;
    this.#ready = ready;
    const button = ready.button?.(() => this.#form.requestSubmit());
    if (button !== undefined) {
      this.#button.replaceWith(button);
      this.#button = button;
      this.#wrapper.classList.add('wpwl-wrapper-wallet');
    }
    this.#render();
  }

  /** All of it before anything is waited for: sheets open in the shopper's gesture or not at all. */
  readonly #pressed = (event: SubmitEvent): void => {
    event.preventDefault();
    const { call } = this.parts;
    if (this.#ready === undefined || this.#offered === undefined || this.#isBusy) return;
    if (call('onBeforeSubmitVirtualAccount', undefined, event) === false) return;
    this.#set({ isSending: true, message: undefined });
    try {
      this.#takeAway = this.#ready.open(this.#offered, this.#events);
    } catch (error) {
      this.#events.failed(sentenceOf(error));
    }
  };

  readonly #events: SheetEvents = {
    authorized: (fields, ended) => {
      if (this.#submission.isClosed) return;
      this.#token = fields;
      this.#ended = ended;
      this.#send();
      this.parts.call('onAfterSubmit', undefined);
    },
    cancelled: () => {
      this.#takeAway = undefined;
      this.#set({ isSending: false });
      this.parts.call('onCancel', undefined);
      this.wallet.onCancel?.();
    },
    amountChanged: () => this.#notPaid('amountChanged'),
    failed: (reason) => {
      this.#notPaid('unknown');
      this.#report(reason);
    },
  };

  get #isBusy(): boolean {
    return this.#state.isSending || this.#state.isOver;
  }

  #send(): void {
    const { checkout, folder, send } = this.parts;
    void send(new URL(submitPath(checkout), folder), this.#posted()).then((sent) =>
      this.#sent(sent),
    );
  }

  #sent(sent: Sent): void {
    if (sent.kind === 'accepted') this.#end(true);
    this.#submission.answered(sent);
  }

  /** What the sheet has shown is sent along: the gateway charges that, or nothing. */
  #posted(): readonly PostedField[] {
    const { amount = '', currency = '' } = this.#offered ?? {};
    return [
      // Its token is paid with at once.
      ...this.#submission
        .fieldsOf(new FormData(this.#form))
        .filter(([name]) => name !== SAVED_FIRST[0]),
      ...([['paymentBrand', this.parts.brand], ...this.#token] as const),
      ...([
        ['amount', amount],
        ['currency', currency],
      ] as const),
    ];
  }

  /** For another attempt, what is paid by now is asked for: the merchant may have changed it. */
  #notPaid(message: SubmissionState['message']): void {
    this.#set({ message });
    // A sheet that has given a token goes when it is told the end.
    if (this.#ended === undefined) this.#takeAway?.();
    this.#end(false);
    void offeredWallet(this.wallet.name, this.parts)
      .then((offered) => (this.#offered = offered ?? this.#offered))
      .catch(() => undefined)
      .finally(() => this.#set({ isSending: false }));
  }

  #end(isPaid: boolean): void {
    this.#ended?.(isPaid);
    this.#ended = undefined;
    this.#takeAway = undefined;
    this.#token = [];
  }

  #set(changes: Partial<SubmissionState>): void {
    if (this.#submission.isClosed) return;
    this.#state = { ...this.#state, ...changes };
    if (changes.isSending === false) this.#end(false);
    this.#render();
  }

  #render(): void {
    const { message, isSending } = this.#state;
    const isIdle = this.#ready !== undefined && !this.#isBusy;
    const shown = message === undefined ? [] : [element('div', 'wpwl-message-error')];
    for (const one of shown)
      one.textContent = message === undefined ? '' : this.parts.texts[message];
    this.#message.replaceChildren(...shown);
    // A provider's button has no way to be told.
    if (this.#button instanceof HTMLButtonElement) this.#button.disabled = !isIdle;
    else this.#wrapper.inert = !isIdle;
    this.#wrapper.setAttribute('aria-busy', String(isSending));
  }

  #report(reason: string): void {
    this.parts.report(new WidgetError('WidgetError', reason));
  }
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  classes: string,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = classes;
  return made;
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
