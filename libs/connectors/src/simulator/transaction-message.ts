import type { RevealedInstrument } from '@sluice/contracts';
import { isoDecimal } from '@sluice/money';
import type { ConnectorRequest, RequestParameters } from '../connector.js';

/** What a test may ask of the simulator, as the catalogue names it (D-48). */
interface SimulatorDirectives {
  readonly forceResultCode?: string;
  readonly 'simulator.fault'?: string;
  readonly 'simulator.avs'?: string;
  readonly 'simulator.cvv'?: string;
  readonly 'simulator.precondition'?: string;
  readonly 'simulator.advice'?: string;
}

/**
 * The body of `POST /transactions`, byte for byte what goes on the wire. The simulator's exponent
 * rule: exact decimal text with the currency's own ISO 4217 number of decimals (R-MON-06).
 *
 * What is paid with is in clear here and nowhere else in this library; the text is sent and dropped.
 */
export function transactionMessage(
  request: ConnectorRequest,
  instrument: RevealedInstrument | undefined,
): string {
  const directives: SimulatorDirectives = request.testDirectives ?? {};
  const { card, ...parameters } = request.parameters ?? {};
  return JSON.stringify({
    reference: request.acquirerReference,
    operation: request.operation,
    amount: isoDecimal(request.amount),
    currency: request.amount.currency,
    originalReference: request.originalReference,
    mode: request.mode,
    final: request.final,
    brand: request.returnUrl === undefined ? undefined : request.brand,
    returnUrl: request.returnUrl,
    ...(instrument && instrumentFields(instrument, card)),
    parameters: Object.keys(parameters).length === 0 ? undefined : parameters,
    forceResultCode: directives.forceResultCode,
    fault: directives['simulator.fault'],
    avs: directives['simulator.avs'],
    cvv: directives['simulator.cvv'],
    precondition: directives['simulator.precondition'],
    advice: directives['simulator.advice'],
  });
}

/** How the simulator names the details of a card, and those that a payment by card has besides. */
const CARD_FIELDS = {
  number: 'card.number',
  expiryMonth: 'card.expiryMonth',
  expiryYear: 'card.expiryYear',
  cvv: 'card.cvv',
  senderAccount: 'sender.accountNumber',
  recipientAccount: 'recipient.accountNumber',
  cryptogram: 'threeDSecure.verificationId',
} as const;

/** A card in the simulator's own words; any other account by the names of its details. */
function instrumentFields(
  { kind, details }: RevealedInstrument,
  card: RequestParameters[string] | undefined,
): object {
  if (kind !== 'card') {
    const texts = Object.entries(details).map(([name, detail]) => [name, detail.reveal()]);
    return { account: { kind, details: Object.fromEntries(texts) as object } };
  }
  const fields: Record<string, unknown> = {};
  for (const [field, name] of Object.entries(CARD_FIELDS)) fields[field] = details[name]?.reveal();
  return { card: { ...fields, holder: holderIn(card) } };
}

/** The holder is personal, and no account data: it comes with the parameters. */
function holderIn(card: RequestParameters[string] | undefined): unknown {
  return typeof card === 'object' && 'holder' in card ? card.holder : undefined;
}
