import { hexId, oneOf, text } from '../formats.js';
import { noted } from '../format.js';
import { accessKinds } from '../kinds.js';
import { conditional, demandedElsewhere, optional, type Parameters } from '../parameter.js';

const legacy = {
  requirement: conditional('legacy access, in place of the `Authorization` header'),
  kinds: accessKinds,
  echo: false,
  kept: false,
  interface: 'wire contract 0, D1',
  since: '0.1.0',
  deprecated: 'Use the `Authorization: Bearer` header and `entityId`.',
} as const;

/** Who asks and in which mode. */
export const request = {
  entityId: {
    format: hexId,
    requirement: demandedElsewhere('required unless the access token belongs to a channel'),
    kinds: accessKinds,
    sensitivity: 'none',
    echo: false,
    kept: false,
    example: '8a8294174b7ecb28014b9699220015ca',
    description: 'The channel that the request is for.',
    interface: '5',
    since: '0.1.0',
  },
  testMode: {
    format: oneOf('INTERNAL', 'EXTERNAL'),
    requirement: optional,
    kinds: accessKinds,
    sensitivity: 'none',
    echo: false,
    kept: false,
    description:
      'Who answers on a test installation; INTERNAL, the simulator, if absent. What refers ' +
      'to a transaction or a registration has its mode if it says none, and is refused with 700.100.600 if it says another.',
    interface: '1',
    since: '0.1.0',
  },
  'authentication.userId': {
    ...legacy,
    format: noted('AN64', text({ max: 64 })),
    sensitivity: 'secret',
    example: '8a8294174b7ecb28014b9699220015cc',
    description: 'Login of the legacy access style.',
  },
  'authentication.password': {
    ...legacy,
    format: noted('AN255', text({ max: 255 })),
    sensitivity: 'secret',
    example: 'sy6KJsT8',
    description: 'Password of the legacy access style.',
  },
  'authentication.entityId': {
    ...legacy,
    format: hexId,
    sensitivity: 'none',
    example: '8a8294174b7ecb28014b9699220015ca',
    description: 'The channel that the request is for, in the legacy access style.',
  },
} as const satisfies Parameters;
