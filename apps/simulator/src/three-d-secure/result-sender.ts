import { HttpClient, isLoopback, type TlsMaterial } from '@sluice/service';
import { type Message, readMessage } from './messages.js';

/** How long the 3-D Secure server has for RRes, and how often it is asked. */
const ANSWER_WITHIN_MS = 5_000;
const ATTEMPTS_MAX = 3;

/** Whom results are sent to: with certificates over TLS alone, else on this machine alone. */
export function isResultsUrl(address: string, hasCertificates: boolean): boolean {
  const { protocol, hostname } = new URL(address);
  return hasCertificates ? protocol === 'https:' : protocol === 'https:' || isLoopback(hostname);
}

/** Sends RReq to the 3-D Secure server. */
export class ResultSender {
  readonly #stopped = new AbortController();

  constructor(
    private readonly tls: TlsMaterial | undefined,
    /** Between two attempts. */
    private readonly pause: (attempt: number) => Promise<void>,
  ) {}

  /** Whether RRes has come; an Erro, or anything else, is none. */
  async send(address: string, message: Message, attemptsMax = ATTEMPTS_MAX): Promise<boolean> {
    if (!isResultsUrl(address, this.tls !== undefined)) return false;
    const { origin, pathname, search } = new URL(address);
    const client = new HttpClient({ origin, ...(this.tls && { tls: this.tls }) });
    try {
      for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
        if (attempt > 1) await this.pause(attempt);
        const result = await client.send({
          method: 'POST',
          path: `${pathname}${search}`,
          body: JSON.stringify(message),
          headers: { 'content-type': 'application/json; charset=utf-8' },
          timeoutMs: ANSWER_WITHIN_MS,
          signal: this.#stopped.signal,
        });
        if (result.kind === 'answered' && isAnswerTo(message, result.body)) return true;
      }
      return false;
    } finally {
      await client.close();
    }
  }

  /** Gives up what is under way. */
  close(): void {
    this.#stopped.abort();
  }
}

function isAnswerTo(message: Message, body: string): boolean {
  const answer = readMessage(body);
  return (
    answer?.['messageType'] === 'RRes' &&
    answer['threeDSServerTransID'] === message['threeDSServerTransID'] &&
    answer['acsTransID'] === message['acsTransID'] &&
    // Of an app alone; of a browser neither has it.
    answer['sdkTransID'] === message['sdkTransID']
  );
}
