import type { RenderableProps, VNode } from 'preact';
import type { FieldFrame, FieldFrameParts } from './field-frame.js';
import type { frameLook } from './frame-look.js';
import type { Jsx } from './lent-elements.js';
import type { LentParts } from './lent-parts.js';
import type { isOver, OfferedAccount } from './offered-accounts.js';
import type { PayButtonParts } from './pay-button-view.js';
import type { PaymentForm, PaymentFormParts } from './payment-form.js';

/** What a form for stored accounts is made with. */
export interface StoredFormParts extends PaymentFormParts, LentParts {
  readonly accounts: readonly OfferedAccount[];
  /** Shows the other forms; undefined where they are not hidden. */
  readonly showOthers: (() => void) | undefined;
  /** Preact's, of which one is enough for a page. */
  readonly jsx: Jsx;
  readonly render: (view: VNode, container: HTMLElement) => void;
  readonly removeContainer: (container: HTMLDivElement) => void;
  readonly newFrame: (of: FieldFrameParts) => FieldFrame;
  readonly frameLook: typeof frameLook;
  readonly PayButton: (of: RenderableProps<PayButtonParts>) => VNode;
  readonly brandTitle: (brand: string) => string;
  /** By the table of cards, which the widget has. */
  readonly isOver: typeof isOver;
}

/** What the script of stored accounts hands to the widget. */
export type MakeStoredForm = (parts: StoredFormParts) => PaymentForm;
