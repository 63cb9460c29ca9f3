import { counted, type CrowdReport, type SeededRandom, sendCrowd } from '@sluice/testing/programs';
import { ruleRequests } from './rule-requests.js';
import { answerOf, type HttpAnswer, onWire } from './rule-sending.js';
import type { RequestContext } from './valid-requests.js';
import { verdictOf, wrongWith } from './verdict.js';

/** What to run. */
export interface RuleRun {
  readonly url: string;
  readonly context: RequestContext;
  readonly random: SeededRandom;
  readonly requests: number;
  /** Told of each answer to what is no read: that one has an `ndc` of its own. */
  readonly onAnswer?: (answer: HttpAnswer) => void;
}

/** What came of it. */
export interface RuleReport extends CrowdReport {
  /** Requests with nothing wrong. */
  readonly valid: number;
  readonly resultCodes: ReadonlyMap<string, number>;
  /** How many different rules were tried. */
  readonly rules: number;
  /** Requests by kind. */
  readonly kinds: ReadonlyMap<string, number>;
}

/** Sends generated requests in a crowd and compares every verdict. */
export async function runRules({
  url,
  context,
  random,
  requests,
  onAnswer,
}: RuleRun): Promise<RuleReport> {
  const resultCodes = new Map<string, number>();
  const kinds = new Map<string, number>();
  const rules = new Set<string>();
  let valid = 0;
  const report = await sendCrowd({
    ...{ url, requests, source: ruleRequests(context, random) },
    wire: (request) => onWire(request, context.accessToken),
    about: ({ rule }) => rule,
    judge: (request, exchange) => {
      const answer = answerOf(exchange);
      if (request.method === 'POST') onAnswer?.(answer);
      if (request.refused.length === 0) valid += 1;
      counted(resultCodes, verdictOf(answer)?.resultCode ?? 'none');
      counted(kinds, request.kind);
      rules.add(request.rule);
      const wrong = wrongWith(request.refused, answer);
      return wrong === undefined ? [] : [wrong];
    },
  });
  return { ...report, valid, resultCodes, rules: rules.size, kinds };
}

/** The figures of a run in a few lines. */
export function reportLines(report: RuleReport): string[] {
  const { requests, valid, durationMs, slowestMs, slow, statuses, resultCodes } = report;
  const counts = (of: ReadonlyMap<string | number, number>): string =>
    [...of]
      .sort(([, left], [, right]) => right - left)
      .map(([key, times]) => `${key} ${times}`)
      .join(', ');
  return [
    `${requests} requests in ${(durationMs / 1_000).toFixed(1)} s: ${valid} valid, ` +
      `${requests - valid} wrong in one rule, ${report.rules} rules.`,
    `Slowest ${Math.round(slowestMs)} ms, ${slow} over a second in the crowd.`,
    `By HTTP status: ${counts(statuses)}.`,
    `By result code: ${counts(resultCodes)}.`,
    `By kind: ${counts(report.kinds)}.`,
    `${report.findingsTotal} other verdicts than the interface's.`,
    ...report.findings,
  ];
}
