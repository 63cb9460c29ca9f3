import { politeRequest, RawConnection } from '@sluice/testing';
import type { CanaryRequest } from './canary-requests.js';

const TIMEOUT_MS = 20_000;
const CONNECTIONS = 16;

/** An answer as it came. */
export interface CanaryAnswer {
  readonly kind: string;
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends all of them over a few connections; the answers in no order. A broken connection is none, and no error. */
export async function sendAll(
  url: string,
  requests: readonly CanaryRequest[],
  connections = CONNECTIONS,
): Promise<CanaryAnswer[]> {
  const left = [...requests];
  const answers: CanaryAnswer[] = [];
  const work = async (): Promise<void> => {
    const connection = new RawConnection(url);
    for (let request = left.shift(); request !== undefined; request = left.shift()) {
      const { kind, method, target, headers, body } = request;
      const sent = politeRequest(method, target, headers, body);
      const { answers: came } = await connection.tried(sent, TIMEOUT_MS);
      answers.push(...came.map((one) => ({ ...one, kind, body: one.body.toString('utf8') })));
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return answers;
}
