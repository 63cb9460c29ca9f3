import type { RevealedCard } from '@sluice/contracts';
import { isoDecimal } from '@sluice/money';
import type { ConnectorRequest } from '../connector.js';

/** What a test may ask of the simulator, as the catalogue names it (D-48). */
interface SimulatorDirectives {
  readonly forceResultCode?: string;
  readonly 'simulator.fault'?: string;
  readonly 'simulator.avs'?: string;
  readonly 'simulator.cvv'?: string;
}

/**
 * The body of `POST /transactions`, byte for byte what goes on the wire. The simulator's exponent
 * rule: exact decimal text with the currency's own ISO 4217 number of decimals (R-MON-06).
 *
 * The card is in clear here and nowhere else in this library; the text is sent and dropped.
 */
export function transactionMessage(
  request: ConnectorRequest,
  card: RevealedCard | undefined,
): string {
  const directives: SimulatorDirectives = request.testDirectives ?? {};
  return JSON.stringify({
    reference: request.acquirerReference,
    operation: request.operation,
    amount: isoDecimal(request.amount),
    currency: request.amount.currency,
    originalReference: request.originalReference,
    mode: request.mode,
    final: request.final,
    card: card && {
      number: card.number.reveal(),
      expiryMonth: card.expiryMonth,
      expiryYear: card.expiryYear,
      holder: card.holder,
      cvv: card.cvv?.reveal(),
      senderAccount: card.senderAccount?.reveal(),
      recipientAccount: card.recipientAccount?.reveal(),
      cryptogram: card.cryptogram?.reveal(),
    },
    parameters: request.parameters,
    forceResultCode: directives.forceResultCode,
    fault: directives['simulator.fault'],
    avs: directives['simulator.avs'],
    cvv: directives['simulator.cvv'],
  });
}
