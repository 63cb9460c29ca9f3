import type { SeededRandom } from '@sluice/testing';
import { hostileRequests } from './generate.js';
import { RawConnection, type Exchange } from './raw-connection.js';
import type { HostileRequest, RequestContext } from './request-text.js';
import { wrongWith } from './verdict.js';

/** More is a hang (S-INP-07). */
const ANSWER_WITHIN_MS = 1_000;
/** A request that takes longer on a busy machine is not yet a hang: it is tried again alone. */
const GIVE_UP_MS = 10_000;
const CONNECTIONS = 8;
const RETRIED_MAX = 40;
/** Of one class with one fault; the rest is counted. */
const REPORTED_MAX = 2;
const SHOWN_BYTES = 300;

/** What to run. */
export interface HostileRun {
  readonly url: string;
  readonly context: RequestContext;
  readonly random: SeededRandom;
  readonly requests: number;
}

/** What came of it. */
export interface HostileReport {
  readonly requests: number;
  readonly durationMs: number;
  /** Requests by class. */
  readonly kinds: ReadonlyMap<string, number>;
  /** Answers by HTTP status. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly slowestMs: number;
  /** Each with its class, what is wrong, the request and the answer; two of each kind. */
  readonly findings: readonly string[];
  readonly findingsTotal: number;
}

/** Sends generated requests over eight connections and judges every answer. */
export async function runHostileRequests(run: HostileRun): Promise<HostileReport> {
  const source = hostileRequests(run.context, run.random);
  const report = new Report();
  const slow: HostileRequest[] = [];
  const startedAt = performance.now();
  let left = run.requests;
  const work = async (): Promise<void> => {
    const connection = new RawConnection(run.url);
    while (left > 0) {
      left -= 1;
      const request = source.next().value;
      const exchange = await tryExchange(connection, request);
      report.add(request, exchange, wrongWith(request, exchange));
      if (exchange.durationMs > ANSWER_WITHIN_MS) slow.push(request);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  await retrySlow(run.url, slow, report);
  return report.finish(performance.now() - startedAt);
}

/** On an idle server each of the slow ones must be quick; otherwise it is the request's doing. */
async function retrySlow(url: string, slow: readonly HostileRequest[], report: Report) {
  for (const request of slow.slice(0, RETRIED_MAX)) {
    const connection = new RawConnection(url);
    const { durationMs } = await tryExchange(connection, request);
    connection.close();
    if (durationMs > ANSWER_WITHIN_MS) {
      report.find(request, [`${Math.round(durationMs)} ms, also when sent alone`]);
    }
  }
}

async function tryExchange(connection: RawConnection, request: HostileRequest): Promise<Exchange> {
  try {
    return await connection.exchange(request, GIVE_UP_MS);
  } catch (error) {
    return { answers: [], durationMs: 0, failure: `no connection: ${String(error)}` };
  }
}

class Report {
  #requests = 0;
  #slowestMs = 0;
  #findingsTotal = 0;
  readonly #kinds = new Map<string, number>();
  readonly #statuses = new Map<number, number>();
  readonly #reported = new Map<string, number>();
  readonly #findings: string[] = [];

  add(request: HostileRequest, exchange: Exchange, wrong: readonly string[]): void {
    this.#requests += 1;
    this.#slowestMs = Math.max(this.#slowestMs, exchange.durationMs);
    count(this.#kinds, request.kind);
    for (const { status } of exchange.answers) count(this.#statuses, status);
    if (wrong.length > 0) this.find(request, wrong, exchange);
  }

  find(request: HostileRequest, wrong: readonly string[], exchange?: Exchange): void {
    this.#findingsTotal += 1;
    const what = `${request.kind}: ${wrong.join('; ')}`;
    count(this.#reported, what);
    if ((this.#reported.get(what) ?? 0) > REPORTED_MAX) return;
    const answer = exchange?.answers[0];
    const got =
      answer === undefined
        ? ''
        : `\n  < ${shown(Buffer.concat([Buffer.from(`${answer.head} | `), answer.body]))}`;
    this.#findings.push(`${what}\n  > ${shown(request.bytes)}${got}`);
  }

  finish(durationMs: number): HostileReport {
    return {
      requests: this.#requests,
      durationMs,
      kinds: this.#kinds,
      statuses: this.#statuses,
      slowestMs: this.#slowestMs,
      findings: this.#findings,
      findingsTotal: this.#findingsTotal,
    };
  }
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The interesting part of a request is its line and the end of its body. */
function shown(bytes: Buffer): string {
  const text = JSON.stringify(bytes.toString('latin1'));
  return text.length <= SHOWN_BYTES * 2
    ? text
    : `${text.slice(0, SHOWN_BYTES)} … ${text.slice(-SHOWN_BYTES)}`;
}
