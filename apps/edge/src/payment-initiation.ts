import type { BinTable } from '@sluice/answers';
import {
  heldInstrument,
  type InitiatePayment,
  type Instrument,
  type ShownInstrument,
  shownInstrument,
} from '@sluice/contracts';
import {
  isTransactionId,
  newTransactionId,
  newTransactionIdInChainOf,
  type TransactionId,
} from '@sluice/identifiers';
import {
  detailsToHold,
  firstRejection,
  type Form,
  instrumentKindOf,
  isNewPayment,
  isServed,
  migratedAgreement,
  type NewPaymentKind,
  oneClickAgreement,
  read,
  REGISTRATION_ID,
  type Rejection,
  shownInstrumentOf,
  usedRegistrationOf,
} from '@sluice/parameters';
import type { AdmittedRequest } from './access-guard.js';
import { type Answer, Refused } from './answer.js';
import {
  isReference,
  newOperation,
  type RequestedOperation,
  requestedOperation,
} from './checked-form.js';
import type { Beforehand, CommandClient } from './command-client.js';
import { idempotencyKeyOf } from './idempotency-claims.js';
import { initiatePayment, type PaidInstrument } from './payment-commands.js';
import type { PaymentRegistrations } from './payment-registrations.js';
import type { PaymentSender } from './payment-sender.js';
import { invalidParameters, TRANSACTION_NOT_FOUND } from './refusals.js';
import type { RegisteredInstrument, RegisteredInstruments } from './registered-instruments.js';
import { type WalletInstrument, WalletPayments } from './wallet-payments.js';
import { isFromHere } from './young-ids.js';

/** A new payment, as a form without violations asks for it. */
export interface NewPayment {
  readonly kind: NewPaymentKind;
  readonly operation: Extract<RequestedOperation, 'authorization' | 'debit' | 'credit'>;
  /** Where it was sent to, see `idempotencyKeyOf`. */
  readonly resource: string;
  /** Whether the shopper, who is there, has chosen it among what is stored. */
  readonly isChosen?: boolean;
  /** The type that the merchant has said for a brand, which only the account tells. */
  readonly typeOf?: (brand: string) => string | undefined;
  /** What uses up the token of a wallet, where it is not the request by itself. */
  readonly usedBy?: string;
  /**
   * What has to be done before the command is sent; where something is answered instead, or Refused is
   * thrown, there will be no such payment.
   */
  readonly before?: (command: InitiatePayment) => Promise<Beforehand>;
}

/** The instrument of a payment as its command has it. */
interface PaidWith extends Pick<
  RegisteredInstrument,
  'instrument' | 'rejection' | 'accountFingerprint' | 'storedByPaymentId' | 'storedTerms'
> {
  /** Of what the vault holds for it. */
  readonly fingerprint?: string;
}

/** What a payment may have to store. */
interface ToStore {
  readonly transactionId: TransactionId;
  readonly resource: string;
  readonly paid: PaidWith;
  /** What is personal of it and was not sent. */
  readonly inPlace: KnownInstrument['personal'];
}

/** An instrument that somebody else tells what there is to know of it: registrations, or the vault. */
interface KnownInstrument
  extends RegisteredInstrument, Partial<Pick<WalletInstrument, 'fingerprint' | 'parameters'>> {}

/** What a payment has stored; without an id, it is made with what was stored before. */
interface StoredWithPayment {
  readonly registrationId?: TransactionId;
}

/** What is known of a payment that begins later. */
export interface PaymentProspect {
  readonly instrument: ShownInstrument;
  readonly rejection?: Rejection;
}

/** What payments are begun with. */
export interface PaymentInitiationParts {
  readonly commands: CommandClient;
  readonly payments: PaymentSender;
  readonly registered: RegisteredInstruments;
  readonly registrations: PaymentRegistrations;
  /** Who issued a card. */
  readonly bins: BinTable;
}

/** Begins payments: with what the form has, or with what was stored (Interface 4). */
export class PaymentInitiation {
  readonly #wallets: WalletPayments;

  constructor(private readonly parts: PaymentInitiationParts) {
    this.#wallets = new WalletPayments(parts.commands.instruments);
  }

