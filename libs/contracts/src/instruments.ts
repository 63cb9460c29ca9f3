import { bankAccount } from './instruments/bank-account.js';
import { card } from './instruments/card.js';
import { giftCard } from './instruments/gift-card.js';
import type { InstrumentDeclaration } from './instruments/instrument.js';
import { registration } from './instruments/registration.js';
import { tokenAccount } from './instruments/token-account.js';
import { virtualAccount } from './instruments/virtual-account.js';
import { wallet } from './instruments/wallet.js';
import { eitherOf, type Schema, type ValueOf } from './schema.js';

/** Everything that a new payment can be made with, in the order of the interface. */
export const instruments = {
  card,
  wallet,
  virtualAccount,
  bankAccount,
  tokenAccount,
  giftCard,
  registration,
} as const satisfies Readonly<Record<string, InstrumentDeclaration>>;

type Instruments = typeof instruments;

/** What a payment is made with. */
export type InstrumentKind = keyof Instruments;

type PaidWith<Kind extends InstrumentKind> = Instruments[Kind] extends {
  readonly paid: Schema<infer Data>;
}
  ? Data
  : never;

/** An instrument that a payment was made with, as commands and events have it. */
export type PaidInstrument = { [Kind in InstrumentKind]: PaidWith<Kind> }[InstrumentKind];

/** The same of a payment that was refused. */
export type RefusedInstrument = {
  [Kind in InstrumentKind]: ValueOf<Instruments[Kind]['refused']>;
}[InstrumentKind];

/** What a payment is made with, or was meant to be made with. */
export type Instrument = PaidInstrument | RefusedInstrument;

/** The instruments of one kind. */
export type InstrumentOf<Kind extends InstrumentKind> = Extract<
  Instrument,
  { readonly kind: Kind }
>;

type Shown<Of> = Of extends Instrument ? Omit<Of, 'vaultReference'> : never;

/** An instrument as readers see it: the vault's reference is of no use to them. */
export type ShownInstrument = Shown<Instrument>;

/** The declaration of each instrument, by kind. */
const declarations: Readonly<Record<InstrumentKind, InstrumentDeclaration>> = instruments;

/** Every kind. */
export const instrumentKinds = Object.keys(instruments) as readonly InstrumentKind[];

/** Whether merchants can pay with it; otherwise their payments are recorded and refused. */
export function isServedKind(kind: InstrumentKind): boolean {
  return declarations[kind].isServed;
}

/** How events write the instrument of a payment. */
export const paidInstrument = eitherOf(
  instrumentKinds.flatMap((kind) => declarations[kind].paid ?? []),
) as Schema<PaidInstrument>;

/** How events write the instrument of a payment that was refused. */
export const refusedInstrument = eitherOf(
  instrumentKinds.map((kind) => declarations[kind].refused),
) as Schema<RefusedInstrument>;

/** Whether an instrument is complete, so that a payment can be made with it. */
export function isPayable(instrument: Instrument): instrument is PaidInstrument {
  const needed = declarations[instrument.kind].paid?.required;
  return needed?.every((field) => field in instrument) ?? false;
}

/** Interface 2.19 `paymentMethods`; undefined if it is unknown, as for a registration. */
export function paymentMethodOf(instrument: ShownInstrument): string | undefined {
  // Whoever decrypted it, what the shopper paid with is the wallet.
  if ('wallet' in instrument) return instruments.wallet.paymentMethod;
  return 'paymentMethod' in instrument
    ? instrument.paymentMethod
    : declarations[instrument.kind].paymentMethod;
}

/** Every method that a payment can be made by (Interface 2.19), of the many that the interface names. */
export const servedPaymentMethods: readonly string[] = instrumentKinds
  .filter(isServedKind)
  .flatMap((kind) => {
    const { paymentMethod, paymentMethods = [] } = declarations[kind];
    return paymentMethod === undefined ? paymentMethods : [paymentMethod];
  });

/** The vault's reference for its details, if the vault holds any. */
export function vaultReferenceOf(instrument: Instrument): string | undefined {
  return 'vaultReference' in instrument ? instrument.vaultReference : undefined;
}

/**
 * An instrument whose details the vault holds under this reference; none where it holds nothing.
 */
export function heldInstrument(
  shown: ShownInstrument,
  vaultReference: string | undefined,
): Instrument {
  return (vaultReference === undefined ? shown : { ...shown, vaultReference }) as Instrument;
}

/** The same instrument for readers. */
export function shownInstrument(instrument: Instrument): ShownInstrument {
  if (!('vaultReference' in instrument)) return instrument;
  const { vaultReference: _, ...shown } = instrument;
  return shown;
}
