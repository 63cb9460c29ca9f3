import { legacyRecurringTypes } from '@sluice/contracts';
import type { Format } from './format.js';
import { oneOf } from './formats.js';

/**
 * Names that clients of the interface family send although the interface does not list them: not
 * refused, not stored (D-38). Legacy access parameters are in the catalogue itself.
 */
export const tolerated: readonly string[] = [
  // Registrations and legacy recurring payments (wire contract 2 and 4).
  'registrations[n].id',
  'recurringType',
  // Results of an external 3-D Secure server (wire contract 6).
  'threeDSecure.xid',
  // Pay-by-link (wire contract 6).
  'validUntil',
  'validUntilUnit',
  'collectBilling',
  'createQRCode',
];

/**
 * What those of them may say that have an effect: another word would have none. `recurringType` stands
 * for `standingInstruction.*` (wire contract 2).
 */
export const toleratedFormats: ReadonlyMap<string, Format> = new Map([
  ['recurringType', oneOf(...Object.keys(legacyRecurringTypes))],
]);
