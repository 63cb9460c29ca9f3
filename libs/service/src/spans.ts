import { AsyncLocalStorage } from 'node:async_hooks';
import process from 'node:process';
import { readTraceparent, type SpanIdentity, writeTraceparent } from './traceparent.js';

/** What a span may say: ids, codes, counts; nothing of a card, and nothing personal. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** As OpenTelemetry tells them apart. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** How a span begins. */
export interface SpanOptions {
  /** The default is `internal`. */
  readonly kind?: SpanKind;
  /** The `traceparent` of the cause, which is elsewhere; absent: the span that is at work here. */
  readonly parent?: string | undefined;
  /**
   * Begins a trace of its own, whatever is at work here; with `parent`, only if that is unusable.
   */
  readonly isRoot?: boolean;
  /** Other causes, by their `traceparent`s: those of a batch, or one that is not to be believed. */
  readonly links?: readonly string[];
}

/** A piece of work that is traced. */
export interface Span {
  /** For the headers of what it causes; undefined while tracing is off. */
  readonly traceparent: string | undefined;
  /** Absent while tracing is off. */
  readonly identity: SpanIdentity | undefined;
  /** False: attributes need not even be gathered. */
  readonly isRecording: boolean;
  set(attributes: Attributes): void;
  /** It failed, for a reason from a short list: `error.type`. */
  failed(errorType: string): void;
  end(): void;
}

/** Who begins spans; there is none while tracing is off. */
export interface SpanRecorder {
  start(
    name: string,
    kind: SpanKind,
    parent: SpanIdentity | undefined,
    links: readonly SpanIdentity[],
  ): Span;
  /** `OTEL_SEMCONV_STABILITY_OPT_IN=messaging/dup`: older names beside the present ones. */
  readonly usesOlderNames: boolean;
}

/** What log lines say of the request that they are about. */
export interface RequestFields {
  /** The request id that support follows. */
  readonly ndc?: string;
  /** The id of the payment's first transaction, once it is known. */
  paymentId?: string;
}

interface RequestScope {
  readonly span: Span;
  readonly fields: RequestFields;
}

/** Nothing is recorded, and nothing is made for it. */
const NOTHING: Span = {
  traceparent: undefined,
  identity: undefined,
  isRecording: false,
  set: () => undefined,
  failed: () => undefined,
  end: () => undefined,
};
const NO_LINKS: readonly SpanIdentity[] = [];
const NO_FIELDS: RequestFields = {};

/**
 * From this version on Node keeps a request's scope with the promises themselves, which costs next
 * to nothing. Before it, every promise of the process calls a hook once anybody uses scopes, which
 * is more than lines with an ndc are worth, so there they come with tracing alone.
 */
const CHEAP_SCOPES_SINCE = 24;
const hasCheapScopes = Number.parseInt(process.versions.node, 10) >= CHEAP_SCOPES_SINCE;

const scopes = new AsyncLocalStorage<RequestScope>();
let recorder: SpanRecorder | undefined;
let usesScopes = hasCheapScopes;

/** From now on spans go there; undefined switches tracing off again. */
export function recordSpansWith(used: SpanRecorder | undefined): void {
  recorder = used;
  usesScopes = hasCheapScopes || used !== undefined;
}

/** Whether attributes are to have the names of older conventions too. */
export function usesOlderNames(): boolean {
  return recorder?.usesOlderNames === true;
}

/** Begins a span; whoever begins it ends it. Without tracing it is always the same nothing. */
export function startSpan(name: string, options: SpanOptions = {}): Span {
  if (recorder === undefined) return NOTHING;
  const { kind = 'internal', parent, links } = options;
  const linked = links === undefined ? NO_LINKS : links.flatMap((link) => identified(link));
  const cause = readTraceparent(parent);
  if (cause !== undefined) {
    return cause.isSampled
      ? recorder.start(name, kind, cause, linked)
      : unrecordedSpan(cause, parent);
  }
  const here = options.isRoot === true ? undefined : scopes.getStore()?.span;
  // What is not recorded as a whole is not recorded in its parts either: the same nothing goes on.
  if (here?.identity !== undefined && !here.isRecording) return here;
  return recorder.start(name, kind, here?.identity, linked);
}

/** A span of a trace that is not recorded: it only hands that on. */
export function unrecordedSpan(
  identity: SpanIdentity,
  traceparent = writeTraceparent(identity),
): Span {
  return { ...NOTHING, identity, traceparent };
}

/**
 * Does a request's work: whatever it logs names the request, and whatever it begins belongs to its
 * span. The span is not ended.
 */
export function inRequest<Result>(span: Span, fields: RequestFields, work: () => Result): Result {
  return usesScopes ? scopes.run({ span, fields: { ...fields } }, work) : work();
}

/** Does a step of a request as a span of its own, which ends with it. */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const span = startSpan(name, options);
  if (!span.isRecording) return work(span);
  const fields = scopes.getStore()?.fields ?? NO_FIELDS;
  return scopes.run({ span, fields }, async () => {
    try {
      return await work(span);
    } catch (error) {
      span.failed(error instanceof Error ? error.name : 'unknown');
      throw error;
    } finally {
      span.end();
    }
  });
}

/**
 * Does what belongs to no request although one happens to begin it: a connection that all share, a
 * report about it.
 */
export function outsideOfRequests<Result>(work: () => Result): Result {
  return usesScopes ? scopes.exit(work) : work();
}

/** The span at work here; one that records nothing where there is none. */
export function currentSpan(): Span {
  return scopes.getStore()?.span ?? NOTHING;
}

/** The request id that is worked for here, if it is known. */
export function currentNdc(): string | undefined {
  return scopes.getStore()?.fields.ndc;
}

/** From here on this request's lines and its span name its payment. */
export function notePayment(paymentId: string): void {
  const scope = scopes.getStore();
  if (scope === undefined) return;
  scope.fields.paymentId = paymentId;
  if (scope.span.isRecording) scope.span.set({ 'sluice.payment.id': paymentId });
}

/** What every log line says that is written here. An object of its own: pino adds to it. */
export function requestLogFields(): object {
  const scope = scopes.getStore();
  if (scope === undefined) return {};
  const { identity, isRecording } = scope.span;
  return {
    ...scope.fields,
    ...(identity !== undefined && { traceId: identity.traceId }),
    ...(isRecording && { spanId: identity?.spanId }),
  };
}

function identified(traceparent: string): readonly SpanIdentity[] {
  const identity = readTraceparent(traceparent);
  return identity === undefined ? NO_LINKS : [identity];
}
