import { isInfrastructure } from '@sluice/aggregates';
import type { Connector, ConnectorRequest, SubmitOutcome } from '@sluice/connectors';
import {
  type AuthenticationVault,
  type Instrument,
  type PaymentReply,
  RegistrationForgotten,
  type RevealedInstrument,
  type TestDirectives,
  type Vault,
  vaultReferenceOf,
} from '@sluice/contracts';
import type { Detail } from '@sluice/secrets';
import {
  agreementTold,
  findTransaction,
  isSent,
  needsFirstPayment,
  type NotPerformedReason,
  type Outcome,
  originalReference,
  outcomeOf,
  type Transaction,
  transactionsOf,
} from '@sluice/domain-payments';
import type { TransactionId } from '@sluice/identifiers';
import { type Clock, type EntityClock, inSpan, type Logger, type Span } from '@sluice/service';
import { authenticationTold } from './authentications.js';
import type { Connectors } from './connectors.js';
import type { EarlierPaymentsReader } from './earlier-payments.js';
import { FurtherAttempts } from './further-attempts.js';
import type { OpenedCommand } from './payment-commands.js';
import type { PaymentMetrics } from './payment-metrics.js';
import type { PaymentRouting } from './payment-routing.js';
import {
  firstOf,
  type PaymentStream,
  type PaymentStreams,
  type PaymentWriter,
} from './payment-aggregate.js';
import type { SecondAuthentications } from './second-authentications.js';

/** What a call needs besides the stream: it comes with the command and is not kept. */
export interface CallDetails {
  readonly transactionId: TransactionId;
  /** By the monotonic clock, no later than the commit of the request event (D-25). */
  readonly committedAtMs: number;
  /** By the same clock: after this, nobody waits for another attempt. */
  readonly lifeEndsMs: number;
  /** As the command had them, personal ones in clear. */
  readonly sent: Pick<OpenedCommand['data'], 'parameters' | 'personal'>;
  /** Of the first transaction of a payment. */
  readonly instrument?: Instrument;
  /** Of an instrument for which the acquirer may have to see the shopper. */
  readonly returnUrl?: string;
  /** Where the shopper begins, if an issuer wants an authentication after all. */
  readonly redirectUrl?: string;
  /** The payment that stored what this one is made with. */
  readonly storedByPaymentId?: TransactionId;
  /** Passed on as they came. */
  readonly testDirectives?: TestDirectives;
  /** Called when only the acquirer's answer is still missing; perhaps twice. */
  readonly beforeCall?: () => void;
}

/** The parts a workflow is made of. */
export interface WorkflowParts {
  readonly streams: PaymentStreams;
  readonly writer: PaymentWriter;
  readonly connectors: Connectors;
  readonly routing: Pick<PaymentRouting, 'afterAttempt'>;
  readonly earlier: Pick<EarlierPaymentsReader, 'advisedOf' | 'firstOf'>;
  readonly vault: Vault & Pick<AuthenticationVault, 'revealProof'>;
  readonly second: Pick<SecondAuthentications, 'mayFollow' | 'follow'>;
  readonly machine: Clock;
  readonly clock: Pick<EntityClock, 'now' | 'nowOf'>;
  readonly logger: Logger;
  readonly metrics: PaymentMetrics;
  readonly sendWindowMs: number;
}

/** What a connector takes whose acquirer is told of agreements. */
const AGREEMENTS = 'standingInstruction.*';

/** What the vault has revealed of an instrument: it says it once, and attempts may follow. */
interface Revealed {
  instrument?: RevealedInstrument;
}

/**
 * After the request event is committed: ONE call, its outcome recorded, the reply. Where the call
 * certainly booked nothing and never will, another one may follow (`FurtherAttempts`).
 */
export class PaymentWorkflow {
  readonly #further: FurtherAttempts;

  constructor(private readonly parts: WorkflowParts) {
    this.#further = new FurtherAttempts(parts);
  }

  /** Performs a requested transaction; the stream must be held by the caller. */
  async execute(stream: PaymentStream, details: CallDetails): Promise<PaymentReply> {
    const { streams, writer, clock } = this.parts;
    const { transactionId } = details;
    const outcome = await this.#lastOutcomeOf(stream, details);
    const { acquirerReference } = transactionIn(stream, transactionId).request ?? {};
    const followed = await this.parts.second.follow(stream, details, outcome);
    if (followed.kind === 'goesOn') {
      // Once, because none follows a second one.
      return this.execute(stream, { ...details, committedAtMs: followed.committedAtMs });
    }
    if (followed.kind === 'ended') await this.forget(details.instrument);
    if (followed.kind !== 'notFollowed') {
      return { kind: 'transaction', outcome: outcomeOf(transactionIn(stream, transactionId)) };
    }
    // It was revealed for more than one use, and is needed no more.
    if (this.parts.second.mayFollow(stream, details)) await this.forget(details.instrument);
    const recordMs = performance.now();
    await inSpan('record', {}, () =>
      streams.inTurn(stream, () =>
        writer.record(stream, {
          type: 'RecordOutcome',
          ...{
            transactionId,
            acquirerReference,
            nowMs: clock.nowOf(firstOf(stream.state)),
            outcome,
          },
        }),
      ),
    );
    this.parts.metrics.passed('record', recordMs);
    const transaction = transactionIn(stream, transactionId);
    this.#log(stream, transaction);
    return { kind: 'transaction', outcome: outcomeOf(transaction) };
  }

