import type { ClickToPayTexts } from './click-to-pay-texts.js';
import type { Texts } from './english.js';
import { directionOf, type Language } from './languages.js';
import type { EnrolledCard, SrcOutcome, SrcShopper } from './src-shopper.js';
import { reasonOf } from './src-system.js';

/** What the sheet is made with. */
export interface ClickToPaySheetParts {
  readonly language: Language;
  readonly texts: Texts & ClickToPayTexts;
  /** Whom is paid, and what, as people of this language write it. */
  readonly facts: readonly [payee: string, amount: string];
  readonly shopper: SrcShopper;
  /** The shopper's, where it is known: he is not asked for it. */
  readonly email: string | undefined;
  readonly pay: (card: EnrolledCard, windowRef: Window) => Promise<SrcOutcome>;
  readonly confirmed: (response: string) => void;
  readonly cancelled: () => void;
  readonly failed: (error: unknown) => void;
}

// In a shadow of its own, so that neither the page's style nor its scripts' selectors meet it by chance.
const STYLE = `
dialog{box-sizing:border-box;width:min(26rem,100% - 2rem);max-height:calc(100% - 2rem);padding:1.25rem;border:0;border-radius:.75rem;color:#1a1a1a;background:#fff;color-scheme:light;font:1rem/1.5 system-ui,sans-serif}
dialog::backdrop{background:#0008}
h2{margin:0;font-size:1.25rem}
p{margin:.5rem 0}
[role=alert]{color:#b00020}
[role=alert]:empty{display:none}
label{display:block;margin-top:.75rem}
input,button,iframe{box-sizing:border-box;width:100%;border:1px solid #767676;border-radius:.5rem}
input,button{min-height:2.75rem;margin-top:.5rem;padding:.25rem .75rem;color:inherit;background:#fff;font:inherit}
button{cursor:pointer}
.main{color:#fff;background:#1a1a1a;border-color:#1a1a1a}
button:disabled{cursor:default;color:#595959;background:#eee}
:focus-visible{outline:3px solid #1d70b8;outline-offset:2px}
iframe{height:22rem;border:0}
`;

/** What systems say of a code that is not theirs, or not any more. */
const WRONG_CODE = /^(?:CODE_|OTP_|VALIDATION_DATA_|RETRIES_EXCEEDED)/;
/** No system sends longer ones. */
const CODE_LENGTH_MAX = 12;

/** The sheet in which a shopper says who he is, and chooses among his cards. */
export class ClickToPaySheet {
  readonly #host = document.createElement('div');
  readonly #dialog = element('dialog');
  readonly #content = element('form');
  readonly #alert = element('p');
  readonly #cancel: HTMLButtonElement;
  #email: string;

