import type {
  BankOperation,
  BankSequence,
  MandateMarks,
  OrderAnswer,
  OrderQuery,
  PlaceOrderQuery,
  RevealedInstrument,
  SecretDetails,
} from '@sluice/contracts';
import { bankOperations } from '@sluice/contracts';
import { toMessage } from '@sluice/money';
import { codes } from '@sluice/result-codes';
import type { InstallationPorts } from '../acquirer.js';
import type {
  Connector,
  ConnectorCapabilities,
  ConnectorRequest,
  InquiryOutcome,
  RequestParameters,
  ReversalOutcome,
  SubmitOptions,
  SubmitOutcome,
} from '../connector.js';
import { accountDetails, mandateDetails, refusalOf, textAt } from './order-account.js';

/** Queries take five seconds at most, and the vault is asked before. */
const CALL_TIMEOUT_MS = 10_000;
/** Files are written once a day, and what is in one cannot be taken back. */
const DAY_MS = 24 * 60 * 60 * 1_000;

/** What the connector is made of. */
export interface SepaConnectorParts {
  /** The name of the creditor, as the service of the files knows it. */
  readonly creditor: string;
  readonly ports: InstallationPorts;
  readonly maxInFlightMs: number;
}

/** What the vault holds for an order, and what it makes of its mandate. */
interface HeldForOrder {
  readonly heldReference?: string;
  readonly mandate?: MandateMarks;
}

/**
 * Direct debits and credits for a bank that takes files: the way to the service that gathers them.
 * An order is approved once it is recorded there. That the bank has rejected or returned it is heard
 * of days later, as a chargeback.
 */
export class SepaConnector implements Connector {
  readonly name = 'sepa';
  readonly capabilities: ConnectorCapabilities;
  readonly takes = [
    ...['bankAccount.holder', 'bankAccount.bic', 'bankAccount.mandate.id'],
    ...['bankAccount.mandate.dateOfSignature', 'transactionDueDate', 'descriptor'],
    ...['standingInstruction.mode', 'registrationId'],
  ] as const;

  constructor(private readonly parts: SepaConnectorParts) {
    this.capabilities = {
      instruments: ['bankAccount'],
      canInquire: true,
      canReverse: true,
      partialReversal: false,
      incrementalAuthorization: false,
      reauthorization: false,
      maxInFlightMs: parts.maxInFlightMs,
      callTimeoutMs: CALL_TIMEOUT_MS,
      reversalCutOffMs: (recordedAtMs) => recordedAtMs + DAY_MS,
    };
  }

  ofMerchant(creditor: string): Connector {
    return new SepaConnector({ ...this.parts, creditor });
  }

