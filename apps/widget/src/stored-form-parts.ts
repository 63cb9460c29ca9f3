import type { FieldFrame, FieldFrameParts } from './field-frame.js';
import type { frameLook } from './frame-look.js';
import type { LentParts, LentView } from './lent-parts.js';
import type { isOver, OfferedAccount } from './offered-accounts.js';
import type { PaymentForm, PaymentFormParts } from './payment-form.js';

/** What a form for stored accounts is made with. */
export interface StoredFormParts extends PaymentFormParts, LentParts, LentView {
  readonly accounts: readonly OfferedAccount[];
  /** Whether the shopper may delete them. */
  readonly mayDelete: boolean;
  /** Shows the other forms; undefined where they are not hidden. */
  readonly showOthers: (() => void) | undefined;
  readonly newFrame: (of: FieldFrameParts) => FieldFrame;
  readonly frameLook: typeof frameLook;
  readonly brandTitle: (brand: string) => string;
  /** By the table of cards, which the widget has. */
  readonly isOver: typeof isOver;
}

/** What the script of stored accounts hands to the widget. */
export type MakeStoredForm = (parts: StoredFormParts) => PaymentForm;
