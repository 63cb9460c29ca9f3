import {
  type AttemptReversalQuery,
  type BankReturnQuery,
  cellName,
  type ChargeQuery,
  type EventsOfStreamsAnswer,
  type EventsOfStreamsQuery,
  FIRST_CELL,
  isElsewhere,
  type PersonalParametersAnswer,
  type PersonalParametersQuery,
  type RecordedTransactions,
  type ReferenceHeadsAnswer,
  type ReviewDecidedQuery,
  type ShopperQuery,
  SERVICE_OF_CELLS,
  type StreamEventsQuery,
  type StreamHeadsAnswer,
  type StreamHeadsQuery,
  type TransactionQuery,
  type TransactionsByReferenceQuery,
} from '@sluice/contracts';
import { chainShard, type TransactionId } from '@sluice/identifiers';
import { setTimeout as delay } from 'node:timers/promises';
import { type Queries, QueryUnavailable } from '../ports.js';
import type { CellMap } from './cell-map.js';
import {
  cursorsOf,
  type Incarnations,
  mergedHeads,
  mergedPage,
  mergedReferences,
} from './merged-answers.js';

/** As long as any query may take. */
const TIMEOUT_MS = 5_000;
/**
 * A cell says "elsewhere" to a search when it loses a payment between finding and reading it. The
 * next search does not find it there any more; ranges do not leave one after the other.
 */
const READS_OF_MOVING_MAX = 3;
/** A range that moves is in no cell for 10 to 500 ms, unless the mover is killed then. */
const SEARCH_AGAIN_MS = 100;
/** Shards are told by four hexadecimal digits. */
const SHARD_MAX = 0xffff;

type Ask = (parameters: never) => Promise<unknown>;

/**
 * Queries to payments that has several cells: those about one payment go to its cell, the others to
 * all of them, and their answers are merged. Whoever asks cannot tell.
 */
