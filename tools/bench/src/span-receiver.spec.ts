import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createLogger,
  loadSettings,
  startSpan,
  startTracing,
  TracingSettings,
} from '@sluice/service';
import { receivedBetween, receiveSpans, type SpanReceiver } from './span-receiver.js';

let receiver: SpanReceiver | undefined;

afterEach(async () => {
  await receiver?.close();
});

describe('the receiver of spans', () => {
  it('counts what the exporter of our services sends, and the requests of merchants apart', async () => {
    receiver = await receiveSpans();
    const settings = loadSettings(TracingSettings, {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER_ARG: '1',
    });
    const logger = createLogger({ service: 'edge', level: 'silent' });
    const tracing = await startTracing({ settings, service: 'edge', logger });
    const request = startSpan('POST /v1/payments', { kind: 'server', isRoot: true });
    const parent = request.traceparent;
    for (const name of ['POST /v1/payments', 'send payments.commands.v1']) {
      startSpan(name, { parent }).end();
    }
    request.end();
    await tracing?.close();
    expect(receiver.received).toEqual({ requests: 1, spans: 3, followed: 1 });
  });

  it('tells what came between two looks', () => {
    const before = { requests: 1, spans: 20, followed: 1 };
    const after = { requests: 3, spans: 65, followed: 3 };
    expect(receivedBetween(before, after)).toEqual({ requests: 2, spans: 45, followed: 2 });
  });

  it('takes nothing else', async () => {
    receiver = await receiveSpans();
    const answer = await fetch(`${receiver.url}/v1/metrics`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(404);
    expect(receiver.received.requests).toBe(0);
  });
});
