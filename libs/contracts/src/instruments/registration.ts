import { closed, oneOf, text } from '../schema.js';

/** Details that were stored before; only their owner knows what they are (Interface 2.16). */
export const registration = {
  request: 'payment',
  isServed: false,
  refused: closed({ kind: oneOf(['registration']) }, { brand: text }),
} as const;
