import { avsResponses, cvvResponses } from '@sluice/contracts';
import { catalogue, requirementOf } from './catalogue.js';
import type { Format } from './format.js';
import { type Kind, kinds } from './kinds.js';
import {
  BODY_BYTES_MAX,
  MAP_NAMES_MAX,
  PARAMETER_ERRORS_MAX,
  PARAMETERS_MAX,
  REPEATED_CHARACTERS_MAX,
  VIOLATIONS_MAX,
} from './limits.js';
import type { Parameter } from './parameter.js';

/** A piece of an OpenAPI document: JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** An index as the parser takes it, up to `INDEX_MAX` and `TRAVEL_INDEX_MAX`. */
const INDEX = String.raw`\[(?:0|[1-9][0-9]{0,2})\]`;
const TRAVEL_INDEX = String.raw`\[(?:[1-8]?[0-9]|9[0-8])\]`;
const PLACEHOLDER = /\[(?:n|name|key|brand)\]/g;
/** What stands before the first bracket of a row with indexes of its own kind. */
const TRAVEL = 'airline.';

/**
 * The form body of requests of these kinds as a JSON Schema: dotted names as they are, maps as
 * pattern properties, conditions in `x-required-when`. A name is required if all kinds demand it.
 */
export function formSchema(description: string, ...of: readonly Kind[]): JsonObject {
  const rows = Object.entries(catalogue as Readonly<Record<string, Parameter>>).filter(([, row]) =>
    of.some((kind) => row.kinds.includes(kind)),
  );
  const schema = rowsSchema(description, rows, of);
  const required = rows.filter(([, row]) =>
    of.every((kind) => requirementOf(row, kind)?.demanded === true),
  );
  return {
    ...schema,
    description: `${description} At most ${PARAMETERS_MAX} parameters and ${BODY_BYTES_MAX} bytes.`,
    required: required.map(([key]) => key),
    additionalProperties: false,
  };
}

/** The rows that no request of these kinds takes: they belong to requests that are not served yet. */
export function restSchema(description: string, ...served: readonly Kind[]): JsonObject {
  const rows = Object.entries(catalogue as Readonly<Record<string, Parameter>>).filter(
    ([, row]) => !served.some((kind) => row.kinds.includes(kind)),
  );
  const of = kinds.filter((kind) => !served.includes(kind));
  return rowsSchema(description, rows, of);
}

function rowsSchema(
  description: string,
  rows: readonly (readonly [string, Parameter])[],
  of: readonly Kind[],
): JsonObject {
  const isName = ([key]: readonly [string, Parameter]): boolean => key.search(PLACEHOLDER) === -1;
  const properties = rows.filter(isName);
  const patterns = rows.filter((entry) => !isName(entry));
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(properties.map(([key, row]) => [key, propertyOf(row, of)])),
    patternProperties: Object.fromEntries(
      patterns.map(([key, row]) => [patternOf(key, row), propertyOf(row, of)]),
    ),
  };
}

/** The names that a key with brackets stands for. */
function patternOf(key: string, { nameFormat }: Parameter): string {
  const source = key.replaceAll('.', String.raw`\.`).replace(PLACEHOLDER, (placeholder) => {
    if (placeholder !== '[n]') return mapNamePattern(nameFormat);
    return key.startsWith(TRAVEL) ? TRAVEL_INDEX : INDEX;
  });
  return `^${source}$`;
}

/** A map's name in its brackets, in the form that its row asks for. */
function mapNamePattern(format: Format | undefined): string {
  const pattern = format?.schema.pattern?.replace(/^\^|\$$/g, '') ?? String.raw`[^\[\]]+`;
  return String.raw`\[${pattern}\]`;
}

function propertyOf(row: Parameter, of: readonly Kind[]): JsonObject {
  const conditions = of.flatMap((kind) => requirementOf(row, kind)?.text ?? []);
  const using = of.filter((kind) => row.kinds.includes(kind));
  return {
    ...row.format.schema,
    description: `${row.description} Format: ${row.format.text}.${limitOfMap(row)}`,
    examples: [row.format.accepted],
    ...(conditions.length > 0 && { 'x-required-when': [...new Set(conditions)].join('; ') }),
    ...(using.length < of.length && { 'x-used-by': using }),
    ...((row.sensitivity === 'cardData' || row.sensitivity === 'secret') && { writeOnly: true }),
    ...(row.deprecated !== undefined && { deprecated: true }),
  };
}

/** A map is flat in a form, so only words can say it. */
function limitOfMap({ nameFormat }: Parameter): string {
  return nameFormat === undefined
    ? ''
    : ` A request has at most ${MAP_NAMES_MAX} names in brackets, of all maps together.`;
}

const text = (description: string, more: JsonObject = {}): JsonObject => ({
  type: 'string',
  description,
  ...more,
});

const stamps = {
  buildNumber: text('The build that answered.'),
  timestamp: text('When the answer was made, `yyyy-MM-dd HH:mm:ss+0000`.'),
  ndc: text('The id of this request, for support.'),
} as const;

