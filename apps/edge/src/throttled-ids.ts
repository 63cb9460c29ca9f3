import { createHmac } from 'node:crypto';
import { isTransactionId, type TransactionId } from '@sluice/identifiers';
import { codes } from '@sluice/result-codes';
import { Refused } from './answer.js';
import { idOfNothing } from './young-ids.js';

/** 64 bits, as many as are random in other ids: nobody meets one by chance. */
const SEAL_HEX_DIGITS = 16;

/**
 * Ids of requests that were throttled. Interface 7 rule 2 wants one, nothing is recorded under it, and
 * remembering it would make a refusal dearer than what it refuses: so the id says by itself what became
 * of its request, to every instance of edge and for ever.
 */
export class ThrottledIds {
  /** Every instance has the same key. */
  constructor(private readonly key: Buffer) {}

  /** A new one. */
  newId(entityId: string, nowMs: number): TransactionId {
    const head = idOfNothing(nowMs).slice(0, -SEAL_HEX_DIGITS);
    return (head + this.#sealOf(head, entityId)) as TransactionId;
  }

  /** Whether it is one, of a request of this entity. */
  has(id: string, entityId: string): id is TransactionId {
    if (!isTransactionId(id)) return false;
    const head = id.slice(0, -SEAL_HEX_DIGITS);
    return id === head + this.#sealOf(head, entityId);
  }

  /** Throws what its request was refused with, if it is one: that is all there is to know of it. */
  refuse(id: string, entityId: string): void {
    if (this.has(id, entityId)) throw new Refused({ code: codes.tooManyRequests, id });
  }

  #sealOf(head: string, entityId: string): string {
    const seal = createHmac('sha256', this.key).update(`${head}${entityId}`).digest('hex');
    return seal.slice(0, SEAL_HEX_DIGITS);
  }
}
