import { randomBytes } from 'node:crypto';

/** As many as the networks' have. */
const CRYPTOGRAM_BYTES = 20;

/** What proves a payment to the issuer: new for each. */
export function newCryptogram(): string {
  return randomBytes(CRYPTOGRAM_BYTES).toString('base64');
}
