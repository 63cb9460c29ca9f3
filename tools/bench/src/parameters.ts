import { checkForm, parseForm, stored } from '@sluice/parameters';
import { hostileBodies, type RequestBody, requests } from './parameter-bodies.js';

/*
 * `npm run bench -- --parameters`: what it costs to parse and check a request, in one process without
 * HTTP. Each figure stands beside the floor of the same body in the same run, Node's own form parser,
 * so that it can be compared between machines.
 */

/** The time of one body. */
interface Timing {
  readonly name: string;
  readonly bytes: number;
  /** Of the single runs; of a small body, of runs of a thousand. */
  readonly bestMicroseconds: number;
  readonly medianMicroseconds: number;
  readonly worstMicroseconds: number;
  readonly floorMicroseconds: number;
}

/** A body below this is too quick for the clock: many make one run. */
const SMALL_BYTES = 10_000;
const SMALL_REPEATED = 1_000;
const WARM_UP_MS = 500;
const RUNS = 60;
const MICROSECONDS = 1_000;

/** The tables of a run. */
export function* parameterLines(): Generator<string> {
  yield '\n| parse, check and sort a request | bytes | best µs | median µs | worst µs | floor µs | ratio |';
  yield '| --- | --- | --- | --- | --- | --- | --- |';
  for (const body of requests) yield lineOf(timingOf(body));
  yield '\n| refuse a body of 1 MB | bytes | best µs | median µs | worst µs | floor µs | ratio |';
  yield '| --- | --- | --- | --- | --- | --- | --- |';
  for (const body of hostileBodies) yield lineOf(timingOf(body));
}

function lineOf(timing: Timing): string {
  const { name, bytes, floorMicroseconds, ...ours } = timing;
  const figures = [
    ours.bestMicroseconds,
    ours.medianMicroseconds,
    ours.worstMicroseconds,
    floorMicroseconds,
  ].map(rounded);
  const ratio = (ours.medianMicroseconds / floorMicroseconds).toFixed(2);
  return `| ${name} | ${bytes} | ${figures.join(' | ')} | ${ratio} |`;
}

function rounded(microseconds: number): string {
  return microseconds < 100 ? microseconds.toFixed(1) : String(Math.round(microseconds));
}

function timingOf({ name, bytes, verdict }: RequestBody): Timing {
  const isAsExpected = verdictOf(bytes) === verdict;
  if (!isAsExpected) throw new Error(`"${name}" is not ${verdict}, so its time says nothing.`);
  const ours = microsecondsOf(bytes, () => verdictOf(bytes));
  const floor = microsecondsOf(bytes, () => new URLSearchParams(bytes.toString()));
  return {
    name,
    bytes: bytes.length,
    bestMicroseconds: Math.min(...ours),
    medianMicroseconds: medianOf(ours),
    worstMicroseconds: Math.max(...ours),
    floorMicroseconds: medianOf(floor),
  };
}

/** Everything that edge does with a body before anybody is asked. */
function verdictOf(bytes: Buffer): RequestBody['verdict'] {
  const parsed = parseForm(bytes);
  if (parsed.kind === 'refused') return 'refused';
  const { kind, violations } = checkForm(parsed.form, 'payments', 'INTERNAL');
  if (violations.length > 0) return 'refused';
  return Object.keys(stored(parsed.form, kind).parameters).length > 0 ? 'accepted' : 'refused';
}

function microsecondsOf(bytes: Buffer, work: () => unknown): number[] {
  const repeated = bytes.length < SMALL_BYTES ? SMALL_REPEATED : 1;
  const warmUntil = performance.now() + WARM_UP_MS;
  while (performance.now() < warmUntil) work();
  return Array.from({ length: RUNS }, () => {
    const startedAt = performance.now();
    for (let run = 0; run < repeated; run += 1) work();
    return ((performance.now() - startedAt) * MICROSECONDS) / repeated;
  });
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