export class CellQueries implements Queries {
  readonly #routes: Readonly<Record<string, Ask>> = {
    transaction: (query: TransactionQuery) => this.#one('transaction', query.transactionId, query),
    transactionOutcome: (query: TransactionQuery) =>
      this.#one('transactionOutcome', query.transactionId, query),
    paidInstrument: (query: TransactionQuery) =>
      this.#one('paidInstrument', query.transactionId, query),
    transactionEntries: (query: TransactionQuery) =>
      this.#one('transactionEntries', query.transactionId, query),
    redirect: (query: ShopperQuery) => this.#one('redirect', query.transactionId, query),
    shopperReturn: (query: ShopperQuery) => this.#one('shopperReturn', query.transactionId, query),
    bankReturn: (query: BankReturnQuery) => this.#one('bankReturn', query.transactionId, query),
    reverseAttempt: (query: AttemptReversalQuery) =>
      this.#one('reverseAttempt', query.transactionId, query),
    charge: (query: ChargeQuery) => this.#one('charge', query.transactionId, query),
    reviewDecided: (query: ReviewDecidedQuery) =>
      this.#one('reviewDecided', query.transactionId, query),
    authenticationProof: (query: TransactionQuery) =>
      this.#one('authenticationProof', query.transactionId, query),
    streamEvents: (query: StreamEventsQuery) => this.#one('streamEvents', query.streamId, query),
    eventsOfStreams: (query: EventsOfStreamsQuery) => this.#eventsOfStreams(query),
    personalParameters: (query: PersonalParametersQuery) => this.#personalParameters(query),
    streamHeads: (query: StreamHeadsQuery) => this.#streamHeads(query),
    // Of no payment that there is, and all cells have the same routes.
    takenBrands: (query: object) => this.#ofFirst('takenBrands', query),
    referenceHeads: (query: object) => this.#referenceHeads(query),
    transactionsByReference: (query: TransactionsByReferenceQuery) => this.#byReference(query),
  };

  constructor(
    private readonly queries: Queries,
    private readonly map: CellMap,
  ) {}

  async ask<Answer>(service: string, query: string, parameters: object): Promise<Answer> {
    if (service !== SERVICE_OF_CELLS) return this.queries.ask<Answer>(service, query, parameters);
    const ask = this.#routes[query.slice(SERVICE_OF_CELLS.length + 1)];
    if (ask === undefined) throw new TypeError(`Nobody says which cell ${query} goes to.`);
    return (await ask(parameters as never)) as Answer;
  }

  async #one(route: string, id: string, parameters: object): Promise<unknown> {
    const query = `${SERVICE_OF_CELLS}.${route}`;
    const found = await this.map.find(shardOf(id), TIMEOUT_MS, async (cell) => {
      const answer = await this.queries.ask(cell, query, parameters);
      return isElsewhere(answer) ? undefined : { answer };
    });
    if (found === undefined) throw new QueryUnavailable(query, 'noService');
    return found.answer;
  }

  #ofFirst(route: string, parameters: object): Promise<unknown> {
    const cell = cellName(SERVICE_OF_CELLS, FIRST_CELL);
    return this.queries.ask(cell, `${SERVICE_OF_CELLS}.${route}`, parameters);
  }

  #all<Answer>(route: string, of: (cell: number) => object): Promise<readonly Answer[]> {
    const query = `${SERVICE_OF_CELLS}.${route}`;
    return Promise.all(
      Array.from({ length: this.map.cells }, async (_, index) => {
        const cell = cellName(SERVICE_OF_CELLS, index + FIRST_CELL);
        for (let tries = 1; tries <= READS_OF_MOVING_MAX; tries += 1) {
          const answer = await this.queries.ask<Answer>(cell, query, of(index + FIRST_CELL));
          if (!isElsewhere(answer)) return answer;
        }
        throw new QueryUnavailable(query, 'failed');
      }),
    );
  }

  /**
   * The same of a search. While a range moves no cell may have looked into it, and "not found" would be
   * believed; or both have, one before and one after, and what is in it would count twice. Then all are
   * asked again, until every shard was looked into once. @throws QueryUnavailable
   */
  async #everywhere<Answer extends Searched>(
    route: string,
    parameters: object,
  ): Promise<readonly Answer[]> {
    const endsAtMs = performance.now() + TIMEOUT_MS;
    for (;;) {
      const answers = await this.#all<Answer>(route, () => parameters);
      if (isEverywhereOnce(answers)) return answers;
      if (performance.now() + SEARCH_AGAIN_MS >= endsAtMs) {
        throw new QueryUnavailable(`${SERVICE_OF_CELLS}.${route}`, 'noService');
      }
      await delay(SEARCH_AGAIN_MS);
    }
  }

  async #streamHeads(query: StreamHeadsQuery): Promise<StreamHeadsAnswer> {
    const cursors = cursorsOf(query.after);
    const { after: _, ...rest } = query;
    const answers = await this.#all<StreamHeadsAnswer>('streamHeads', (cell) => {
      const after = cursors.get(cell);
      return after === undefined ? rest : { ...rest, after };
    });
    return mergedHeads(answers, this.#incarnationsOf(answers));
  }

  async #referenceHeads(query: object): Promise<ReferenceHeadsAnswer> {
    const answers = await this.#everywhere<ReferenceHeadsAnswer>('referenceHeads', query);
    return mergedReferences(answers, this.#incarnationsOf(answers));
  }

  /** A cell that was added has a life of its own until shards move there. */
  #incarnationsOf(answers: readonly { readonly incarnation: string }[]): Incarnations {
    const carrying = answers.filter((_, index) => this.map.carriesAny(index + FIRST_CELL));
    return (carrying.length > 0 ? carrying : answers).map(({ incarnation }) => incarnation);
  }

  async #byReference(query: TransactionsByReferenceQuery): Promise<RecordedTransactions> {
    // The page may lie wholly in one of the cells.
    const upToPage = { ...query, limit: query.limit * query.pageNo, pageNo: 1 };
    const route = 'transactionsByReference';
    return mergedPage(query, await this.#everywhere<RecordedTransactions>(route, upToPage));
  }

  /** Each block is opened by the cell of its payment. */
  async #personalParameters({ items }: PersonalParametersQuery): Promise<PersonalParametersAnswer> {
    const opened = new Map<string, Block>();
    await this.#ofStreams<Item, PersonalParametersAnswer>('personalParameters', items, {
      streamOf: ({ streamId }) => streamId,
      queryOf: (part) => ({ items: part }),
      note: (part, { blocks }) => {
        part.forEach((item, index) => {
          const block = blocks[index];
          if (block !== undefined) opened.set(keyOf(item), block);
        });
      },
    });
    return {
      blocks: items.map((item) => opened.get(keyOf(item)) ?? { state: 'unreadable', personal: {} }),
    };
  }

  /** Each stream is read in the cell of its payment. */
  async #eventsOfStreams({ streamIds }: EventsOfStreamsQuery): Promise<EventsOfStreamsAnswer> {
    const read = new Map<string, EventsOfStreamsAnswer['streams'][number]>();
    await this.#ofStreams<string, EventsOfStreamsAnswer>('eventsOfStreams', streamIds, {
      streamOf: (streamId) => streamId,
      queryOf: (part) => ({ streamIds: part }),
      note: (part, { streams }) => {
        part.forEach((streamId, index) => read.set(streamId, streams[index] ?? []));
      },
    });
    return { streams: streamIds.map((streamId) => read.get(streamId) ?? []) };
  }

  /**
   * Asks each cell once about what the map has there. If any of their shards has moved, the cell
   * answers nothing of them, so each shard's cell is then looked for by itself.
   */
  async #ofStreams<Each, Answer>(
    route: string,
    all: readonly Each[],
    { streamOf, queryOf, note }: OfStreams<Each, Answer>,
  ): Promise<void> {
    const askOne = async (shard: readonly Each[]): Promise<void> => {
      const [first] = shard;
      if (first === undefined) return;
      note(shard, (await this.#one(route, streamOf(first), queryOf(shard))) as Answer);
    };
    const asking = grouped(all, (each) => this.map.cellOf(shardOf(streamOf(each)))).map(
      async (part) => {
        const [first] = part;
        const cell = first && this.map.cellOf(shardOf(streamOf(first)));
        if (cell !== undefined) {
          const name = cellName(SERVICE_OF_CELLS, cell);
          const query = `${SERVICE_OF_CELLS}.${route}`;
          const answer = await this.queries.ask<Answer>(name, query, queryOf(part));
          if (!isElsewhere(answer)) {
            note(part, answer);
            return;
          }
        }
        await Promise.all(grouped(part, (each) => shardOf(streamOf(each))).map(askOne));
      },
    );
    await Promise.all(asking);
  }
}

/** What is asked about parts of it, each of one cell. */
interface OfStreams<Each, Answer> {
  readonly streamOf: (each: Each) => string;
  readonly queryOf: (part: readonly Each[]) => object;
  readonly note: (part: readonly Each[], answer: Answer) => void;
}

/** The answer of one cell to a search. */
type Searched = Pick<ReferenceHeadsAnswer, 'carried'>;

/**
 * Whether every shard was looked into by one cell. One of a release before does not say where it has
 * looked: it may have been everywhere, and no other has been there too often.
 */
function isEverywhereOnce(answers: readonly Searched[]): boolean {
  const told = answers.flatMap(({ carried }) => carried ?? []);
  const isSilent = answers.some(({ carried }) => carried === undefined);
  let next = 0;
  for (const [first, last] of told.sort(([left], [right]) => left - right)) {
    if (first < next || (first > next && !isSilent)) return false;
    next = last + 1;
  }
  return isSilent || next > SHARD_MAX;
}

type Block = PersonalParametersAnswer['blocks'][number];
type Item = PersonalParametersQuery['items'][number];

function grouped<Value, Key>(
  values: readonly Value[],
  keyOfValue: (value: Value) => Key,
): readonly (readonly Value[])[] {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOfValue(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return [...groups.values()];
}

function keyOf({ streamId, transactionId, sealed }: Item): string {
  return `${streamId} ${transactionId} ${sealed}`;
}

/** Streams are called like the transaction that begins them. */
function shardOf(id: string): string {
  return chainShard(id as TransactionId);
}