  /** Sends the command and answers with what becomes of it. */
  async begin(asked: AdmittedRequest, payment: NewPayment): Promise<Answer> {
    const { resource, isChosen = false, usedBy, before } = payment;
    const key = idempotencyKeyOf(asked, resource);
    const { kept: keptParameters, claims } = this.parts.commands;
    const minted = paymentIdOf(asked, key);
    const known = await this.#known(asked, payment.kind, key ?? usedBy ?? minted);
    const inMode = { ...asked, mode: known?.mode ?? asked.mode };
    const { admitted, kind, operation } = typedByBrand(inMode, payment, known?.instrument);
    const { form } = admitted;
    const chain = known?.storedByPaymentId ?? usedRegistrationOf(form);
    const transactionId = chain === undefined ? minted : paymentIdOf(admitted, key, chain);
    const inPlace = known?.personal;
    const { personal, ...kept } = await keptParameters.of(form, kind, transactionId, inPlace);
    const paid =
      known === undefined ? await this.#ofForm(admitted, kind) : await this.#ofKnown(known);
    const { instrument, fingerprint, rejection } = paid;
    const toStore = { transactionId, resource, paid, inPlace: inPlace ?? {} };
    const stored = isToBeStored(form) ? await this.#store(admitted, kind, toStore) : undefined;
    // A registration is named in the form: what is stored under it may be gone when the key comes again.
    const ofAccount = usedRegistrationOf(form) === undefined ? fingerprint : undefined;
    const claim = claims.of(admitted, key, { id: transactionId, ...stored }, ofAccount);
    const said = { ...kept.parameters, ...known?.parameters };
    const sent = { ...said, ...(known && agreementBesides(said, known, isChosen)) };
    const parameters = stored === undefined ? sent : saying(sent, stored);
    const parts = { admitted, kind, transactionId, ...kept, parameters, ...claim };
    const rejected = rejection === undefined ? {} : { rejection };
    const planned = initiatePayment({ ...parts, ...rejected }, operation, {
      ...paid,
      ...this.#issuerOf(paid),
    });
    const prepared = await this.parts.commands.prepared(planned, instrument, before);
    if (prepared.kind === 'instead') return prepared.answer;
    const { command } = prepared;
    const notFound = TRANSACTION_NOT_FOUND;
    return this.parts.payments.send({ admitted, command, personal, instrument, notFound });
  }

  /**
   * What a payment would be made with, and why it would be refused before anybody is asked, if it would:
   * for one that begins later. The token of a wallet has no later. @throws Refused
   */
  async prospect(asked: AdmittedRequest, kind: NewPaymentKind): Promise<PaymentProspect> {
    const { form, receivedAtMs: nowMs } = asked;
    const registrationId = usedRegistrationOf(form);
    const known =
      registrationId === undefined
        ? undefined
        : await this.parts.registered.forPayment(asked, registrationId);
    const mode = known?.mode ?? asked.mode;
    const rejection = firstRejection(form, { kind, mode, nowMs }) ?? known?.rejection;
    const instrument = known && shownInstrument(known.instrument);
    return {
      instrument: instrument ?? shownInstrumentOf(form, kind),
      ...(rejection !== undefined && { rejection }),
    };
  }

  /**
   * A payment with the registration that its path names (wire contract 4).
   * @param resource where it was sent to, see `idempotencyKeyOf`
   */
  async beginByRegistration(asked: AdmittedRequest, id: string, resource: string): Promise<Answer> {
    refuseOther(asked, id);
    const admitted = { ...asked, form: asked.form.with(REGISTRATION_ID, id) };
    const { kind, operation } = requestedOperation(admitted, 'payments');
    if (isReference(operation) || !isNewPayment(kind)) {
      const message = 'refers to a transaction, and a registration begins a payment';
      throw new Refused(invalidParameters({ name: 'referenceUuid', message }));
    }
    return this.begin(admitted, { kind, operation, resource });
  }

