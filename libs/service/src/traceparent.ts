/** Which span of which trace somebody works in, as W3C's `traceparent` says it. */
export interface SpanIdentity {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  /** Whether the trace is recorded: decided once, where it begins. */
  readonly isSampled: boolean;
}

/** Version, trace, span, flags; a later version may have more behind them. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);
const SAMPLED = 1;

/** Reads a `traceparent`; undefined for none, and for one that is not as W3C has it. */
export function readTraceparent(text: string | undefined): SpanIdentity | undefined {
  if (text === undefined) return undefined;
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (traceId === NO_TRACE || spanId === NO_SPAN) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** The same as text, for the headers of messages and requests. */
export function writeTraceparent({ traceId, spanId, isSampled }: SpanIdentity): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
