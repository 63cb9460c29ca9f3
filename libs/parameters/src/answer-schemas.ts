import { avsResponses, cvvResponses, registrationOperations, runSources } from '@sluice/contracts';
import { country, object, type Properties, text } from './answer-properties.js';
import { authenticationSchema, eci } from './authentication-schema.js';
import { echoedProperties } from './echoed-schema.js';
import { instrumentAnswerSchemas } from './instruments.js';
import type { JsonObject } from './json-object.js';
import { answeredPaymentTypes, registrationTypeOf } from './kinds.js';
import { PARAMETER_ERRORS_MAX, REPEATED_CHARACTERS_MAX } from './limits.js';
import { savingSchema } from './saving-schema.js';
import { scheduleSchemas } from './schedule-schemas.js';
import { walletSchemas } from './wallet-schemas.js';

const stamps = {
  buildNumber: text('The build that answered.', { minLength: 1, maxLength: 255 }),
  timestamp: text('When the answer was made, `yyyy-MM-dd HH:mm:ss+0000`.', {
    pattern: String.raw`^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\+0000$`,
  }),
  ndc: text('The id of this request, for support.', { pattern: '^[a-zA-Z0-9_.-]{1,69}$' }),
} as const;

/** What every answer has. */
const common = { result: { $ref: '#/components/schemas/Result' }, ...stamps } as const;

const transactionId: JsonObject = { pattern: '^[a-z0-9]{32}$' };
const wireAmount: JsonObject = { pattern: String.raw`^[0-9]+\.[0-9]{2}$` };
const repeated: JsonObject = { maxLength: REPEATED_CHARACTERS_MAX };
const brand: JsonObject = { pattern: '^[a-zA-Z0-9_]{1,32}$' };

/** Interface 2.2 has it, and nothing that is served leads to it. */
const NOT_YET = { 'x-not-answered-yet': true } as const;

const result = object(
  'What became of the request.',
  {
    code: text('A code of `GET /v1/resultcodes`.', {
      pattern: String.raw`^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$`,
    }),
    description: text('The text of the code.', { maxLength: 255 }),
    avsResponse: text('What the issuer found about the address.', { enum: avsResponses }),
    cvvResponse: text('What it found about the security code.', { enum: cvvResponses }),
    parameterErrors: {
      type: 'array',
      description:
        'What is wrong with which parameter, with 200.300.404, in the order of the reference. Where ' +
        `more than ${PARAMETER_ERRORS_MAX} are wrong, one error of the \`body\` behind them says how many.`,
      // The one that says how many more there are.
      maxItems: PARAMETER_ERRORS_MAX + 1,
      items: {
        type: 'object',
        required: ['name', 'message'],
        properties: {
          name: text('The parameter, cut at the limit.', repeated),
          value: text(
            'What was sent, cut at the limit, unless it is personal, account data or secret.',
            repeated,
          ),
          message: text('What is wrong with it.'),
        },
      },
    },
  },
  { required: ['code', 'description'] },
);

const resultDetails = object(
  "The acquirer's details; what else there is depends on the acquirer.",
  {
    ExtendedDescription: text("The acquirer's text for the result, or the code's."),
    AcquirerResponse: text("The acquirer's own response code."),
    MerchantAdviceCode: text(
      'What the issuer advises about a declined card, where its network does so: 01 to 04 and the ' +
        'like.',
      { pattern: '^[0-9]{2}$' },
    ),
    ConnectorTxID1: text("The acquirer's id of the transaction."),
    CardholderInitiatedTransactionID: text(
      'What later payments of a standing instruction refer to, on its approved first one.',
    ),
    AuthCode: text("The issuer's authorization code."),
    ReferenceNbr: text("The acquirer's reference number."),
    clearingInstituteName: text('Who processed the payment.'),
    '3ds.acsEci': text('`threeDSecure.eci` of an authentication that was made here.', eci),
  },
  {
    required: ['ExtendedDescription'],
    propertyNames: { pattern: '^[a-zA-Z0-9._]{3,64}$' },
    additionalProperties: { type: 'string', maxLength: 2048 },
  },
);

