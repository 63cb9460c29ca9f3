import type { ObservedPayment, SentRequest } from './observations.js';

interface Line {
  readonly atMs: number;
  readonly text: string;
}

/** A payment's history for people: who asked for what when, and what was said. */
export function printedHistory({ name, requests }: ObservedPayment): string {
  const startMs = Math.min(
    ...requests.flatMap(({ attempts }) => attempts.map((each) => each.fromMs)),
  );
  const lines = requests
    .flatMap(linesOf)
    .sort((one, other) => one.atMs - other.atMs)
    .map(({ atMs, text }) => `  ${((atMs - startMs) / 1_000).toFixed(3).padStart(8)}  ${text}`);
  return [`payment ${name}`, ...lines].join('\n');
}

function linesOf(request: SentRequest): Line[] {
  const { reference, attempts, reads } = request;
  return [
    ...attempts.flatMap(({ fromMs, toMs, answer }) => [
      { atMs: fromMs, text: `→ ${reference} ${asked(request)}` },
      { atMs: toMs, text: `← ${reference} ${said(answer)}` },
    ]),
    ...reads.flatMap(({ fromMs, toMs, answer }) => [
      { atMs: fromMs, text: `→ ${reference} read` },
      { atMs: toMs, text: `← ${reference} read ${said(answer)}` },
    ]),
  ];
}

function asked({
  type,
  on,
  minor,
  isFinal,
  captureLimit,
  fault,
  forcedCode,
  key,
}: SentRequest): string {
  return [
    type,
    minor === undefined ? 'of everything' : decimal(minor),
    on && `on ${on.reference}`,
    isFinal === true && 'FINAL',
    captureLimit !== undefined && `numberOfCaptures=${captureLimit}`,
    key !== undefined && 'with a key',
    fault,
    forcedCode,
  ]
    .filter(Boolean)
    .join(' ');
}

function said(answer: SentRequest['attempts'][number]['answer']): string {
  if (answer === undefined) return 'nothing';
  const { status, code, id = '', minor } = answer;
  return `${status} ${code} ${id}${minor === undefined ? '' : ` ${decimal(minor)}`}`;
}

function decimal(minor: number): string {
  return (minor / 100).toFixed(2);
}
