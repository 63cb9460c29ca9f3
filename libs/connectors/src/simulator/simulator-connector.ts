import {
  type InstrumentKind,
  instrumentKinds,
  instruments,
  type RevealedInstrument,
} from '@sluice/contracts';
import { HttpClient, type HttpResult } from '@sluice/service';
import type { LookupFunction } from 'node:net';
import type {
  CallOptions,
  Connector,
  ConnectorCapabilities,
  ConnectorRequest,
  InquiryOutcome,
  ReversalOutcome,
  SubmitOptions,
  SubmitOutcome,
} from '../connector.js';
import { inquiryOutcome, isAbout, reversalOutcome, submitOutcome } from './transaction-answer.js';
import { transactionMessage } from './transaction-message.js';

const CALL_TIMEOUT_MS = 20_000;
/** A request either arrives with its connection or not at all; the margin is for a stopped process. */
const MAX_IN_FLIGHT_MS = 30_000;
/** The default of payments' own bulkhead. */
const CONNECTIONS_MAX = 1_024;
/** It takes whatever merchants can pay with: of a wallet or registration the card or account in it. */
const INSTRUMENTS = instrumentKinds.filter((kind) => 'paid' in instruments[kind]);
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Where the simulator is, and what may differ in tests. */
export interface SimulatorConnectorSettings {
  /** Origin, e.g. `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Default 20 s (D-03). */
  readonly callTimeoutMs?: number;
  /** Default 30 s; tests use less (D-28). */
  readonly maxInFlightMs?: number;
  /** Default: cards. It takes whatever the simulator is told to, which asks nobody for the money. */
  readonly instruments?: readonly InstrumentKind[];
  /** As many as calls may be under way, so that none of them waits for another's connection. */
  readonly connectionsMax?: number;
  /** In place of the system's way to look up names. */
  readonly lookup?: LookupFunction;
}

/** The way to the simulated acquirer over HTTP (D-05). Not for live installations (D-41). */
export class SimulatorConnector implements Connector {
  readonly name = 'simulator';
  readonly capabilities: ConnectorCapabilities;
  /** What an acquirer wants that prints statements and screens payers; the simulator keeps none. */
  readonly takes = [
    'descriptor',
    'merchant.name',
    'billing.*',
    'customer.*',
    'customParameters[name]',
    'card.holder',
    'threeDSecure.eci',
  ] as const;
  readonly #submissions: HttpClient;
  /**
   * Inquiries and reversals: their answers decide what is booked, they are few, and they must get
   * through when every connection of the submissions hangs.
   */
  readonly #questions: HttpClient;

  constructor(settings: SimulatorConnectorSettings) {
    const { url: origin, connectionsMax = CONNECTIONS_MAX, lookup } = settings;
    const target = { origin, ...(lookup && { lookup }) };
    this.#submissions = new HttpClient({ ...target, connectionsMax });
    this.#questions = new HttpClient({ ...target, keepsConnections: false });
    this.capabilities = {
      instruments: settings.instruments ?? INSTRUMENTS,
      takesWallets: true,
      canInquire: true,
      canReverse: true,
      partialReversal: true,
      incrementalAuthorization: true,
      reauthorization: true,
      maxInFlightMs: settings.maxInFlightMs ?? MAX_IN_FLIGHT_MS,
      callTimeoutMs: settings.callTimeoutMs ?? CALL_TIMEOUT_MS,
      reversalCutOffMs: nextMidnightUtc,
    };
  }

  async submit(
    request: ConnectorRequest,
    instrument: RevealedInstrument | undefined,
    options: SubmitOptions,
  ): Promise<SubmitOutcome> {
    const { instruments } = this.capabilities;
    const isTaken = instrument === undefined || instruments.includes(instrument.kind);
    if (!isTaken || request.mode === 'LIVE') return { kind: 'notPerformed', reason: 'unsupported' };
    const { acquirerReference } = request;
    const result = await this.#submissions.send({
      method: 'POST',
      path: '/transactions',
      body: transactionMessage(request, instrument),
      isOwnAnswer: isAbout(acquirerReference),
      ...options,
    });
    switch (result.kind) {
      case 'answered':
        return submitOutcome(result, acquirerReference);
      case 'notSent':
        return { kind: 'notPerformed', reason: NOT_SENT_REASONS[result.reason] };
      case 'lost':
        return { kind: 'unknown', reason: LOST_REASONS[result.reason] };
    }
  }

  async inquire(acquirerReference: string, options: CallOptions): Promise<InquiryOutcome> {
    const path = transactionPath(acquirerReference);
    const result = await this.#questions.send({ method: 'GET', path, ...options });
    return result.kind === 'answered'
      ? inquiryOutcome(result, acquirerReference)
      : { kind: 'unavailable' };
  }

  async reverse(acquirerReference: string, options: CallOptions): Promise<ReversalOutcome> {
    const path = `${transactionPath(acquirerReference)}/reversal`;
    const result = await this.#questions.send({ method: 'POST', path, body: '{}', ...options });
    return result.kind === 'answered'
      ? reversalOutcome(result, acquirerReference)
      : { kind: 'unavailable' };
  }

  async close(): Promise<void> {
    await Promise.all([this.#submissions.close(), this.#questions.close()]);
  }
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

function transactionPath(acquirerReference: string): string {
  return `/transactions/${encodeURIComponent(acquirerReference)}`;
}

function nextMidnightUtc(recordedAtMs: number): number {
  return (Math.floor(recordedAtMs / DAY_MS) + 1) * DAY_MS;
}