const repeated: JsonObject = { maxLength: REPEATED_CHARACTERS_MAX };

const result: JsonObject = {
  type: 'object',
  required: ['code', 'description'],
  properties: {
    code: text('A code of `GET /v1/resultcodes`.', {
      pattern: String.raw`^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$`,
    }),
    description: text('The text of the code.'),
    avsResponse: text('What the issuer found about the address.', { enum: avsResponses }),
    cvvResponse: text('What it found about the security code.', { enum: cvvResponses }),
    parameterErrors: {
      type: 'array',
      description:
        'What is wrong with which parameter, with 200.300.404, in the order of the reference. ' +
        `The first ${PARAMETER_ERRORS_MAX} of what was found; of the parameters sent, the search ` +
        `ends at ${VIOLATIONS_MAX} that are wrong.`,
      maxItems: PARAMETER_ERRORS_MAX,
      items: {
        type: 'object',
        required: ['name', 'message'],
        properties: {
          name: text('The parameter, cut at the limit.', repeated),
          value: text(
            'What was sent, cut at the limit, unless it is personal, card data or secret.',
            repeated,
          ),
          message: text('What is wrong with it.'),
        },
      },
    },
  },
};

const nested = (description: string, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  description,
  ...more,
  additionalProperties: { type: 'string' },
});

function found(list: string): JsonObject {
  return {
    type: 'object',
    required: [list, 'result', ...Object.keys(stamps)],
    properties: {
      [list]: {
        type: 'array',
        description: 'Newest first; `amount` is missing where nothing was approved.',
        items: { $ref: '#/components/schemas/Payment' },
      },
      pages: { type: 'integer', description: 'How many pages of this limit there are.' },
      result: { $ref: '#/components/schemas/Result' },
      ...stamps,
    },
  };
}

const card: JsonObject = {
  type: 'object',
  description: 'First six and last four digits, what was sent, and what is known of such cards.',
  properties: {
    bin: text('The first six digits, of numbers with 12 or more.', { pattern: '^[0-9]{6}$' }),
    last4Digits: text('The last four digits.', { pattern: '^[0-9]{4}$' }),
    holder: text('As sent.'),
    expiryMonth: text('As sent.'),
    expiryYear: text('As sent.'),
    type: text('CREDIT, DEBIT or PREPAID.'),
    level: text('CLASSIC, GOLD and the like.'),
    country: text("The issuer's country, ISO 3166-1."),
    binCountry: text('The same.'),
    issuer: {
      type: 'object',
      description: 'Who issued the card.',
      properties: {
        bank: text('Its name.'),
        phone: text('Its telephone number.'),
        website: text('Its website.'),
      },
    },
    maxPanLength: text('The most digits that such numbers have.', { pattern: '^[0-9]{1,2}$' }),
    binType: text('PERSONAL or COMMERCIAL.'),
    regulatedFlag: text("Whether the issuer's fees are capped by law.", {
      enum: ['true', 'false'],
    }),
  },
};

/** The schemas of answers (Interface 2.2, 7); new fields may come at any time. */
export const answerSchemas: JsonObject = {
  Payment: {
    type: 'object',
    required: ['id', 'result', ...Object.keys(stamps)],
    properties: {
      id: text('The transaction.', { pattern: '^[a-z0-9]{32}$' }),
      referencedId: text('The transaction that this one refers to.'),
      paymentType: text('As sent.'),
      paymentMethod: text('CC: by card.'),
      paymentBrand: text('The brand of the card.'),
      brandResult: text('The brand that was found from the number, if none was sent.'),
      amount: text('Always with two decimals.', { pattern: String.raw`^[0-9]+\.[0-9]{2}$` }),
      currency: text('ISO 4217.'),
      shortId: text('The id for people to tell each other.', {
        pattern: String.raw`^[0-9]{4}\.[0-9]{4}\.[0-9]{4}$`,
      }),
      descriptor: text("Text on the shopper's statement."),
      merchantTransactionId: text('As sent.'),
      result: { $ref: '#/components/schemas/Result' },
      resultDetails: nested("The acquirer's details."),
      card,
      customParameters: nested('As sent.', { maxProperties: MAP_NAMES_MAX }),
      standingInstruction: nested('As sent.'),
      ...stamps,
    },
  },
  Payments: found('payments'),
  Records: found('records'),
  Refusal: {
    type: 'object',
    required: ['result', ...Object.keys(stamps)],
    properties: {
      id: text('Where the interface names one.'),
      result: { $ref: '#/components/schemas/Result' },
      ...stamps,
    },
  },
  Result: result,
  ResultCodes: {
    type: 'object',
    required: ['resultCodes'],
    properties: {
      resultCodes: {
        type: 'array',
        items: {
          type: 'object',
          required: ['code', 'description'],
          properties: { code: text('The code.'), description: text('Its text.') },
        },
      },
    },
  },
};
