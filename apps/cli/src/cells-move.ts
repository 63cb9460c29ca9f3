import {
  type FinishedMove,
  MoveGivenBack,
  MoveInDoubt,
  MoveRefused,
  moveShards,
  type MoveStep,
  parseShardRange,
  type PlannedMove,
  planShardMove,
  type ShardMoveOptions,
  shardRangeText,
  type UndoneMove,
  undoShardMove,
} from '@sluice/event-store';
import type { Answer } from './answer.js';
import { connectCell } from './cells-list.js';
import { durationText } from './durations.js';
import { CommandEnded, exitCodes, failed, refused, usage } from './exit-codes.js';
import { recordAction } from './operator-actions.js';
import { counted, type ProgressMeter, wholeText } from './progress.js';
import type { Session } from './session.js';
import { cellOwnerUrlsOf } from './settings.js';

/** The flags of `cells move`. */
export interface MoveFlags {
  readonly from: string;
  readonly to: string;
  readonly shards: string;
  readonly undo?: true;
  readonly reason?: string;
  readonly execute?: true;
}

/** What two busy cores copied in a second (docs/how-to/move-shards-between-cells.md). */
const EVENTS_PER_SECOND = 5_000;

/**
 * `cells move`: moves chain shards from one cell to another while payments continue, goes on with
 * such a move after a crash, or undoes it (page 0047).
 */
export async function moveCells(session: Session, flags: MoveFlags): Promise<Answer> {
  const { url, ...options } = optionsOf(session, flags);
  try {
    const intent = flags.undo === true ? 'undo' : 'move';
    const plan = await planShardMove(options, intent);
    if (flags.execute !== true) return planned(options, plan, intent);
    session.throwIfInterrupted();
    if (plan.phase !== 'done') await record(session, url, options, flags);
    return intent === 'undo'
      ? undone(options, await withProgress(session, options, plan, undoShardMove))
      : moved(options, await withProgress(session, options, plan, moveShards));
  } catch (error) {
    throw endedBy(error, session);
  }
}

function endedBy(error: unknown, session: Session): unknown {
  if (error instanceof MoveRefused) return refused(error.message);
  if (error instanceof MoveInDoubt) return failed(error.message);
  if (session.signal.aborted) {
    const text =
      'Interrupted. Run the same command again to go on; "sluice cells" says how it stands.';
    return new CommandEnded(exitCodes.interrupted, text);
  }
  return error instanceof MoveGivenBack ? failed(error.message) : error;
}

function optionsOf(session: Session, flags: MoveFlags): ShardMoveOptions & { url: string } {
  const urls = cellOwnerUrlsOf(session.settings);
  const shards = parseShardRange(flags.shards);
  if (shards === undefined) {
    throw usage(
      `"${flags.shards}" is no range of shards; write the first and the last one like 8000-ffff.`,
    );
  }
  const source = cellNamed(urls, flags.from, '--from');
  const target = cellNamed(urls, flags.to, '--to');
  return {
    ...{ schema: session.schema('payments'), shards, from: source.cell, to: target.cell },
    source: connectCell(source.url, source.cell),
    target: connectCell(target.url, target.cell),
    url: source.url,
    signal: session.signal,
  };
}

const NUMBER = /^[1-9][0-9]{0,3}$/;

function cellNamed(
  urls: readonly string[],
  text: string,
  flag: string,
): { readonly cell: number; readonly url: string } {
  const cell = Number(text);
  const url = NUMBER.test(text) ? urls[cell - 1] : undefined;
  if (url !== undefined) return { cell, url };
  throw usage(
    `${flag} is the number of a cell, from 1 to ${urls.length}: so many there are, by --data or ` +
      'PAYMENTS_CELL_OWNER_DATABASE_URLS.',
  );
}

async function record(
  session: Session,
  url: string,
  { schema, shards, from, to }: ShardMoveOptions,
  { undo, reason }: MoveFlags,
): Promise<void> {
  const action = undo === true ? 'cells move: undo' : 'cells move';
  const details = { shards: shardRangeText(shards), from, to };
  session.throwIfInterrupted();
  await recordAction({ url, schema }, { action, reason, details });
}

