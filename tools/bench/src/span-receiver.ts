import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Who takes spans and keeps nothing but their number. */
export interface SpanReceiver {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  /** So far. */
  readonly received: ReceivedSpans;
  close(): Promise<void>;
}

/** What came. */
export interface ReceivedSpans {
  readonly requests: number;
  readonly spans: number;
  /** Requests of merchants: spans of edge without a parent. */
  readonly followed: number;
}

const PATH = '/v1/traces';
const FOLLOWED = 'POST /v1/payments';

interface Exported {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly { readonly name: string; readonly parentSpanId?: string }[];
    }[];
  }[];
}

/** A collector of OTLP over HTTP in this process, which is not counted, as the generator is not. */
export async function receiveSpans(): Promise<SpanReceiver> {
  let received: ReceivedSpans = { requests: 0, spans: 0, followed: 0 };
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const isTaken = request.method === 'POST' && request.url === PATH;
      if (isTaken) received = added(received, JSON.parse(body) as Exported);
      response.writeHead(isTaken ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get received() {
      return received;
    },
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

/** What came between two looks. */
export function receivedBetween(before: ReceivedSpans, after: ReceivedSpans): ReceivedSpans {
  return {
    requests: after.requests - before.requests,
    spans: after.spans - before.spans,
    followed: after.followed - before.followed,
  };
}

function added({ requests, spans, followed }: ReceivedSpans, exported: Exported): ReceivedSpans {
  const scopes = exported.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans);
  const more = scopes.flatMap((scope) => scope.spans);
  const begun = more.filter(({ name, parentSpanId }) => name === FOLLOWED && !parentSpanId);
  return {
    requests: requests + 1,
    spans: spans + more.length,
    followed: followed + begun.length,
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
