import type { ConnectorOperation } from '../connector.js';
import type { Version } from './message-fields.js';
import type { MessageFields } from './message-format.js';
import type { MessageKeys } from './message-keys.js';
import type { PaymentCircumstances } from './payment-circumstances.js';
import type { Response } from './response-codes.js';

/** The type of a message and what it always says. */
export interface MessageRow {
  readonly type: string;
  readonly fields: MessageFields;
}

/** What a message names another one by, beside the keys of that one. */
export interface NamedOriginal {
  readonly type: string;
  readonly keys: MessageKeys;
  /** The acquirer's institution id; empty if there is none. */
  readonly acquirerId: string;
}

/** What network management is about. */
export type NetworkPurpose = 'signOn' | 'signOff' | 'echo';

/** In what the versions of the standard differ, beside the layout of their fields. */
export interface Standard {
  readonly version: Version;
  /** What each operation sends; what has no row is not sent. */
  readonly operations: Readonly<Partial<Record<ConnectorOperation, MessageRow>>>;
  /**
   * An undo that nobody asked for, because its outcome was never heard: its types, of which the second
   * is a repetition, and what it says beside what its operation says.
   */
  readonly undo: {
    readonly first: string;
    readonly again: string;
    readonly fields: MessageFields;
  };
  /** Network management: types, the code of an answer that says yes, and what is said of each purpose. */
  readonly network: {
    readonly type: string;
    readonly answerType: string;
    readonly done: string;
    /** Of when it is sent, `YYMMDDhhmmss`. */
    readonly timeFields: (localDateTime: string) => MessageFields;
    readonly purposes: Readonly<Record<NetworkPurpose, MessageFields>>;
  };
  /** What each response code becomes; a code without a row is uncertain, never a decline. */
  readonly responses: Readonly<Record<string, Response>>;
  readonly keyFields: (keys: MessageKeys) => MessageFields;
  readonly circumstanceFields: (circumstances: PaymentCircumstances) => MessageFields;
  /** Field 90 of 1987, 56 of 1993. */
  readonly originalData: (original: NamedOriginal) => string;
  /**
   * What a capture says of the authorization's amount, both in minor units; undefined where it has to
   * say something, and the amount is not known.
   */
  readonly captureFields: (
    minor: bigint,
    authorizedMinor: bigint | undefined,
  ) => MessageFields | undefined;
}