  /** One line per outcome, which continues the trail that edge's line begins (S-LOG-02). */
  #log(stream: PaymentStream, transaction: Transaction): void {
    const { operation, status, resultCode, request, metadata } = transaction;
    const { ndc } = metadata;
    const what = { operation, status, resultCode, connector: request?.connector };
    const fields = { ndc, paymentId: stream.id, transactionId: transaction.id, ...what };
    this.parts.logger.info(fields, 'outcome');
  }

  /** Has details forgotten that are no longer needed; if that fails, they expire in the vault. */
  async forget(instrument: Instrument | undefined): Promise<void> {
    const vaultReference = instrument && vaultReferenceOf(instrument);
    if (vaultReference === undefined) return;
    try {
      await this.parts.vault.forget(vaultReference);
    } catch (error) {
      this.parts.logger.warn({ err: error }, 'The vault did not forget a card; it will expire.');
    }
  }

  /** Of the only attempt, nearly always; a further one needs another route (page 0056). */
  async #lastOutcomeOf(stream: PaymentStream, details: CallDetails): Promise<Outcome> {
    const revealed: Revealed = {};
    let { committedAtMs } = details;
    for (;;) {
      const outcome = await this.#outcomeOf(stream, { ...details, committedAtMs }, revealed);
      const made = { ...details, revealed: revealed.instrument };
      const again = await this.#further.request(stream, made, outcome);
      if (again === undefined) {
        // The vault has been told nothing, or has not answered: the details are no longer needed (D-42).
        const isHeld = outcome.kind === 'notPerformed' && revealed.instrument === undefined;
        if (isHeld) await this.forget(details.instrument);
        return outcome;
      }
      committedAtMs = again;
    }
  }

  async #outcomeOf(
    stream: PaymentStream,
    details: CallDetails,
    revealed: Revealed,
  ): Promise<Outcome> {
    const { connectors } = this.parts;
    const connector = connectors.ofPayment(stream.state);
    if (connector === undefined) return { kind: 'notPerformed', reason: 'unsupported' };
    if (!connectors.enter(connector)) {
      this.parts.metrics.refused(connector.name);
      return { kind: 'notPerformed', reason: 'bulkheadFull' };
    }
    try {
      return await this.#call(connector, stream, { details, revealed });
    } finally {
      connectors.leave(connector);
    }
  }

  async #call(
    connector: Connector,
    stream: PaymentStream,
    { details, revealed }: { readonly details: CallDetails; readonly revealed: Revealed },
  ): Promise<Outcome> {
    const transaction = transactionIn(stream, details.transactionId);
    if (details.instrument !== undefined && revealed.instrument === undefined) {
      const isLast = !this.parts.second.mayFollow(stream, details);
      const proof = transaction.authentication?.proofReference;
      const instrument = await this.#reveal(details.instrument, { isLast, proof });
      if (typeof instrument === 'string') return { kind: 'notPerformed', reason: instrument };
      revealed.instrument = instrument;
    }
    const { instrument } = revealed;
    const { connectors, sendWindowMs, machine } = this.parts;
    const told = await this.#agreementTold(connector, transaction, details.storedByPaymentId);
    const parameters = connectors.parametersFor(connector, {
      ...details.sent,
      parameters: { ...details.sent.parameters, ...authenticationTold(transaction), ...told },
    });
    const request = {
      ...requestFor(stream, transaction, details),
      ...(parameters !== undefined && { parameters }),
    };
    // Checked again when writing begins, because the call may have to wait for a connection (D-25).
    const beginByMs = details.committedAtMs + sendWindowMs;
    if (machine.monotonicMs() > beginByMs)
      return { kind: 'notPerformed', reason: 'sendWindowOver' };
    details.beforeCall?.();
    try {
      return await inSpan(`submit ${connector.name}`, { kind: 'client' }, (span) =>
        submit({ connector, request, instrument, beginByMs }, span),
      );
    } catch (error) {
      // A defect of the connector: what it had sent is unknown.
      this.parts.logger.error({ err: error, connector: connector.name }, 'A connector failed.');
      return { kind: 'unknown', reason: 'connectorFailed' };
    }
  }

  /** Nothing is read for an acquirer that wants none of it. */
  async #agreementTold(
    { takes }: Connector,
    transaction: Transaction,
    storedBy: TransactionId | undefined,
  ): Promise<Readonly<Record<string, string>>> {
    if (!takes.includes(AGREEMENTS)) return {};
    if (!needsFirstPayment(transaction)) return agreementTold(transaction);
    try {
      return agreementTold(transaction, await this.parts.earlier.firstOf(transaction, storedBy));
    } catch (error) {
      // Its id names it as well, as far as we know.
      if (isInfrastructure(error)) return agreementTold(transaction, storedBy && { id: storedBy });
      throw error;
    }
  }

  /**
   * The details, or why there are none: nothing has been sent (D-26). A vault that does not answer is like
   * details that are gone.
   */
  async #reveal(
    instrument: Instrument,
    { isLast, proof }: { readonly isLast: boolean; readonly proof: string | undefined },
  ): Promise<
    RevealedInstrument | Extract<NotPerformedReason, 'cardGone' | 'registrationForgotten'>
  > {
    const vaultReference = vaultReferenceOf(instrument);
    if (vaultReference === undefined) return { kind: instrument.kind, details: {} };
    const startMs = performance.now();
    try {
      const { vault, metrics } = this.parts;
      const [revealed, cryptogram] = await Promise.all([
        vault.reveal(vaultReference, isLast ? 'last' : undefined),
        proof === undefined ? undefined : vault.revealProof(proof),
      ]);
      metrics.passed('reveal', startMs);
      if (revealed === undefined || proof === undefined) return revealed ?? 'cardGone';
      // Without it, the acquirer would take the shopper for one that nobody has authenticated.
      return cryptogram === undefined ? 'cardGone' : withProof(revealed, cryptogram);
    } catch (error) {
      // Deleted after edge had found it: no failure of anybody's.
      if (error instanceof RegistrationForgotten) return 'registrationForgotten';
      this.parts.logger.error({ err: error }, 'The vault did not reveal a card.');
      return 'cardGone';
    }
  }
}

