// What the page and the frames of number and security code tell one another, on a channel of their own.
// No message to the page has a digit of either.
import type { CheckoutInBrowser } from './result-address.js';
import type { PostedField } from './posted-fields.js';

/** Which of the two a frame is of. */
export type FieldKind = 'number' | 'code';

/** How the frame's input looks and behaves. */
export interface FieldLook {
  readonly kind: FieldKind;
  readonly language: string;
  readonly label: string;
  readonly placeholder: string;
  /** Whether nothing can be sent without it. */
  readonly isRequired: boolean;
  /** What of the page's own inputs is taken over, by names of CSS. */
  readonly style: Readonly<Record<string, string>>;
  /** The same of the placeholder. */
  readonly placeholderStyle: Readonly<Record<string, string>>;
  /** Between which brands a number decides. */
  readonly brands: readonly string[];
  readonly brandPriority: readonly string[];
  /** Whose gateway is asked what its list of cards says of a number; undefined: its table of brands decides. */
  readonly listedFor: CheckoutInBrowser | undefined;
  /** Whether a number has gaps. */
  readonly isGrouped: boolean;
  /** Whether what is typed is shown as dots. */
  readonly isMasked: boolean;
}

/** To a frame, with a port for all that follows. */
export interface BeginMessage {
  readonly kind: 'begin';
  readonly look: FieldLook;
}

/**
 * To the window of a frame that has begun. WebKit lets a frame of another site take the focus only where
 * the shopper has just done something: a message to a window carries that along, and one to a port does not.
 */
export interface FocusMessage {
  readonly kind: 'focus';
}

/** From the page to a frame. */
export type ToField =
  /** The brand that was chosen; empty: none. */
  | { readonly kind: 'brand'; readonly brand: string }
  /** What is wrong with it, for screen readers; empty: nothing. */
  | { readonly kind: 'fault'; readonly text: string }
  /** What is typed is to be told once more: the page may be ahead of a message. */
  | { readonly kind: 'ask' }
  /** To the number, which asks the code for its digits, or to a code that has no number beside it. */
  | {
      readonly kind: 'submit';
      readonly checkout: CheckoutInBrowser;
      readonly fields: readonly PostedField[];
    };

/** From a frame to the page. */
export type FromField =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'changed';
      readonly isEmpty: boolean;
      readonly isValid: boolean;
      /** Those that the number may be of. */
      readonly brands: readonly string[];
    }
  /** What the gateway's list says of the card. */
  | ({ readonly kind: 'range' } & CardRange)
  /** It was asked, and what is typed has been told. */
  | { readonly kind: 'asked' }
  | { readonly kind: 'focused' }
  | { readonly kind: 'blurred' }
  /** The key that sends forms was pressed. */
  | { readonly kind: 'entered' }
  /** The gateway has answered; the body has what pages may know of it. */
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  /** Nobody knows whether it was sent. */
  | { readonly kind: 'unanswered' };

/** What the gateway's list of cards says of all numbers that begin so. */
export interface CardRange {
  readonly brands: readonly string[];
  readonly country?: string;
  readonly type?: string;
}

/** The fragment of a frame's address: what it is of, and which frames belong together. */
export function frameFragment(kind: FieldKind, form: string): string {
  return `#${kind}.${form}`;
}

/** What of the page's look a frame takes over; anything else that a page says is not applied. */
export const takenOver = [
  'color',
  'color-scheme',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'letter-spacing',
  'text-align',
] as const;

/** The same of placeholders. */
export const takenOverForPlaceholders = [
  'color',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'letter-spacing',
  'opacity',
] as const;
