import type { ClusterKillResult } from './cluster-run.js';
import { CLUSTER_TARGETS } from './cluster-targets.js';
import { median, seconds } from './times.js';

const VIOLATIONS_SHOWN = 30;
/** The longest name of a service, and a space. */
const NAME_WIDTH = 20;

/** The result as people like to read it. */
export function clusterReportText(result: ClusterKillResult): string {
  const { recoveries, durationMs, answered, lost, shoppers, load, moves, redriven } = result;
  return [
    `Kill test of the cluster, seed ${result.seed}`,
    '',
    row('kills', `${recoveries.length} in ${seconds(durationMs)}`),
    row('answers', `${answered}, and ${lost} lost in flight`),
    row('shoppers who decided', String(shoppers)),
    ...Object.entries(load).map(([kind, count]) => row(kind, String(count))),
    row('first start', seconds(result.readyAfterMs)),
    ...(redriven === 0 ? [] : [row('dead commands redriven', String(redriven))]),
    ...(moves.finished + moves.interrupted === 0
      ? []
      : [
          row('moves of shards', `${moves.finished}, and ${moves.interrupted} interrupted`),
          row('  undone', `${moves.undone}, and ${moves.refused} refused`),
          ...Object.entries(moves.byRange).map(([range, count]) =>
            row(`  of ${range}`, `${count}`),
          ),
        ]),
    '',
    `${''.padEnd(NAME_WIDTH)}${['kills', 'pays again', 'at most', 'found', 'at most'].map(right).join('')}`,
    ...CLUSTER_TARGETS.map((target) => {
      const own = recoveries.filter((recovery) => recovery.target === target);
      const pays = own.map(({ paysAfterMs }) => paysAfterMs);
      const finds = own.map(({ findsAfterMs }) => findsAfterMs);
      const times = [median(pays), Math.max(0, ...pays), median(finds), Math.max(0, ...finds)];
      return (
        target.padEnd(NAME_WIDTH) + [String(own.length), ...times.map(seconds)].map(right).join('')
      );
    }),
    '',
    row('nothing open after the last answer', seconds(result.recoveredAfterMs)),
    row('everything projected after that', seconds(result.projectedAfterMs)),
    row('Ctrl-C to end', seconds(result.stoppedAfterMs)),
    '',
    ...verdictLines(result),
    '',
  ].join('\n');
}

function verdictLines(result: ClusterKillResult): string[] {
  const { violations, stories, transactions, bookings, events, published } = result;
  const compared =
    `${transactions} transactions, ${bookings} bookings, ${events} events, ` +
    `${published} messages in the topic`;
  if (violations.length === 0) {
    return [
      `Merchant's books, events, acquirer's book, bank's files, projection and topic agree: ${compared}.`,
    ];
  }
  return [
    `${violations.length} disagreements in ${compared}:`,
    ...violations
      .slice(0, VIOLATIONS_SHOWN)
      .map(({ rule, subject, sentence }) => `  ${rule}: ${subject}: ${sentence}`),
    ...stories,
  ];
}

function row(title: string, value: string): string {
  return `${title.padEnd(36)}${value}`;
}

function right(text: string): string {
  return text.padStart(12);
}
