import { type Exchange, RawConnection, type RawRequest } from './raw-connection.js';

/** No request may take longer; one that did is tried again alone, because a machine may be busy. */
const ANSWER_WITHIN_MS = 1_000;
const GIVE_UP_MS = 10_000;
const CONNECTIONS = 8;
const RETRIED_MAX = 40;
/** Of one class with one fault; the rest is counted. */
const REPORTED_MAX = 2;
const SHOWN_CHARACTERS = 600;

/** Requests of any kind, with what their sender knows of them. */
export interface RequestCrowd<Request> {
  readonly url: string;
  /** Endless. */
  readonly source: Iterator<Request, never>;
  readonly requests: number;
  readonly wire: (request: Request) => RawRequest;
  /** Which rule or class of hostility it is about, for the report. */
  readonly about: (request: Request) => string;
  /** What is wrong with what came back, as sentences. */
  readonly judge: (request: Request, exchange: Exchange) => readonly string[];
}

/** What came of it. */
export interface CrowdReport {
  readonly requests: number;
  readonly durationMs: number;
  readonly slowestMs: number;
  /** Requests over a second in the crowd; those that are slow alone are findings. */
  readonly slow: number;
  /** Answers by HTTP status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Each with what is wrong, the request and the answer; two of each kind. */
  readonly findings: readonly string[];
  readonly findingsTotal: number;
}

/** Sends the requests over eight connections and judges every answer. */
export async function sendCrowd<Request>(crowd: RequestCrowd<Request>): Promise<CrowdReport> {
  const { url, source, requests } = crowd;
  const statuses = new Map<number, number>();
  const findings = new Findings();
  const slow: Request[] = [];
  const startedAt = performance.now();
  let left = requests;
  let slowestMs = 0;
  const work = async (): Promise<void> => {
    const connection = new RawConnection(url);
    while (left > 0) {
      left -= 1;
      const request = source.next().value;
      const sent = crowd.wire(request);
      const exchange = await connection.tried(sent, GIVE_UP_MS);
      slowestMs = Math.max(slowestMs, exchange.durationMs);
      for (const { status } of exchange.answers) counted(statuses, status);
      if (exchange.durationMs > ANSWER_WITHIN_MS) slow.push(request);
      const wrong = crowd.judge(request, exchange);
      if (wrong.length > 0) findings.add(crowd.about(request), wrong, sent, exchange);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  // On an idle server each of the slow ones must be quick; otherwise it is the request's doing.
  for (const request of slow.slice(0, RETRIED_MAX)) {
    const connection = new RawConnection(url);
    const sent = crowd.wire(request);
    const { durationMs } = await connection.tried(sent, GIVE_UP_MS);
    connection.close();
    if (durationMs > ANSWER_WITHIN_MS) {
      const text = `${Math.round(durationMs)} ms, also when sent alone`;
      findings.add(crowd.about(request), [text], sent);
    }
  }
  return {
    ...{ requests, durationMs: performance.now() - startedAt, slowestMs, slow: slow.length },
    ...{ statuses, findings: findings.shown, findingsTotal: findings.total },
  };
}

/** One more of something. */
export function counted<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

class Findings {
  total = 0;
  readonly shown: string[] = [];
  readonly #reported = new Map<string, number>();

  add(about: string, wrong: readonly string[], { bytes }: RawRequest, exchange?: Exchange): void {
    this.total += 1;
    const what = `${about}: ${wrong.join('; ')}`;
    counted(this.#reported, what);
    if ((this.#reported.get(what) ?? 0) > REPORTED_MAX) return;
    const [answer] = exchange?.answers ?? [];
    const got = answer === undefined ? '' : `\n  < ${shown(`${answer.head} | `, answer.body)}`;
    this.shown.push(`${what}\n  > ${shown('', bytes)}${got}`);
  }
}

/** The interesting part of a request is its line and the end of its body. */
function shown(head: string, bytes: Buffer): string {
  const text = JSON.stringify(head + bytes.toString('latin1'));
  if (text.length <= SHOWN_CHARACTERS) return text;
  return `${text.slice(0, SHOWN_CHARACTERS / 2)} … ${text.slice(-SHOWN_CHARACTERS / 2)}`;
}
