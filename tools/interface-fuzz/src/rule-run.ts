import type { SeededRandom } from '@sluice/testing';
import { HttpSender, type HttpAnswer } from './http-sender.js';
import { type RuleRequest, ruleRequests } from './rule-requests.js';
import type { RequestContext } from './valid-requests.js';
import { verdictOf, wrongWith } from './verdict.js';

/** No request may take longer; one that did is tried again alone, because a machine may be busy. */
const ANSWER_WITHIN_MS = 1_000;
const CONNECTIONS = 8;
const RETRIED_MAX = 40;
/** Of one rule with one fault; the rest is counted. */
const REPORTED_MAX = 2;
const SHOWN_CHARACTERS = 600;

/** What to run. */
export interface RuleRun {
  readonly url: string;
  readonly context: RequestContext;
  readonly random: SeededRandom;
  readonly requests: number;
}

/** What came of it. */
export interface RuleReport {
  readonly requests: number;
  /** Requests with nothing wrong. */
  readonly valid: number;
  readonly durationMs: number;
  readonly slowestMs: number;
  /** Requests over a second in the crowd; those that are slow alone are findings. */
  readonly slow: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly resultCodes: ReadonlyMap<string, number>;
  /** How many different rules were tried. */
  readonly rules: number;
  /** Requests by kind. */
  readonly kinds: ReadonlyMap<string, number>;
  readonly findings: readonly string[];
  readonly findingsTotal: number;
}

/** Sends generated requests over eight connections and compares every verdict. */
export async function runRules({ url, context, random, requests }: RuleRun): Promise<RuleReport> {
  const source = ruleRequests(context, random);
  const sender = new HttpSender(url, context.accessToken);
  const report = new Report();
  const slow: RuleRequest[] = [];
  const startedAt = performance.now();
  let left = requests;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const request = source.next().value;
      const answer = await sender.send(request);
      report.add(request, answer);
      if (answer.durationMs > ANSWER_WITHIN_MS) slow.push(request);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  for (const request of slow.slice(0, RETRIED_MAX)) {
    const { durationMs } = await sender.send(request);
    if (durationMs > ANSWER_WITHIN_MS) {
      report.find(request, `${Math.round(durationMs)} ms, also when sent alone`);
    }
  }
  sender.close();
  return report.finish(performance.now() - startedAt, slow.length);
}

class Report {
  #requests = 0;
  #valid = 0;
  #slowestMs = 0;
  #findingsTotal = 0;
  readonly #statuses = new Map<number, number>();
  readonly #resultCodes = new Map<string, number>();
  readonly #rules = new Set<string>();
  readonly #kinds = new Map<string, number>();
  readonly #reported = new Map<string, number>();
  readonly #findings: string[] = [];

  add(request: RuleRequest, answer: HttpAnswer): void {
    this.#requests += 1;
    if (request.refused.length === 0) this.#valid += 1;
    this.#slowestMs = Math.max(this.#slowestMs, answer.durationMs);
    count(this.#statuses, answer.status);
    count(this.#resultCodes, verdictOf(answer)?.resultCode ?? 'none');
    count(this.#kinds, request.kind);
    this.#rules.add(request.rule);
    const wrong = wrongWith(request.refused, answer);
    if (wrong !== undefined) this.find(request, wrong, answer);
  }

  find(request: RuleRequest, wrong: string, answer?: HttpAnswer): void {
    this.#findingsTotal += 1;
    const what = `${request.rule}: ${wrong}`;
    count(this.#reported, what);
    if ((this.#reported.get(what) ?? 0) > REPORTED_MAX) return;
    this.#findings.push(
      `${what}\n  > ${request.method} ${request.path} ${shown(request.form)}` +
        (answer === undefined ? '' : `\n  < ${answer.status} ${shown(answer.body)}`),
    );
  }

  finish(durationMs: number, slow: number): RuleReport {
    return {
      requests: this.#requests,
      valid: this.#valid,
      durationMs,
      slowestMs: this.#slowestMs,
      slow,
      statuses: this.#statuses,
      resultCodes: this.#resultCodes,
      rules: this.#rules.size,
      kinds: this.#kinds,
      findings: this.#findings,
      findingsTotal: this.#findingsTotal,
    };
  }
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function shown(text: string): string {
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)} …`;
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
    `Slowest ${Math.round(slowestMs)} ms, ${slow} over ${ANSWER_WITHIN_MS} ms in the crowd.`,
    `By HTTP status: ${counts(statuses)}.`,
    `By result code: ${counts(resultCodes)}.`,
    `By kind: ${counts(report.kinds)}.`,
    `${report.findingsTotal} other verdicts than the interface's.`,
    ...report.findings,
  ];
}
