import { checkForm, type CheckedForm, type Form, parseForm, stored } from '@sluice/parameters';
import { rounded, timesOf } from './timed-work.js';
import { hostileBodies, type RequestBody, requests } from './parameter-bodies.js';

/*
 * `npm run bench -- --parameters`: what it costs to parse and check a request, in one process without
 * HTTP. Each figure stands beside the floor of the same body in the same run, Node's own form parser,
 * so that it can be compared between machines.
 */

/** A body below this is too quick for the clock: many make one run. */
const SMALL_BYTES = 10_000;
const SMALL_REPEATED = 1_000;

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
  const repeated = bytes.length < SMALL_BYTES ? SMALL_REPEATED : 1;
  const ours = timesOf(work, repeated);
  const floor = timesOf(() => new URLSearchParams(bytes.toString()), repeated);
  const figures = [ours.best, ours.median, ours.cpu, floor.cpu].map(rounded);
  const ratio = (ours.cpu / floor.cpu).toFixed(2);
  return `| ${name} | ${bytes.length} | ${figures.join(' | ')} | ${ratio} |`;
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
