import type { SeededRandom } from '@sluice/testing';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { operatorArguments } from './operator.js';
import { after } from './times.js';

/** What moves, and where. */
export interface ShardMovesOptions {
  /** Of a running cluster. */
  readonly dataFolder: string;
  /** With one cell nothing moves. */
  readonly cells: number;
  readonly random: SeededRandom;
}

/** How often ranges have moved. */
export interface MovesMade {
  readonly finished: number;
  /** Attempts that did not end well: killed, or something that they need was. */
  readonly interrupted: number;
  /** Undoings that were refused, because the move had been over, or had not begun. */
  readonly refused: number;
  /** Moves that were undone after an attempt had been interrupted. */
  readonly undone: number;
  /** Those that were finished, by range. */
  readonly byRange: Readonly<Record<string, number>>;
}

/**
 * What moves in turns, one at a time as the operator's command demands: a quarter of all shards from
 * each cell, so that payments of it are always under way. Payments draw their shards at random, so each
 * quarter has agreements in it.
 */
const RANGES = ['4000-7fff', 'c000-ffff'] as const;
/** The next move of a range. */
interface Way {
  readonly range: string;
  readonly from: number;
  readonly to: number;
}

/** Between two attempts: as long as a person would wait at least. */
const PAUSE_MS = 300;
/** Every other move is killed at some time after its start, at the latest then: most take no longer. */
const KILLED_WITHIN_MS = 3_000;
/** What nobody disturbs any more has ended long before. */
const END_WITHIN_MS = 120_000;
/** Of what was interrupted, so much is undone in place of going on. */
const UNDONE_CHANCE = 0.3;
const SAID_CHARACTERS_MAX = 4_000;
/** What the operator's command ends with where it did nothing, for a reason that it says. */
const REFUSED = 4;

/**
 * Moves ranges of shards from one cell to the other and back for as long as it is let, by the
 * operator's own command, which is killed now and then and started again: it must go on where it was, or
 * undo the move, as it is told.
 */
export class ShardMoves {
  readonly #finished = new Map<string, number>(RANGES.map((range) => [range, 0]));
  #interrupted = 0;
  #undone = 0;
  #refused = 0;
  #isEnding = false;
  #isUnfinished = false;
  #isKilled = false;
  #child: ChildProcess | undefined;
  #running: Promise<void> = Promise.resolve();
  #said = '';

  constructor(private readonly options: ShardMovesOptions) {}

  /** What moves; nothing with one cell. */
  get ranges(): readonly string[] {
    return this.options.cells > 1 ? RANGES : [];
  }

  get made(): MovesMade {
    const counts = [...this.#finished.values()];
    return {
      finished: counts.reduce((sum, count) => sum + count, 0),
      interrupted: this.#interrupted,
      undone: this.#undone,
      refused: this.#refused,
      byRange: Object.fromEntries(this.#finished),
    };
  }

  start(): void {
    if (this.options.cells > 1) this.#running = this.#moveOn();
  }

  /** Lets the last move finish. Throws if it does not, with what it said. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#running;
  }

  /** Ends what runs, as if the operator's machine had lost power; nobody finishes the move. */
  kill(): void {
    this.#isKilled = true;
    this.#child?.kill('SIGKILL');
  }

  async #moveOn(): Promise<void> {
    // The first cell of a new cluster with two carries the lower half.
    const ways: Way[] = RANGES.map((range, index) => ({ range, from: index + 1, to: 2 - index }));
    let endsAtMs = Infinity;
    while (!this.#isKilled && (!this.#isEnding || this.#isUnfinished)) {
      if (this.#isEnding) endsAtMs = Math.min(endsAtMs, performance.now() + END_WITHIN_MS);
      if (performance.now() > endsAtMs) throw new Error(`the move never ends: ${this.#said}`);
      const [way, ...others] = ways;
      if (way === undefined) throw new Error('nothing moves');
      const { range, from, to } = way;
      const isUndone = this.#isUnfinished && this.options.random.chance(UNDONE_CHANCE);
      const code = await this.#attempt(way, isUndone ? ['--undo'] : []);
      if (isUndone && code === REFUSED) {
        this.#refused += 1;
      } else if (code === 0) {
        this.#isUnfinished = false;
        if (isUndone) {
          this.#undone += 1;
          continue;
        }
        this.#finished.set(range, (this.#finished.get(range) ?? 0) + 1);
        ways.splice(0, ways.length, ...others, { range, from: to, to: from });
      } else {
        this.#interrupted += 1;
        this.#isUnfinished = true;
      }
      await after(PAUSE_MS, () => Promise.resolve());
    }
  }

  /** Its exit code; null where it was killed. */
  async #attempt({ range, from, to }: Way, more: readonly string[]): Promise<number | null> {
    const words = ['cells', 'move', '--from', String(from), '--to', String(to), '--shards', range];
    const flags = ['--execute', '--reason', 'kill test', ...more];
    const command = operatorArguments(this.options.dataFolder, ...words, ...flags);
    const child = spawn(process.execPath, command);
    this.#child = child;
    this.#said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#said = (this.#said + text).slice(-SAID_CHARACTERS_MAX);
      });
    }
    const timer = this.#killedAfterMs();
    const killer = setTimeout(() => child.kill('SIGKILL'), timer);
    const [code] = (await once(child, 'exit')) as [number | null];
    clearTimeout(killer);
    return code;
  }

  #killedAfterMs(): number {
    const { random } = this.options;
    const isKilled = !this.#isEnding && random.chance(0.5);
    return isKilled ? random.fraction() * KILLED_WITHIN_MS : END_WITHIN_MS;
  }
}
