import type { Span as OpenTelemetrySpan, SpanKind as OpenTelemetryKind } from '@opentelemetry/api';
import type { ReadableSpan, Sampler, SamplingResult, SpanExporter } from '@opentelemetry/sdk-trace';
import { systemClock } from './clock.js';
import type { Logger } from './logger.js';
import { Outage } from './outage.js';
import type { RunningService } from './running-service.js';
import {
  type Attributes,
  outsideOfRequests,
  recordSpansWith,
  type Span,
  type SpanKind,
  type SpanRecorder,
  unrecordedSpan,
} from './spans.js';
import { type SpanIdentity, writeTraceparent } from './traceparent.js';
import { tracesUrl, type TracingSettings } from './tracing-settings.js';

/** What tracing is started with. */
export interface TracingOptions {
  readonly settings: TracingSettings;
  /** The name of who is traced, unless the settings have one. */
  readonly service: string;
  readonly logger: Logger;
}

/** What one span may have; ours have ten. */
const ATTRIBUTES_MAX = 64;
/** A batch has at most as many messages. */
const LINKS_MAX = 512;
/** Spans that wait for the collector; more are dropped, so that memory stays bounded. */
const WAITING_MAX = 2_048;
const BATCH_MAX = 512;
/** A collector that does not answer must not hold up the end of a process. */
const CLOSE_WITHIN_MS = 2_000;

/**
 * Begins to record spans and to send them to a collector, if the settings name one; undefined
 * otherwise, and then OpenTelemetry is not even loaded. One for each process.
 */
export async function startTracing(options: TracingOptions): Promise<RunningService | undefined> {
  const { settings, service, logger } = options;
  const url = tracesUrl(settings);
  if (url === undefined) return undefined;
  const [api, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({ url, headers: { ...settings.headers } });
  const named = resources.resourceFromAttributes({ 'service.name': service });
  // Reads OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME.
  const told = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new sdk.TracerProvider({
    resource: resources.defaultResource().merge(named).merge(told),
    sampler: new BatchSampler(samplerOf(sdk, settings), api, sdk),
    spanLimits: { attributeCountLimit: ATTRIBUTES_MAX, linkCountLimit: LINKS_MAX },
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new WatchedExporter(exporter, logger),
        scheduledDelayMillis: settings.scheduleDelayMs,
        maxQueueSize: WAITING_MAX,
        maxExportBatchSize: BATCH_MAX,
      }),
    ],
  });
  const usesOlderNames = (settings.stabilityOptIn ?? '').split(',').includes('messaging/dup');
  recordSpansWith(new Recorder(provider.getTracer('sluice'), api, usesOlderNames));
  logger.info({ url, sampler: settings.sampler, argument: settings.samplerArgument }, 'Traced.');
  return { close: () => close(provider) };
}

async function close(provider: { shutdown(): Promise<void> }): Promise<void> {
  recordSpansWith(undefined);
  const over = new AbortController();
  const waited = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, CLOSE_WITHIN_MS);
    over.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  // Spans that are lost with the collector are no failure of this process.
  const shut = provider.shutdown().catch(() => undefined);
  await Promise.race([shut, waited]);
  over.abort();
}

type Api = typeof import('@opentelemetry/api');
type Sdk = typeof import('@opentelemetry/sdk-trace');

function samplerOf(sdk: Sdk, { sampler, samplerArgument }: TracingSettings): Sampler {
  const ratio = (): Sampler => new sdk.TraceIdRatioBasedSampler(Number(samplerArgument));
  const parentBased = (root: Sampler): Sampler => new sdk.ParentBasedSampler({ root });
  switch (sampler) {
    case 'always_on':
      return new sdk.AlwaysOnSampler();
    case 'always_off':
      return new sdk.AlwaysOffSampler();
    case 'traceidratio':
      return ratio();
    case 'parentbased_always_on':
      return parentBased(new sdk.AlwaysOnSampler());
    case 'parentbased_always_off':
      return parentBased(new sdk.AlwaysOffSampler());
    case 'parentbased_traceidratio':
      return parentBased(ratio());
  }
}

/**
 * A batch of messages of several traces has a trace of its own, linked to each: recorded when one of
 * them is. A request never is for its links, because anybody may send them.
 */
