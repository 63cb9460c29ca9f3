import { isStandalone } from '@sluice/contracts';
import {
  type AcquirerRequest,
  acquirerReferenceOf,
  attemptReferenceOf,
  type RouteTaken,
  type Transaction,
} from '@sluice/domain-payments';
import { toMessage } from '@sluice/money';
import type { EntityClock } from '@sluice/service';
import type { PaymentRouting, WayTaken } from './payment-routing.js';
import type { PaymentsSettings } from './settings.js';

/** That an acquirer may be asked, and by which route. */
export interface NextAuthorization {
  readonly request: AcquirerRequest;
  readonly route?: RouteTaken;
}

/** The parts they are made of. */
export interface NextAuthorizationsParts {
  readonly routing: Pick<PaymentRouting, 'forNewPayment'>;
  readonly clock: Pick<EntityClock, 'now'>;
  readonly settings: Pick<PaymentsSettings, 'sendWindowMs'>;
}

/** How payments go on whose shoppers were authenticated: by the route that a new one would take now. */
export class NextAuthorizations {
  constructor(private readonly parts: NextAuthorizationsParts) {}

  /**
   * Which acquirer is asked now, under a reference that none was asked under; undefined if no way is left, or none
   * is asked.
   * @param failed how many attempts have ended before
   */
  of(transaction: Transaction, failed: number): NextAuthorization | undefined {
    if (isStandalone(transaction.operation)) return undefined;
    const { clock, settings } = this.parts;
    const way = this.#wayOf(transaction);
    if (way === undefined) return undefined;
    const { connector, route } = way;
    const { id, metadata } = transaction;
    const nowMs = clock.now(metadata.entityId);
    const request = {
      connector: connector.name,
      acquirerReference:
        failed === 0 ? acquirerReferenceOf(id) : attemptReferenceOf(id, failed + 1),
      deadlineMs: nowMs + settings.sendWindowMs + connector.capabilities.callTimeoutMs,
    };
    return { request, ...(route !== undefined && { route }) };
  }

  #wayOf(transaction: Transaction): WayTaken | undefined {
    const { id: transactionId, instrument, amount, metadata, parameters } = transaction;
    if (instrument === undefined || amount === undefined) return undefined;
    const { entityId, channelName, ndc, mode, actor, recordedAtMs: receivedAtMs } = metadata;
    const way = this.parts.routing.forNewPayment({
      ...{ transactionId, instrument, amount: toMessage(amount), parameters },
      context: { entityId, channelName, ndc, mode, actor, receivedAtMs, manualChargebacks: false },
      ...(transaction.issuerCountry !== undefined && { issuerCountry: transaction.issuerCountry }),
    });
    return way !== undefined && 'connector' in way ? way : undefined;
  }
}
