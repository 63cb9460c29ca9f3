import type {
  AcquirerDecision,
  Connector,
  ConnectorCapabilities,
  ConnectorRequest,
  InquiryOutcome,
  ReversalOutcome,
  SubmitOutcome,
} from '@sluice/connectors';
import type { CardChecks, Redirect, RevealedInstrument } from '@sluice/contracts';

/** What the acquirer does with the next requests. */
export type Behaviour =
  | 'approve'
  | 'decline'
  | 'pending'
  /** Books it, but the answer is lost. */
  | 'bookAndLose'
  /** Loses it before it is booked. */
  | 'lose'
  /** Books it and never answers. */
  | 'bookAndHang'
  /** Takes it in and neither books nor answers. */
  | 'hang'
  | 'unreachable'
  | 'throw';

interface Booking {
  readonly request: ConnectorRequest;
  decision: AcquirerDecision;
  reversed: boolean;
}

const NEVER = new Promise<never>(() => undefined);

/** An acquirer in the test's hand: a book, and the behaviour of the moment. */
export class ScriptedConnector implements Connector {
  takes: readonly string[] = ['descriptor', 'billing.*', 'cart.items[n].name'];
  readonly submitted: ConnectorRequest[] = [];
  readonly instruments: (RevealedInstrument | undefined)[] = [];
  readonly book = new Map<string, Booking>();
  behaviour: Behaviour = 'approve';
  /** The same for the next ones alone, in order. */
  next: Behaviour[] = [];
  /** What it declines with. */
  declineCode = '800.100.152';
  /** What the issuer advises when it declines. */
  adviceCode: string | undefined;
  /** What it says of address and security code when it approves. */
  checks: CardChecks = {};
  /** Where it wants shoppers of what is pending. */
  redirect: Redirect | undefined;
  /** Inquiries and reversals are answered. */
  answersQuestions = true;
  answersReversals = true;
  inquiries = 0;
  reversals = 0;
  capabilities: ConnectorCapabilities = {
    instruments: ['card'],
    canInquire: true,
    canReverse: true,
    partialReversal: true,
    incrementalAuthorization: true,
    reauthorization: true,
    maxInFlightMs: 100,
    callTimeoutMs: 100,
    reversalCutOffMs: (recordedAtMs) => recordedAtMs + 3_600_000,
  };
  readonly #waiting: (() => void)[] = [];
  #held = false;
  #called: () => void = () => undefined;

  constructor(readonly name = 'scripted') {}

  /** Calls wait here until `letGo`. */
  hold(): void {
    this.#held = true;
  }

  letGo(): void {
    this.#held = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Resolves with the next call, or at once if there was one. */
  async wasCalled(): Promise<void> {
    if (this.submitted.length > 0) return;
    await new Promise<void>((resolve) => (this.#called = resolve));
  }

  async submit(
    request: ConnectorRequest,
    instrument: RevealedInstrument | undefined,
  ): Promise<SubmitOutcome> {
    this.submitted.push(request);
    this.#called();
    this.instruments.push(instrument);
    if (this.#held) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const connectorTxId = `acq-${String(this.submitted.length)}`;
    switch (this.next.shift() ?? this.behaviour) {
      case 'approve':
        return this.bookAs(request, { kind: 'approved', connectorTxId });
      case 'decline':
        return this.bookAs(request, {
          ...{ kind: 'declined', resultCode: this.declineCode },
          ...(this.adviceCode !== undefined && {
            resultDetails: { MerchantAdviceCode: this.adviceCode },
          }),
        });
      case 'pending':
        return this.bookAs(request, {
          ...{ kind: 'pending', connectorTxId },
          ...(this.redirect !== undefined && { redirect: this.redirect }),
        });
      case 'bookAndLose':
        this.bookAs(request, { kind: 'approved', connectorTxId });
        return { kind: 'unknown', reason: 'timeout' };
      case 'lose':
        return { kind: 'unknown', reason: 'connectionLost' };
      case 'bookAndHang':
        this.bookAs(request, { kind: 'approved', connectorTxId });
        return NEVER;
      case 'hang':
        return NEVER;
      case 'unreachable':
        return { kind: 'notPerformed', reason: 'notReachable' };
      case 'throw':
        throw new Error('a defect of the connector');
    }
  }

  bookAs(request: ConnectorRequest, decided: AcquirerDecision): AcquirerDecision {
    const decision = decided.kind === 'approved' ? { ...decided, ...this.checks } : decided;
    this.book.set(request.acquirerReference, { request, decision, reversed: false });
    return decision;
  }

  async inquire(acquirerReference: string): Promise<InquiryOutcome> {
    this.inquiries += 1;
    if (!this.answersQuestions) return { kind: 'unavailable' };
    const booking = this.book.get(acquirerReference);
    if (booking === undefined) return { kind: 'notFound' };
    return booking.reversed
      ? { kind: 'found', outcome: { kind: 'declined', resultCode: '900.100.301' } }
      : { kind: 'found', outcome: booking.decision };
  }

  async reverse(acquirerReference: string): Promise<ReversalOutcome> {
    this.reversals += 1;
    if (!this.answersReversals) return { kind: 'unavailable' };
    const booking = this.book.get(acquirerReference);
    if (booking === undefined) return { kind: 'notFound' };
    booking.reversed = true;
    return { kind: 'reversed', connectorTxId: `undone-${acquirerReference}` };
  }

  /** Approved and not undone: what the acquirer would settle. */
  effects(operation: string): Booking[] {
    return [...this.book.values()].filter(
      ({ request, decision, reversed }) =>
        request.operation === operation && decision.kind === 'approved' && !reversed,
    );
  }

  async close(): Promise<void> {
    this.letGo();
  }
}
