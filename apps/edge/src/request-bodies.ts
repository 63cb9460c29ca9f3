import type { IncomingMessage } from 'node:http';
import { BODY_BYTES_MAX } from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import { type Refusal, Refused } from './answer.js';
import { BodyBudget, type HeldBody } from './body-budget.js';

/** How much memory bodies may take. */
export interface BodyLimits {
  /** Of requests whose access is known. */
  readonly bytesMax: number;
  /** Of requests whose credentials are in the body, until those have been read. */
  readonly unidentifiedBytesMax: number;
}

/** Nothing has begun, and a moment later there is room again (D-35). */
const NO_ROOM: Refusal = { code: codes.unavailable };
const TOO_LARGE: Refusal = {
  code: codes.invalidParameter,
  parameterErrors: [{ name: 'body', message: 'is too large' }],
};
const BROKEN_OFF: Refusal = {
  code: codes.invalidParameter,
  parameterErrors: [{ name: 'request', message: 'must be complete and valid HTTP' }],
};

/**
 * Reads bodies, and counts their bytes in memory until their requests are answered. Node discards
 * what is not read as it arrives, so that a refusal reaches a client that is still sending.
 */
export class RequestBodies {
  readonly #identified: BodyBudget;
  readonly #unidentified: BodyBudget;
  readonly #held = new WeakMap<IncomingMessage, HeldBody>();

  /** @param onNoRoom is told of each body that there was no room for */
  constructor(
    { bytesMax, unidentifiedBytesMax }: BodyLimits,
    private readonly onNoRoom: () => void = () => undefined,
  ) {
    this.#identified = new BodyBudget(bytesMax);
    this.#unidentified = new BodyBudget(unidentifiedBytesMax);
  }

  /** Bytes of bodies in memory. */
  get bytes(): number {
    return this.#identified.takenBytes + this.#unidentified.takenBytes;
  }

  /** The whole body. Rejects with Refused if it is too long, or there is no room for it. */
  read(request: IncomingMessage, isIdentified: boolean): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const fail = (refusal: Refusal): void => {
        request.off('data', onData).off('end', onEnd).off('close', onClose).resume();
        chunks.length = 0;
        held.release();
        if (refusal === NO_ROOM) this.onNoRoom();
        reject(new Refused(refusal));
      };
      const budget = isIdentified ? this.#identified : this.#unidentified;
      const held = budget.begin(() => fail(NO_ROOM));
      const onData = (chunk: Buffer): void => {
        bytes += chunk.length;
        if (bytes > BODY_BYTES_MAX) fail(TOO_LARGE);
        else if (!held.grow(chunk.length)) fail(NO_ROOM);
        else chunks.push(chunk);
      };
      const onEnd = (): void => {
        request.off('close', onClose);
        held.finish();
        this.#held.set(request, held);
        const [first] = chunks;
        resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, bytes));
      };
      const onClose = (): void => fail(BROKEN_OFF);
      if (declaredBytes(request) > BODY_BYTES_MAX) return fail(TOO_LARGE);
      request.on('data', onData).on('end', onEnd).on('close', onClose);
    });
  }

  /** The access of this request is known now. Throws Refused when there is no room for it. */
  identified(request: IncomingMessage): void {
    if (this.#held.get(request)?.moveTo(this.#identified) !== false) return;
    this.onNoRoom();
    throw new Refused(NO_ROOM);
  }

  /** The request is answered. */
  release(request: IncomingMessage): void {
    this.#held.get(request)?.release();
    this.#held.delete(request);
  }
}

/** Whether a request brings a body at all. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function declaredBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}
