import type { HttpResult, TlsMaterial } from '@sluice/service';
import { decodeResult } from '../handler-result.js';
import { type Queries, QueryUnavailable } from '../ports.js';
import { queryPath } from './query-server.js';
import { ServiceInstances } from './service-instances.js';

/** Where queries go. */
export interface HttpQueriesOptions {
  /** The internal URLs of the services that are asked, by name; several instances, several URLs. */
  readonly urls: Readonly<Record<string, readonly string[]>>;
  readonly tls?: TlsMaterial | undefined;
  readonly timeoutMs?: number;
}

/** As in process: after this, nobody waits for a read any more. */
const TIMEOUT_MS = 5_000;
/** With several instances, a frozen one must leave time to try another. */
const TRY_TIMEOUT_MS = 2_000;
/** The access directory of a large installation is the longest answer. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

type Reason = QueryUnavailable['reason'];

/** Queries over HTTP, each to the service that its name begins with (architecture, section 2). */
export class HttpQueries implements Queries {
  readonly #services = new Map<string, ServiceInstances>();
  readonly #timeoutMs: number;

  constructor({ urls, tls, timeoutMs }: HttpQueriesOptions) {
    this.#timeoutMs = timeoutMs ?? TIMEOUT_MS;
    for (const [service, instances] of Object.entries(urls)) {
      const options = { urls: instances, tls, answerBytesMax: ANSWER_BYTES_MAX };
      this.#services.set(service, new ServiceInstances(options));
    }
  }

  async ask<Answer>(service: string, query: string, parameters: object): Promise<Answer> {
    const body = JSON.stringify(parameters);
    const instances = this.#services.get(service);
    if (instances === undefined) throw new QueryUnavailable(query, 'noService');
    const timeoutMs = this.#timeoutMs;
    const isAlone = instances.count === 1;
    const tryTimeoutMs = isAlone ? timeoutMs : Math.min(timeoutMs, TRY_TIMEOUT_MS);
    const path = queryPath(query);
    const result = await instances.post({ path, body, timeoutMs, tryTimeoutMs });
    if (result.kind === 'answered' && result.statusCode === 200) {
      return decodeResult(result.body) as Answer;
    }
    throw new QueryUnavailable(query, reasonOf(result));
  }

  /** Breaks off the queries under way. */
  async close(): Promise<void> {
    await Promise.all([...this.#services.values()].map((instances) => instances.close()));
  }
}

function reasonOf(result: HttpResult): Reason {
  switch (result.kind) {
    case 'answered':
      return REASONS.get(refusalIn(result.body)) ?? 'failed';
    case 'notSent':
      return result.reason === 'givenUp' ? 'deadline' : 'noService';
    case 'lost':
      return result.reason === 'timeout' ? 'deadline' : 'failed';
  }
}

/** What the answer says, and what it means for the caller. */
const REASONS = new Map<unknown, Reason>([
  ['noRoute', 'noHandler'],
  ['closed', 'closed'],
  ['overloaded', 'overloaded'],
]);

function refusalIn(body: string): unknown {
  try {
    return (JSON.parse(body) as { readonly reason?: unknown }).reason;
  } catch {
    return undefined;
  }
}