function withProof(instrument: RevealedInstrument, cryptogram: Detail): RevealedInstrument {
  const details = { ...instrument.details, 'threeDSecure.verificationId': cryptogram };
  return { ...instrument, details };
}

interface Submission {
  readonly connector: Connector;
  readonly request: ConnectorRequest;
  readonly instrument: RevealedInstrument | undefined;
  readonly beginByMs: number;
}

/** ONE call (D-28). No trace header goes to the acquirer. */
async function submit(
  { connector, request, instrument, beginByMs }: Submission,
  span: Span,
): Promise<SubmitOutcome> {
  const timeoutMs = connector.capabilities.callTimeoutMs;
  const outcome = await connector.submit(request, instrument, { timeoutMs, beginByMs });
  if (span.isRecording) {
    span.set({
      'sluice.connector': connector.name,
      'sluice.operation': request.operation,
      'sluice.outcome': outcome.kind,
    });
    if (outcome.kind === 'unknown') span.failed(outcome.reason);
  }
  return outcome;
}

function walletOf(instrument: Instrument | undefined): ConnectorRequest['wallet'] {
  if (instrument?.kind !== 'card' || instrument.wallet === undefined) return undefined;
  const { wallet: name, numberType } = instrument;
  return { name, ...(numberType !== undefined && { numberType }) };
}

function requestFor(stream: PaymentStream, transaction: Transaction, details: CallDetails) {
  const { request, amount, operation, referencedId, final, metadata } = transaction;
  if (request === undefined || amount === undefined || !isSent(operation)) {
    throw new Error(`Transaction ${transaction.id} was not requested to be sent`);
  }
  const reference =
    referencedId === undefined ? undefined : originalReference(stream.state, referencedId);
  const original = [...transactionsOf(stream.state).values()].find(
    (each) => reference !== undefined && each.request?.acquirerReference === reference,
  );
  const { testDirectives, returnUrl } = details;
  const brand = transaction.instrument?.brand;
  const wallet = walletOf(transaction.instrument);
  return {
    acquirerReference: request.acquirerReference,
    operation,
    amount,
    mode: metadata.mode,
    entityId: metadata.entityId,
    final,
    ...(brand !== undefined && { brand }),
    ...(wallet !== undefined && { wallet }),
    ...(returnUrl !== undefined && { returnUrl }),
    ...(reference !== undefined && { originalReference: reference }),
    ...(original !== undefined &&
      isSent(original.operation) && { originalOperation: original.operation }),
    ...(original?.amount !== undefined && { originalAmount: original.amount }),
    ...(original?.connectorTxId !== undefined && {
      originalConnectorTxId: original.connectorTxId,
    }),
    ...(testDirectives !== undefined && { testDirectives }),
  };
}

function transactionIn(stream: PaymentStream, id: TransactionId): Transaction {
  const transaction = findTransaction(stream.state, id);
  if (transaction === undefined) throw new Error(`No transaction ${id} in its own stream`);
  return transaction;
}
