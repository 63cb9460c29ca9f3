import { Agent, request as httpRequest } from 'node:http';
import type { RuleRequest } from './rule-requests.js';

const FORM = 'application/x-www-form-urlencoded; charset=UTF-8';
const ANSWERED_WITHIN_MS = 30_000;

/** What came back. */
export interface HttpAnswer {
  /** 0 when nothing came. */
  readonly status: number;
  readonly body: string;
  readonly durationMs: number;
}

/** Sends requests over connections that are kept. */
export class HttpSender {
  readonly #agent = new Agent({ keepAlive: true });

  constructor(
    private readonly url: string,
    private readonly accessToken: string,
  ) {}

  /** Never rejects: what happened to the connection is the body of an answer without status. */
  send({ method, path, form }: Pick<RuleRequest, 'method' | 'path' | 'form'>): Promise<HttpAnswer> {
    const startedAt = performance.now();
    const isGet = method === 'GET';
    return new Promise((resolve) => {
      const answer = (status: number, body: string): void => {
        resolve({ status, body, durationMs: performance.now() - startedAt });
      };
      const request = httpRequest(
        this.url + (isGet ? `${path}?${form}` : path),
        {
          method,
          agent: this.#agent,
          timeout: ANSWERED_WITHIN_MS,
          headers: {
            Authorization: `Bearer ${this.accessToken}`,
            ...(!isGet && { 'Content-Type': FORM, 'Content-Length': Buffer.byteLength(form) }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', (error) => {
            answer(0, error.message);
          });
          response.once('end', () => {
            answer(response.statusCode ?? 0, Buffer.concat(chunks).toString('utf8'));
          });
        },
      );
      request.once('timeout', () => request.destroy(new Error('no answer')));
      request.once('error', (error) => {
        answer(0, error.message);
      });
      request.end(isGet ? undefined : form);
    });
  }

  /** Closes its connections. */
  close(): void {
    this.#agent.destroy();
  }
}
