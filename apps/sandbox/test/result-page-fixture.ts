import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Body } from './demo-merchant-fixture.js';

/** What a page of results does when it is called. */
export type Way = 'reads' | 'ignores' | 'fails';

/** A call of it. */
export interface PageCall {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

/** A shop's page of results, which is called after 29 minutes where nobody has read a result. */
export interface ResultPage {
  /** As a shop names it: reads the checkout before it answers, answers alone, or is broken. */
  urlOf(way: Way): string;
  /** Of one checkout, in the order in which they came. */
  callsOf(id: string): readonly PageCall[];
  /** The result codes that it has read. */
  codes(): ReadonlySet<string>;
  close(): Promise<void>;
}

/** Starts it; `read` is how the shop reads a checkout. */
export async function startResultPage(read: (id: string) => Promise<Body>): Promise<ResultPage> {
  const calls: PageCall[] = [];
  const codes = new Set<string>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://shop');
    const id = searchParams.get('id') ?? '';
    calls.push({ id, atMs: Date.now() });
    if (pathname === '/reads') codes.add((await read(id)).result.code);
    response.statusCode = pathname === '/fails' ? 503 : 200;
    response.end('Thank you.');
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (way) => `http://127.0.0.1:${port}/${way}`,
    callsOf: (id) => calls.filter((call) => call.id === id),
    codes: () => codes,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