class BatchSampler implements Sampler {
  constructor(
    private readonly inner: Sampler,
    private readonly api: Api,
    private readonly sdk: Sdk,
  ) {}

  shouldSample(...asked: Parameters<Sampler['shouldSample']>): SamplingResult {
    const [context, , , kind, , links] = asked;
    const { SpanKind, trace } = this.api;
    const isBatch = kind === SpanKind.PRODUCER || kind === SpanKind.CONSUMER;
    if (isBatch && links.length > 0 && trace.getSpanContext(context) === undefined) {
      const isFollowed = links.some((link) => (link.context.traceFlags & 1) === 1);
      const { RECORD_AND_SAMPLED, NOT_RECORD } = this.sdk.SamplingDecision;
      return { decision: isFollowed ? RECORD_AND_SAMPLED : NOT_RECORD };
    }
    return this.inner.shouldSample(...asked);
  }

  toString(): string {
    return `Batch(${this.inner.toString()})`;
  }
}

/** Begins OpenTelemetry's spans as ours. */
class Recorder implements SpanRecorder {
  constructor(
    private readonly tracer: ReturnType<InstanceType<Sdk['TracerProvider']>['getTracer']>,
    private readonly api: Api,
    readonly usesOlderNames: boolean,
  ) {}

  start(
    name: string,
    kind: SpanKind,
    parent: SpanIdentity | undefined,
    links: readonly SpanIdentity[],
  ): Span {
    const { ROOT_CONTEXT, trace } = this.api;
    const context =
      parent === undefined
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, this.#contextOf(parent));
    const options = {
      kind: this.#kindOf(kind),
      links: links.map((link) => ({ context: this.#contextOf(link) })),
    };
    const span = this.tracer.startSpan(name, options, context);
    const { traceId, spanId } = span.spanContext();
    const identity = { traceId, spanId, isSampled: span.isRecording() };
    return identity.isSampled
      ? new RecordedSpan(span, identity, this.api)
      : unrecordedSpan(identity);
  }

  #contextOf({ traceId, spanId, isSampled }: SpanIdentity) {
    const { TraceFlags } = this.api;
    const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
    return { traceId, spanId, traceFlags, isRemote: true };
  }

  #kindOf(kind: SpanKind): OpenTelemetryKind {
    const { SpanKind: kinds } = this.api;
    switch (kind) {
      case 'internal':
        return kinds.INTERNAL;
      case 'server':
        return kinds.SERVER;
      case 'client':
        return kinds.CLIENT;
      case 'producer':
        return kinds.PRODUCER;
      case 'consumer':
        return kinds.CONSUMER;
    }
  }
}

class RecordedSpan implements Span {
  readonly isRecording = true;
  readonly traceparent: string;

  constructor(
    private readonly span: OpenTelemetrySpan,
    readonly identity: SpanIdentity,
    private readonly api: Api,
  ) {
    this.traceparent = writeTraceparent(identity);
  }

  set(attributes: Attributes): void {
    this.span.setAttributes(attributes);
  }

  failed(errorType: string): void {
    this.span.setAttribute('error.type', errorType);
    this.span.setStatus({ code: this.api.SpanStatusCode.ERROR });
  }

  end(): void {
    this.span.end();
  }
}

/** Says once that spans are lost, and once that they arrive again; never for each batch. */
class WatchedExporter implements SpanExporter {
  readonly #outage: Outage;

  constructor(
    private readonly inner: SpanExporter,
    logger: Logger,
  ) {
    this.#outage = new Outage(systemClock, logger, {
      begins: 'The collector takes no spans; they are lost.',
      goesOn: 'The collector still takes no spans; they are lost.',
      ends: 'The collector takes spans again.',
    });
  }

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    outsideOfRequests(() =>
      this.inner.export(spans, (result) => {
        outsideOfRequests(() => {
          if (result.error === undefined) this.#outage.over();
          else this.#outage.failed(result.error);
        });
        done(result);
      }),
    );
  }

  shutdown(): Promise<void> {
    return this.inner.shutdown();
  }

  forceFlush(): Promise<void> {
    return this.inner.forceFlush?.() ?? Promise.resolve();
  }
}
