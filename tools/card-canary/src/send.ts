import { Agent, request as httpRequest } from 'node:http';
import type { CanaryRequest } from './canary-requests.js';

const TIMEOUT_MS = 20_000;

/** An answer as it came, or nothing when the connection broke. */
export interface CanaryAnswer {
  readonly kind: string;
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends one request; a broken connection is no answer and no error. */
export function send(
  url: string,
  agent: Agent,
  request: CanaryRequest,
): Promise<CanaryAnswer | undefined> {
  return new Promise((resolve) => {
    const outgoing = httpRequest(url + request.target, {
      method: request.method,
      agent,
      timeout: TIMEOUT_MS,
      headers: { ...request.headers, 'Content-Length': Buffer.byteLength(request.body) },
    });
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', () => {
      resolve(undefined);
    });
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => {
        resolve(undefined);
      });
      response.on('end', () => {
        resolve({
          kind: request.kind,
          status: response.statusCode ?? 0,
          head: JSON.stringify(response.rawHeaders),
          body: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    outgoing.end(request.body);
  });
}

/** Sends all of them over a few connections; the answers in no order. */
export async function sendAll(
  url: string,
  requests: readonly CanaryRequest[],
): Promise<CanaryAnswer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const answers = await Promise.all(requests.map((request) => send(url, agent, request)));
  agent.destroy();
  return answers.filter((answer) => answer !== undefined);
}
