import { seconds, type Violation } from '@sluice/kill-test';
import type { ChallengeFigures } from './challenge-figures.js';
import type { DrillResult } from './drill-run.js';
import type { ShopperFigures } from './shopper-figures.js';
import { startLines, type StartFigures } from './starts.js';

/** The machine that everything ran on, as far as it explains the figures. */
export interface Circumstances {
  readonly context: string;
  readonly cores: number;
  /** Of the last minute, before the first drill and after the last. */
  readonly loadBefore: number;
  readonly loadAfter: number;
}

/** What was done. */
export interface Figures {
  readonly results: readonly DrillResult[];
  /** Where services were started anew. */
  readonly starts?: StartFigures | undefined;
}

const VIOLATIONS_SHOWN = 20;

/** A result as JSON has it. */
export function jsonReport(circumstances: Circumstances, figures: Figures): string {
  return `${JSON.stringify({ ...circumstances, ...figures }, undefined, 2)}\n`;
}

/** The tables of all that was done, and what was wrong. */
export function reportText(circumstances: Circumstances, { results, starts }: Figures): string {
  const { context, cores, loadBefore, loadAfter } = circumstances;
  return [
    '',
    `Cluster ${context}; this machine has ${cores} processors, load average ` +
      `${loadBefore.toFixed(1)} before and ${loadAfter.toFixed(1)} after.`,
    ...(results.length === 0 ? [] : drillLines(results)),
    ...(starts === undefined ? [] : startLines(starts)),
  ].join('\n');
}

function drillLines(results: readonly DrillResult[]): readonly string[] {
  return [
    '',
    '| drill | payments | failed | p50 | p99 | longest gap | lasted | settled | projected | disagreements |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...results.map(rowOf),
    '',
    ...results.flatMap(detailsOf),
  ];
}

function rowOf(result: DrillResult): string {
  const { payments, comparison } = result;
  const cells = [
    result.drill,
    payments.sent,
    payments.failed,
    `${payments.p50Ms.toFixed(0)} ms`,
    `${payments.p99Ms.toFixed(0)} ms`,
    ...[payments.longestGapMs, result.durationMs, result.settledAfterMs].map(seconds),
    seconds(result.projectedAfterMs),
    comparison.violations.length,
  ];
  return `| ${cells.join(' | ')} |`;
}

function detailsOf(result: DrillResult): readonly string[] {
  const { drill, payments, shoppers, challenges, comparison, faults } = result;
  const { transactions, bookings, projected, violations } = comparison;
  const compared = `${transactions} transactions, ${bookings} bookings, ${projected} rows`;
  return [
    `${drill}: ${faults.length === 0 ? 'passed.' : faults.join(' ')} Compared: ${compared}.`,
    ...Object.entries(payments.failures).map(([what, times]) => `  ${times} times: ${what}`),
    ...(shoppers === undefined ? [] : shopperLines(shoppers)),
    ...(challenges === undefined ? [] : challengeLines(challenges)),
    ...violations.slice(0, VIOLATIONS_SHOWN).map(lineOf),
  ];
}

function shopperLines(figures: ShopperFigures): readonly string[] {
  const { shoppers, sales, failed, failures, across, widgets } = figures;
  return [
    `  ${shoppers} shoppers paid ${sales - failed} of ${sales} checkouts, ${across} of which were open while ` +
      `something was updated; builds of the widget: ${widgets}`,
    ...Object.entries(failures).map(([what, times]) => `  ${times} times: ${what}`),
  ];
}

function challengeLines(figures: ChallengeFigures): readonly string[] {
  const { challenges, meanwhile, failed, failures, longestMs } = figures;
  return [
    `  ${challenges} shoppers were asked by their issuers before anything was updated; ${meanwhile} answered while ` +
      `something was, and the others when all was new: ${challenges - failed} have paid, known to the merchant ` +
      `within ${seconds(longestMs)}`,
    ...Object.entries(failures).map(([what, times]) => `  ${times} times: ${what}`),
  ];
}

function lineOf({ rule, subject, sentence }: Violation): string {
  return `  ${rule}: ${subject}: ${sentence}`;
}
