import { legacyRecurringTypes } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import { namesGivenBy } from './agreements.js';
import type { Transaction } from './transaction.js';

/** The payment that began what is charged now: it was made by the registration, or stored it. */
export interface FirstPayment {
  readonly id: TransactionId;
  /** As far as it can be read: it may be in another cell. */
  readonly transaction?: Pick<
    Transaction,
    'id' | 'status' | 'parameters' | 'connectorTxId' | 'resultDetails'
  >;
}

type NewPayment = Pick<Transaction, 'id' | 'operation' | 'instrument' | 'parameters'>;
type Said = Readonly<Record<string, string>>;

const NOTHING: Said = {};
const PREFIX = 'standingInstruction.';
const MODE = `${PREFIX}mode`;
const SOURCE = `${PREFIX}source`;
const TYPE = `${PREFIX}type`;
const AGREEMENT = `${PREFIX}agreementId`;
const FIRST_PAYMENT = `${PREFIX}initialTransactionId`;

/**
 * What an acquirer is told of a payment's agreement beside what the merchant said, by wire name
 * (Interface 2.18). We know what was stored, and by which payment; the acquirer does not. So whoever
 * pays with a registration has neither to name its first payment nor to send a security code.
 */
export function agreementTold(payment: NewPayment, first?: FirstPayment): Said {
  const { id, operation, parameters } = payment;
  if (operation !== 'authorization' && operation !== 'debit') return NOTHING;
  if (parameters[MODE] === 'INITIAL') {
    // So that it is known there by the name that our answer gives it.
    return AGREEMENT in parameters ? NOTHING : { [AGREEMENT]: id };
  }
  const registrationId = registrationPaidWith(parameters);
  if (registrationId === undefined) return NOTHING;
  return parameters[SOURCE] === 'MIT'
    ? firstPaymentTold(parameters, registrationId, first)
    : oneClickTold(payment);
}

/** Whether it has to be looked up which payment began what is charged: its acquirer wants a name. */
export function needsFirstPayment({ parameters }: Pick<NewPayment, 'parameters'>): boolean {
  return (
    parameters[SOURCE] === 'MIT' &&
    registrationPaidWith(parameters) !== undefined &&
    !namesFirstPayment(parameters)
  );
}

/** What a payment stores has its id there, too. */
function registrationPaidWith(parameters: Said): string | undefined {
  return parameters['createRegistration'] === 'true' ? undefined : parameters['registrationId'];
}

function namesFirstPayment(parameters: Said): boolean {
  return AGREEMENT in parameters || FIRST_PAYMENT in parameters;
}

/** Where no payment began it, the agreement is that it was stored. */
function firstPaymentTold(
  parameters: Said,
  registrationId: string,
  first: FirstPayment | undefined,
): Said {
  if (namesFirstPayment(parameters)) return NOTHING;
  const { id = registrationId, transaction } = first ?? {};
  const { parameters: said, status } = transaction ?? {};
  // The names that its answer gave; one that began no agreement has given none.
  return transaction !== undefined && status === 'approved' && said?.[MODE] === 'INITIAL'
    ? namesGivenBy(transaction)
    : { [AGREEMENT]: id };
}

/** As the legacy `recurringType` has it. Cards alone have the security code that is not asked for then. */
function oneClickTold({ instrument, parameters }: NewPayment): Said {
  if (instrument?.kind !== 'card' || MODE in parameters) return NOTHING;
  const { type, mode, source } = legacyRecurringTypes.REGISTRATION_BASED;
  return {
    ...{ [MODE]: mode, [SOURCE]: source },
    ...(!(TYPE in parameters) && { [TYPE]: type }),
  };
}
