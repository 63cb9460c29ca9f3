import { catalogue } from './catalogue.js';
import {
  BODY_BYTES_MAX,
  CHARACTER_BYTES_MAX,
  INDEX_MAX,
  MAP_NAMES_MAX,
  NAME_BYTES_MAX,
  PARAMETER_ERRORS_MAX,
  PARAMETERS_MAX,
  PAYMENT_TOKEN_BYTES_MAX,
  REPEATED_CHARACTERS_MAX,
  TRAVEL_INDEX_MAX,
  UNKNOWN_NAMES_MAX,
  VALUE_BYTES_MAX,
} from './limits.js';
import type { Parameter } from './parameter.js';

/** A limit that a client can meet, and what comes of it; texts are in Markdown. */
export interface ReferenceLimit {
  readonly subject: string;
  readonly limit: string;
  /** What a request beyond it gets. */
  readonly beyond: string;
}

const grouped = (count: number): string => count.toLocaleString('en-US');
const bytes = (count: number): string => `${grouped(count)} bytes`;
const upTo = (index: number): string => `0 to ${grouped(index)}`;

const TOO_LONG = 'the parameter: "is too long"';

/** Values whose format allows more characters than ordinary values may have bytes for. */
function longValues(): ReferenceLimit[] {
  return Object.entries(catalogue as Readonly<Record<string, Parameter>>).flatMap(
    ([key, { format }]) => {
      const most = (format.schema.maxLength ?? 0) * CHARACTER_BYTES_MAX;
      if (most <= VALUE_BYTES_MAX) return [];
      return [{ subject: `Value of \`${key}\``, limit: bytes(most), beyond: TOO_LONG }];
    },
  );
}

/** Every limit of requests and answers, beside those of single formats. */
export function referenceLimits(): readonly ReferenceLimit[] {
  const unknown = 'the parameter: "is not an allowed parameter"';
  const onlyPlain = 'of all others, errors of known names without brackets alone';
  return [
    {
      subject:
        'Body, with its percent-encoding: a cart of 1,000 items with 20 fields of 20 characters each, ' +
        'or of 600 with one character in all 45',
      limit: bytes(BODY_BYTES_MAX),
      beyond: '`body`: "is too large"',
    },
    {
      subject: 'Parameters of a request',
      limit: grouped(PARAMETERS_MAX),
      beyond: `\`body\`: "must have at most ${PARAMETERS_MAX} parameters"`,
    },
    {
      subject: 'Name of a parameter',
      limit: bytes(NAME_BYTES_MAX),
      beyond: 'the parameter: "is too long a parameter name"',
    },
    { subject: 'Value of a parameter', limit: bytes(VALUE_BYTES_MAX), beyond: TOO_LONG },
    ...longValues(),
    {
      subject: 'Value of a `paymentToken` of a wallet',
      limit: bytes(PAYMENT_TOKEN_BYTES_MAX),
      beyond: TOO_LONG,
    },
    {
      subject: 'Index `[n]`, such as that of a cart item',
      limit: upTo(INDEX_MAX),
      beyond: unknown,
    },
    { subject: 'Index `[n]` in `airline.*`', limit: upTo(TRAVEL_INDEX_MAX), beyond: unknown },
    {
      subject: 'Names in brackets of a request, of all maps together',
      limit: grouped(MAP_NAMES_MAX),
      beyond: `\`body\`: "must have at most ${MAP_NAMES_MAX} names in brackets"; ${onlyPlain}`,
    },
    {
      subject: 'Unknown parameters of a request, each of which is named',
      limit: grouped(UNKNOWN_NAMES_MAX),
      beyond: `\`body\`: "has more than ${UNKNOWN_NAMES_MAX} parameters that are not allowed"; ${onlyPlain}`,
    },
    {
      subject: 'Errors in `parameterErrors`',
      limit: grouped(PARAMETER_ERRORS_MAX),
      beyond: 'the first in the order of the tables, and behind them `body`: "has … more errors"',
    },
    {
      subject: 'A name or value repeated in an error',
      limit: `${grouped(REPEATED_CHARACTERS_MAX)} UTF-16 units`,
      beyond: 'cut there',
    },
  ];
}
