import type { BankEvidence } from './bank-files.js';
import type { Evidence, MerchantRequest, RecordedTransaction } from './records.js';

/** How much there was of each kind of load; a kind of which there is nothing proves nothing. */
export type LoadMade = Readonly<Record<string, number>>;

/** The sides that it is counted on. */
interface LoadSides extends Pick<Evidence, 'merchant' | 'recorded'> {
  readonly bank: BankEvidence;
}

/**
 * Counts what was approved, by what it was paid with, and what the bank and agreements met.
 * @param ranges of shards that move, as the operator's command names them
 */
export function loadMade(
  { merchant, recorded, bank }: LoadSides,
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
    'by registration': firsts.filter(({ storedBy }) => storedBy !== undefined).length,
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

/** Its 13th to 16th digit. */
function shardOf(transaction: RecordedTransaction | undefined): string {
  return transaction?.id.slice(12, 16) ?? '';
}

function isIn(range: string, shard: string): boolean {
  const [first = '', last = ''] = range.split('-');
  return shard >= first && shard <= last;
}
