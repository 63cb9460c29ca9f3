import { closed, oneOf, text } from '../schema.js';

/**
 * Details that were stored earlier; only the service that stored them knows their kind (Interface
 * 2.16).
 */
export const registration = {
  request: 'payment',
  isServed: false,
  refused: closed({ kind: oneOf(['registration']) }, { brand: text }),
} as const;