  async submit(
    request: ConnectorRequest,
    instrument: RevealedInstrument | undefined,
    { beginByMs }: SubmitOptions,
  ): Promise<SubmitOutcome> {
    const { operation } = request;
    const isTaken = instrument === undefined || instrument.kind === 'bankAccount';
    if (!isTaken || !isBankOperation(operation)) {
      return { kind: 'notPerformed', reason: 'unsupported' };
    }
    const refusal = refusalOf(request, instrument);
    if (refusal !== undefined) return { kind: 'declined', resultCode: refusal };
    let held: HeldForOrder;
    try {
      held = await this.#hold(request, operation, instrument);
    } catch {
      // A vault that is away: the order is not placed, so nothing is.
      return { kind: 'notPerformed', reason: 'notReachable' };
    }
    if (performance.now() > beginByMs) return { kind: 'notPerformed', reason: 'sendWindowOver' };
    try {
      const order = this.#orderOf(request, operation, held);
      return submitOutcome(await this.#ask<OrderAnswer>('placeOrder', order));
    } catch {
      return { kind: 'unknown', reason: 'connectionLost' };
    }
  }

  async inquire(reference: string): Promise<InquiryOutcome> {
    try {
      return inquiryOutcome(await this.#ask<OrderAnswer>('order', { reference }));
    } catch {
      return { kind: 'unavailable' };
    }
  }

  async reverse(reference: string): Promise<ReversalOutcome> {
    try {
      const answer = await this.#ask<OrderAnswer>('cancelOrder', { reference });
      if (answer.kind === 'cancelled') return { kind: 'reversed', connectorTxId: answer.id };
      return answer.kind === 'notFound' ? { kind: 'notFound' } : { kind: 'unavailable' };
    } catch {
      return { kind: 'unavailable' };
    }
  }

  async close(): Promise<void> {
    // The ports are the process's.
  }

  async #hold(
    { parameters }: ConnectorRequest,
    operation: BankOperation,
    instrument: RevealedInstrument | undefined,
  ): Promise<HeldForOrder> {
    if (instrument === undefined) return {};
    const hold = (details: SecretDetails) =>
      this.parts.ports.vault.hold({ kind: 'bankAccount', details });
    const details = accountDetails(instrument, parameters);
    if (!collects(operation)) return { heldReference: (await hold(details)).reference };
    // The vault alone has the key of the hashes, and makes one of whatever it holds. Nobody reveals
    // what is held for that, and it is gone with the rest of what expires.
    const { id, terms } = mandateDetails(details);
    const [account, ofId, ofTerms] = await Promise.all([hold(details), hold(id), hold(terms)]);
    const mandate = { id: ofId.fingerprint, terms: ofTerms.fingerprint };
    return { heldReference: account.reference, mandate };
  }

  #orderOf(
    request: ConnectorRequest,
    operation: BankOperation,
    { heldReference, mandate }: HeldForOrder,
  ): PlaceOrderQuery {
    const { acquirerReference: reference, originalReference, mode, parameters } = request;
    const { entityId } = request;
    const signedOn = textAt(parameters, 'bankAccount', 'mandate', 'dateOfSignature') ?? '';
    // A mandate may be signed for later.
    const [dueOn] = [
      textAt(parameters, 'transactionDueDate') ?? '',
      collects(operation) ? signedOn : '',
    ]
      .sort()
      .reverse();
    return {
      ...{ reference, operation, mode, creditor: this.parts.creditor },
      amount: toMessage(request.amount),
      ...(entityId !== undefined && { entityId }),
      ...(heldReference !== undefined && { heldReference }),
      ...(originalReference !== undefined && { originalReference }),
      ...(collects(operation) && { sequence: sequenceOf(operation, parameters) }),
      ...(mandate !== undefined && { mandate }),
      ...(dueOn !== undefined && dueOn !== '' && { dueOn }),
    };
  }

  #ask<Answer>(route: string, query: PlaceOrderQuery | OrderQuery): Promise<Answer> {
    return this.parts.ports.queries.ask<Answer>('sepa', `sepa.${route}`, query);
  }
}

function isBankOperation(operation: ConnectorRequest['operation']): operation is BankOperation {
  return bankOperations.some((each) => each === operation);
}

/** Whether it leads to collections; the captures of an authorization take over its sequence. */
function collects(operation: BankOperation): boolean {
  return operation === 'debit' || operation === 'authorization';
}

/**
 * Whether more collections can follow by the mandate: under a standing instruction, by what is stored or
 * is being stored, and by captures.
 */
function sequenceOf(
  operation: BankOperation,
  parameters: RequestParameters | undefined,
): BankSequence {
  const isOneOfSeveral =
    operation === 'authorization' ||
    textAt(parameters, 'standingInstruction', 'mode') !== undefined ||
    textAt(parameters, 'registrationId') !== undefined;
  return isOneOfSeveral ? 'RCUR' : 'OOFF';
}

function submitOutcome(answer: OrderAnswer): SubmitOutcome {
  switch (answer.kind) {
    case 'approved':
      return { kind: 'approved', connectorTxId: answer.id };
    case 'declined':
      return {
        ...{ kind: 'declined', resultCode: answer.resultCode, connectorTxId: answer.id },
        ...(answer.reason !== undefined && { resultDetails: { AcquirerResponse: answer.reason } }),
      };
    case 'cancelled':
      return undone(answer.id);
    case 'refused':
      return { kind: 'notPerformed', reason: 'refused' };
    case 'notFound':
    case 'underWay':
      return { kind: 'unknown', reason: 'unreadableAnswer' };
  }
}

function inquiryOutcome(answer: OrderAnswer): InquiryOutcome {
  switch (answer.kind) {
    case 'approved':
      return { kind: 'found', outcome: { kind: 'approved', connectorTxId: answer.id } };
    case 'declined': {
      const { id: connectorTxId, resultCode } = answer;
      return { kind: 'found', outcome: { kind: 'declined', resultCode, connectorTxId } };
    }
    case 'cancelled':
      return { kind: 'found', outcome: undone(answer.id) };
    case 'notFound':
      return { kind: 'notFound' };
    case 'refused':
    case 'underWay':
      return { kind: 'unavailable' };
  }
}

function undone(connectorTxId: string) {
  return { kind: 'declined', resultCode: codes.timeoutReversed, connectorTxId } as const;
}
