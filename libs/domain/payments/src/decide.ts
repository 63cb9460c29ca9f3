import {
  isPayable,
  isStandalone,
  paymentMethodOf,
  type ReferenceOperation,
} from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import { codes } from '@sluice/result-codes';
import type { AgreementSoFar, RecordedAgreement } from './agreements.js';
import type {
  InitiatePayment,
  PaymentCommand,
  RecordChargeback,
  RecordChargebackReversal,
  ReferToTransaction,
} from './commands.js';
import type { PaymentEvent, PaymentEventOf } from './events.js';
import { foundOutEvents, refusalBeforeAuthorization } from './before-authorization.js';
import { recordFinding } from './outcomes.js';
import {
  findTransaction,
  initialTransaction,
  type PaymentState,
  transactionsOf,
} from './payment.js';
import {
  chargebackRest,
  referencedTransaction,
  refusalBeforeAmount,
  ruleCapture,
  ruleChargeback,
  ruleChargebackReversal,
  ruleIncrement,
  ruleReauthorization,
  ruleRebill,
  ruleRefund,
  ruleReversal,
  type ReferenceCase,
  type Ruling,
} from './reference-rules.js';
import { standaloneCode, standaloneCompleted } from './standalone.js';
import {
  type BrokenTerm,
  brokenTerm,
  brokenTermRefusal,
  termsIn,
} from './standing-instruction-terms.js';

/** The most transactions of one payment (D-09): a stream has to be read as a whole. */
export const TRANSACTIONS_MAX = 1_000;

/** Whether a payment takes no further transaction: answered `700.500.001`, not recorded (D-09). */
export function isFull(state: PaymentState): boolean {
  return transactionsOf(state).size >= TRANSACTIONS_MAX;
}

/**
 * The events that follow from a command; pure. None if the transaction is known already (the
 * handler answers its stored outcome), if a finding says nothing new, or if the payment is full.
 * Throws only for commands that only a broken program could send: a reference to nothing, a missing
 * amount.
 */
export function decide(command: PaymentCommand, state: PaymentState): readonly PaymentEvent[] {
  switch (command.type) {
    case 'InitiatePayment':
      return initiatePayment(command, state);
    case 'CapturePayment':
      return refer('capture', ruleCapture, command, state);
    case 'ReversePayment':
      return refer('reversal', ruleReversal, command, state);
    case 'RefundPayment':
      return refer('refund', ruleRefund, command, state);
    case 'RebillPayment':
      return refer('rebill', ruleRebill, command, state);
    case 'RecordReceipt':
      return refer('receipt', ruleCapture, command, state);
    case 'IncrementAuthorization':
      return refer('incrementalAuthorization', ruleIncrement, command, state);
    case 'ReauthorizePayment':
      return refer('reauthorization', ruleReauthorization, command, state);
    case 'RecordChargeback':
      return recordChargeback(command, state);
    case 'RecordChargebackReversal':
      return recordChargebackReversal(command, state);
    case 'RecordOutcome':
    case 'RerouteTransaction':
    case 'RecordReversal':
    case 'RecordLateAnswer':
    case 'RequestLateApprovalRefund':
    case 'RecordLateApprovalRefund':
    case 'RecordAuthentication':
    case 'AwaitAuthentication':
    case 'RecordAppChallenge':
    case 'DecideReview':
    case 'OpenRejectionCase':
    case 'OpenCase':
      return recordFinding(command, state);
  }
}

function initiatePayment(command: InitiatePayment, state: PaymentState): readonly PaymentEvent[] {
  if (findTransaction(state, command.transactionId) !== undefined) return [];
  if (state.kind !== 'none') throw new Error('A payment is initiated once');
  const { type: _, metadata, rejection, numberOfCaptures, request, route, ...others } = command;
  const { assessment: _assessment, authentication, ...more } = others;
  const { agreement, accountFingerprint, issuerCountry, ...refused } = more;
  const { instrument, resultDescription: _description, ...data } = refused;
  if (rejection !== undefined || !isPayable(instrument)) {
    // Edge refuses what is not served. Of what is, less may be known than a payment with it needs.
    const resultCode = rejection ?? codes.notConfigured;
    return [{ type: 'TransactionRejected', data: { ...refused, resultCode }, metadata }];
  }
  const broken = agreement && termBrokenByLater(agreement, command);
  if (broken !== undefined) {
    const rejected = { ...refused, ...brokenTermRefusal(broken) };
    return [{ type: 'TransactionRejected', data: rejected, metadata }];
  }
  const refusal = refusalBeforeAuthorization(command);
  const foundOut = foundOutEvents(command);
  if (refusal !== undefined) {
    const rejected = { ...refused, resultCode: refusal };
    return [{ type: 'TransactionRejected', data: rejected, metadata }, ...foundOut];
  }
  const isAlone = isStandalone(command.operation);
  const isWaiting = authentication?.kind === 'pending';
  // Where the shopper is to be authenticated first, no acquirer is asked yet.
  const isAsked = !isWaiting && !isAlone;
  const initiated = {
    ...{ ...data, instrument },
    ...(isAsked && { request }),
    ...(numberOfCaptures !== undefined && { numberOfCaptures }),
    ...(isAsked && route !== undefined && { route }),
    ...(issuerCountry !== undefined && { issuerCountry }),
    ...(accountFingerprint !== undefined && { accountFingerprint }),
    ...(agreement !== undefined && { agreement: recorded(agreement) }),
  };
  const begun = [{ type: 'PaymentInitiated', data: initiated, metadata } as const, ...foundOut];
  return isAlone && !isWaiting
    ? [...begun, standaloneCompleted(command.transactionId, standaloneCode(command), metadata)]
    : begun;
}

