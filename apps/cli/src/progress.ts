import { Presets, SingleBar } from 'cli-progress';
import { durationText } from './durations.js';

/** Where progress is shown: standard error, so that standard output stays the answer's. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** How far something has come. */
export interface Progress {
  readonly done: number;
  /** May be an estimate, and be passed. */
  readonly total: number;
  readonly perSecond: number;
  readonly remainingMs: number;
}

/** Shows progress until it is finished. */
export interface ProgressMeter {
  update(progress: Progress): void;
  /** All is done. */
  finish(): void;
  /** It ended before; the terminal is left tidy, and nothing is claimed. */
  abandon(): void;
}

/** Without a terminal: often enough to see that it lives, rarely enough for a log. */
const LINE_INTERVAL_MS = 10_000;

/** A bar on a terminal, a line every 10 s otherwise. */
export function progressMeter(
  stream: ProgressStream,
  unit: string,
  now: () => number,
): ProgressMeter {
  return stream.isTTY === true ? terminalMeter(stream, unit) : lineMeter(stream, unit, now);
}

function terminalMeter(stream: ProgressStream, unit: string): ProgressMeter {
  const bar = new SingleBar(
    {
      format: `{bar} {percentage} %  {value}/{total} ${unit}  {rate}/s  {left} left`,
      // The library asks for a stream of Node's and only writes to it.
      stream: stream as unknown as NodeJS.WritableStream,
      hideCursor: true,
      barsize: 30,
      etaBuffer: 1,
    },
    Presets.shades_classic,
  );
  let isStarted = false;
  let lastDone = 0;
  return {
    update: ({ done, total, perSecond, remainingMs }) => {
      const payload = { rate: wholeText(perSecond), left: durationText(remainingMs) };
      const sum = Math.max(total, done, 1);
      if (!isStarted) bar.start(sum, done, payload);
      isStarted = true;
      lastDone = done;
      bar.setTotal(sum);
      bar.update(done, payload);
    },
    finish: () => {
      if (!isStarted) return;
      // What there was is known now; it was an estimate before.
      bar.setTotal(Math.max(lastDone, 1));
      bar.stop();
    },
    abandon: () => {
      if (isStarted) bar.stop();
    },
  };
}

function lineMeter(stream: ProgressStream, unit: string, now: () => number): ProgressMeter {
  let lastMs = now();
  let last: Progress | undefined;
  const print = (progress: Progress): void => {
    lastMs = now();
    stream.write(`${progressLine(progress, unit)}\n`);
  };
  return {
    update: (progress) => {
      last = progress;
      if (now() - lastMs >= LINE_INTERVAL_MS) print(progress);
    },
    finish: () => {
      if (last !== undefined) print({ ...last, total: last.done, remainingMs: 0 });
    },
    abandon: () => undefined,
  };
}

/** One line for a log. */
export function progressLine(
  { done, total, perSecond, remainingMs }: Progress,
  unit: string,
): string {
  const share = total <= 0 ? 100 : Math.min(100, Math.floor((done / total) * 100));
  return (
    `${share} %, ${wholeText(done)} of ${wholeText(Math.max(total, done))} ${unit}, ` +
    `${wholeText(perSecond)}/s, ${durationText(remainingMs)} left`
  );
}

const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Thousands apart: such numbers have many digits. */
export function wholeText(value: number): string {
  return WHOLE.format(value);
}

/** A number with its noun. */
export function counted(count: number, noun: string): string {
  return `${wholeText(count)} ${noun}${count === 1 ? '' : 's'}`;
}
