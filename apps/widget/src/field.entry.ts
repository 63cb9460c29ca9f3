// What runs in the frame of a card's number or security code, on the gateway's own origin. What is typed
// here leaves it in one way: the number's frame sends it to the gateway, or the code's, where a stored card
// is paid with and there is no number.
import { followedBrand } from './brand-detection.js';
import { caretBehind, digitsOf, gapsOf, grouped } from './card-digits.js';
import { ANSWER_WITHIN_MS, answerForPage, formBody, isCheckout, submitPath } from './field-form.js';
import {
  type BeginMessage,
  type FieldKind,
  type FieldLook,
  type FocusMessage,
  frameFragment,
  type FromField,
  takenOver,
  takenOverForPlaceholders,
  type ToField,
} from './field-messages.js';
import { ListedRanges } from './listed-ranges.js';
import { brandsOf, CODE_DIGITS_MAX, isCode, isNumber, NUMBER_DIGITS_MAX } from './field-number.js';

declare global {
  interface Window {
    /** In the frame of a code: its digits, for the frame of the number beside it. */
    sluiceCode?: () => string;
  }
}

const [, kindSaid, form = ''] = /^#(number|code)\.([\w-]{1,64})$/.exec(location.hash) ?? [];
const kind: FieldKind | undefined =
  kindSaid === 'number' || kindSaid === 'code' ? kindSaid : undefined;
const input = document.querySelector('input');
const faultText = document.querySelector('p');

/** Its page says how it looks, once. */
let begun = false;
window.addEventListener('message', (event: MessageEvent<unknown>) => {
  const [port] = event.ports;
  if (event.source !== window.parent || kind === undefined || input === null) return;
  if (begun && isOf('focus', event.data)) input.focus();
  if (begun || !isBegin(event.data) || port === undefined) return;
  begun = true;
  new Field(input, port, event.data.look).begin();
});

function isBegin(data: unknown): data is BeginMessage {
  return isOf('begin', data);
}

function isOf(kindOfMessage: (BeginMessage | FocusMessage)['kind'], data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === kindOfMessage;
}

/** The one input of this frame. */
class Field {
  #brand = '';
  #isSending = false;
  /** Of a number whose brands a list says. */
  readonly #ranges: ListedRanges | undefined;
  #toldRange: string | undefined;

  constructor(
    private readonly input: HTMLInputElement,
    private readonly port: MessagePort,
    private readonly look: FieldLook,
  ) {
    const { listedFor } = look;
    const isListed = look.kind === 'number' && listedFor !== undefined;
    this.#ranges = isListed ? new ListedRanges(listedFor) : undefined;
  }