/** What is brought to an address, in values of so many characters. */
function parametersOf(maxLength: number): JsonObject {
  return {
    type: 'array',
    description: 'What is posted there.',
    items: {
      type: 'object',
      required: ['name', 'value'],
      properties: {
        name: text('Its name.', { maxLength: 255 }),
        value: text('Its value.', { maxLength }),
      },
    },
  };
}

/** As the acquirer said it; data of 3-D Secure is longer than what the interface has for redirects. */
const precondition = object(
  'A step that the shopper does not see, such as one of 3-D Secure.',
  {
    origin: text('What of the page goes there: `iframe#hidden`, a frame that nobody sees.'),
    waitUntil: text('What has to happen before the redirect: `iframe#load`, the frame is loaded.'),
    description: text('For people.'),
    url: text("The acquirer's address.", { minLength: 6, maxLength: 2048 }),
    method: text('How the frame goes there.', { enum: ['GET', 'POST'] }),
    parameters: parametersOf(65_536),
  },
  { required: ['url', 'method', 'parameters'] },
);

const redirect = object(
  'Where to send the shopper, while a payment at a bank or provider waits for that.',
  {
    url: text('The address.', { minLength: 6, maxLength: 2048 }),
    method: text('How a browser goes there; the address takes GET and POST.', {
      enum: ['GET', 'POST'],
    }),
    parameters: parametersOf(255),
    preconditions: {
      type: 'array',
      description: 'What the page that sends the shopper on loads before, in this order.',
      items: precondition,
    },
  },
  NOT_YET,
);

const bankAccount = object(
  'The account to pay into. Not answered yet: no method that is served has one.',
  {
    holder: text('Whose account it is.', { minLength: 4, maxLength: 128 }),
    number: text('Its number, or its IBAN.', { minLength: 3, maxLength: 64 }),
    bic: text('The bank, by its BIC.', { pattern: '^[A-Z0-9]{8}(?:[A-Z0-9]{3})?$' }),
    country: text('ISO 3166-1.', country),
  },
  { ...NOT_YET, required: ['holder'] },
);

const risk = object('What the rules of the channel found, where any hold.', {
  score: text('From -99999 to +99999: what they add up to.', { pattern: '^[+-]?[0-9]{1,5}$' }),
});

/** What answers make themselves, or restate in a form of their own. */
const ownProperties: Properties = {
  id: text('The transaction.', transactionId),
  referencedId: text('The transaction that this one refers to.', transactionId),
  registrationId: text(
    'The stored account: that which was paid with, or that which `createRegistration` stores.',
    {
      pattern: '^[a-zA-Z0-9]{32}$',
    },
  ),
  paymentType: text('What was asked for.', { enum: answeredPaymentTypes }),
  paymentMethod: text(
    'What the payment is made with: CC card, WA wallet, VA virtual account, DD direct debit, OT bank ' +
      'transfer, NT token of a card network, ET token of another provider. Payments with anything but ' +
      'a card are not served yet: they are recorded and refused.',
    { enum: ['CC', 'WA', 'VA', 'DD', 'OT', 'NT', 'ET', 'PP'] },
  ),
  paymentBrand: text('The brand that was sent, or that of the card, in capitals.', brand),
  brandResult: text('The brand that was found from the number, if none was sent.', brand),
  source: text(
    'Of a payment that nobody asked for when it was made: SCHEDULER, a schedule did; MACRETRY, it is another try ' +
      'of one that was declined, as the issuer advised. Absent of all others.',
    { enum: runSources },
  ),
  amount: text(
    'Of the request that is answered, declined ones too; queries leave it out of a transaction ' +
      'that was declined or refused. Always with two decimals.',
    wireAmount,
  ),
  currency: text('ISO 4217.', { pattern: '^[A-Z]{3}$' }),
  shortId: text('The id for people to tell each other.', {
    pattern: String.raw`^[0-9]{4}\.[0-9]{4}\.[0-9]{4}$`,
  }),
  descriptor: text("Text on the shopper's statement: as sent, or made of `shortId` and channel.", {
    minLength: 1,
    maxLength: 127,
  }),
  result: { $ref: '#/components/schemas/Result' },
  resultDetails,
  ...instrumentAnswerSchemas,
  redirect,
  risk,
};

