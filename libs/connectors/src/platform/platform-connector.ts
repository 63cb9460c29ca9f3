import type { InstrumentKind, RevealedInstrument } from '@sluice/contracts';
import { HttpClient, type HttpResult } from '@sluice/service';
import type {
  CallOptions,
  Connector,
  ConnectorCapabilities,
  ConnectorRequest,
  InquiryOutcome,
  ReferenceOptions,
  ReversalOutcome,
  SubmitOptions,
  SubmitOutcome,
} from '../connector.js';
import { type GatewayAccess, isEncrypted } from './gateway-address.js';
import { type GatewayAnswer, gatewayAnswer, SeenAnswers, verdictOf } from './gateway-answer.js';
import { type Found, foundIn, inquiryOutcome } from './query-answer.js';
import { submitOutcome } from './transaction-answer.js';
import { type GatewayMessage, transactionMessage, undoMessage } from './transaction-message.js';

const INSTRUMENTS: readonly InstrumentKind[] = [
  'card',
  'bankAccount',
  'tokenAccount',
  'virtualAccount',
  'giftCard',
];
const DAY_MS = 24 * 60 * 60 * 1_000;
/**
 * The answer to a query has up to 100 transactions of a payment (Interface 8), each with what its
 * request said: more than the 64 KiB that an answer to one request may have.
 */
const LIST_BYTES_MAX = 1024 * 1024;
const SERVER_ERROR = 500;
const FORM = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };
/** Behind the reference of what is undone; the same however often it is tried. */
const UNDO = '-undo';

/** How an installation reaches the other gateway. */
export interface PlatformConnectorSettings {
  readonly access: GatewayAccess;
  readonly callTimeoutMs: number;
  readonly maxInFlightMs: number;
  /** As many as calls may be under way, so that none of them waits for another's connection. */
  readonly connectionsMax: number;
}

/**
 * Another gateway of this interface as acquirer (page 0059). Our reference is its
 * `merchantTransactionId`, by which it is asked; operations on a transaction go by its own id.
 *
 * Each request has a connection of its own: a refusal does not name what it refuses, and on a kept
 * connection it could be the late answer to somebody else.
 */
export class PlatformConnector implements Connector {
  readonly name = 'platform';
  readonly capabilities: ConnectorCapabilities;
  /** What the interface has for acquirers, but for structures that are long, such as carts. */
  readonly takes = [
    ...['card.holder', 'card.numberType', 'bankAccount.*', 'tokenAccount.type', 'giftCard.*'],
    ...['applePay.source', 'applePay.cardNetwork', 'applePay.cardType'],
    ...['googlePay.source', 'samsungPay.source', 'clickToPay.source'],
    ...['transactionDueDate', 'descriptor', 'transactionCategory'],
    ...['billing.*', 'shipping.*', 'customer.*', 'standingInstruction.*'],
    'recurring.numberOfInstallments',
    ...['threeDSecure.eci', 'threeDSecure.version', 'threeDSecure.dsTransactionId'],
  ];
  readonly #access: GatewayAccess;
  readonly #submissions: HttpClient;
  /** Queries and reversals, which must get through when every connection of the submissions hangs. */
  readonly #questions: HttpClient;
  readonly #seen = new SeenAnswers();

  constructor({ access, connectionsMax, ...limits }: PlatformConnectorSettings) {
    const { origin, isPrivate, lookup } = access;
    const common = {
      ...{ origin, keepsConnections: false, publicAddressesOnly: !isPrivate },
      ...(lookup && { lookup }),
    };
    this.#access = access;
    this.#submissions = new HttpClient({ ...common, connectionsMax });
    this.#questions = new HttpClient({ ...common, answerBytesMax: LIST_BYTES_MAX });
    this.capabilities = {
      ...limits,
      instruments: INSTRUMENTS,
      takesWallets: true,
      canInquire: true,
      canReverse: true,
      partialReversal: true,
      incrementalAuthorization: true,
      reauthorization: true,
      reversalCutOffMs: nextMidnightUtc,
    };
  }

  async submit(
    request: ConnectorRequest,
    instrument: RevealedInstrument | undefined,
    options: SubmitOptions,
  ): Promise<SubmitOutcome> {
    const isTaken = instrument === undefined || INSTRUMENTS.includes(instrument.kind);
    const isSafe = request.mode !== 'LIVE' || isEncrypted(this.#access);
    const message =
      isTaken && isSafe
        ? transactionMessage(request, instrument, this.#access.entityId)
        : undefined;
    if (message === undefined) return { kind: 'notPerformed', reason: 'unsupported' };
    const result = await this.#post(this.#submissions, message, {
      ...options,
      // Others of the family ignore it, and nothing here is sent twice; where it is known, it can only help.
      headers: { 'idempotency-key': request.acquirerReference },
    });
    switch (result.kind) {
      case 'answered': {
        if (result.statusCode >= SERVER_ERROR) return { kind: 'unknown', reason: 'serverError' };
        const answer = this.#read(result);
        return answer === undefined
          ? { kind: 'unknown', reason: 'unreadableAnswer' }
          : submitOutcome(answer, request);
      }
      case 'notSent':
        return { kind: 'notPerformed', reason: NOT_SENT_REASONS[result.reason] };
      case 'lost':
        return { kind: 'unknown', reason: LOST_REASONS[result.reason] };
    }
  }