/** Events while it copies, streams while it clears. */
async function withProgress<Result>(
  session: Session,
  options: ShardMoveOptions,
  { aboutEvents, aboutStreams }: PlannedMove,
  work: (options: ShardMoveOptions) => Promise<Result>,
): Promise<Result> {
  const copying = new StepMeter(session, 'events', aboutEvents);
  const keys = new KeyCount(session);
  const clearing = new StepMeter(session, 'streams', aboutStreams);
  const onStep = (step: MoveStep, rows: number): void => {
    if (step === 'copy') copying.add(rows);
    if (step === 'keys') keys.add(rows);
    if (step === 'close') {
      copying.finish();
      session.say(`${shardRangeText(options.shards)} is closed; calls under way end.`);
    }
    if (step === 'switch')
      session.say(`Cell ${options.to} carries ${shardRangeText(options.shards)}.`);
    if (step === 'clear') clearing.add(rows);
    if (step === 'end') clearing.finish();
  };
  try {
    return await work({ ...options, onStep });
  } finally {
    copying.abandon();
    clearing.abandon();
  }
}

/** Often enough to see that it is alive. */
const KEYS_EVERY_MS = 10_000;

/** Says how many idempotency keys are copied. How many there are would take as long to find out. */
class KeyCount {
  #saidMs: number;
  #done = 0;

  constructor(private readonly session: Session) {
    this.#saidMs = session.now();
  }

  add(keys: number): void {
    this.#done += keys;
    const nowMs = this.session.now();
    if (nowMs - this.#saidMs < KEYS_EVERY_MS) return;
    this.#saidMs = nowMs;
    this.session.say(`${counted(this.#done, 'idempotency key')} copied so far.`);
  }
}

/** A meter of one step, which is made when there is something to show. */
class StepMeter {
  readonly #begunMs: number;
  #meter: ProgressMeter | undefined;
  #done = 0;

  constructor(
    private readonly session: Session,
    private readonly unit: string,
    private readonly about: number,
  ) {
    this.#begunMs = session.now();
  }

