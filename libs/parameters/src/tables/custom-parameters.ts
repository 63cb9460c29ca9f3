import { noted } from '../format.js';
import { mapName, shopperMapName, text } from '../formats.js';
import { basicKinds } from '../kinds.js';
import { conditional, type Parameters } from '../parameter.js';
import { simulatorDirectives } from '../simulator-directives.js';

/** Interface 2.18: the merchant's own data. */
export const customParameters = {
  'customParameters[name]': {
    format: noted(
      'name AN64 (chars a-z A-Z 0-9 . _, len 3-64), value AN2048 (len 0-2048)',
      text({ min: 0, max: 2048 }),
    ),
    nameFormat: mapName,
    nameFormatIn: { widgetPayment: shopperMapName },
    testDirectives: simulatorDirectives,
    requirement: conditional('expected by some receivers'),
    kinds: [
      ...basicKinds,
      ...(['widgetPayment', 'registration', 'registrationUpdate'] as const),
      ...(['schedule', 'threeDSecure', 'risk'] as const),
    ],
    sensitivity: 'personal',
    echo: true,
    kept: true,
    cardNumbers: 'masked',
    example: 'A7',
    description: "The merchant's own data, returned in the answer.",
    interface: '2.18',
    since: '0.1.0',
  },
} as const satisfies Parameters;
