import { InternalCalls } from './internal-metrics.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { inRequest, type Span, startSpan } from './spans.js';

/** Why the server itself did not let a request through; `reason` of its body. */
export type InternalRefusal =
  'noRoute' | 'forbidden' | 'closed' | 'overloaded' | 'malformed' | 'tooLarge' | 'failed';

/** Thrown by a route for a request that it does not accept; answered with 400. */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest';
}

/** Thrown by a route that has already logged why it has no answer; answered with 500. */
export class FailureLogged extends Error {
  override readonly name = 'FailureLogged';
}

/** The connection ended before the body did; nobody waits for an answer. */
export class RequestBrokenOff extends Error {
  override readonly name = 'RequestBrokenOff';
}

/** One path that other services may post JSON to. */
export interface InternalRoute {
  /** E.g. `/cards/hold`; secrets are in bodies, never here. */
  readonly path: string;
  /** The services that may, by the name in their certificate (D-44). */
  readonly callers: readonly string[];
  /** Returns the answer as JSON text; a rejection is answered with 500 and without a cause. */
  answer(parameters: unknown): Promise<string>;
}

/** A request of another service, however it came. */
export interface InternalCall {
  /** Undefined for what is not posted. */
  readonly path: string | undefined;
  /** The service that the certificate of its connection names; undefined where none are checked. */
  readonly caller: string | undefined;
  readonly traceparent: string | undefined;
  /** The request id as the caller says it. */
  readonly ndc: string | undefined;
  /** The text, or undefined when it is too long. Asked only for what is not refused before. */
  body(): string | undefined | Promise<string | undefined>;
}

/** What the caller is told. */
export interface InternalAnswer {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  readonly bodyBytes: number;
}

/** What answers are made with. */
export interface InternalAnswersParts {
  readonly logger: Logger;
  readonly metrics: Metrics | undefined;
  /** Requests under way at once; more are overload. */
  readonly unfinishedMax: number;
}

const STATUS_OF: Readonly<Record<InternalRefusal, number>> = {
  noRoute: 404,
  forbidden: 403,
  closed: 503,
  overloaded: 503,
  malformed: 400,
  tooLarge: 413,
  failed: 500,
};

/** The id is written to the log, so its form is checked even though our own services send it. */
const NDC = /^[A-Za-z0-9_.-]{1,100}$/;

/** Who may ask what, and what is answered: the same for HTTP and for frames. */
export class InternalAnswers {
  readonly #routes = new Map<string, InternalRoute>();
  readonly #calls: InternalCalls;
  #unfinished = 0;
  #isClosing = false;

  constructor(private readonly parts: InternalAnswersParts) {
    this.#calls = new InternalCalls(parts.metrics);
  }

  /** Adds a path. */
  route(route: InternalRoute): void {
    this.#routes.set(route.path, route);
  }

  /** From now on everything new is refused. */
  close(): void {
    this.#isClosing = true;
  }

  /** Answers one request, traced and counted; never rejects. */
  async answer(call: InternalCall): Promise<InternalAnswer> {
    const startMs = performance.now();
    const route = call.path === undefined ? undefined : this.#routes.get(call.path);
    const result = await this.#result(call, route);
    const answer = typeof result === 'string' ? refusal(result) : result;
    this.#calls.ended({
      path: route?.path ?? '',
      caller: countedCaller(call, route),
      seconds: (performance.now() - startMs) / 1_000,
      result: typeof result === 'string' ? result : 'answered',
      status: answer.status,
    });
    return answer;
  }

  async #result(
    call: InternalCall,
    route: InternalRoute | undefined,
  ): Promise<InternalAnswer | InternalRefusal> {
    const refused = this.#refusal(call, route);
    if (refused !== undefined || route === undefined) return refused ?? 'noRoute';
    const { traceparent: parent, ndc } = call;
    const span = startSpan(`POST ${route.path}`, { kind: 'server', parent, isRoot: true });
    const fields = ndc !== undefined && NDC.test(ndc) ? { ndc } : {};
    const result = await inRequest(span, fields, () => this.#perform(call, route));
    if (span.isRecording) describeAnswer(span, route, result);
    span.end();
    return result;
  }

  async #perform(
    call: InternalCall,
    route: InternalRoute,
  ): Promise<InternalAnswer | InternalRefusal> {
    this.#unfinished += 1;
    try {
      const body = await call.body();
      if (body === undefined) return 'tooLarge';
      const answer = await route.answer(parametersOf(body));
      // In here, because it throws if a route answers with something else than text.
      return { status: 200, body: answer, bodyBytes: Buffer.byteLength(answer) };
    } catch (error) {
      return this.#failure(route.path, error);
    } finally {
      this.#unfinished -= 1;
    }
  }

  /** Logs why there was no answer. */
  #failure(path: string, error: unknown): InternalRefusal {
    // A request that was aborted gets no refusal.
    if (error instanceof MalformedRequest || error instanceof RequestBrokenOff) return 'malformed';
    if (error instanceof FailureLogged) return 'failed';
    this.parts.logger.error({ err: error, path }, 'A request of another service failed.');
    return 'failed';
  }

  #refusal(
    { caller }: InternalCall,
    route: InternalRoute | undefined,
  ): InternalRefusal | undefined {
    if (caller !== undefined && route?.callers.includes(caller) !== true) {
      const path = route?.path ?? 'unknown';
      this.parts.logger.warn({ audit: 'forbidden', caller, path }, 'A caller was refused.');
      return 'forbidden';
    }
    if (route === undefined) return 'noRoute';
    if (this.#isClosing) return 'closed';
    return this.#unfinished >= this.parts.unfinishedMax ? 'overloaded' : undefined;
  }
}

/** The caller, as metrics count it: callers that are not in the table get no series of their own. */
function countedCaller({ caller }: InternalCall, route: InternalRoute | undefined): string {
  if (caller === undefined) return 'unchecked';
  return route?.callers.includes(caller) === true ? caller : '';
}

function refusal(reason: InternalRefusal): InternalAnswer {
  const body = JSON.stringify({ reason });
  return { status: STATUS_OF[reason], body, bodyBytes: Buffer.byteLength(body) };
}

function describeAnswer(
  span: Span,
  { path }: InternalRoute,
  result: InternalAnswer | InternalRefusal,
): void {
  const status = typeof result === 'string' ? STATUS_OF[result] : result.status;
  span.set({
    'http.request.method': 'POST',
    'http.route': path,
    'http.response.status_code': status,
  });
  if (status >= STATUS_OF.failed) span.failed(String(status));
}

function parametersOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Without its cause, which repeats a part of the body.
    throw new MalformedRequest('not JSON');
  }
}