/** What its first payment agreed binds a later one as it binds a rebill (page 0062). */
function termBrokenByLater(
  { terms, authorizedAtMs }: AgreementSoFar,
  { metadata }: InitiatePayment,
): BrokenTerm | undefined {
  return brokenTerm(termsIn(terms), [...authorizedAtMs.values()], metadata.recordedAtMs);
}

function recorded({ firstPaymentId, terms }: AgreementSoFar): RecordedAgreement {
  return { firstPaymentId, terms };
}

type SentCommand = Exclude<ReferToTransaction, RecordChargeback | RecordChargebackReversal>;

function refer(
  operation: ReferenceOperation,
  rule: (reference: ReferenceCase) => Ruling,
  command: SentCommand,
  state: PaymentState,
): readonly PaymentEvent[] {
  if (isKnownOrFull(command.transactionId, state)) return [];
  const ruling = judge(operation, rule, referencedTransaction(command, state));
  if (ruling.kind === 'refused') return [rejected(operation, command, state, ruling)];
  const { amount, releases } = ruling;
  const { transactionId, referencedId, final, request, metadata } = command;
  const data: PaymentEventOf<'TransactionRequested'>['data'] = {
    ...kept(command, state),
    transactionId,
    referencedId,
    operation,
    amount,
    final,
    request,
    ...(releases !== undefined && { releases }),
  };
  return [{ type: 'TransactionRequested', data, metadata }];
}

function recordChargeback(command: RecordChargeback, state: PaymentState): readonly PaymentEvent[] {
  const reference = referencedTransaction(command, state);
  if (command.source === 'settlement') return chargebackFromSettlement(command, reference);
  if (isKnownOrFull(command.transactionId, state)) return [];
  const ruling = judge('chargeback', ruleChargeback, reference);
  if (ruling.kind === 'refused') return [rejected('chargeback', command, state, ruling)];
  return [chargebackReceived(command, state, ruling.amount)];
}

/**
 * A settlement file reports facts: they are always recorded, and an excess opens a case for a
 * person (D-31).
 */
function chargebackFromSettlement(
  command: RecordChargeback,
  { state, ledger, referenced }: ReferenceCase,
): readonly PaymentEvent[] {
  if (findTransaction(state, command.transactionId) !== undefined) return [];
  const { amount, transactionId, metadata } = command;
  if (amount === undefined) throw new Error('A chargeback came without an amount');
  const rest = chargebackRest(state, ledger, referenced);
  const left = rest > 0n ? rest : 0n;
  if (amount.minor <= left) return [chargebackReceived(command, state, amount)];
  const excess = { minor: amount.minor - left, currency: amount.currency };
  const received = chargebackReceived(command, state, amount);
  return [
    { ...received, data: { ...received.data, excess } },
    {
      type: 'CaseOpened',
      data: { transactionId, reason: 'chargebackExcess', amount: excess },
      metadata,
    },
  ];
}

function chargebackReceived(
  command: RecordChargeback,
  state: PaymentState,
  amount: NonNullable<RecordChargeback['amount']>,
): Extract<PaymentEvent, { type: 'ChargebackReceived' }> {
  const { transactionId, referencedId, source, metadata } = command;
  const resultCode = command.resultCode ?? codes.chargebackReceived;
  const data = { ...kept(command, state), transactionId, referencedId, amount, resultCode, source };
  return { type: 'ChargebackReceived', data, metadata };
}

function recordChargebackReversal(
  command: RecordChargebackReversal,
  state: PaymentState,
): readonly PaymentEvent[] {
  if (isKnownOrFull(command.transactionId, state)) return [];
  const reference = referencedTransaction(command, state);
  const ruling = judge('chargebackReversal', ruleChargebackReversal, reference);
  if (ruling.kind === 'refused') {
    return [rejected('chargebackReversal', command, state, ruling)];
  }
  const { transactionId, referencedId, source, metadata } = command;
  const { amount } = ruling;
  const resultCode = codes.approvedInternal;
  const data = { ...kept(command, state), transactionId, referencedId, amount, resultCode, source };
  return [{ type: 'ChargebackReversed', data, metadata }];
}

function isKnownOrFull(id: TransactionId, state: PaymentState): boolean {
  return findTransaction(state, id) !== undefined || isFull(state);
}

function judge(
  operation: ReferenceOperation,
  rule: (reference: ReferenceCase) => Ruling,
  reference: ReferenceCase,
): Ruling {
  return refusalBeforeAmount(operation, reference) ?? rule(reference);
}

function rejected(
  operation: ReferenceOperation,
  command: ReferToTransaction,
  state: PaymentState,
  { resultCode, resultDescription: ruled }: Extract<Ruling, { kind: 'refused' }>,
): PaymentEvent {
  const { transactionId, referencedId, amount, metadata, rejection } = command;
  const resultDescription = rejection === resultCode ? command.resultDescription : ruled;
  const data = {
    ...kept(command, state),
    transactionId,
    operation,
    referencedId,
    resultCode,
    ...(resultDescription !== undefined && { resultDescription }),
    ...(amount !== undefined && { amount }),
  };
  return { type: 'TransactionRejected', data, metadata };
}

/** The method of nearly all payments, which events therefore leave out. */
const BY_CARD = 'CC';

function kept({ parameters, personal }: ReferToTransaction, state: PaymentState) {
  const { instrument } = initialTransaction(state);
  const paymentMethod = instrument && paymentMethodOf(instrument);
  const isSaid = paymentMethod !== undefined && paymentMethod !== BY_CARD;
  return {
    parameters,
    ...(isSaid && { paymentMethod }),
    ...(personal !== undefined && { personal }),
  };
}
