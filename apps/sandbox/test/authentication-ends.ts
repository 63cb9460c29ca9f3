import type { Column } from './authentication-cards.js';
import { APPROVED, type Fields } from './demo-merchant-fixture.js';

/** What a payment ends with, by the column of its card; the cards that are never asked about say nothing. */
export const ENDS: Readonly<
  Record<Column, readonly [code: string, status?: 'A' | 'N' | 'U' | 'Y']>
> = {
  ok: [APPROVED, 'Y'],
  okWithoutMethod: [APPROVED, 'Y'],
  attempt: [APPROVED, 'A'],
  attemptWithoutMethod: [APPROVED, 'A'],
  error: ['000.400.103', 'U'],
  notEnrolled: ['000.400.102', 'N'],
  noPart: ['000.400.101'],
  challenge: [APPROVED, 'Y'],
  challengeWithoutMethod: [APPROVED, 'Y'],
};
/** Those whose issuers have a page of the 3DS method. */
export const WITH_METHOD: ReadonlySet<Column> = new Set(['ok', 'attempt', 'challenge']);
/** Those whose shoppers are asked. */
export const CHALLENGED: ReadonlySet<Column> = new Set(['challenge', 'challengeWithoutMethod']);
/** Its last digit is wrong in the public table, too. */
export const WRONG_NUMBER = '6250947000000052';
/** It is public as a card without 3-D Secure, too, and has that where it is wanted alone. */
export const OF_TWO_TABLES = '6799851000000032';
/** With which any card takes part. */
export const ENROLLED: Fields = { 'customParameters[3DS2_enrolled]': 'true' };
