import { absoluteUrl } from '../formats.js';
import { conditional, type Parameters } from '../parameter.js';

/** Interface 2.18: where the shopper goes after an asynchronous payment. */
export const asynchronous = {
  shopperResultUrl: {
    format: absoluteUrl,
    requirement: conditional('required for asynchronous payments'),
    kinds: ['payment'],
    sensitivity: 'none',
    echo: false,
    kept: true,
    cardNumbers: 'refused',
    description: 'Receives the shopper after an asynchronous payment.',
    interface: '2.18',
    since: '0.1.0',
  },
} as const satisfies Parameters;
