import {
  FIRST_CELL,
  PAGED_TRANSACTIONS_MAX,
  type RecordedTransaction,
  type RecordedTransactions,
  type ReferenceHeadsAnswer,
  type StreamHeadsAnswer,
  type TransactionsByReferenceQuery,
} from '@sluice/contracts';

/** Between the cursors of two cells: `1:17-4,2:9-1`. */
const BETWEEN_CELLS = ',';
const BEHIND_CELL = ':';

/** The incarnations differ: a cell was restored, and the others have not been told yet (D-23). */
export class IncarnationsDiffer extends Error {
  override readonly name = 'IncarnationsDiffer';

  constructor() {
    super('The cells of payments are of different incarnations: finish the restoration in all.');
  }
}

/** The cursor of each cell in a merged one. One from before there were cells is the first cell's. */
export function cursorsOf(after: string | undefined): ReadonlyMap<number, string> {
  if (after === undefined) return new Map();
  if (!after.includes(BEHIND_CELL)) return new Map([[FIRST_CELL, after]]);
  return new Map(
    after.split(BETWEEN_CELLS).map((part): [number, string] => {
      const [cell = '', cursor = ''] = part.split(BEHIND_CELL);
      return [Number(cell), cursor];
    }),
  );
}

/**
 * The heads of all cells, given in their order; what two of them have is at its later version. An
 * incarnation counts if it is among the given ones.
 */
export function mergedHeads(
  answers: readonly StreamHeadsAnswer[],
  incarnations: Incarnations,
): StreamHeadsAnswer {
  return {
    heads: latest(answers),
    next: answers
      .map(({ next }, index) => `${String(index + FIRST_CELL)}${BEHIND_CELL}${next}`)
      .join(BETWEEN_CELLS),
    more: answers.some(({ more }) => more),
    incarnation: incarnationOf(incarnations),
  };
}

/** The payments with one merchant's own id in all cells. */
export function mergedReferences(
  answers: readonly ReferenceHeadsAnswer[],
  incarnations: Incarnations,
): ReferenceHeadsAnswer {
  return {
    heads: latest(answers),
    more: answers.some(({ more }) => more),
    incarnation: incarnationOf(incarnations),
  };
}

/**
 * One page of what several have found, as the cells of payments, each up to the end of this page: matches first, the newest
 * at the top, and then what is linked to them, as in the answer of one. What two of them show is there once.
 */
export function mergedPage(
  { by, limit, pageNo }: TransactionsByReferenceQuery,
  answers: readonly RecordedTransactions[],
): RecordedTransactions {
  const shown = answers.flatMap(({ transactions }) => transactions);
  const found = [...new Map(shown.map((transaction) => [transaction.id, transaction])).values()];
  const isMatch = ({ parameters }: RecordedTransaction): boolean =>
    parameters['merchantTransactionId'] === by.merchantTransactionId;
  const matches = found.filter(isMatch).sort(byId).reverse();
  const linked = found.filter((transaction) => !isMatch(transaction)).sort(byId);
  const counted = answers.reduce((sum, answer) => sum + answer.total, 0);
  const total = counted - (shown.length - found.length);
  return {
    transactions: [...matches, ...linked].slice((pageNo - 1) * limit, pageNo * limit),
    total: Math.min(total, PAGED_TRANSACTIONS_MAX),
    ...(answers.some(({ isBehind }) => isBehind) && { isBehind: true }),
  };
}

/** Of the cells that carry anything: what a cell without shards remembers is nobody's payments. */
export type Incarnations = readonly string[];

type Heads = StreamHeadsAnswer['heads'];

function latest(answers: readonly { readonly heads: Heads }[]): Heads {
  const versions = new Map<string, number>();
  for (const { streamId, version } of answers.flatMap(({ heads }) => heads)) {
    versions.set(streamId, Math.max(version, versions.get(streamId) ?? 0));
  }
  return [...versions].map(([streamId, version]) => ({ streamId, version }));
}

function incarnationOf(incarnations: Incarnations): string {
  const [incarnation = '', ...others] = new Set(incarnations);
  if (others.length > 0) throw new IncarnationsDiffer();
  return incarnation;
}

/** Ids begin with their time. */
function byId({ id: left }: RecordedTransaction, { id: right }: RecordedTransaction): number {
  return left < right ? -1 : 1;
}
