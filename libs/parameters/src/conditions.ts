import { detectedBrand } from './brands.js';
import type { Condition } from './parameter.js';

/** Interface 2.3: `paymentBrand` is optional only when the brand can be detected. */
export const brandNotDetectable: Condition = {
  text: 'no brand is known for `card.number`',
  keys: ['card.number'],
  holds: (form) => {
    const number = form.get('card.number');
    return number !== undefined && detectedBrand(number) === undefined;
  },
};
