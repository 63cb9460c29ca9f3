import { setMaxListeners } from 'node:events';
import {
  ANSWER_BODY_TIMEOUT_MS,
  ANSWER_BYTES_MAX,
  ATTEMPT_CONNECT_TIMEOUT_MS,
  ATTEMPT_TIMEOUT_MS,
  type AttemptOutcome,
} from '@sluice/domain-webhooks';
import {
  type Clock,
  type AnswerHeaders,
  HttpClient,
  type HttpResult,
  maskAccountNumbers,
  merchantAddress,
  type MerchantAddressRules,
  merchantAddressSentences,
  OutboundHosts,
} from '@sluice/service';
import { retryAfterMs } from './retry-after.js';
import { KEPT_ANSWER_CHARACTERS_MAX } from './schema.js';

/** What is sent to a receiver. */
export interface ReceiverCall {
  readonly url: string;
  /** By name as it goes on the wire. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent by POST; absent: the address itself says all, and it is a GET. */
  readonly body?: string;
}

/** What came of it, and what the receiver said, of which nobody knows what it is. */
export interface ReceiverAnswer {
  readonly outcome: AttemptOutcome;
  /** The beginning of the body; or why the address is not called, in words. */
  readonly said?: string;
}

/** How receivers are called. */
export interface ReceiverCallsParts {
  readonly rules: MerchantAddressRules;
  readonly callsPerReceiverMax: number;
  /** See `BEGINS_WITHIN_MS`. */
  readonly beginsWithinMs?: number;
  /** Of the machine, for `Retry-After` with a date. */
  readonly machine: Pick<Clock, 'now'>;
}

/**
 * A call that has no connection by then is not made: its receiver has become slow while it waited for the calls
 * before it. Longer than connecting may take, which says that nobody is there.
 */
const BEGINS_WITHIN_MS = 2 * ATTEMPT_CONNECT_TIMEOUT_MS;
/** Connections that nobody has used for so long are closed: most receivers are called rarely. */
const IDLE_MS = 60_000;
/** So many receivers have connections at a time; the one that was called the longest ago loses them. */
const CLIENTS_MAX = 1_000;

interface Client {
  readonly http: HttpClient;
  usedAtMs: number;
  calls: number;
}

/**
 * Calls receivers at the addresses that merchants have named (S-SSRF-02). An address is looked at before each
 * call, and where its name leads at each connection, which goes exactly there; redirects are answers like others.
 */
export class ReceiverCalls {
  /** By origin, the latest used last. */
  readonly #clients = new Map<string, Client>();
  readonly #given = new AbortController();

  constructor(private readonly parts: ReceiverCallsParts) {
    // Each call listens, and by default Node takes more than ten for a leak.
    setMaxListeners(0, this.#given.signal);
  }

  /** Never rejects; undefined where it had no connection in time, or this process ends before. */
  async call({ url: text, headers, body }: ReceiverCall): Promise<ReceiverAnswer | undefined> {
    const { rules, beginsWithinMs = BEGINS_WITHIN_MS } = this.parts;
    const url = merchantAddress(text, rules);
    if (typeof url === 'string') {
      const outcome = { kind: 'notSent', reason: 'notAllowed' } as const;
      return { outcome, said: merchantAddressSentences[url] };
    }
    const client = this.#clientOf(url);
    client.calls += 1;
    let begun: Begun | undefined;
    const onAnswer = (statusCode: number, answered: AnswerHeaders): void => {
      begun = { statusCode, headers: answered };
    };
    const { 'Content-Type': contentType, ...others } = headers;
    const method = body === undefined ? 'GET' : 'POST';
    const result = await client.http.send({
      ...{ method, path: `${url.pathname}${url.search}`, onAnswer },
      headers: {
        ...{ accept: '*/*', 'user-agent': 'Sluice', ...others },
        ...(contentType !== undefined && { 'content-type': contentType }),
      },
      ...(body !== undefined && { body }),
      ...{ timeoutMs: ATTEMPT_TIMEOUT_MS, bodyTimeoutMs: ANSWER_BODY_TIMEOUT_MS },
      ...{ signal: this.#given.signal, beginByMs: performance.now() + beginsWithinMs },
    });
    client.calls -= 1;
    return this.#answerOf(result, begun);
  }

  /** Ends what is under way: nobody learns what came of it. */
  async close(): Promise<void> {
    this.#given.abort();
    await Promise.all([...this.#clients.values()].map(({ http }) => http.close()));
  }

  /** The body is nobody's business: once the status is there, the receiver has answered. */
  #answerOf(result: HttpResult, begun: Begun | undefined): ReceiverAnswer | undefined {
    if (begun === undefined) {
      const outcome = unanswered(result);
      return outcome && { outcome };
    }
    const { statusCode, headers } = begun;
    const pauseMs = retryAfterMs(headers['retry-after'], this.parts.machine.now());
    const outcome = {
      ...({ kind: 'answered', statusCode } as const),
      ...(pauseMs !== undefined && { retryAfterMs: pauseMs }),
    };
    const said = result.kind === 'answered' ? keptOf(result.body) : '';
    return { outcome, ...(said !== '' && { said }) };
  }

  #clientOf(url: URL): Client {
    const nowMs = performance.now();
    const { origin } = url;
    const known = this.#clients.get(origin);
    const client = known ?? { http: this.#connected(url), usedAtMs: nowMs, calls: 0 };
    client.usedAtMs = nowMs;
    this.#clients.delete(origin);
    this.#clients.set(origin, client);
    if (known === undefined) this.#tidy(nowMs);
    return client;
  }

  #connected(url: URL): HttpClient {
    const lookup = this.parts.rules.outbound.lookupFor(OutboundHosts.targetOf(url));
    return new HttpClient({
      ...{ origin: url.origin, connectionsMax: this.parts.callsPerReceiverMax },
      ...{ connectTimeoutMs: ATTEMPT_CONNECT_TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX },
      ...(lookup && { lookup }),
    });
  }

  #tidy(nowMs: number): void {
    for (const [origin, { http, usedAtMs, calls }] of this.#clients) {
      const isOld = nowMs - usedAtMs > IDLE_MS;
      if (!isOld && this.#clients.size <= CLIENTS_MAX) return;
      if (calls > 0) continue;
      this.#clients.delete(origin);
      void http.close();
    }
  }
}

interface Begun {
  readonly statusCode: number;
  readonly headers: AnswerHeaders;
}

function unanswered(result: HttpResult): AttemptOutcome | undefined {
  switch (result.kind) {
    case 'notSent':
      // Nobody has tried to reach it.
      if (result.reason !== 'notReachable') return undefined;
      return { kind: 'notSent', reason: 'notReachable' };
    case 'lost': {
      const reason = result.reason === 'timeout' ? 'timeout' : 'connectionLost';
      return { kind: 'lost', reason };
    }
    case 'answered':
      return { kind: 'answered', statusCode: result.statusCode };
  }
}

/** Hostile text (R-WH-09): short, without what a database refuses, and without numbers of cards. */
function keptOf(body: string): string {
  const text = body.slice(0, KEPT_ANSWER_CHARACTERS_MAX).replaceAll('\0', '');
  return maskAccountNumbers(text).slice(0, KEPT_ANSWER_CHARACTERS_MAX);
}
