import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What happens on the way: to the request, to the answer, or to both. */
export type WayFault =
  | 'none'
  /** The request is lost, and so is the connection. */
  | 'dropBefore'
  /** The request arrives; the answer is lost. */
  | 'dropAfter'
  /** Its connection is lost at once, and it arrives all the same, later. */
  | 'late'
  /** The answer takes longer than anybody waits. */
  | 'slowAnswer';

/** A request that passed. */
export interface PassedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** The way to another gateway, on which requests and answers get lost. */
export interface FaultyWay {
  readonly url: string;
  readonly passed: PassedRequest[];
  /** Asked for each request. */
  faultOf: (request: PassedRequest) => WayFault;
  close(): Promise<void>;
}

/** Later than a caller waits for an answer, and sooner than "not found" is believed. */
const LATE_MS = 300;

/** Starts one before a gateway, on a free port. */
export async function startFaultyWay(target: string): Promise<FaultyWay> {
  const timers = new Set<NodeJS.Timeout>();
  const server = createServer((incoming, response) => {
    void textOf(incoming).then((body) => {
      const { method = '', url = '', headers, socket } = incoming;
      const request = { method, path: url, body };
      way.passed.push(request);
      const fault = way.faultOf(request);
      const forward = (onAnswer: (pass: () => void) => void): void => {
        const init = { method, headers: { ...headers, connection: 'close' } };
        const outgoing = httpRequest(new URL(url, target), init, (answer) => {
          void textOf(answer).then((text) => {
            const { statusCode = 500, headers: answered } = answer;
            onAnswer(() => response.writeHead(statusCode, locationOf(answered)).end(text));
          });
        });
        outgoing.on('error', () => reset(socket)).end(body);
      };
      const later = (work: () => void): void => {
        const timer = setTimeout(() => {
          timers.delete(timer);
          work();
        }, LATE_MS);
        timers.add(timer);
      };
      switch (fault) {
        case 'none':
          return forward((pass) => pass());
        case 'dropBefore':
          return reset(socket);
        case 'dropAfter':
          return forward(() => reset(socket));
        case 'late':
          reset(socket);
          return later(() => forward(() => undefined));
        case 'slowAnswer':
          return forward((pass) => later(pass));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const way: FaultyWay = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    passed: [],
    faultOf: () => 'none',
    close: () => {
      for (const timer of timers) clearTimeout(timer);
      return closed(server);
    },
  };
  return way;
}

/** What a browser needs of them. */
function locationOf({ location }: IncomingMessage['headers']): Readonly<Record<string, string>> {
  return location === undefined ? {} : { location };
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function reset(socket: Socket): void {
  socket.resetAndDestroy();
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
