import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A span as a collector was told of it. */
export interface CollectedSpan {
  /** Of the process that made it: `service.name`. */
  readonly service: string;
  readonly name: string;
  readonly kind: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Absent at the beginning of a trace. */
  readonly parentSpanId: string | undefined;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

/** What a test collects spans with. */
export interface TraceCollector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Every body as it came: what a scan for card data reads. */
  readonly bodies: readonly string[];
  /** Waits until the spans collected so far have in them what `find` looks for. */
  until<Found>(find: (spans: readonly CollectedSpan[]) => Found | undefined): Promise<Found>;
  close(): Promise<void>;
}

const PATH = '/v1/traces';
const POLL_INTERVAL_MS = 20;
const WITHIN_MS = 30_000;
/** OTLP's numbers for what a span is. */
const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];

/** A collector of OTLP over HTTP with JSON bodies, on a port of its own. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const isTraces = request.method === 'POST' && request.url === PATH;
      if (isTraces) {
        bodies.push(body);
        spans.push(...spansOf(JSON.parse(body) as Exported));
      }
      response.writeHead(isTraces ? 200 : 404, { 'content-type': 'application/json' });
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    bodies,
    until: (find) => until(spans, find),
    close: () => close(server),
  };
}

async function until<Found>(
  spans: readonly CollectedSpan[],
  find: (spans: readonly CollectedSpan[]) => Found | undefined,
): Promise<Found> {
  const endsAtMs = performance.now() + WITHIN_MS;
  for (;;) {
    const found = find(spans);
    if (found !== undefined) return found;
    if (performance.now() > endsAtMs) {
      const names = spans.map(({ service, name }) => `${service}: ${name}`);
      throw new Error(`What was looked for is not among ${JSON.stringify(names)}`);
    }
    await pause(POLL_INTERVAL_MS);
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}

interface ExportedValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  /** A number, or its digits. */
  readonly intValue?: number | string;
  readonly doubleValue?: number;
}

type ExportedAttributes = readonly { readonly key: string; readonly value: ExportedValue }[];

interface ExportedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: ExportedAttributes;
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: ExportedAttributes };
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[];
  }[];
}

function spansOf({ resourceSpans }: Exported): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => collected(service, span)));
  });
}

function collected(service: string, span: ExportedSpan): CollectedSpan {
  const { name, kind, traceId, spanId, parentSpanId, links = [], attributes } = span;
  return {
    ...{ service, name, traceId, spanId },
    kind: KINDS[kind] ?? 'unknown',
    parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
    links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
    attributes: attributesOf(attributes),
  };
}

function attributesOf(attributes: ExportedAttributes): CollectedSpan['attributes'] {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const { stringValue, boolValue, intValue, doubleValue } = value;
      return [key, stringValue ?? boolValue ?? doubleValue ?? Number(intValue)];
    }),
  );
}