/** The answer to a payment, or to whatever refers to one (Interface 2.2). */
function payment(): JsonObject {
  const echoed = echoedProperties();
  const properties: Properties = {
    ...ownProperties,
    ...Object.fromEntries(Object.entries(echoed).filter(([name]) => !(name in ownProperties))),
    ...extended(echoed, 'merchant', { bankAccount }),
    ...extended(echoed, 'threeDSecure', authenticationSchema),
    ...extended(echoed, 'standingInstruction', {
      initialTransactionId: text(
        'As sent; on an approved first payment what later ones have to send.',
        { minLength: 1, maxLength: 255 },
      ),
      agreementId: text(
        'As sent; on an approved first payment that sent none, one that later ones can send.',
        { minLength: 1, maxLength: 35 },
      ),
      frequency: text('As sent; 0001 on a first payment that sent none.', {
        pattern: '^[0-9]{1,4}$',
      }),
      expiry: text('As sent; 9999-12-31 on a first payment by MASTER that sent none.', {
        format: 'date',
      }),
    }),
    ...stamps,
  };
  return object('A transaction. New fields may come at any time.', properties, {
    required: ['id', 'result', ...Object.keys(stamps)],
  });
}

/** The answer to a request about a registration (wire contract 4). */
function registration(): JsonObject {
  const { id: _, referencedId: __, amount: ___, ...others } = payment()['properties'] as Properties;
  const ofPaymentsAlone = new Set([
    ...['registrationId', 'paymentType', 'brandResult', 'currency', 'shortId'],
    ...['descriptor', 'resultDetails', 'redirect', 'risk', 'bankAccount', 'source'],
  ]);
  const shown = Object.entries(others).filter(([name]) => !ofPaymentsAlone.has(name));
  return object(
    'A registration, or what was done to one. New fields may come at any time.',
    {
      id: text('The registration; of what was done to it, the request.', transactionId),
      referencedId: text(
        'The registration that it was done to; of RG on a payment, that payment.',
        transactionId,
      ),
      paymentType: text(
        'In queries, in answers to what was done to it (RR, TE, DR), and where RG was sent.',
        {
          enum: registrationOperations.map(registrationTypeOf),
        },
      ),
      ...Object.fromEntries(shown),
    },
    { required: ['id', 'result', ...Object.keys(stamps)] },
  );
}

function extended(echoed: Properties, name: string, more: Properties): Properties {
  const properties = echoed[name]?.['properties'] as Properties | undefined;
  return { [name]: { ...echoed[name], type: 'object', properties: { ...properties, ...more } } };
}

const pages: JsonObject = {
  type: 'integer',
  minimum: 1,
  description:
    'How many pages of this limit there are, where it is more than one or `pageNo` was sent.',
};

function found(list: 'payments' | 'records'): JsonObject {
  return object(
    'What was found. New fields may come at any time.',
    {
      [list]: {
        type: 'array',
        description: 'Newest first; linked ones behind all that were looked for, oldest first.',
        items: {
          title: 'Payment, Registration or Schedule',
          anyOf: ['Payment', 'Registration', 'ScheduleEntry'].map((name) => ({
            $ref: `#/components/schemas/${name}`,
          })),
        },
      },
      ...(list === 'records' && { pages }),
      ...common,
    },
    { required: [list, 'result', ...Object.keys(stamps)] },
  );
}

/**
 * The schemas of answers (Interface 2.2, 7). None of them is closed: clients must take new fields at
 * any time (Interface 9). A test of edge closes them and asks real answers.
 */
