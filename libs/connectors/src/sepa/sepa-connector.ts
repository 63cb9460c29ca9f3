import type {
  BankOperation,
  OrderAnswer,
  OrderQuery,
  PlaceOrderQuery,
  RevealedInstrument,
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
  ReversalOutcome,
  SubmitOptions,
  SubmitOutcome,
} from '../connector.js';
import { accountDetails, refusalOf, textAt } from './order-account.js';

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
    'standingInstruction.mode',
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
    let heldReference: string | undefined;
    try {
      heldReference = await this.#hold(request, instrument);
    } catch {
      // A vault that is away: the order is not placed, so nothing is.
      return { kind: 'notPerformed', reason: 'notReachable' };
    }
    if (performance.now() > beginByMs) return { kind: 'notPerformed', reason: 'sendWindowOver' };
    try {
      const order = this.#orderOf(request, operation, heldReference);
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
    instrument: RevealedInstrument | undefined,
  ): Promise<string | undefined> {
    if (instrument === undefined) return undefined;
    const details = accountDetails(instrument, parameters);
    return (await this.parts.ports.vault.hold({ kind: 'bankAccount', details })).reference;
  }

  #orderOf(
    request: ConnectorRequest,
    operation: BankOperation,
    heldReference: string | undefined,
  ): PlaceOrderQuery {
    const { acquirerReference: reference, originalReference, mode, parameters } = request;
    // A mandate may be signed for later.
    const [dueOn] = [
      textAt(parameters, 'transactionDueDate') ?? '',
      textAt(parameters, 'bankAccount', 'mandate', 'dateOfSignature') ?? '',
    ]
      .sort()
      .reverse();
    const isRepeated = textAt(parameters, 'standingInstruction', 'mode') !== undefined;
    return {
      ...{ reference, operation, mode, creditor: this.parts.creditor },
      amount: toMessage(request.amount),
      ...(heldReference !== undefined && { heldReference }),
      ...(originalReference !== undefined && { originalReference }),
      ...(collects(operation) && { sequence: isRepeated ? 'RCUR' : 'OOFF' }),
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

function submitOutcome(answer: OrderAnswer): SubmitOutcome {
  switch (answer.kind) {
    case 'approved':
      return { kind: 'approved', connectorTxId: answer.id };
    case 'declined':
      return { kind: 'declined', resultCode: answer.resultCode, connectorTxId: answer.id };
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
