import {
  type CarriedShardsAnswer,
  type CarriedShardsQuery,
  cellName,
  FIRST_CELL,
  SERVICE_OF_CELLS,
} from '@sluice/contracts';
import type { Logger } from '@sluice/service';
import { setTimeout as delay } from 'node:timers/promises';
import type { Queries } from '../ports.js';
import { SharedLook } from '../shared-look.js';

/** What a map of cells is made of. */
export interface CellMapParts {
  /** Asks each cell by its name, see `cellName`. */
  readonly queries: Queries;
  /** How many there are. */
  readonly cells: number;
  readonly logger?: Logger | undefined;
}

/** A shard's number in its four hex digits (D-01). */
const SHARD_RADIX = 16;
/** Shards move by an operator's hand; callers of a cell that has lost one look at once. */
const LOOK_EVERY_MS = 5_000;
/** Between two looks while a shard is in no cell, or none has answered. */
const LOOK_AGAIN_MS = 25;
const LOOK_AGAIN_MAX_MS = 250;

type Carried = CarriedShardsAnswer['carried'];

/** Which cell carries which shard, as the cells themselves say (page 0047). */
export class CellMap {
  readonly #carried = new Map<number, Carried>();
  /** Those that did not answer the last look: their shards may have left them since. */
  readonly #silent = new Set<number>();
  readonly #look = new SharedLook(() => this.#lookNow());
  #timer: NodeJS.Timeout | undefined;
  #isUnknown = true;

  constructor(private readonly parts: CellMapParts) {}

  /** How many cells there are. */
  get cells(): number {
    return this.parts.cells;
  }

  /** Asks all cells, and from then on every few seconds. Resolves after the first time, successful or not. */
  async start(): Promise<void> {
    await this.look();
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
  }

  /** Stops asking. */
  close(): Promise<void> {
    clearInterval(this.#timer);
    return Promise.resolve();
  }

  /** Asks all cells; what one of them said last holds while it cannot be reached. */
  look(): Promise<void> {
    return this.#look.now();
  }

  /**
   * The cell of a shard given by its hex digits; undefined while none says that it carries it, or two do:
   * one of them was restored or made anew then, and would begin again what the other has. What a silent
   * cell said before counts where no other one says so now.
   */
  cellOf(shard: string): number | undefined {
    const number = Number.parseInt(shard, SHARD_RADIX);
    let before: number | undefined;
    let now: number | undefined;
    for (const [cell, ranges] of this.#carried) {
      if (!ranges.some(([first, last]) => first <= number && number <= last)) continue;
      if (this.#silent.has(cell)) before ??= cell;
      else if (now === undefined) now = cell;
      else return undefined;
    }
    return now ?? before;
  }

  /** Whether a cell carries any shard; true while it has not said. */
  carriesAny(cell: number): boolean {
    return this.#carried.get(cell)?.length !== 0;
  }

  /**
   * Tries with the cell of a shard, and again with what a new look at the cells shows, until an
   * attempt returns something or the time is over. Then undefined: no cell has taken it.
   */
  async find<Result>(
    shard: string,
    timeoutMs: number,
    attempt: (cell: string, leftMs: number) => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    const endsAtMs = performance.now() + timeoutMs;
    for (let pauseMs = LOOK_AGAIN_MS; ; pauseMs = Math.min(2 * pauseMs, LOOK_AGAIN_MAX_MS)) {
      const cell = this.cellOf(shard);
      if (cell !== undefined) {
        const leftMs = endsAtMs - performance.now();
        const result = await attempt(cellName(SERVICE_OF_CELLS, cell), leftMs);
        if (result !== undefined) return result;
      }
      if (performance.now() + pauseMs >= endsAtMs) return undefined;
      await delay(pauseMs);
      await this.look();
    }
  }

  async #lookNow(): Promise<void> {
    const cells = Array.from({ length: this.cells }, (_, index) => index + FIRST_CELL);
    const query: CarriedShardsQuery = {};
    const answers = await Promise.allSettled(
      cells.map((cell) => {
        const name = cellName(SERVICE_OF_CELLS, cell);
        const route = `${SERVICE_OF_CELLS}.carriedShards`;
        return this.parts.queries.ask<CarriedShardsAnswer>(name, route, query);
      }),
    );
    answers.forEach((answer, index) => this.#note(index + FIRST_CELL, answer));
    this.#warn(answers.filter(({ status }) => status === 'rejected').length);
  }

  #note(cell: number, answer: PromiseSettledResult<CarriedShardsAnswer>): void {
    if (answer.status === 'rejected') {
      this.#silent.add(cell);
      return;
    }
    this.#silent.delete(cell);
    if (answer.value.cell === cell) {
      this.#carried.set(cell, answer.value.carried);
      return;
    }
    this.#carried.delete(cell);
    const fields = { cell, answeredAs: answer.value.cell };
    this.parts.logger?.error(fields, 'Another cell answers at the address of this one.');
  }

  #warn(unreachable: number): void {
    if (unreachable > 0 === this.#isUnknown) return;
    this.#isUnknown = unreachable > 0;
    const { logger } = this.parts;
    if (this.#isUnknown) logger?.warn({ unreachable }, 'Some cells of payments do not answer.');
    else logger?.info('All cells of payments say which shards they carry.');
  }
}
