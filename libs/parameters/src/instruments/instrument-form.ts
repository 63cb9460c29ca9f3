import type { InstrumentKind, ShownInstrument } from '@sluice/contracts';
import type { RejectionCode } from '../rejection.js';
import type { Form } from '../form.js';
import type { JsonObject } from '../json-object.js';

/** An instrument without what the vault calls it. */
export type Unheld<Kind extends InstrumentKind> = Extract<ShownInstrument, { readonly kind: Kind }>;

/** What an answer is made of that tells of an instrument. */
export interface AnswerParts {
  /** Personal parameters by wire name. */
  readonly personal: Readonly<Record<string, string>>;
  /** What is known of cards by the first digits of their numbers. */
  readonly bins: { fieldsOf(bin: string): object | undefined };
}

/** What an answer says of an instrument, under the name of its kind. */
export interface InstrumentAnswer<Kind extends InstrumentKind> {
  readonly schema: JsonObject;
  fieldsOf(instrument: Unheld<Kind>, parts: AnswerParts): object;
}

/** How an instrument is read from the form of a request, and what is answered of it. */
export interface InstrumentForm<Kind extends InstrumentKind = InstrumentKind> {
  /** The structures of parameters that say that a payment is made with it. */
  readonly structures: readonly string[];
  /** How references head the column of its payments; absent where they are another's too. */
  readonly column?: string;
  /** How a payment is made with it: `by card`. */
  readonly words: string;
  /** The same for who reads a refusal, where it depends on what was sent. */
  readonly wordsFor?: (form: Form) => string;
  /** Whether payments like this one are served, where some with this instrument are; absent: all. */
  readonly isServed?: (form: Form) => boolean;
  /** Whether one like this can be stored, where some that are served cannot be; absent: all. */
  readonly isStored?: (form: Form) => boolean;
  /** The parameter without which there is nothing to store; absent: what is demanded is enough. */
  readonly storedBy?: string;
  /** Whether one like this can be stored without a payment; absent: as with one. */
  readonly isStoredAlone?: (form: Form) => boolean;
  /** Whether the acquirer may have to see the shopper, who then goes there and comes back. */
  readonly needsShopper?: (form: Form) => boolean;
  /** The same of a payment with one that was stored; absent: nobody is asked again. */
  readonly storedNeedsShopper?: (form: Form) => boolean;
  /** Of two that one kind of request is made with: whether this one is meant. */
  readonly isMeant?: (form: Form) => boolean;
  /** Whether what is sent as `paymentBrand` is paid with it, where no structure says so. */
  readonly hasBrand?: (name: string) => boolean;
  /** Whether its brand has to be one of cards. */
  readonly isOfCards?: (form: Form) => boolean;
  /** Whether the structure holds a card instead, as that of a wallet that the merchant has decrypted. */
  readonly holdsCard?: (form: Form, structure: string) => boolean;
  /** Whether its structure says only where the shopper is, and the brand what is paid with. */
  readonly isAside?: (form: Form) => boolean;
  /** Of what was sent of it, what contradicts a card beside it; absent: all of it (D-69). */
  readonly contradicting?: (names: readonly string[], structure: string) => readonly string[];
  /** What commands and events say of it. Nothing that the catalogue calls account data is in it. */
  readonly shownOf: (form: Form, brand: string | undefined) => Unheld<Kind>;
  /** Why a well-formed one cannot be paid with (D-37); absent where nothing is checked. */
  readonly rejectionOf?: (form: Form, nowMs: number) => RejectionCode | undefined;
  /** Why one that was stored cannot be paid with now; absent where nothing is checked. */
  readonly storedRejectionOf?: (
    stored: Unheld<Kind>,
    form: Form,
    nowMs: number,
  ) => RejectionCode | undefined;
  readonly answer?: InstrumentAnswer<Kind>;
}
