import type { AuthenticateQuery } from '@sluice/contracts';
import {
  type Amount,
  compare,
  currency as currencyOf,
  formatAmount,
  fromMessage,
  isCurrency,
  type ParsedAmount,
  parseAmount,
  zero,
} from '@sluice/money';
import type { RequestFault } from './request-faults.js';

/** What of a question says for how much the issuer is asked. */
type Asked = Pick<AuthenticateQuery, 'amount' | 'parameters'>;

const OF_RISK = 'risk.amount';
const AMOUNT = 'threeDSecure.amount';
const CURRENCY = 'threeDSecure.currency';

interface Said {
  readonly parameter: string;
  readonly currency: Amount['currency'];
  readonly parsed: ParsedAmount;
}

/**
 * For how much the issuer is asked: `risk.amount` before `threeDSecure.amount` before what is paid (Interface 2.17 and
 * 2.18). `risk.amount` is in the currency of the payment, and all others in `threeDSecure.currency` where that is sent.
 */
export function amountOf(query: Asked): Amount {
  const { parsed, currency } = saidIn(query);
  if (parsed.kind === 'amount') return parsed.amount;
  return parsed.reason === 'zero' ? zero(currency) : fromMessage(query.amount);
}

/** Why it cannot be told: in minor units there is no fraction of a yen. */
export function amountFault(query: Asked): RequestFault | undefined {
  const { parameter, currency, parsed } = saidIn(query);
  const hasFraction = parsed.kind === 'refused' && parsed.reason === 'fractionNotAllowed';
  if (!hasFraction) return undefined;
  return { parameter, words: `${parameter} whose amount has no fraction, as ${currency} has none` };
}

/** How much an authentication will cover, and whether that is less than is paid, or in another currency. */
export interface Coverage {
  readonly amount: Amount;
  readonly isShort: boolean;
}

/** What an authentication will cover; one without a payment covers nothing, and there is nothing to cover. */
export function coverageOf(query: Asked & Pick<AuthenticateQuery, 'category'>): Coverage {
  const [amount, paid] = [amountOf(query), fromMessage(query.amount)];
  if (query.category === 'nonPayment') return { amount: zero(paid.currency), isShort: false };
  return { amount, isShort: amount.currency !== paid.currency || compare(amount, paid) < 0 };
}

/** What it would cover, where that is less than is paid; without a payment that is nothing, whatever is paid. */
export function shortCoverageOf(
  query: Asked & Pick<AuthenticateQuery, 'category'>,
): Amount | undefined {
  const { amount, isShort } = coverageOf(query);
  return isShort || compare(amount, fromMessage(query.amount)) < 0 ? amount : undefined;
}

function saidIn({ amount, parameters }: Asked): Said {
  const paid = fromMessage(amount);
  const said = parameters[CURRENCY] ?? '';
  const currency = isCurrency(said) ? currencyOf(said) : paid.currency;
  const saying = (parameter: string, text: string, of: Amount['currency']): Said => {
    return { parameter, currency: of, parsed: parseAmount(text, of) };
  };
  const [ofRisk = '', own = ''] = [parameters[OF_RISK], parameters[AMOUNT]];
  if (ofRisk !== '') return saying(OF_RISK, ofRisk, paid.currency);
  if (own !== '') return saying(AMOUNT, own, currency);
  // With a currency alone, it is as many of that as are paid.
  return currency === paid.currency
    ? { parameter: CURRENCY, currency, parsed: { kind: 'amount', amount: paid } }
    : saying(CURRENCY, formatAmount(paid), currency);
}