  async inquire(acquirerReference: string, options: ReferenceOptions): Promise<InquiryOutcome> {
    return inquiryOutcome(await this.#find(acquirerReference, options), options.original);
  }

  /** Looks it up first: the interface undoes by its own id alone. */
  async reverse(acquirerReference: string, options: ReferenceOptions): Promise<ReversalOutcome> {
    const endsMs = performance.now() + options.timeoutMs;
    const found = await this.#find(acquirerReference, options);
    if (found.kind !== 'found') return found;
    const { id, code, reversal } = found;
    if (verdictOf(code) !== 'approved') return { kind: 'unavailable' };
    if (reversal === 'done') return { kind: 'reversed', connectorTxId: id };
    const undoReference = `${acquirerReference}${UNDO}`;
    const message = undoMessage(id, undoReference, this.#access.entityId);
    const timeoutMs = Math.max(0, endsMs - performance.now());
    // Without an idempotency key: what was refused once may be possible the next time.
    const result = await this.#post(this.#questions, message, { ...options, timeoutMs });
    const answer = result.kind === 'answered' ? this.#read(result) : undefined;
    return answer !== undefined && isUndone(answer, undoReference, id)
      ? { kind: 'reversed', connectorTxId: id }
      : { kind: 'unavailable' };
  }

  async close(): Promise<void> {
    await Promise.all([this.#submissions.close(), this.#questions.close()]);
  }

  async #find(acquirerReference: string, options: CallOptions): Promise<Found> {
    const { entityId } = this.#access;
    const authorization = this.#access.authorization();
    if (authorization === undefined) return { kind: 'unavailable' };
    const query = new URLSearchParams({
      entityId,
      merchantTransactionId: acquirerReference,
      // Its reversal, if it was undone.
      includeLinkedTransactions: 'true',
    });
    const { timeoutMs, signal } = options;
    const result = await this.#questions.send({
      method: 'GET',
      path: `/v1/query?${query.toString()}`,
      // An answer that somebody kept from an earlier question is out of date.
      headers: { authorization, 'cache-control': 'no-cache' },
      timeoutMs,
      ...(signal && { signal }),
    });
    const answer = result.kind === 'answered' ? this.#read(result) : undefined;
    return answer === undefined ? { kind: 'unavailable' } : foundIn(answer, acquirerReference);
  }

  async #post(
    client: HttpClient,
    message: GatewayMessage,
    options: Partial<SubmitOptions> &
      CallOptions & { readonly headers?: Readonly<Record<string, string>> },
  ): Promise<HttpResult> {
    const authorization = this.#access.authorization();
    if (authorization === undefined) return { kind: 'notSent', reason: 'notReachable' };
    const { timeoutMs, beginByMs, signal } = options;
    return client.send({
      method: 'POST',
      ...message,
      headers: { ...FORM, ...options.headers, authorization },
      timeoutMs,
      ...(beginByMs !== undefined && { beginByMs }),
      ...(signal && { signal }),
    });
  }

  /** Undefined for what is not in the form of the interface, and for an answer that has come before. */
  #read(result: Extract<HttpResult, { kind: 'answered' }>): GatewayAnswer | undefined {
    const answer = gatewayAnswer(result);
    return answer !== undefined && this.#seen.isFirst(answer.ndc) ? answer : undefined;
  }
}

/** Only the answer to this reversal, which names what it undid (D-27). */
function isUndone({ statusCode, code, fields }: GatewayAnswer, reference: string, id: string) {
  const { merchantTransactionId, referencedId } = fields;
  const isAbout = merchantTransactionId === reference && referencedId === id;
  return statusCode === 200 && isAbout && verdictOf(code) === 'approved';
}

const NOT_SENT_REASONS = {
  notReachable: 'notReachable',
  givenUp: 'givenUpBeforeSending',
  tooLate: 'sendWindowOver',
} as const satisfies Record<Extract<HttpResult, { kind: 'notSent' }>['reason'], string>;

const LOST_REASONS = {
  timeout: 'timeout',
  connectionLost: 'connectionLost',
  answerTooLong: 'unreadableAnswer',
} as const satisfies Record<Extract<HttpResult, { kind: 'lost' }>['reason'], string>;

/** When the other gateway's day ends is its own business; it refuses what is too late there. */
function nextMidnightUtc(recordedAtMs: number): number {
  return (Math.floor(recordedAtMs / DAY_MS) + 1) * DAY_MS;
}
