import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What it answers: a status, and a body as text or as JSON. */
export type ScriptedAnswer = readonly [status: number, body: unknown];

/** A request as it arrived. */
export interface ScriptedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly form: URLSearchParams;
}

/** Another gateway that answers what a test says. */
export interface ScriptedGateway {
  readonly url: string;
  readonly received: ScriptedRequest[];
  /** The answers to the next requests, in order; the last one is given again and again. */
  answers: readonly ScriptedAnswer[];
  close(): Promise<void>;
}

/** Starts one on a free port. */
export async function startScriptedGateway(): Promise<ScriptedGateway> {
  const received: ScriptedRequest[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const [path = '', query = ''] = url.split('?');
      received.push({ method, path, headers, form: new URLSearchParams(text || query) });
      const [next = [500, ''], ...rest] = gateway.answers;
      if (rest.length > 0) gateway.answers = rest;
      const [status, body] = next;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gateway: ScriptedGateway = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    received,
    answers: [],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return gateway;
}

let ndcs = 0;

/** What every answer of the interface has (Interface 2.2), with a code. */
export function said(code: string, fields: object = {}): object {
  ndcs += 1;
  return {
    result: { code, description: 'as a test says' },
    buildNumber: 'a',
    timestamp: '2026-11-24 10:00:00+0000',
    ndc: `ndc-${String(ndcs)}`,
    ...fields,
  };
}
