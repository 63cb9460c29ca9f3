import { REGISTRATION_ID } from './conditions.js';
import type { Form } from './form.js';
import type { NewPaymentKind } from './kinds.js';
import { methodOfBrand } from './methods.js';

/** What a new payment is made with. */
export interface Instrument {
  readonly kind: NewPaymentKind;
  /** Why a parameter does not belong to it, by name (D-69). */
  readonly contradictions: ReadonlyMap<string, string>;
}

/** The structures that say what a payment is made with, beside the card. */
const METHODS: ReadonlyMap<string, NewPaymentKind> = new Map([
  ['bankAccount', 'bankAccountPayment'],
  ['virtualAccount', 'virtualAccountPayment'],
  ['tokenAccount', 'tokenPayment'],
  ['applePay', 'walletPayment'],
  ['googlePay', 'walletPayment'],
  ['samsungPay', 'walletPayment'],
]);

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * What a new payment is made with (D-50): by the card if there is one, else by the registration, of
 * which only its owner knows what it is, else by the structure that was sent, else by what the brand
 * is paid with, else by the card that is missing. Another account beside a card contradicts it, or
 * the card contradicts that, where the brand is paid with it (D-69).
 */
export function instrumentOf(form: Form): Instrument {
  if (form.has('card.number')) return besideCard(form);
  return { kind: kindWithoutCard(form), contradictions: NONE };
}

function kindWithoutCard(form: Form): NewPaymentKind {
  if (form.has(REGISTRATION_ID)) return 'payment';
  for (const structure of form.structures()) {
    const kind = METHODS.get(structure);
    // A wallet that the merchant has decrypted is paid by the card that was in it (D-50).
    if (kind !== undefined) return isDecrypted(form, structure) ? 'payment' : kind;
  }
  const brand = form.get('paymentBrand');
  const hasCard = form.namesOf('card').length > 0;
  return brand === undefined || hasCard ? 'payment' : methodOfBrand(brand);
}

function isDecrypted(form: Form, structure: string): boolean {
  return (
    METHODS.get(structure) === 'walletPayment' &&
    form.has(`${structure}.source`) &&
    !form.has(`${structure}.paymentToken`)
  );
}

/** Whether a parameter, as the catalogue writes it, is of an account that a card contradicts. */
export function isOtherAccount(key: string): boolean {
  if (key === REGISTRATION_ID) return true;
  const structure = key.slice(0, key.indexOf('.'));
  return namesThatContradict([key], structure).length > 0 && METHODS.has(structure);
}

/** An account that was sent beside the card. */
interface OtherAccount {
  readonly kind: NewPaymentKind;
  /** The parameters by which it was sent. */
  readonly names: readonly string[];
  readonly isOfBrand: boolean;
}

function besideCard(form: Form): Instrument {
  const others = otherAccounts(form);
  if (others.length === 0) return { kind: 'payment', contradictions: NONE };
  const used = others.find(({ isOfBrand }) => isOfBrand);
  const contradictions = new Map<string, string>();
  for (const { names } of others.filter((other) => other !== used)) {
    for (const name of names) {
      contradictions.set(name, 'contradicts card.number: a payment is made with one account');
    }
  }
  if (used === undefined) return { kind: 'payment', contradictions };
  const other = used.names[0] ?? '';
  contradictions.set('card.number', `contradicts ${other}, which fits paymentBrand`);
  return { kind: used.kind, contradictions };
}

function otherAccounts(form: Form): OtherAccount[] {
  const brand = form.get('paymentBrand');
  const ofBrand = brand === undefined ? 'payment' : methodOfBrand(brand);
  const others: OtherAccount[] = [];
  if (form.has(REGISTRATION_ID)) {
    // It may be one of any brand, and beside a card of that brand is one account too many.
    const isOfBrand = ofBrand !== 'payment';
    others.push({ kind: 'payment', names: [REGISTRATION_ID], isOfBrand });
  }
  for (const [structure, kind] of METHODS) {
    const names = namesOfAccount(form, structure);
    if (names.length > 0) others.push({ kind, names, isOfBrand: kind === ofBrand });
  }
  return others;
}

function namesOfAccount(form: Form, structure: string): readonly string[] {
  const sent = form.namesOf(structure).filter((name) => form.get(name) !== '');
  return namesThatContradict(sent, structure);
}

/** The card of a wallet comes with what the wallet says of it: only its token is another account. */
function namesThatContradict(names: readonly string[], structure: string): readonly string[] {
  const isWallet = METHODS.get(structure) === 'walletPayment';
  return isWallet ? names.filter((name) => name === `${structure}.paymentToken`) : names;
}
