import type { PaymentEvent } from '@sluice/domain-payments';
import { type Amount, isoDecimal } from '@sluice/money';

/** What an event adds, in a few words: operation and amount where it asks, the code where it answers. */
export function eventWords(event: PaymentEvent): string {
  const { type, data } = event;
  const words: string[] = [];
  if ('operation' in data) words.push(data.operation);
  if ('amount' in data) words.push(amountText(data.amount));
  if ('resultCode' in data) words.push(data.resultCode);
  if ('reason' in data) words.push(data.reason);
  if ('answer' in data) words.push(data.answer);
  if (type === 'TransactionRerouted') {
    words.push(data.decline?.resultCode ?? '', `to ${data.request.connector}`);
  }
  if (type === 'LateApprovalUndone') words.push(`by ${data.by}`);
  if (type === 'RiskAssessed') {
    const { decision, score, fired = [] } = data;
    words.push(`${decision}, score ${score}`, fired.length > 0 ? `by ${fired.join(', ')}` : '');
  }
  if (type === 'ReviewDecided') words.push(data.decision);
  if (type === 'AuthenticationPending') {
    const { decline, redirect, appChallenge } = data;
    const whom = redirect === undefined ? 'issuer' : "shopper's browser";
    words.push(decline?.resultCode ?? '');
    words.push(`waits for the ${appChallenge === undefined ? whom : "shopper's app"}`);
  }
  if (type === 'AuthenticationCompleted') {
    const { flow, status, eci, liabilityShifts, authenticated } = data;
    words.push(flow, status ?? '', eci === undefined ? '' : `ECI ${eci}`);
    const why = authenticated && `: authenticated for ${amountText(authenticated)}`;
    words.push(liabilityShifts ? 'liability shifts' : `no liability shift${why ?? ''}`);
  }
  return words.filter((word) => word !== '').join(' ');
}

/** `92.00 EUR`; nothing where there is none. */
export function amountText(amount: Amount | undefined): string {
  return amount === undefined ? '' : `${isoDecimal(amount)} ${amount.currency}`;
}
