import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CommandContext,
  Execution,
  InProcessBus,
  type InProcessTransport,
} from '@sluice/messaging';
import {
  createLogger,
  currentSpan,
  inRequest,
  inSpan,
  InternalClient,
  InternalServer,
  loadSettings,
  notePayment,
  type RunningService,
  SettingsError,
  startSpan,
  startTracing,
  TracingSettings,
} from '@sluice/service';
import { command, event } from './contract-messages.js';
import { type CollectedSpan, startTraceCollector, type TraceCollector } from './trace-collector.js';

const NDC = 'request-1';
const silent = createLogger({ service: 'test', level: 'silent' });

let collector: TraceCollector;
let tracing: RunningService | undefined;

beforeEach(async () => {
  collector = await startTraceCollector();
});

afterEach(async () => {
  await tracing?.close();
  await collector.close();
});

/** Records everything, unless the environment says otherwise. */
async function trace(environment: Record<string, string> = {}): Promise<void> {
  const settings = loadSettings(TracingSettings, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: '1',
    ...environment,
  });
  tracing = await startTracing({ settings, service: 'test', logger: silent });
}

/** Everything that was recorded so far; ends tracing. */
async function recorded(): Promise<readonly CollectedSpan[]> {
  await tracing?.close();
  return collector.spans;
}

/** The bus with a service that books, and a follower of its events. */
async function ledger(
  handle: (context?: CommandContext) => unknown = () => ({ booked: true }),
): Promise<InProcessBus> {
  const bus = new InProcessBus();
  const transport: InProcessTransport = bus.transport('ledger');
  transport.addHandler('Book', (_data: unknown, context?: unknown) =>
    Promise.resolve(handle(context as CommandContext)),
  );
  transport.listen(() => undefined);
  await bus.events.subscribe({
    group: 'follower',
    topics: ['ledger.book.v1'],
    handle: () => Promise.resolve(),
  });
  return bus;
}

function named(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const found = spans.find((span) => span.name === name);
  if (found === undefined) throw new Error(`no span ${name}`);
  return found;
}

const send = (bus: InProcessBus) =>
  bus.commands.send('ledger', command('a'), { deadlineMs: 5_000 });

