import type { ChainTransaction } from './ledger-fold.js';
import type { Outcome, Operation } from './records.js';
import type { KillTestResult } from './run.js';
import { median, seconds } from './times.js';

/** Those that this test sends. */
const NAMES = {
  DB: 'debit',
  PA: 'authorization',
  CP: 'capture',
  RF: 'refund',
  RV: 'reversal',
} as const satisfies Partial<Record<Operation, string>>;
const OUTCOMES: readonly (readonly [title: string, outcomes: readonly Outcome[]])[] = [
  ['approved', ['approved']],
  ['declined', ['declined']],
  ['refused', ['rejected']],
  ['not performed', ['notPerformed']],
  ['reversed', ['reversedAfterUnknown']],
  ['open', ['requested', 'pending', 'unknown']],
];
const VIOLATIONS_SHOWN = 30;

/** The result as people like to read it. */
export function reportText(result: KillTestResult): string {
  return [
    `Kill test, seed ${result.seed}`,
    '',
    ...killLines(result),
    '',
    ...operationTable(result),
    '',
    ...recoveryLines(result),
    '',
    ...verdictLines(result),
    '',
  ].join('\n');
}

function killLines({ kills, readyAfterMs, durationMs }: KillTestResult): string[] {
  const total = kills.node + kills.nodeThenPostgres + kills.postgresThenNode;
  const again = readyAfterMs.slice(1);
  return [
    row('kill -9', `${total} in ${seconds(durationMs)}`),
    row('  of the gateway alone', kills.node),
    row('  then of PostgreSQL', kills.nodeThenPostgres),
    row('  after PostgreSQL', kills.postgresThenNode),
    row('ready again after', `${seconds(median(again))} (at most ${seconds(Math.max(...again))})`),
  ];
}

function operationTable({ merchant, recorded }: KillTestResult): string[] {
  const titles = ['requests', 'attempts', 'lost', ...OUTCOMES.map(([title]) => title)];
  const lines = Object.entries(NAMES).map(([operation, name]) => {
    const requests = merchant.records().filter((request) => request.operation === operation);
    const attempts = requests.flatMap((request) => request.attempts);
    const outcomes = recorded.filter((each) => each.operation === name);
    return cells(operation, [
      requests.length,
      attempts.length,
      attempts.filter(({ kind }) => kind === 'indefinite').length,
      ...OUTCOMES.map(
        ([, wanted]) => outcomes.filter(({ outcome }) => wanted.includes(outcome)).length,
      ),
    ]);
  });
  return [cells('', titles), ...lines];
}

function recoveryLines(result: KillTestResult) {
  const { chains, merchant, storedCards, recoveredAfterMs, stoppedAfterMs } = result;
  const unknown = chains.filter(({ wasUnknown }) => wasUnknown);
  const late = chains.filter((chain) => chain.late === 'undone').length;
  const faulty = merchant.records().filter(({ fault }) => fault !== undefined).length;
  const keyed = merchant.records().filter(({ idempotencyKey }) => idempotencyKey !== undefined);
  const repeated = keyed.filter(({ attempts }) => attempts.length > 1).length;
  const became = (outcome: ChainTransaction['outcome']): number =>
    unknown.filter((chain) => chain.outcome === outcome).length;
  return [
    row('requests with a simulator fault', faulty),
    row('requests repeated under their key', repeated),
    row('not sent: reference unknown', merchant.skipped),
    row('outcomes that were unknown', unknown.length),
    row('  found approved by inquiry', became('approved')),
    row('  found declined by inquiry', became('declined')),
    row('  reversed', became('reversedAfterUnknown')),
    row('  not performed', became('notPerformed')),
    row('late approvals undone', late),
    row('cards stored with payments', storedCards),
    row('shoppers who decided at the provider', merchant.shoppers),
    ...Object.entries(result.load).map(([kind, count]) => row(kind, count)),
    row('nothing open after the last answer', seconds(recoveredAfterMs)),
    row('Ctrl-C to end', seconds(stoppedAfterMs)),
  ];
}

function verdictLines({ violations, recorded, book }: KillTestResult): string[] {
  const compared = `${recorded.length} transactions, ${book.length} bookings`;
  if (violations.length === 0) {
    return [
      `The merchant's books, the events, the acquirer's book and the bank's files agree: ${compared}.`,
    ];
  }
  return [
    `${violations.length} disagreements in ${compared}:`,
    ...violations
      .slice(0, VIOLATIONS_SHOWN)
      .map(({ rule, subject, sentence }) => `  ${rule}: ${subject}: ${sentence}`),
  ];
}

function row(title: string, value: string | number): string {
  return `${title.padEnd(36)}${value}`;
}

function cells(title: string, values: readonly (string | number)[]): string {
  return title.padEnd(4) + values.map((value) => String(value).padStart(14)).join('');
}