  begin(): void {
    this.#show();
    if (this.look.kind === 'code') window.sluiceCode = () => this.#digits();
    this.input.addEventListener('input', () => this.#typed());
    this.input.addEventListener('focus', () => this.#tell({ kind: 'focused' }));
    this.input.addEventListener('blur', () => this.#tell({ kind: 'blurred' }));
    this.input.addEventListener('keydown', ({ key, isComposing }) => {
      if (key === 'Enter' && !isComposing) this.#tell({ kind: 'entered' });
    });
    this.port.onmessage = ({ data }: MessageEvent<ToField>) => this.#told(data);
    this.#tell({ kind: 'ready' });
    this.#tellChange();
  }

  #show(): void {
    const { input, look } = this;
    const isNumber = look.kind === 'number';
    document.documentElement.lang = look.language;
    document.title = look.label;
    input.setAttribute('aria-label', look.label);
    input.setAttribute('aria-required', String(look.isRequired));
    input.placeholder = look.placeholder;
    input.autocomplete = isNumber ? 'cc-number' : 'cc-csc';
    input.name = isNumber ? 'cardnumber' : 'cvc';
    if (look.isMasked) input.type = 'password';
    for (const name of takenOver) input.style.setProperty(name, look.style[name] ?? null);
    for (const name of takenOverForPlaceholders) {
      input.style.setProperty(`--placeholder-${name}`, look.placeholderStyle[name] ?? null);
    }
    const scheme = look.style['color-scheme'];
    if (scheme !== undefined) document.documentElement.style.colorScheme = scheme;
  }

  #digits(): string {
    const most = this.look.kind === 'number' ? NUMBER_DIGITS_MAX : CODE_DIGITS_MAX;
    return digitsOf(this.input.value).slice(0, most);
  }

  #typed(): void {
    this.#format();
    this.#tellChange();
    void this.#ranges?.learn(this.#digits()).then((isNew) => {
      if (isNew) this.#typed();
    });
  }

  #format(): void {
    const { input, look } = this;
    const digits = this.#digits();
    const before = digitsOf(input.value.slice(0, input.selectionStart ?? input.value.length));
    const isGrouped = look.kind === 'number' && look.isGrouped;
    const brand = followedBrand(this.#brands(digits), this.#brand);
    const gaps = isGrouped ? gapsOf(brand, digits) : [];
    const text = grouped(digits, gaps);
    if (text === input.value) return;
    input.value = text;
    const caret = caretBehind(Math.min(before.length, digits.length), gaps);
    input.setSelectionRange(caret, caret);
  }

  #brands(digits: string): readonly string[] {
    const { kind: kindOfField, brands, brandPriority: priority } = this.look;
    return kindOfField === 'number'
      ? brandsOf(digits, {
          ...{ brands, priority, brand: this.#brand },
          listed: this.#ranges?.of(digits)?.brands ?? [],
        })
      : [];
  }

  #tellChange(): void {
    const digits = this.#digits();
    const brands = this.#brands(digits);
    const isValid =
      this.look.kind === 'number'
        ? isNumber(digits, { brand: followedBrand(brands, this.#brand) })
        : isCode(digits, this.#brand);
    this.#tell({ kind: 'changed', isEmpty: digits === '', isValid, brands });
    const range = this.#ranges?.of(digits);
    // More digits may say the same of it.
    const said = range && JSON.stringify(range);
    if (range !== undefined && said !== this.#toldRange) this.#tell({ kind: 'range', ...range });
    this.#toldRange = said;
  }

  #told(message: ToField): void {
    switch (message.kind) {
      case 'brand':
        this.#brand = message.brand;
        this.#typed();
        return;
      case 'fault':
        if (faultText !== null) faultText.textContent = message.text;
        this.input.setAttribute('aria-invalid', String(message.text !== ''));
        return;
      case 'ask':
        this.#tellChange();
        this.#tell({ kind: 'asked' });
        return;
      case 'submit':
        void this.#submit(message);
        return;
    }
  }

  async #submit({ checkout, fields }: ToField & { readonly kind: 'submit' }): Promise<void> {
    // Two at once would be one payment all the same (page 0064).
    if (this.#isSending || !isCheckout(checkout)) return;
    this.#isSending = true;
    const own = this.#digits();
    const typed =
      this.look.kind === 'number'
        ? { number: own, code: codeBeside(form) }
        : { number: undefined, code: own };
    const body = formBody({ checkout, fields, ...typed });
    try {
      const response = await fetch(submitPath(checkout), {
        ...{ method: 'POST', body, credentials: 'omit', referrerPolicy: 'no-referrer' },
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      const told = answerForPage(await response.json());
      this.#tell({ kind: 'answered', status: response.status, body: told });
    } catch {
      this.#tell({ kind: 'unanswered' });
    } finally {
      this.#isSending = false;
    }
  }

  #tell(message: FromField): void {
    this.port.postMessage(message);
  }
}

/** The digits in the frame of the code that belongs to the same form; pages cannot look into either. */
function codeBeside(ofForm: string): string | undefined {
  const { parent } = window;
  const frames = Array.from({ length: parent.length }, (_, index) => parent[index]);
  for (const frame of frames) {
    try {
      if (frame?.location.hash === frameFragment('code', ofForm)) return frame.sluiceCode?.();
    } catch {
      // A frame of another origin, which says nothing of itself.
    }
  }
  return undefined;
}
