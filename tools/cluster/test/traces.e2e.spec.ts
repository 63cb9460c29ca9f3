import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createKafka } from '@sluice/messaging';
import {
  type CollectedSpan,
  type ServiceProcess,
  startTraceCollector,
  testKafka,
  type TraceCollector,
} from '@sluice/testing';
import { Services } from './services-fixture.js';

jest.setTimeout(120_000);

/** The demo channel, as the greeting of the sandbox prints it. */
const TOKEN = 'sluice-demo-access-token-for-sandboxes-only';
const ENTITY = '8a8294174b7ecb28014b9699220015ca';
const APPROVED = '000.100.110';
/** A merchant's own trace, which is not recorded there. */
const THEIRS = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

const kafka = testKafka();
let collector: TraceCollector;
let services: Services;
let processes: Readonly<Record<'edge' | 'payments' | 'vault' | 'reporting', ServiceProcess>>;

beforeAll(async () => {
  collector = await startTraceCollector();
  services = new Services(kafka, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: '1',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
  const started = await services.start();
  const [reporting] = await Promise.all([services.startReporting(), services.startRelay()]);
  processes = { ...started, reporting };
}, 180_000);

afterAll(async () => {
  await services.remove();
  await collector.close();
}, 60_000);

interface AnswerBody {
  readonly id: string;
  readonly ndc: string;
  readonly result: { readonly code: string };
}

async function pay(headers: Record<string, string> = {}): Promise<AnswerBody> {
  const response = await fetch(`${services.url}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, ...headers },
    body: new URLSearchParams({
      ...{ entityId: ENTITY, amount: '92.00', currency: 'EUR', paymentType: 'DB' },
      ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.cvv': '123' },
      ...{ 'card.holder': 'Jane Jones' },
      ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
    }),
  });
  return (await response.json()) as AnswerBody;
}

/** What a span was caused by, up to the beginning: `service: name` from the beginning on. */
function wayTo(last: CollectedSpan): string[] {
  const byId = new Map(collector.spans.map((span) => [span.spanId, span]));
  const way: string[] = [];
  let at: CollectedSpan | undefined = last;
  while (at !== undefined) {
    way.unshift(`${at.service}: ${at.name}`);
    at = at.parentSpanId === undefined ? undefined : byId.get(at.parentSpanId);
  }
  return way;
}

/** The spans of one payment, once the last of them has arrived. */
async function traceOf({ id }: AnswerBody): Promise<readonly CollectedSpan[]> {
  const root = await collector.until((spans) =>
    spans.find(
      ({ service, attributes }) => service === 'edge' && attributes['sluice.payment.id'] === id,
    ),
  );
  const inTrace = (spans: readonly CollectedSpan[]) =>
    spans.filter(({ traceId }) => traceId === root.traceId);
  // Each process sends its spans when it likes: causes may come after what they caused.
  const expected = [...PATH_OF_A_PAYMENT].flatMap(([name, causes]) => [name, ...causes]);
  await collector.until((spans) => {
    const names = inTrace(spans).map(({ service, name }) => `${service}: ${name}`);
    return expected.every((name) => names.includes(name)) || undefined;
  });
  return inTrace(collector.spans);
}

const EDGE = 'edge: POST /v1/payments';
const SENT = 'edge: send payments.commands.v1';
const PROCESSED = 'payments: process payments.commands.v1';
const REPLIED = 'payments: send edge.replies.v1';

/** Every span of a payment by card, and what it was caused by. */
const PATH_OF_A_PAYMENT = new Map<string, readonly string[]>([
  ['vault: POST /cards/hold', [EDGE, 'edge: POST /cards/hold']],
  [PROCESSED, [EDGE, SENT]],
  ['payments: accept', [EDGE, SENT, PROCESSED]],
  ['payments: risk', [EDGE, SENT, PROCESSED]],
  ['vault: POST /cards/reveal', [EDGE, SENT, PROCESSED, 'payments: POST /cards/reveal']],
  ['payments: submit simulator', [EDGE, SENT, PROCESSED]],
  ['payments: record', [EDGE, SENT, PROCESSED]],
  ['edge: receive edge.replies.v1', [EDGE, SENT, PROCESSED, REPLIED]],
]);

/** All messages of a topic that name this request in their headers. */
async function messagesAbout(topic: string, ndc: string, count: number): Promise<string[]> {
  const client = createKafka({ brokers: kafka.brokers, clientId: 'traces-test' });
  const consumer = client.consumer({ groupId: `${kafka.topicPrefix}traces-${topic}` });
  const found: string[] = [];
  await consumer.connect();
  await consumer.subscribe({ topic: kafka.topicPrefix + topic, fromBeginning: true });
  await new Promise<void>((resolve, reject) => {
    const eachMessage = ({ message }: { message: { headers?: object } }): Promise<void> => {
      const headers = message.headers as Record<string, Buffer | undefined>;
      if (String(headers['correlationId']) === ndc) found.push(String(headers['traceparent']));
      if (found.length === count) resolve();
      return Promise.resolve();
    };
    consumer.run({ eachMessage }).catch(reject);
  });
  await consumer.disconnect();
  return found;
}

describe('one payment', () => {
  let answer: AnswerBody;
  let trace: readonly CollectedSpan[];

  beforeAll(async () => {
    answer = await pay({ traceparent: `00-${THEIRS.traceId}-${THEIRS.spanId}-00` });
    trace = await traceOf(answer);
  }, 120_000);

  it('is one trace from edge over Kafka, payments and the vault to the connector and back', () => {
    expect(answer.result.code).toBe(APPROVED);
    for (const [name, causes] of PATH_OF_A_PAYMENT) {
      const span = trace.find((one) => `${one.service}: ${one.name}` === name);
      expect(wayTo(span!)).toEqual([...causes, name]);
    }
  });

  it("begins a trace of its own, linked to the merchant's", () => {
    const root = trace.find(({ parentSpanId }) => parentSpanId === undefined);
    expect(root).toMatchObject({ name: 'POST /v1/payments', kind: 'server', links: [THEIRS] });
    expect(root?.traceId).not.toBe(THEIRS.traceId);
  });

  it('says what it was and what became of it, and nothing of the card or its holder', () => {
    const root = trace.find(({ parentSpanId }) => parentSpanId === undefined);
    expect(root?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/payments',
      'http.response.status_code': 200,
      'sluice.ndc': answer.ndc,
      'sluice.payment.id': answer.id,
      'sluice.payment.type': 'DB',
      'sluice.result.group': 'success',
    });
    // Not the bodies: times have all digits in them.
    const told = JSON.stringify(collector.spans.map(({ name, attributes }) => [name, attributes]));
    for (const secret of ['4200000000000000', '420000', 'Jane', 'Jones', TOKEN, '"123"']) {
      expect(told).not.toContain(secret);
    }
  });

  it("has messages described as OpenTelemetry's conventions do", () => {
    const processed = trace.find(({ name }) => name === 'process payments.commands.v1');
    expect(processed).toMatchObject({ kind: 'consumer' });
    expect(processed?.attributes).toMatchObject({
      'messaging.system': 'kafka',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'payments.commands.v1',
      'messaging.destination.partition.id': expect.stringMatching(/^\d+$/),
      'messaging.consumer.group.name': expect.stringContaining('payments.commands'),
      'messaging.kafka.offset': expect.any(Number),
      'messaging.message.id': expect.any(String),
      'sluice.ndc': answer.ndc,
    });
  });

  it('goes on where its events are published and applied', async () => {
    const accepted = trace.find(({ name }) => name === 'accept')!;
    const { traceId, spanId } = accepted;
    const cause = expect.objectContaining({ links: [{ traceId, spanId }] });
    for (const name of ['send payments.payment.v1', 'process payments.payment.v1']) {
      const found = await collector.until((spans) =>
        spans.find((span) => span.name === name && span.links.some((l) => l.traceId === traceId)),
      );
      expect(found).toEqual(cause);
      expect(found.attributes['messaging.batch.message_count']).toBeGreaterThan(0);
    }
  });

  it('is found by its ndc in every topic, with the same trace', async () => {
    const { traceId } = trace[0]!;
    const topics = { 'payments.commands.v1': 1, 'edge.replies.v1': 1, 'payments.payment.v1': 2 };
    for (const [topic, count] of Object.entries(topics)) {
      const traceparents = await messagesAbout(topic, answer.ndc, count);
      for (const traceparent of traceparents) expect(traceparent).toContain(traceId);
    }
  });

  it('is found by its ndc in the lines of edge and of payments, with trace and payment', () => {
    const { ndc, id: paymentId } = answer;
    const { traceId } = trace[0]!;
    const lines = (service: ServiceProcess) => service.lines.filter((line) => line['ndc'] === ndc);
    const [request] = lines(processes.edge);
    const [outcome] = lines(processes.payments);
    expect(request).toMatchObject({ msg: 'request', ndc, paymentId, traceId, status: 200 });
    expect(outcome).toMatchObject({ msg: 'outcome', ndc, paymentId, traceId });
    expect(outcome).toMatchObject({ resultCode: APPROVED, spanId: expect.any(String) });
  });
});

describe('a trace that a merchant wants recorded', () => {
  it('goes on in edge only where callers are trusted', async () => {
    await services.startEdge({ EDGE_TRUSTS_TRACEPARENT: 'true' });
    await pay({ traceparent: `00-${THEIRS.traceId}-${THEIRS.spanId}-01` });
    const own = await collector.until((spans) =>
      spans.find(({ traceId, service }) => traceId === THEIRS.traceId && service === 'edge'),
    );
    expect(own.traceId).toBe(THEIRS.traceId);
  });
});