  constructor(private readonly parts: ClickToPaySheetParts) {
    const { language, texts, facts, email = '' } = parts;
    this.#email = email;
    const root = this.#host.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    const heading = element('h2', 'Click to Pay');
    heading.id = 'title';
    this.#dialog.setAttribute('aria-labelledby', heading.id);
    this.#dialog.lang = language;
    this.#dialog.dir = directionOf(language);
    this.#alert.setAttribute('role', 'alert');
    this.#content.noValidate = true;
    this.#cancel = button(texts.cancel, () => this.#cancelled());
    this.#dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      if (!this.#cancel.disabled) this.#cancelled();
    });
    const said = element('p', facts.join(' · '));
    this.#dialog.append(heading, said, this.#alert, this.#content, this.#cancel);
    root.append(this.#dialog);
    document.body.append(this.#host);
    this.#askEmail();
    this.#dialog.showModal();
    if (email !== '') void this.#run(() => this.#sendCode());
  }

  close(): void {
    // Gives the focus back to whatever had it.
    this.#dialog.close();
    this.#host.remove();
  }

  /** The button can be pressed again first: what is disabled gets no focus back. */
  #cancelled(): void {
    this.parts.cancelled();
    this.close();
  }

  #askEmail(): void {
    const input = field('email', { autocomplete: 'email', maxLength: 254 });
    input.value = this.#email;
    this.#ask({ label: this.parts.texts.email, input, more: [] }, () => {
      this.#email = input.value.trim();
      return this.#sendCode();
    });
  }

  async #sendCode(): Promise<void> {
    const { shopper, texts } = this.parts;
    const isAddress = /^[^@\s]+@[^@\s]+$/.test(this.#email);
    if (!isAddress || !(await shopper.isKnown(this.#email))) {
      this.#askEmail();
      this.#say(texts.noCards);
      return;
    }
    this.#askCode(await shopper.sendCode());
  }

  #askCode(where: string): void {
    const { shopper, texts } = this.parts;
    const input = field('text', { autocomplete: 'one-time-code', maxLength: CODE_LENGTH_MAX });
    input.inputMode = 'numeric';
    const again = async () => this.#askCode(await shopper.sendCode());
    const more = [
      button(texts.newCode, () => void this.#run(again)),
      button(texts.change, () => this.#askEmail()),
    ];
    this.#ask({ label: texts.code, input, more }, async () => {
      this.#choose(await shopper.cards(input.value.trim()));
    });
    this.#content.prepend(element('p', texts.codeSent.replace('{where}', where)));
  }

  #choose(cards: readonly EnrolledCard[]): void {
    const { texts } = this.parts;
    if (cards.length === 0) {
      this.#askEmail();
      this.#say(texts.noCards);
      return;
    }
    const choices = cards.map((card) =>
      button(card.title, () => void this.#run(() => this.#confirm(card, cards))),
    );
    this.#show([element('p', texts.chooseCard), ...choices], choices[0]);
  }

  /** The card's own system asks for the last word, in a frame that is empty until it fills it. */
  async #confirm(card: EnrolledCard, cards: readonly EnrolledCard[]): Promise<void> {
    const frame = element('iframe');
    frame.title = card.title;
    // Some browsers put the empty page in only later, and what was written until then is gone.
    const isThere = new Promise((resolve) => frame.addEventListener('load', resolve));
    this.#show([frame], undefined);
    await isThere;
    const { contentWindow } = frame;
    if (contentWindow === null) return;
    const outcome = await this.parts.pay(card, contentWindow);
    if (!this.#host.isConnected) return;
    switch (outcome.kind) {
      case 'confirmed':
        this.#show([], undefined);
        this.#cancel.disabled = true;
        this.parts.confirmed(outcome.response);
        return;
      case 'otherCard':
        this.#choose(cards);
        return;
      case 'cancelled':
        this.#cancelled();
    }
  }

  /** One field, and what becomes of it. */
  #ask(
    { label, input, more }: { label: string; input: HTMLInputElement; more: readonly Element[] },
    then: () => Promise<void>,
  ): void {
    const around = element('label', label);
    around.append(input);
    const go = button(this.parts.texts.review, () => undefined);
    go.type = 'submit';
    go.className = 'main';
    this.#content.onsubmit = (event) => {
      event.preventDefault();
      void this.#run(then);
    };
    this.#show([around, go, ...more], input);
  }

  #show(shown: readonly Element[], focused: HTMLElement | undefined): void {
    this.#say('');
    this.#content.replaceChildren(...shown);
    focused?.focus();
  }

  #say(text: string): void {
    this.#alert.textContent = text;
  }

  /** One thing at a time; what a system does not like of a code is said, all else fails the sheet. */
  async #run(work: () => Promise<void>): Promise<void> {
    this.#say('');
    this.#busy(true);
    try {
      await work();
    } catch (error) {
      if (!this.#host.isConnected) return;
      if (WRONG_CODE.test(reasonOf(error) ?? '')) this.#say(this.parts.texts.codeError);
      else this.parts.failed(error);
    } finally {
      this.#busy(false);
    }
  }

  /** What is asked for stays in sight, and cannot be sent twice; what is new meanwhile can be used. */
  #busy(isBusy: boolean): void {
    this.#content.setAttribute('aria-busy', String(isBusy));
    for (const one of this.#content.querySelectorAll('button')) one.disabled = isBusy;
  }
}

function field(
  type: string,
  { autocomplete, maxLength }: { readonly autocomplete: AutoFill; readonly maxLength: number },
): HTMLInputElement {
  const input = element('input');
  return Object.assign(input, { type, autocomplete, maxLength });
}

function button(text: string, press: () => void): HTMLButtonElement {
  const made = element('button', text);
  made.type = 'button';
  made.addEventListener('click', press);
  return made;
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
