import { random } from './random.js';

const NDC_RANDOM_BYTES = 16;
const UNKNOWN_ENTITY = '0'.repeat(32);

/**
 * The internal id of one request, `{entityId}_{32 hex}` (Interface 2.2, wire contract 2); support
 * follows it through logs, traces and topics. Without an entity (a 401) 32 zeros stand (D-35).
 */
export function newNdc(entityId: string = UNKNOWN_ENTITY): string {
  return `${entityId}_${random(NDC_RANDOM_BYTES).toString('hex')}`;
}

/** The id of the same request once its entity is known: the log has it with the zeros. */
export function ndcOfEntity(ndc: string, entityId: string): string {
  return entityId + ndc.slice(entityId.length);
}
