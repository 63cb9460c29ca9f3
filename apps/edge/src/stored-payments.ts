import {
  heldInstrument,
  type Instrument,
  type InstrumentKind,
  type PaidInstrumentAnswer,
  type PaymentToStore,
  shownInstrument,
  type TransactionQuery,
  vaultReferenceOf,
} from '@sluice/contracts';
import { newTransactionId, type TransactionId } from '@sluice/identifiers';
import { idleParameters, REGISTRATION_ID, type Rejection } from '@sluice/parameters';
import { codes, describeResult } from '@sluice/result-codes';
import type { AdmittedRequest } from './access-guard.js';
import { type Answer, Refused } from './answer.js';
import { checkKind, refuseViolations } from './checked-form.js';
import type { CommandClient } from './command-client.js';
import { findTransaction } from './find-transaction.js';
import { idempotencyKeyOf } from './idempotency-claims.js';
import type { QueryClient } from './query-client.js';
import { TRANSACTION_NOT_FOUND } from './refusals.js';
import type { RegisteredInstruments } from './registered-instruments.js';
import { modeReferredTo, OF_OTHER_MODE } from './request-context.js';
import { registerInstrument } from './registration-commands.js';
import type { RegistrationSender } from './registration-sender.js';

/** The parts that storing what a payment was made with needs. */
export interface StoredPaymentsParts {
  readonly commands: CommandClient;
  readonly queries: QueryClient;
  readonly registered: RegisteredInstruments;
  readonly registrations: RegistrationSender;
}

/** What is to be stored, or why it cannot be. */
interface ToStore {
  readonly instrument: Instrument;
  readonly rejection?: Rejection;
}

const FORGOTTEN = refusal(
  codes.registrationDetailsGone,
  'what a payment is made with is forgotten seconds after it: send createRegistration=true with the payment',
);

/** RG on a payment: stores what it was made with, as long as the vault has it (page 0058). */
export class StoredPayments {
  constructor(private readonly parts: StoredPaymentsParts) {}

  /**
   * Stores what the payment with a transaction was made with.
   * @param resource where it was sent to, see `idempotencyKeyOf`
   */
  async store(asked: AdmittedRequest, id: TransactionId, resource: string): Promise<Answer> {
    checkKind(asked, 'read');
    refuseViolations(idleParameters(asked.form, 'registration'));
    const { kept: keptParameters, claims } = this.parts.commands;
    const key = idempotencyKeyOf(asked, resource);
    const payment = await this.#paymentOf(asked, id);
    const { instrument, rejection } = await this.#toStore(asked, payment);
    const admitted = { ...asked, mode: modeReferredTo(asked, payment.mode) ?? asked.mode };
    const transactionId = newTransactionId(admitted.receivedAtMs, key);
    const own = ownPersonal(payment);
    const { personal, ...kept } = await keptParameters.of(
      admitted.form,
      'read',
      transactionId,
      own,
    );
    const claim = claims.of(admitted, key, { id: transactionId });
    const command = registerInstrument({ admitted, transactionId, ...kept, ...claim }, instrument, {
      ...{ paymentId: payment.id, isPaymentMade: true },
      ...(rejection !== undefined && { rejection }),
    });
    // Without the reference: what is held is the payment's, and must not be forgotten with this.
    const shown = heldInstrument(shownInstrument(instrument), undefined);
    return this.parts.registrations.send({ admitted, command, personal, instrument: shown });
  }

  /** Whether an id among payments is that of a registration of the asking channel. */
  async isRegistration(admitted: AdmittedRequest, id: string): Promise<boolean> {
    return (await this.parts.registered.find(admitted, id)) !== undefined;
  }

  /** Throws Refused if the asking channel has no transaction with this id (D-29). */
  async refuseUnknown(admitted: AdmittedRequest, id: TransactionId): Promise<void> {
    const found = await findTransaction(this.parts.queries, admitted, id);
    if (found === undefined) throw new Refused(TRANSACTION_NOT_FOUND);
  }

  async #paymentOf({ access }: AdmittedRequest, transactionId: TransactionId) {
    const query: TransactionQuery = { transactionId, entityId: access.channel.id };
    const { payment } = await this.parts.queries.ask<PaidInstrumentAnswer>(
      'payments',
      'payments.paidInstrument',
      query,
    );
    if (payment === undefined) throw new Refused(TRANSACTION_NOT_FOUND);
    return payment;
  }

  /** What was stored before, if the payment was made with that; else what is still held of it. */
  async #toStore(admitted: AdmittedRequest, payment: PaymentToStore): Promise<ToStore> {
    const { parameters } = payment;
    const shown = heldInstrument(shownInstrument(payment.instrument), undefined);
    const isOfOtherMode = modeReferredTo(admitted, payment.mode) === undefined;
    const refused = refusalOf(payment) ?? (isOfOtherMode ? OF_OTHER_MODE : undefined);
    if (refused !== undefined) return { instrument: shown, rejection: refused };
    const registrationId = parameters[REGISTRATION_ID];
    const stored =
      registrationId === undefined
        ? payment.instrument
        : (await this.parts.registered.find(admitted, registrationId))?.instrument;
    if (stored === undefined || vaultReferenceOf(stored) === undefined) {
      return { instrument: shown, rejection: FORGOTTEN };
    }
    return { instrument: stored };
  }
}

/** What belongs to the account, as a payment by registration has it. */
function ownPersonal({ instrument, personal }: PaymentToStore): Readonly<Record<string, string>> {
  const own = Object.entries(personal).filter(([name]) => name.startsWith(`${instrument.kind}.`));
  return Object.fromEntries(own);
}

function refusalOf(payment: PaymentToStore): Rejection | undefined {
  switch (payment.status) {
    case 'declined':
    case 'rejected':
    case 'notPerformed':
    case 'reversedAfterUnknown':
      return refusal(codes.registrationUnusable, 'the payment failed');
    case 'requested':
    case 'approved':
    case 'pending':
    case 'unknown':
      return isStorable(payment)
        ? undefined
        : refusal(codes.notConfigured, 'what this payment was made with cannot be stored');
  }
}

/** Accounts whose details are the vault's, with whatever they were paid. */
const STORED: ReadonlySet<InstrumentKind> = new Set([
  ...(['card', 'bankAccount', 'tokenAccount', 'giftCard'] as const),
]);

/**
 * What is stored already can be stored again. Otherwise nobody knows of a provider's account whether
 * it was named, and an order at the bank leaves nothing to pay with.
 */
function isStorable({ instrument, parameters }: PaymentToStore): boolean {
  if (parameters[REGISTRATION_ID] !== undefined) return true;
  const isOrder = 'paymentMethod' in instrument && instrument.paymentMethod === 'OT';
  return STORED.has(instrument.kind) && !isOrder;
}

function refusal(code: Rejection['code'], reason: string): Rejection {
  return { code, description: `${describeResult(code)} - ${reason}` };
}