describe('tracing that is on', () => {
  it('joins a command, its work and its reply, in process as over Kafka', async () => {
    await trace();
    const bus = await ledger(() => new Execution(() => inSpan('work', {}, async () => 'done')));
    const root = startSpan('request', { kind: 'server', isRoot: true });
    expect(await inRequest(root, { ndc: NDC }, () => send(bus))).toMatchObject({ reply: 'done' });
    root.end();
    const spans = await recorded();
    const sent = named(spans, 'send ledger.commands.v1');
    const processed = named(spans, 'process ledger.commands.v1');
    const replied = named(spans, 'send edge.replies.v1');
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(sent).toMatchObject({ kind: 'producer', parentSpanId: root.identity?.spanId });
    expect(processed).toMatchObject({ kind: 'consumer', parentSpanId: sent.spanId });
    expect(named(spans, 'work').parentSpanId).toBe(processed.spanId);
    expect(replied.parentSpanId).toBe(processed.spanId);
    expect(named(spans, 'receive edge.replies.v1').parentSpanId).toBe(replied.spanId);
    expect(processed.attributes).toMatchObject({
      'messaging.system': 'in_process',
      'messaging.destination.name': 'ledger.commands.v1',
      'messaging.consumer.group.name': 'ledger.commands',
      'sluice.ndc': NDC,
    });
  });

  it('marks the work that failed, with one word', async () => {
    await trace();
    const bus = await ledger(() => new Execution(() => Promise.reject(new RangeError('4711'))));
    await send(bus);
    const spans = await recorded();
    expect(named(spans, 'process ledger.commands.v1').attributes['error.type']).toBe('RangeError');
    expect(collector.bodies.join()).not.toContain('4711');
  });

  it('gives a batch of several traces one span, linked to each that is recorded', async () => {
    await trace();
    const bus = await ledger();
    const [one, two] = [startSpan('one'), startSpan('two')];
    const unrecorded = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`;
    await bus.events.publish('ledger.book.v1', [
      { ...event('a', 'e-1'), traceparent: one.traceparent! },
      { ...event('a', 'e-2'), traceparent: two.traceparent! },
      { ...event('a', 'e-3'), traceparent: unrecorded },
      event('a', 'e-4'),
    ]);
    const spans = await recorded();
    for (const name of ['send ledger.book.v1', 'process ledger.book.v1']) {
      const batch = named(spans, name);
      const causes = [one, two].map(({ identity }) => identity?.traceId);
      expect(batch.parentSpanId).toBeUndefined();
      expect(batch.links.map(({ traceId }) => traceId)).toEqual(causes);
      expect(batch.attributes['messaging.batch.message_count']).toBe(4);
    }
  });

  it('makes no span of messages that belong to no recorded trace', async () => {
    await trace();
    const bus = await ledger();
    await bus.events.publish('ledger.book.v1', [event('a', 'e-1')]);
    expect(await recorded()).toEqual([]);
  });

  it('records nothing of a trace that is not sampled, and still hands it on', async () => {
    await trace({ OTEL_TRACES_SAMPLER_ARG: '0' });
    let inside: string | undefined;
    const bus = await ledger(() => {
      inside = currentSpan().traceparent;
      return {};
    });
    const root = startSpan('request', { isRoot: true });
    await inRequest(root, {}, () => send(bus));
    expect(inside).toMatch(new RegExp(`^00-${root.identity!.traceId}-[0-9a-f]{16}-00$`));
    expect(await recorded()).toEqual([]);
  });

  it.each([
    ['messaging/dup', 'ledger.commands'],
    ['http', undefined],
  ])('with the stability choice %s the older name is %s', async (choice, value) => {
    await trace({ OTEL_SEMCONV_STABILITY_OPT_IN: choice });
    await send(await ledger());
    const { attributes } = named(await recorded(), 'process ledger.commands.v1');
    expect(attributes['messaging.kafka.consumer.group']).toBe(value);
    expect(attributes['messaging.consumer.group.name']).toBe('ledger.commands');
  });

  it.each([
    ['over HTTP', false],
    ['in a frame', true],
  ])('follows a call between services %s, which is told its request', async (_, isFramed) => {
    const lines: string[] = [];
    const logger = createLogger({
      ...{ service: 'other', level: 'info' },
      destination: { write: (line: string) => void lines.push(line) },
    });
    const server = new InternalServer({ logger });
    server.route({
      path: '/cards/hold',
      callers: [],
      answer: () => {
        notePayment('payment-1');
        logger.info('held');
        return Promise.resolve('{}');
      },
    });
    const client = new InternalClient({ origin: await server.listen('127.0.0.1', 0) });
    const call = { path: '/cards/hold', body: '{}', timeoutMs: 5_000 };
    if (isFramed) await client.reach(call, 1);
    expect(client.isFramed).toBe(isFramed);
    lines.length = 0;
    await trace();
    const root = startSpan('request', { isRoot: true });
    await inRequest(root, { ndc: NDC }, () => client.post(call));
    await client.close();
    await server.close();
    const spans = await recorded();
    const asked = spans.find(({ kind }) => kind === 'client')!;
    const answered = spans.find(({ kind }) => kind === 'server')!;
    expect(asked).toMatchObject({ name: 'POST /cards/hold', parentSpanId: root.identity!.spanId });
    expect(asked.attributes).toMatchObject({
      'url.path': '/cards/hold',
      'http.response.status_code': 200,
    });
    expect(answered).toMatchObject({ name: 'POST /cards/hold', parentSpanId: asked.spanId });
    expect(JSON.parse(lines.find((line) => line.includes('held'))!)).toMatchObject({
      ...{ ndc: NDC, paymentId: 'payment-1' },
      ...{ traceId: answered.traceId, spanId: answered.spanId },
    });
  });

  it('goes on without a collector, and says so once', async () => {
    const lines: string[] = [];
    const logger = createLogger({
      ...{ service: 'test', level: 'warn' },
      destination: { write: (line: string) => void lines.push(line) },
    });
    const settings = loadSettings(TracingSettings, {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/nowhere`,
      OTEL_TRACES_SAMPLER: 'always_on',
    });
    tracing = await startTracing({ settings, service: 'test', logger });
    startSpan('lost').end();
    await tracing?.close();
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'The collector takes no spans; they are lost.',
    ]);
  });
});

describe('tracing that is off', () => {
  it.each([
    ['without an endpoint', {}],
    [
      'when told so',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' },
    ],
    [
      'without an exporter',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_TRACES_EXPORTER: 'none' },
    ],
  ])('%s makes nothing at all', async (_when, environment) => {
    const settings = loadSettings(TracingSettings, environment);
    expect(await startTracing({ settings, service: 'test', logger: silent })).toBeUndefined();
    const span = startSpan('one', { kind: 'server', links: [`00-${'a'.repeat(32)}`] });
    expect(span).toBe(startSpan('two'));
    expect(span).toMatchObject({ isRecording: false, traceparent: undefined });
    expect(await inSpan('three', {}, (inner) => Promise.resolve(inner))).toBe(span);
  });

  it.each([
    ['OTEL_TRACES_SAMPLER', 'often'],
    ['OTEL_TRACES_SAMPLER_ARG', '5 %'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'nothing'],
  ])('refuses a %s that it cannot use', (name, value) => {
    expect(() => loadSettings(TracingSettings, { [name]: value })).toThrow(SettingsError);
    expect(() => loadSettings(TracingSettings, { [name]: value })).toThrow(name);
  });
});