  /** Nothing of a payment with what is stored already, or of one that is refused anyway. */
  async #store(
    admitted: AdmittedRequest,
    kind: NewPaymentKind,
    { transactionId: paymentId, resource, paid, inPlace }: ToStore,
  ): Promise<StoredWithPayment | undefined> {
    const { form, mode, receivedAtMs: nowMs } = admitted;
    if (usedRegistrationOf(form) !== undefined) return {};
    const rejection = paid.rejection ?? firstRejection(form, { kind, mode, nowMs });
    if (rejection !== undefined) return undefined;
    const { instrument, fingerprint } = paid;
    const registrationId = await this.parts.registrations.register(admitted, {
      ...{ instrument, paymentId, resource, inPlace },
      ...(fingerprint !== undefined && { fingerprint }),
    });
    return { registrationId };
  }

  /** What others tell of it, before anything is kept or held; undefined if the form tells all. */
  async #known(
    admitted: AdmittedRequest,
    kind: NewPaymentKind,
    usedBy: string,
  ): Promise<KnownInstrument | undefined> {
    const registrationId = usedRegistrationOf(admitted.form);
    if (registrationId !== undefined)
      return this.parts.registered.forPayment(admitted, registrationId);
    if (instrumentKindOf(admitted.form, kind) !== 'wallet') return undefined;
    return this.#wallets.instrumentOf(admitted, kind, usedBy);
  }

  /** A payment that is not served is recorded as refused, so it needs no vault. */
  async #ofForm({ form, access }: AdmittedRequest, kind: NewPaymentKind): Promise<PaidWith> {
    const toHold = isServed(form, kind) ? detailsToHold(form, kind) : undefined;
    const merchantId = access.merchant.id;
    const held = toHold && (await this.parts.commands.instruments.hold({ ...toHold, merchantId }));
    const { reference, ...fingerprints } = held ?? {};
    return {
      instrument: heldInstrument(shownInstrumentOf(form, kind), reference),
      ...fingerprints,
    };
  }

  /** The country alone: routes may ask for it. */
  #issuerOf({ instrument }: PaidWith): Pick<PaidInstrument, 'issuerCountry'> {
    const bin = 'bin' in instrument ? instrument.bin : undefined;
    const issuerCountry = bin === undefined ? undefined : this.parts.bins.fieldsOf(bin)?.binCountry;
    return issuerCountry === undefined ? {} : { issuerCountry };
  }

  /** The security code of the request is held beside what is kept. */
  async #ofKnown({ toHold, ...known }: KnownInstrument): Promise<PaidWith> {
    if (toHold === undefined) return known;
    const { reference, fingerprint } = await this.parts.commands.instruments.hold(toHold);
    const instrument = heldInstrument(shownInstrument(known.instrument), reference);
    return { ...known, instrument, fingerprint };
  }
}

/**
 * By the hash of its key, so that the claim of the key is where a repetition looks for it (page 0047);
 * without one a later payment is where its first one is, which it is held to (page 0062).
 * @param chain of what it is made with: the payment that stored it, or the registration
 */
function paymentIdOf(
  { form, receivedAtMs }: AdmittedRequest,
  key: string | undefined,
  chain?: string,
): TransactionId {
  const named = form.get('standingInstruction.agreementId') ?? '';
  // A name that is not ours, as of another gateway, leads to no chain.
  const isOurs = isTransactionId(named) && isFromHere(named, receivedAtMs);
  const first = isOurs ? named : (chain ?? '');
  return key === undefined && isTransactionId(first)
    ? newTransactionIdInChainOf(first, receivedAtMs)
    : newTransactionId(receivedAtMs, key);
}

/** What is asked for, where that depends on the brand of what is stored, or of the card in a wallet. */
function typedByBrand(
  admitted: AdmittedRequest,
  { kind, operation, typeOf }: NewPayment,
  instrument: Instrument | undefined,
): { readonly admitted: AdmittedRequest } & Pick<NewPayment, 'kind' | 'operation'> {
  const brand = instrument && 'brand' in instrument ? instrument.brand : undefined;
  const type = brand === undefined ? undefined : typeOf?.(brand);
  if (type === undefined) return { admitted, kind, operation };
  const typed = { ...admitted, form: admitted.form.with('paymentType', type) };
  return { admitted: typed, ...newOperation(typed) };
}

/** The path says which one is meant. */
function refuseOther({ form }: AdmittedRequest, id: string): void {
  const other = form.get(REGISTRATION_ID);
  if (other === undefined || other === id) return;
  const message = 'must be the one of the path';
  throw new Refused(invalidParameters({ name: REGISTRATION_ID, message }));
}

/** What the payment says of its agreement beside what the request does. */
function agreementBesides(
  said: Readonly<Record<string, string>>,
  { instrument, storedParameters = {} }: KnownInstrument,
  isChosen: boolean,
): Readonly<Record<string, string>> {
  return {
    ...migratedAgreement(said, storedParameters),
    ...(isChosen && oneClickAgreement(said, instrument.kind, storedParameters)),
  };
}

function isToBeStored(form: Form): boolean {
  return read(form, 'createRegistration') === true;
}

/** The parameters of a payment say that it stores only if it does. */
function saying(
  parameters: Readonly<Record<string, string>>,
  { registrationId }: StoredWithPayment,
): Readonly<Record<string, string>> {
  if (registrationId !== undefined) return { ...parameters, registrationId };
  const { createRegistration: _, ...others } = parameters;
  return others;
}
