import type { InstrumentKind, RevealedInstrument } from '@sluice/contracts';
import type {
  Connector,
  ConnectorCapabilities,
  ConnectorRequest,
  InquiryOutcome,
  ReversalOutcome,
  ReferenceOptions,
  SubmitOptions,
  SubmitOutcome,
} from '../connector.js';
import { type ExchangeResult, type HostAddress, HostConnection } from './host-connection.js';
import { declinedAsPartial, reversalOutcome, submitOutcome } from './transaction-answer.js';
import {
  type Acceptance,
  type Sender,
  transactionMessage,
  undoMessage,
} from './transaction-message.js';

const INSTRUMENTS: readonly InstrumentKind[] = ['card'];
const DAY_MS = 24 * 60 * 60 * 1_000;
/** How many references are remembered whose undo was sent, so that the next one says "again". */
const UNDONE_MAX = 10_000;

/** How an installation reaches its acquirer, and who it is there. */
export interface Iso8583ConnectorSettings {
  readonly address: HostAddress;
  readonly acceptance: Acceptance;
  readonly callTimeoutMs: number;
  readonly maxInFlightMs: number;
}

/**
 * An acquirer that speaks ISO 8583, of 1987 or 1993, over one TCP connection (page 0050). It has no inquiry: what
 * stays unknown is undone by a reversal advice, which names the original by what follows from its
 * reference.
 */
export class Iso8583Connector implements Connector {
  readonly name = 'iso8583';
  readonly capabilities: ConnectorCapabilities;
  readonly takes = ['threeDSecure.eci', 'transactionCategory', 'standingInstruction.*'] as const;
  readonly #connection: HostConnection;
  readonly #sender: Sender;
  readonly #undone = new Set<string>();

  constructor({ address, acceptance, callTimeoutMs, maxInFlightMs }: Iso8583ConnectorSettings) {
    this.#connection = new HostConnection(address);
    this.#sender = { ...acceptance, version: address.version };
    this.capabilities = {
      instruments: INSTRUMENTS,
      canInquire: false,
      canReverse: true,
      partialReversal: false,
      incrementalAuthorization: false,
      reauthorization: false,
      maxInFlightMs,
      callTimeoutMs,
      reversalCutOffMs: nextMidnightUtc,
    };
  }

  async submit(
    request: ConnectorRequest,
    instrument: RevealedInstrument | undefined,
    options: SubmitOptions,
  ): Promise<SubmitOutcome> {
    const endsMs = performance.now() + options.timeoutMs;
    const message = transactionMessage(request, instrument, this.#sender);
    if (message === undefined) return { kind: 'notPerformed', reason: 'unsupported' };
    const result = await this.#connection.exchange({ message, ...options });
    if (result.kind === 'notSent') {
      return { kind: 'notPerformed', reason: NOT_SENT_REASONS[result.reason] };
    }
    if (result.kind === 'lost') return { kind: 'unknown', reason: result.reason };
    const outcome = submitOutcome(result.answer, message);
    if (outcome.kind !== 'partiallyApproved') return outcome;
    // Payments have no parts here: it is given back at once. Unless the host confirms that, the outcome
    // is unknown, and recovery gives it back.
    const timeoutMs = Math.max(0, endsMs - performance.now());
    const given = { original: request, timeoutMs };
    const undone = await this.reverse(request.acquirerReference, {
      ...given,
      ...(options.signal && { signal: options.signal }),
    });
    return undone.kind === 'reversed'
      ? declinedAsPartial(result.answer)
      : { kind: 'unknown', reason: 'timeout' };
  }

  /** The standard has no such question. */
  inquire(): Promise<InquiryOutcome> {
    return Promise.resolve({ kind: 'unavailable' });
  }

  async reverse(acquirerReference: string, options: ReferenceOptions): Promise<ReversalOutcome> {
    const { original, ...callOptions } = options;
    const time = this.#undone.has(acquirerReference) ? 'again' : 'first';
    const message = undoMessage(acquirerReference, original, this.#sender, time);
    if (message === undefined) return { kind: 'unavailable' };
    const result = await this.#connection.exchange({
      message,
      ...callOptions,
      isRepeatable: true,
    });
    if (result.kind !== 'notSent') this.#remember(acquirerReference);
    return result.kind === 'answered'
      ? reversalOutcome(result.answer, message)
      : { kind: 'unavailable' };
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  #remember(acquirerReference: string): void {
    this.#undone.add(acquirerReference);
    const [oldest] = this.#undone;
    if (this.#undone.size > UNDONE_MAX && oldest !== undefined) this.#undone.delete(oldest);
  }
}

const NOT_SENT_REASONS = {
  notReachable: 'notReachable',
  givenUp: 'givenUpBeforeSending',
  tooLate: 'sendWindowOver',
} as const satisfies Record<Extract<ExchangeResult, { kind: 'notSent' }>['reason'], string>;

/** The day of the host is taken to end there. */
function nextMidnightUtc(recordedAtMs: number): number {
  return (Math.floor(recordedAtMs / DAY_MS) + 1) * DAY_MS;
}