  add(rows: number): void {
    this.#meter ??= this.session.progress(this.unit);
    this.#done += rows;
    const seconds = Math.max(0.001, (this.session.now() - this.#begunMs) / 1_000);
    const perSecond = this.#done / seconds;
    const left = Math.max(0, this.about - this.#done);
    const remainingMs = perSecond === 0 ? 0 : (left / perSecond) * 1_000;
    this.#meter.update({
      ...{ done: this.#done, total: Math.max(this.about, this.#done), perSecond, remainingMs },
    });
  }

  finish(): void {
    this.#meter?.finish();
    this.#meter = undefined;
  }

  abandon(): void {
    this.#meter?.abandon();
    this.#meter = undefined;
  }
}

function planned(
  { shards, from, to }: ShardMoveOptions,
  plan: PlannedMove,
  intent: 'move' | 'undo',
): Answer {
  const lines = intent === 'undo' ? [undoText(from, to)] : planLines(from, to, plan);
  const range = shardRangeText(shards);
  const text = [
    `Shards ${range}, from cell ${from} to cell ${to}: ${STANDS[plan.phase]}`,
    ...lines,
    ...(plan.phase === 'done' ? [] : ['Nothing was done. Add --execute to do it.']),
  ].join('\n');
  return { data: { executed: false, shards: range, from, to, intent, ...plan }, text };
}

/** How a move stands, by its phase. */
const STANDS: Readonly<Record<PlannedMove['phase'], string>> = {
  new: 'not begun.',
  copying: 'an earlier command has begun to copy.',
  fenced: 'an earlier command ended while no cell carried them.',
  switched: 'moved; the first cell still has their rows.',
  cleared: 'moved and cleared; only the record of the move is left.',
  done: 'the second cell carries them already. Nothing is left to do.',
  unknownToSource: 'only the second cell knows of the move.',
  unknownToTarget: 'only the first cell knows of the move.',
  forgottenByTarget: 'moved, and the second cell was restored from a backup of before.',
};

function undoText(from: number, to: number): string {
  return `Would let cell ${from} carry them again, and delete from cell ${to} what was copied.`;
}

function planLines(
  from: number,
  to: number,
  { phase, aboutStreams, aboutEvents }: PlannedMove,
): readonly string[] {
  const streams = `about ${counted(aboutStreams, 'stream')} with ${counted(aboutEvents, 'event')}`;
  const lasts = `about ${durationText(Math.max(1_000, (aboutEvents / EVENTS_PER_SECOND) * 1_000))}`;
  const copy = phase === 'new' || phase === 'copying';
  const change = copy || phase === 'fenced';
  return [
    ...(copy ? [`Would copy ${streams}, which takes ${lasts}; payments continue.`] : []),
    ...(change
      ? [
          `Would hold up payments of these shards for a moment (5 s if calls under way last so long), ` +
            `until cell ${to} carries them.`,
        ]
      : []),
    ...(phase === 'done'
      ? []
      : [
          `Would delete them from cell ${from} once cell ${to} has them, which takes about twice as long.`,
        ]),
  ];
}

function undone({ shards, from, to }: ShardMoveOptions, { forgottenStreams }: UndoneMove): Answer {
  const range = shardRangeText(shards);
  const text =
    `Cell ${from} carries ${range} as before. Deleted ${counted(forgottenStreams, 'stream')} that ` +
    `had been copied to cell ${to}.`;
  return {
    data: { executed: true, undone: true, shards: range, from, to, forgottenStreams },
    text,
  };
}

/** What was copied before is known to nobody any more. */
const BEGUN_BEFORE: ReadonlySet<PlannedMove['phase']> = new Set(['copying', 'fenced']);

function moved({ shards, from, to }: ShardMoveOptions, finished: FinishedMove): Answer {
  const range = shardRangeText(shards);
  const data = { executed: true, shards: range, from, to, ...finished };
  if (finished.begunAt === 'done') {
    return { data, text: `Cell ${to} carries ${range} already. Nothing is left to do.` };
  }
  const { clearedStreams } = finished;
  const text = [
    `Shards ${range} have moved from cell ${from} to cell ${to}.`,
    ...copyLines(finished),
    ...switchLines(finished, to),
    ...(BEGUN_BEFORE.has(finished.begunAt)
      ? ['An earlier command had begun the move: what that one copied is not counted here.']
      : []),
    `Deleted ${counted(clearedStreams, 'stream')} from cell ${from}.`,
  ].join('\n');
  return { data, text };
}

function copyLines({ copiedEvents, copyMs, restEvents }: FinishedMove): readonly string[] {
  if (copiedEvents === 0 && restEvents === 0) return [];
  const speed = copyMs === 0 ? '' : ` (${wholeText((copiedEvents / copyMs) * 1_000)}/s)`;
  return [
    `Copied ${counted(copiedEvents, 'event')} in ${durationText(copyMs)}${speed}, and ` +
      `${counted(restEvents, 'event')} while nobody carried them.`,
  ];
}

function switchLines(finished: FinishedMove, to: number): readonly string[] {
  const { closedMs, fencedMs, isDrained, idempotencyKeys, dueStreams, waitingEvents } = finished;
  return [
    ...(closedMs === undefined || fencedMs === undefined
      ? []
      : [
          `Payments of these shards were held up for ${wholeText(closedMs)} ms; for ` +
            `${wholeText(fencedMs)} ms of them no cell carried them.`,
        ]),
    ...(isDrained === false
      ? [`Some calls did not end in time: cell ${to} asks the acquirer what became of them.`]
      : []),
    ...(idempotencyKeys === undefined || dueStreams === undefined || waitingEvents === undefined
      ? []
      : [
          `With them came ${counted(idempotencyKeys, 'idempotency key')}, ` +
            `${counted(dueStreams, 'due stream')} and ${counted(waitingEvents, 'event')} to publish.`,
        ]),
  ];
}
