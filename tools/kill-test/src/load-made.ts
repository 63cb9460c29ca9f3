import { isApproval } from './approvals.js';
import type { BankEvidence } from './bank-files.js';
import type { CheckoutRecord } from './checkout-shop.js';
import { grouped } from './grouped.js';
import { isStoredOnce, isWallet, storedOnceNumber, walletNames } from './instruments.js';
import type { Evidence, MerchantRequest, RecordedTransaction } from './records.js';
import { tokenIn } from './token-violations.js';

/** How much there was of each kind of load; a kind of which there is nothing proves nothing. */
export type LoadMade = Readonly<Record<string, number>>;

/** The sides that it is counted on. */
interface LoadSides extends Pick<Evidence, 'merchant' | 'recorded'> {
  readonly checkouts: readonly CheckoutRecord[];
  readonly bank: BankEvidence;
}

/**
 * Counts what was approved, by what it was paid with, and what the bank and agreements met.
 * @param ranges of shards that move, as the operator's command names them
 */
export function loadMade(
  { merchant, recorded, bank, checkouts }: LoadSides,
  ranges: readonly string[] = [],
): LoadMade {
  const { orders, returns } = bank;
  const byReference = new Map(recorded.map((each) => [each.reference ?? '', each]));
  const outcomeOf = ({ reference }: MerchantRequest) => byReference.get(reference)?.outcome;
  const approved = merchant.filter((request) => outcomeOf(request) === 'approved');
  const firsts = approved.filter(({ refersTo }) => refersTo === undefined);
  const by = (instrument: MerchantRequest['instrument']): number =>
    firsts.filter((request) => request.instrument === instrument).length;
  const later = merchant.filter(({ continues }) => continues !== undefined);
  const begun = approved.filter(({ begins }) => begins !== undefined);
  const shards = begun.map(({ reference }) => shardOf(byReference.get(reference)));
  return {
    'by token account': by('tokenAccount'),
    'by gift card': by('giftCard'),
    'by decrypted wallet': by('decryptedWallet'),
    ...Object.fromEntries(walletNames.map((wallet) => [`by token of ${wallet}`, by(wallet)])),
    'tokens of these sent twice': sentTwice(merchant, firsts),
    ...reroutedOf(firsts.flatMap(({ reference }) => byReference.get(reference) ?? [])),
    'cards stored again': storedAgain(firsts),
    'by registration': firsts.filter(({ storedBy }) => storedBy !== undefined).length,
    ...byCheckout(checkouts),
    'by direct debit': by('directDebit'),
    'orders in files for the bank': orders.length,
    'taken back by the bank': returns.length,
    'agreements begun': begun.length,
    'payments under them': later.filter((request) => outcomeOf(request) === 'approved').length,
    'refused by their terms': later.filter((request) => outcomeOf(request) === 'rejected').length,
    ...Object.fromEntries(
      ranges.map((range) => [
        `agreements begun in ${range}`,
        shards.filter((shard) => isIn(range, shard)).length,
      ]),
    ),
  };
}

/** Checkouts whose page of results was told of a success, and whose shoppers had sent the form again. */
function byCheckout(checkouts: readonly CheckoutRecord[]): LoadMade {
  const paid = checkouts.filter(({ told }) => {
    const last = told.at(-1);
    return typeof last === 'object' && isApproval(last.code);
  });
  return {
    'by checkout': paid.length,
    'whose form was sent again': paid.filter(({ submits }) => submits.length > 1).length,
    'whose form was saved first': paid.filter(({ saves }) => saves.length > 0).length,
  };
}

/** Tokens that several requests had, one of which has paid. */
function sentTwice(merchant: readonly MerchantRequest[], paid: readonly MerchantRequest[]): number {
  const paidWith = new Set(paid.map(tokenIn));
  const sent = merchant.filter((each) => each.refersTo === undefined && isWallet(each.instrument));
  return [...grouped(sent, tokenIn)].filter(
    ([token, several]) => several.length > 1 && paidWith.has(token),
  ).length;
}

/** Payments that one acquirer did not take and the next one did, by why the first one did not. */
function reroutedOf(approved: readonly RecordedTransaction[]): LoadMade {
  const after = (reason: string): number =>
    approved.filter(({ givenUp = [] }) => givenUp.some((attempt) => attempt.reason === reason))
      .length;
  return {
    'by the next route, one being away': after('notReachable'),
    'by the next route after a refusal': after('refused'),
    'by the next route after a decline': after('declined'),
  };
}

/** Payments that stored a card which another one had stored, where there is one registration for both. */
function storedAgain(paid: readonly MerchantRequest[]): number {
  const storing = paid.filter(
    ({ storesCard, instrument }) => storesCard === true && isStoredOnce(instrument),
  );
  const cards = new Set(storing.map(({ reference }) => storedOnceNumber(reference)));
  return storing.length - cards.size;
}

/** Its 13th to 16th digit. */
function shardOf(transaction: RecordedTransaction | undefined): string {
  return transaction?.id.slice(12, 16) ?? '';
}

function isIn(range: string, shard: string): boolean {
  const [first = '', last = ''] = range.split('-');
  return shard >= first && shard <= last;
}
