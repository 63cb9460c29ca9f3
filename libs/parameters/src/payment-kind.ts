import { type InstrumentKind, instruments } from '@sluice/contracts';
import { REGISTRATION_ID } from './conditions.js';
import type { Form } from './form.js';
import { instrumentForms, instrumentOfBrand, instrumentsByStructure } from './instruments.js';
import { walletOfBrand } from './instruments/wallet.js';
import type { NewPaymentKind } from './kinds.js';

/** What a new payment asks for. */
export interface AskedKind {
  readonly kind: NewPaymentKind;
  /** Why a parameter does not belong to it, by name (D-69). */
  readonly contradictions: ReadonlyMap<string, string>;
}

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * The kind of a new payment, by what it is made with (D-50): by the card if there is one, else by the registration, of
 * which only its owner knows what it is, else by the account that was sent, else by what the brand
 * is paid with, else by the card that is missing. Of several accounts the brand says which one is meant; the
 * others contradict it (D-69), in whichever order they came.
 */
export function paymentKindOf(form: Form): AskedKind {
  if (form.has('card.number')) return besideCard(form);
  const asked = form.has(REGISTRATION_ID)
    ? { kind: 'payment' as const, contradictions: otherWallets(form) }
    : withoutCard(form);
  const { kind, contradictions } = asked;
  const code = codeOfNoCard(form, kind);
  return {
    kind,
    contradictions: code.size === 0 ? contradictions : new Map([...contradictions, ...code]),
  };
}

const SECURITY_CODE = 'card.cvv';

/** The code of a card would be dropped unseen where none is paid with; a token has one of its own. */
function codeOfNoCard(form: Form, kind: NewPaymentKind): ReadonlyMap<string, string> {
  if (kind === 'payment' || (form.get(SECURITY_CODE) ?? '') === '') return NONE;
  const own = kind === 'tokenPayment' ? ': a token has tokenAccount.dtvc' : '';
  return new Map([[SECURITY_CODE, `is of a card, and none is paid with${own}`]]);
}

function withoutCard(form: Form): AskedKind {
  const accounts = sentAccounts(form);
  const used = accounts.find(({ isOfBrand }) => isOfBrand) ?? accounts[0];
  if (used === undefined) return { kind: kindWithoutAccount(form), contradictions: NONE };
  // Another account beside it would be for the rest of the amount, and is refused as that.
  if (used.instrument === 'giftCard') return { kind: used.kind, contradictions: NONE };
  const contradictions = new Map<string, string>();
  for (const { structure, instrument, names } of accounts) {
    if (structure === used.structure) continue;
    const areWallets = instrument === 'wallet' && used.instrument === 'wallet';
    const message = `contradicts ${used.structure}.*: a payment is made with one ${areWallets ? 'wallet' : 'account'}`;
    for (const name of names) contradictions.set(name, message);
  }
  return { kind: used.kind, contradictions };
}

/** An account in a request without a card. */
interface SentAccount {
  readonly structure: string;
  readonly instrument: InstrumentKind;
  readonly kind: NewPaymentKind;
  /** What contradicts another account. */
  readonly names: readonly string[];
  readonly isOfBrand: boolean;
}

/** In the order of the catalogue. */
function sentAccounts(form: Form): readonly SentAccount[] {
  const brand = form.get('paymentBrand');
  const ofBrand = brand === undefined ? undefined : kindOfBrand(brand);
  const wallet = walletOfBrand(brand ?? '');
  // A name that nobody knows is refused as that, and is no account.
  const known = new Set<string>();
  form.forEach((name, value, { kind }) => {
    if (kind === 'row' && value !== '') known.add(name);
  });
  return [...instrumentsByStructure].flatMap(([structure, instrument]) => {
    const sent = form.namesOf(structure).filter((name) => known.has(name));
    const { isAside, holdsCard } = instrumentForms[instrument];
    if (sent.length === 0 || isAside?.(form) === true) return [];
    const kind =
      holdsCard?.(form, structure) === true ? 'payment' : instruments[instrument].request;
    const isOfBrand = instrument === 'wallet' ? structure === wallet : kind === ofBrand;
    // What a wallet says of its card is of no other account.
    const names = instrument === 'wallet' ? sent : contradicting(sent, structure, instrument);
    return { structure, instrument, kind, names, isOfBrand };
  });
}

function kindWithoutAccount(form: Form): NewPaymentKind {
  const brand = form.get('paymentBrand');
  const hasCard = form.namesOf('card').length > 0;
  return brand === undefined || hasCard ? 'payment' : kindOfBrand(brand);
}

function kindOfBrand(brand: string): NewPaymentKind {
  return instruments[instrumentOfBrand(brand)].request;
}

/** Whether a parameter, as the catalogue writes it, is of an account that a card contradicts. */
export function isOtherAccount(key: string): boolean {
  if (key === REGISTRATION_ID) return true;
  const structure = key.slice(0, key.indexOf('.'));
  const instrument = instrumentsByStructure.get(structure);
  return instrument !== undefined && contradicting([key], structure, instrument).length > 0;
}

/** An account that was sent beside the card. */
interface OtherAccount {
  readonly kind: NewPaymentKind;
  /** The parameters by which it was sent. */
  readonly names: readonly string[];
  readonly isOfBrand: boolean;
}

function besideCard(form: Form): AskedKind {
  const others = otherAccounts(form);
  if (others.length === 0) return { kind: 'payment', contradictions: otherWallets(form) };
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

/** One payment is made with one wallet: that of the brand, else the first that was sent. */
function otherWallets(form: Form): ReadonlyMap<string, string> {
  const sent = [...form.structures()].filter(
    (structure) => instrumentsByStructure.get(structure) === 'wallet',
  );
  const [first] = sent;
  if (first === undefined || sent.length === 1) return NONE;
  const ofBrand = walletOfBrand(form.get('paymentBrand') ?? '');
  const used = sent.find((structure) => structure === ofBrand) ?? first;
  const message = `contradicts ${used}.*: a payment is made with one wallet`;
  const others = sent.filter((structure) => structure !== used);
  return new Map(others.flatMap((other) => form.namesOf(other).map((name) => [name, message])));
}

function otherAccounts(form: Form): OtherAccount[] {
  const brand = form.get('paymentBrand');
  const ofBrand = brand === undefined ? 'payment' : kindOfBrand(brand);
  const others: OtherAccount[] = [];
  if (form.has(REGISTRATION_ID)) {
    // It may be one of any brand, and beside a card of that brand is one account too many.
    const isOfBrand = ofBrand !== 'payment';
    others.push({ kind: 'payment', names: [REGISTRATION_ID], isOfBrand });
  }
  for (const [structure, instrument] of instrumentsByStructure) {
    const sent = form.namesOf(structure).filter((name) => form.get(name) !== '');
    const names = contradicting(sent, structure, instrument);
    const kind = instruments[instrument].request;
    if (names.length > 0) others.push({ kind, names, isOfBrand: kind === ofBrand });
  }
  return others;
}

function contradicting(
  names: readonly string[],
  structure: string,
  instrument: InstrumentKind,
): readonly string[] {
  return instrumentForms[instrument].contradicting?.(names, structure) ?? names;
}