export const answerSchemas = {
  Payment: payment(),
  Payments: found('payments'),
  Records: found('records'),
  Registration: registration(),
  ...scheduleSchemas(common),
  Refusal: object(
    'A request that was answered without a transaction. New fields may come at any time.',
    {
      id: text('Where the interface names one.', transactionId),
      ...common,
    },
    { required: ['result', ...Object.keys(stamps)] },
  ),
  Checkout: object(
    'A checkout that was created, or how one stands. New fields may come at any time.',
    {
      id: text('The checkout, where it was created.', { pattern: '^[a-zA-Z0-9.-]{32,48}$' }),
      integrity: text(
        "The hash of the checkout's script, where it was created with integrity=true.",
        {
          pattern: '^sha384-[A-Za-z0-9+/]{64}$',
        },
      ),
      ...common,
    },
    { required: ['result', ...Object.keys(stamps)] },
  ),
  CheckoutForm: object(
    'What the form of a checkout shows. New fields may come at any time.',
    {
      registrations: {
        type: 'array',
        items: object('A stored account that the merchant offers.', {
          id: text('What the form sends as `registrationId`.', transactionId),
          paymentBrand: text('Its brand.'),
          card: object('Of a card; of other accounts, `bankAccount` or `tokenAccount`.', {
            last4Digits: text('The last four digits.', { pattern: '^[0-9]{4}$' }),
            expiryMonth: text('As stored.'),
            expiryYear: text('As stored.'),
            holder: text('As stored.'),
          }),
        }),
      },
      registrationId: text('The account that is paid with, where the merchant has named one.'),
      amount: text('What is charged, where something is.'),
      currency: text('Of the amount.', { pattern: '^[A-Z]{3}$' }),
      mayDelete: {
        type: 'boolean',
        description: 'There, and true, where the shopper may delete them.',
      },
      ...common,
    },
    { required: ['registrations', 'result', ...Object.keys(stamps)] },
  ),
  CheckoutBrands: object(
    'By which brands a checkout can be paid. New fields may come at any time.',
    {
      brands: {
        type: 'array',
        items: text('A brand; with a star, how brands begin.'),
        description: 'Absent where nobody knows, or nothing is paid: then none is left out.',
      },
      ...common,
    },
    { required: ['result', ...Object.keys(stamps)] },
  ),
  CardRange: object(
    "What the installation's table of cards says of those that begin so. New fields may come at any time.",
    {
      brands: { type: 'array', items: text('A brand.'), description: 'None where nobody knows.' },
      country: text('Of the issuer.', { pattern: '^[A-Z]{2}$' }),
      type: text('CREDIT, DEBIT and the like.'),
      ...common,
    },
    { required: ['brands', 'result', ...Object.keys(stamps)] },
  ),
  CardRangeRequest: object(
    'What is typed of a number so far.',
    { 'card.range': text('Its first six to eight digits.', { pattern: '^[0-9]{6,8}$' }) },
    { required: ['card.range'], additionalProperties: false },
  ),
  CheckoutAttempt: object(
    "What became of a shopper's form, as far as the browser is told. New fields may come at any time.",
    {
      id: text('The payment or registration.', transactionId),
      result: { $ref: '#/components/schemas/Result' },
      redirect: {
        ...redirect,
        description: "Where the shopper goes now: to somebody else's page, or back to the shop.",
      },
      ...stamps,
    },
    { required: ['id', 'result', ...Object.keys(stamps)] },
  ),
  CheckoutSaving: savingSchema(common),
  ...walletSchemas(common),
  Result: result,
  ResultCodes: object(
    'The table of result codes.',
    {
      resultCodes: {
        type: 'array',
        items: object(
          'One of them.',
          { code: text('The code.'), description: text('Its text.') },
          { required: ['code', 'description'] },
        ),
      },
      ...common,
    },
    { required: ['resultCodes', 'result', ...Object.keys(stamps)] },
  ),
} as const satisfies Readonly<Record<string, JsonObject>>;
