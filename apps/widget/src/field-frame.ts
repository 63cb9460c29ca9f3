import {
  type FieldKind,
  type FieldLook,
  type FocusMessage,
  frameFragment,
  type FromField,
  type ToField,
} from './field-messages.js';
import type { PaymentFormParts } from './payment-form.js';
import { WidgetError } from './widget-error.js';

/** A frame that has not answered in this time does not work here: blocked, or the network is away. */
const READY_WITHIN_MS = 20_000;

/** A frame that is asked what is typed answers at once, or is not there. */
const ASKED_WITHIN_MS = 1000;

/** What a form is told by a frame. */
export type ToldByField = Exclude<FromField, { readonly kind: 'asked' }>;

/** What a form wants of a frame. */
export interface FieldFrameParts {
  readonly kind: FieldKind;
  readonly element: HTMLIFrameElement;
  /** Asked when the frame has loaded, which may be more than once. */
  readonly look: () => FieldLook;
  readonly told: (message: ToldByField) => void;
  /** Is told where the frame does not answer. */
  readonly report: PaymentFormParts['report'];
}

/** The address of a frame, which says what it is of. */
export function frameAddress(folder: string, kind: FieldKind, form: string): string {
  return `${folder}field.html${frameFragment(kind, form)}`;
}

/** The frame of a number or code, seen from the page. */
export class FieldFrame {
  /** Of the gateway's own page: wherever the page that hosts the form sends the frame later. */
  readonly #origin: string;
  #port: MessagePort | undefined;
  readonly #waitingForAnswer = new Set<() => void>();
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly parts: FieldFrameParts) {
    const { element, report } = parts;
    this.#origin = new URL(element.src).origin;
    this.#waiting = setTimeout(() => report(lost()), READY_WITHIN_MS);
    element.addEventListener('load', this.#begin);
  }

  get element(): HTMLIFrameElement {
    return this.parts.element;
  }

  tell(message: ToField): void {
    this.#port?.postMessage(message);
  }

  /** Resolves once what is typed has been told, whatever messages of it were on their way; soon in any case. */
  asked(): Promise<void> {
    // One that has not begun has nothing to tell.
    if (this.#port === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waitingForAnswer.add(resolve);
      setTimeout(resolve, ASKED_WITHIN_MS);
      this.tell({ kind: 'ask' });
    });
  }

  /** The frame has the focus, and its input has it there. */
  focus(): void {
    const { element } = this.parts;
    const message: FocusMessage = { kind: 'focus' };
    element.focus();
    element.contentWindow?.postMessage(message, this.#origin);
  }

  /** What is wrong with what is typed: screen readers read it where the input is, which is in the frame. */
  tellFault(text = ''): void {
    this.tell({ kind: 'fault', text });
  }

  close(): void {
    clearTimeout(this.#waiting);
    this.parts.element.removeEventListener('load', this.#begin);
    this.#port?.close();
    this.#port = undefined;
  }

  #answered(): void {
    for (const resolve of this.#waitingForAnswer) resolve();
    this.#waitingForAnswer.clear();
  }

  /** A channel that only the gateway's own page gets, whatever is in the frame. */
  readonly #begin = (): void => {
    const { element, look, told } = this.parts;
    this.#port?.close();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }: MessageEvent<FromField>) => {
      if (data.kind === 'ready') clearTimeout(this.#waiting);
      if (data.kind === 'asked') this.#answered();
      else told(data);
    };
    element.contentWindow?.postMessage({ kind: 'begin', look: look() }, this.#origin, [port2]);
  };
}

function lost(): WidgetError {
  const message = 'A frame of the payment form does not answer.';
  return new WidgetError('PciIframeCommunicationError', message);
}
