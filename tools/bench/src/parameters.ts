import { checkForm, type CheckedForm, type Form, parseForm, stored } from '@sluice/parameters';
import { hostileBodies, type RequestBody, requests } from './parameter-bodies.js';

/*
 * `npm run bench -- --parameters`: what it costs to parse and check a request, in one process without
 * HTTP. Each figure stands beside the floor of the same body in the same run, Node's own form parser,
 * so that it can be compared between machines.
 */

/** Times of some work, in microseconds. */
interface Times {
  /** By the clock: on a machine with other work, the figure of a machine without. */
  readonly best: number;
  readonly median: number;
  /** Of the process, its collector of garbage included: other work does not alter it. */
  readonly cpu: number;
}

/** A body below this is too quick for the clock: many make one run. */
const SMALL_BYTES = 10_000;
const SMALL_REPEATED = 1_000;
const WARM_UP_MS = 1_000;
const RUNS = 60;
const MICROSECONDS = 1_000;

/** The tables of a run, line by line as they come. */
export function* parameterLines(): Generator<string> {
  yield* heading('parse and check a request');
  for (const body of requests) yield lineOf(body, body.name, () => verdictOf(body.bytes));
  for (const body of requests) {
    yield lineOf(body, `${body.name}, and keep it`, () => kept(body.bytes));
  }
  yield* heading('refuse a body of 1 MB');
  for (const body of hostileBodies) yield lineOf(body, body.name, () => verdictOf(body.bytes));
}

function* heading(what: string): Generator<string> {
  yield `\n| ${what} | bytes | best µs | median µs | CPU µs | floor, CPU µs | ratio |`;
  yield '| --- | --- | --- | --- | --- | --- | --- |';
}

function lineOf({ bytes, verdict }: RequestBody, name: string, work: () => unknown): string {
  if (verdictOf(bytes) !== verdict) {
    throw new Error(`"${name}" is not ${verdict}, so its time says nothing.`);
  }
  const ours = timesOf(bytes, work);
  const floor = timesOf(bytes, () => new URLSearchParams(bytes.toString()));
  const figures = [ours.best, ours.median, ours.cpu, floor.cpu].map(rounded);
  const ratio = (ours.cpu / floor.cpu).toFixed(2);
  return `| ${name} | ${bytes.length} | ${figures.join(' | ')} | ${ratio} |`;
}

function rounded(microseconds: number): string {
  return microseconds < 100 ? microseconds.toFixed(1) : String(Math.round(microseconds));
}

/** What edge does with a body before anybody is asked. */
function checked(bytes: Buffer): (CheckedForm & { readonly form: Form }) | undefined {
  const parsed = parseForm(bytes);
  if (parsed.kind === 'refused') return undefined;
  const { form } = parsed;
  return { ...checkForm(form, 'payments', 'INTERNAL'), form };
}

function verdictOf(bytes: Buffer): RequestBody['verdict'] {
  return checked(bytes)?.violations.length === 0 ? 'accepted' : 'refused';
}

/** And what it makes of one that is right: card numbers masked, personal data apart. */
function kept(bytes: Buffer): unknown {
  const found = checked(bytes);
  return found && stored(found.form, found.kind);
}

function timesOf(bytes: Buffer, work: () => unknown): Times {
  const repeated = bytes.length < SMALL_BYTES ? SMALL_REPEATED : 1;
  const warmUntil = performance.now() + WARM_UP_MS;
  while (performance.now() < warmUntil) work();
  const before = process.cpuUsage();
  const runs = Array.from({ length: RUNS }, () => {
    const startedAt = performance.now();
    for (let run = 0; run < repeated; run += 1) work();
    return ((performance.now() - startedAt) * MICROSECONDS) / repeated;
  });
  const { user, system } = process.cpuUsage(before);
  return {
    best: Math.min(...runs),
    median: runs.toSorted((left, right) => left - right)[RUNS / 2] ?? 0,
    cpu: (user + system) / (RUNS * repeated),
  };
}
