import {
  type InstrumentKind,
  instrumentKinds,
  instruments,
  isServedKind,
  type ShownInstrument,
} from '@sluice/contracts';
import type { Properties } from './answer-properties.js';
import type { Form } from './form.js';
import { bankAccount } from './instruments/bank-account.js';
import { card } from './instruments/card.js';
import { giftCard } from './instruments/gift-card.js';
import type { AnswerParts, InstrumentForm } from './instruments/instrument-form.js';
import { registration } from './instruments/registration.js';
import { tokenAccount } from './instruments/token-account.js';
import { virtualAccount } from './instruments/virtual-account.js';
import { wallet } from './instruments/wallet.js';
import { initialOperationByType, type NewPaymentKind } from './kinds.js';
import { shownBrandOf } from './shown-brand.js';
import { isVirtualAccountBrand } from './virtual-account-brands.js';

const forms: { readonly [Kind in InstrumentKind]: InstrumentForm<Kind> } = {
  card,
  wallet,
  virtualAccount,
  bankAccount,
  tokenAccount,
  giftCard,
  registration,
};

/** How each instrument is read from a form; whoever has an instrument looks under its own kind. */
export const instrumentForms = forms as Readonly<Record<InstrumentKind, InstrumentForm>>;

/** The instrument that a structure of parameters is of, beside the card. */
export const instrumentsByStructure: ReadonlyMap<string, InstrumentKind> = new Map(
  instrumentKinds.flatMap((kind) =>
    instrumentForms[kind].structures.map((structure) => [structure, kind] as const),
  ),
);

/** What a new payment of a kind is made with. */
export function instrumentKindOf(form: Form, request: NewPaymentKind): InstrumentKind {
  for (const kind of instrumentKinds) {
    if (instruments[kind].request !== request) continue;
    if (instrumentForms[kind].isMeant?.(form) ?? true) return kind;
  }
  throw new TypeError(`a ${request} is made with nothing`);
}

/**
 * What a brand is paid with, where the request does not show it by an account: by no card, unless it
 * is a brand of cards. Of a brand that nobody here knows the provider alone knows the account.
 */
export function instrumentOfBrand(name: string): InstrumentKind {
  const known = instrumentKinds.find((kind) => instrumentForms[kind].hasBrand?.(name));
  return known ?? 'virtualAccount';
}

/**
 * Whether payments are recorded under a brand. The card out of a wallet is under its own; beside these, a
 * token of another provider may be of any brand.
 */
export function isPaidBrand(name: string): boolean {
  const kind = instrumentKinds.find((each) => instrumentForms[each].hasBrand?.(name));
  return kind === undefined ? isVirtualAccountBrand(name) : kind !== 'wallet';
}

/** Whether merchants can make a new payment with what it is to be made with. */
export function isServed(form: Form, request: NewPaymentKind): boolean {
  const kind = instrumentKindOf(form, request);
  return isServedKind(kind) && (instrumentForms[kind].isServed?.(form) ?? true);
}

/** Whether what a new payment is made with can be stored for later ones. */
export function isStored(form: Form, request: NewPaymentKind): boolean {
  const kind = instrumentKindOf(form, request);
  const isStoredForm = instrumentForms[kind].isStored?.(form) ?? true;
  return isServed(form, request) && isStoredForm && !isLackingToStore(form, kind);
}

function isLackingToStore(form: Form, kind: InstrumentKind): boolean {
  const { storedBy } = instrumentForms[kind];
  return storedBy !== undefined && !form.has(storedBy);
}

/** Why what a new payment is made with cannot be stored, in a sentence for who reads a refusal. */
export function notStoredPart(form: Form, kind: InstrumentKind): string {
  const { words, wordsFor, storedBy = '' } = instrumentForms[kind];
  const storing = `storing what is paid ${wordsFor?.(form) ?? words}`;
  const isOfForm = isServed(form, instruments[kind].request);
  const isLacking = isOfForm && isLackingToStore(form, kind);
  return isLacking ? `${storing} needs ${storedBy}` : `${storing} is not served yet`;
}

/**
 * Whether the acquirer may have to see the shopper before it decides about a new payment. Whoever is
 * paid out (CD) is not asked.
 */
export function needsShopper(form: Form, request: NewPaymentKind): boolean {
  const kind = instrumentKindOf(form, request);
  return !isPaidOut(form) && (instrumentForms[kind].needsShopper?.(form) ?? false);
}

/** The same of a payment with what was stored. */
export function storedNeedsShopper({ kind }: ShownInstrument, form: Form): boolean {
  return !isPaidOut(form) && (instrumentForms[kind].storedNeedsShopper?.(form) ?? false);
}

function isPaidOut(form: Form): boolean {
  return initialOperationByType.get(form.get('paymentType') ?? '') === 'credit';
}

/** What commands say of the instrument of a form without violations, before the vault is asked. */
export function shownInstrumentOf(form: Form, request: NewPaymentKind): ShownInstrument {
  const { shownOf } = instrumentForms[instrumentKindOf(form, request)];
  return shownOf(form, shownBrandOf(form));
}

/** How answers describe their instruments, by the field that each of them has there. */
export const instrumentAnswerSchemas: Properties = Object.fromEntries(
  instrumentKinds.flatMap((kind) => {
    const schema = instrumentForms[kind].answer?.schema;
    return schema === undefined ? [] : [[kind, schema]];
  }),
);

/** The field of an answer that tells of an instrument; none where answers say nothing of it. */
export function answeredInstrument(
  instrument: ShownInstrument,
  parts: AnswerParts,
): Readonly<Record<string, object>> | undefined {
  const { kind } = instrument;
  const answer = instrumentForms[kind].answer;
  const fields = answer?.fieldsOf(instrument, parts);
  // Who orders at a bank may say nothing of the account.
  const isTold = Object.values(fields ?? {}).some((field) => field !== undefined);
  return fields && isTold ? { [kind]: fields } : undefined;
}
