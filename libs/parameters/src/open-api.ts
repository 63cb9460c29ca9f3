import { answerSchemas } from './answer-schemas.js';
import { catalogue } from './catalogue.js';
import type { JsonObject } from './json-object.js';
import {
  kinds,
  newPaymentKinds,
  referenceKinds,
  registrationTypeOf,
  unservedKinds,
} from './kinds.js';
import {
  paymentExamples,
  referenceExamples,
  registrationExamples,
  type RequestExample,
  storedPaymentExamples,
  updateExamples,
} from './open-api-examples.js';
import { checkoutPaths } from './open-api-checkouts.js';
import {
  alsoOfType,
  alsoOnlySaved,
  alsoShownAmount,
  formSchema,
  restSchema,
  schemaOf,
} from './open-api-schemas.js';
import { scheduleForms, schedulePaths } from './open-api-schedules.js';
import { standalonePaths } from './open-api-standalone.js';
import type { Parameter } from './parameter.js';
import { notServedNote } from './reference-rows.js';

const answer = (description: string, ...schemas: readonly string[]): JsonObject => ({
  description,
  content: { 'application/json': { schema: schemaOf(...schemas) } },
});

/** Interface 7, and the two of D-35. */
const refusals: JsonObject = {
  '400': answer('Wrong parameters, or nothing could be asked for that way.', 'Refusal'),
  '401': answer('The `Authorization` header is missing or malformed.', 'Refusal'),
  '403': answer('The access token is not accepted, or not for this entity.', 'Refusal'),
  '500': answer('A defect.', 'Refusal'),
  '503': answer('Unavailable; nothing was started.', 'Refusal'),
};

/** What refuses a request for money: such a refusal is a transaction too, unless nothing was tried. */
const refusalsOfPayments: JsonObject = {
  ...refusals,
  '400': answer(
    'The payment failed, or wrong parameters: the result code says which.',
    ...['Payment', 'Refusal'],
  ),
};

/** The same of registrations. */
const refusalsOfRegistrations: JsonObject = {
  ...refusals,
  '400': answer(
    'Nothing was stored or changed: the result code says why.',
    ...['Registration', 'Refusal'],
  ),
};

const notFound: JsonObject = {
  '404': answer('No transaction has this id (700.400.580).', 'Refusal'),
};

const noneFound: JsonObject = {
  '404': answer('Nothing was found (700.400.580).', 'Refusal'),
};

const form = (
  schemas: string | readonly string[],
  examples: Readonly<Record<string, RequestExample>>,
): JsonObject => ({
  required: true,
  content: {
    'application/x-www-form-urlencoded': {
      schema: schemaOf(...[schemas].flat()),
      examples: Object.fromEntries(
        Object.entries(examples).map(([name, { summary, fields }]) => [
          name,
          { summary, value: fields },
        ]),
      ),
    },
  },
});

const idempotencyKey: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same key with the same input gives the first answer again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const id: JsonObject = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'A transaction.',
  schema: { type: 'string', pattern: '^[a-z0-9]{32}$' },
};

const registrationId: JsonObject = { ...id, description: 'A registration.' };

function query(...keys: readonly (keyof typeof catalogue)[]): JsonObject[] {
  return keys.map((key) => {
    const { format, formatIn, description }: Parameter = catalogue[key];
    const { schema } = formatIn?.query ?? format;
    return { name: key, in: 'query', description, schema };
  });
}

const searched = query(
  ...(['entityId', 'testMode', 'merchantTransactionId', 'date.from', 'date.to'] as const),
  ...(['paymentTypes', 'paymentMethods', 'shortId', 'includeLinkedTransactions'] as const),
  ...(['limit', 'pageNo'] as const),
);

/** Of a transaction by its id: version 3 answers a list, so that there is something to choose. */
const byId = {
  v1: query('entityId', 'testMode'),
  v3: query(
    ...(['entityId', 'testMode', 'paymentTypes', 'paymentMethods'] as const),
    ...(['includeLinkedTransactions', 'limit', 'pageNo'] as const),
  ),
} as const;

function queryPaths(version: 'v1' | 'v3', list: 'Payments' | 'Records'): JsonObject {
  const found =
    version === 'v1'
      ? answer('The transaction, or what was done to a registration.', 'Payment', 'Registration')
      : answer('The transaction.', list);
  return {
    [`/${version}/query`]: {
      get: {
        operationId: `search${list}`,
        tags: ['Queries'],
        summary: "Transactions by the merchant's own id or by time, newest first",
        parameters: searched,
        responses: { '200': answer('What was found.', list), ...refusals, ...noneFound },
      },
    },
    [`/${version}/query/{id}`]: {
      parameters: [id],
      get: {
        operationId: `query${list}`,
        tags: ['Queries'],
        summary:
          version === 'v1'
            ? 'One transaction'
            : 'One transaction, on demand with all of its payment',
        parameters: byId[version],
        responses: { '200': found, ...refusals, ...notFound },
      },
    },
  };
}

/** What can be done with the transaction of an answer. */
const nextRequests: JsonObject = {
  links: Object.fromEntries(
    ['readTransaction', 'referToTransaction', 'queryPayments', 'queryRecords'].map(
      (operationId) => [operationId, { operationId, parameters: { id: '$response.body#/id' } }],
    ),
  ),
};

/** What can be done with what was stored. */
const nextOfRegistration: JsonObject = {
  links: Object.fromEntries(
    [...['readRegistration', 'payByRegistration', 'extendRegistration'], 'deleteRegistration'].map(
      (operationId) => [operationId, { operationId, parameters: { id: '$response.body#/id' } }],
    ),
  ),
};

const paths: JsonObject = {
  '/v1/payments': {
    post: {
      operationId: 'initiatePayment',
      tags: ['Payments'],
      summary: 'A new payment, or an increment or reauthorization by referenceUuid',
      parameters: [idempotencyKey],
      requestBody: form('PaymentRequest', paymentExamples),
      responses: {
        '200': { ...answer('Approved or pending.', 'Payment'), ...nextRequests },
        ...refusalsOfPayments,
      },
    },
  },
  ...standalonePaths({
    answer,
    form,
    id,
    idempotencyKey,
    notFound,
    query,
    refusals,
    refusalsOfPayments,
  }),
  '/v1/payments/{id}': {
    parameters: [id],
    get: {
      operationId: 'readTransaction',
      tags: ['Payments'],
      summary: 'One transaction as it stands; a declined one is HTTP 200 here',
      description:
        'An id that is not known is 404. Where several instances take requests, one of an id of the ' +
        'last 85 seconds may still have it on its way: until then the answer is pending (000.200.000). ' +
        'The sandbox is one instance, which knows what is on its way, and answers 404 at once.',
      parameters: query('entityId', 'testMode'),
      responses: { '200': answer('The transaction.', 'Payment'), ...refusals, ...notFound },
    },
    post: {
      operationId: 'referToTransaction',
      tags: ['Payments'],
      summary: 'Capture, reversal, refund, rebill, receipt, chargeback and their like',
      description:
        'RG stores what a payment was made with. With the id of a registration, PA, DB and CD begin a payment with what was stored, as `POST /v1/registrations/{id}/payments` does.',
      parameters: [idempotencyKey],
      requestBody: form(['ReferenceRequest', 'PaymentRequest'], referenceExamples),
      responses: {
        '200': { ...answer('Approved or pending.', 'Payment'), ...nextRequests },
        ...refusalsOfPayments,
        ...notFound,
      },
    },
  },
  '/v1/registrations': {
    post: {
      operationId: 'registerInstrument',
      tags: ['Registrations'],
      summary: 'Stores what is paid with, for later payments',
      parameters: [idempotencyKey],
      requestBody: form('RegistrationRequest', registrationExamples),
      responses: {
        '200': { ...answer('Stored, or pending.', 'Registration'), ...nextOfRegistration },
        ...refusalsOfRegistrations,
      },
    },
  },
  '/v1/registrations/{id}': {
    parameters: [registrationId],
    get: {
      operationId: 'readRegistration',
      tags: ['Registrations'],
      summary: 'What was stored',
      description: 'One that was deleted is refused like one that never was (200.300.404).',
      parameters: query('entityId', 'testMode'),
      responses: { '200': answer('The registration.', 'Registration'), ...refusals },
    },
    post: {
      operationId: 'updateRegistration',
      tags: ['Registrations'],
      summary: 'Changes the expiry, the holder, or what is known of the shopper',
      description:
        'What is not sent stays as it is. The number, and whatever else makes another account, cannot be changed: store a new one.',
      parameters: [idempotencyKey],
      requestBody: form('RegistrationUpdateRequest', updateExamples),
      responses: {
        '200': answer('Changed, or pending; the registration as it is then.', 'Registration'),
        ...refusalsOfRegistrations,
      },
    },
    delete: {
      operationId: 'deleteRegistration',
      tags: ['Registrations'],
      summary: 'Forgets what was stored, for good',
      description: 'A second time is refused with 100.350.101: it is done.',
      parameters: [idempotencyKey, ...query('entityId', 'testMode')],
      responses: { '200': answer('Deleted.', 'Registration'), ...refusalsOfRegistrations },
    },
  },
  '/v1/registrations/{id}/extendlife': {
    parameters: [registrationId],
    post: {
      operationId: 'extendRegistration',
      tags: ['Registrations'],
      summary: 'Keeps what was stored for 24 months from now',
      description:
        'Without it, a card is forgotten 14 months after it has expired. Never shortens the time.',
      parameters: [idempotencyKey, ...query('entityId', 'testMode')],
      responses: { '200': answer('Extended.', 'Registration'), ...refusalsOfRegistrations },
    },
  },
  '/v1/registrations/{id}/payments': {
    parameters: [registrationId],
    post: {
      operationId: 'payByRegistration',
      tags: ['Registrations'],
      summary: 'A payment with what was stored',
      description: 'The same as a payment with `registrationId`.',
      parameters: [idempotencyKey],
      requestBody: form('PaymentRequest', storedPaymentExamples),
      responses: {
        '200': { ...answer('Approved or pending.', 'Payment'), ...nextRequests },
        ...refusalsOfPayments,
      },
    },
  },
  ...checkoutPaths({
    ...{ answer, form, idempotencyKey, refusals },
    asker: query('entityId', 'testMode'),
  }),
  ...schedulePaths({ answer, form, id, idempotencyKey, query, refusals }),
  ...queryPaths('v1', 'Payments'),
  ...queryPaths('v3', 'Records'),
  '/v1/resultcodes': {
    get: {
      operationId: 'listResultCodes',
      tags: ['Result codes'],
      summary: 'All result codes',
      security: [],
      responses: { '200': answer('The table.', 'ResultCodes') },
    },
  },
};

/** Where the operations are served. */
export interface ServerObject {
  readonly url: string;
  readonly description: string;
}

const sandbox: ServerObject = { url: 'http://localhost:8080', description: 'The sandbox' };

const tags: readonly JsonObject[] = [
  { name: 'Payments', description: 'New payments, what refers to them, and their state.' },
  {
    name: 'Registrations',
    description: 'What is stored of shoppers, to pay with later.',
    externalDocs: { description: 'Interface 2.16', url: '/docs/interface#2.16' },
  },
  {
    name: 'Checkouts',
    description: 'What shoppers complete in their browsers.',
    externalDocs: { description: 'Interface 3', url: '/docs/interface#3' },
  },
  {
    name: 'Schedules',
    description: 'When what is stored is charged without a request.',
    externalDocs: { description: 'Interface 2.18', url: '/docs/interface#2.18' },
  },
  {
    name: 'Queries',
    description: 'Searching for transactions.',
    externalDocs: { description: 'Interface 2.19', url: '/docs/interface#2.19' },
  },
  { name: 'Result codes', description: 'The catalogue of results.' },
];

/** The kinds of requests that have an operation now, whatever becomes of them there. */
const servedKinds = kinds.filter((kind) => unservedKinds.get(kind) !== 'absent');

const checkoutForm = formSchema('What is to be paid, or stored, in a browser.', 'checkout');

const checkoutForms: JsonObject = {
  CheckoutRequest: checkoutForm,
  CheckoutUpdateRequest: {
    ...checkoutForm,
    description: 'What is to be changed in a checkout: together with the rest it has to be right.',
    required: [],
  },
  ShopperRequest: alsoOnlySaved(
    alsoShownAmount(formSchema('What a shopper tells to complete a checkout.', 'widgetPayment')),
  ),
};

/**
 * The OpenAPI 3.1 description of the interface as it is served now. Generated, never edited; a
 * gateway names itself as the server.
 */
export function openApiDocument(server: ServerObject = sandbox): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version: 'v1',
      summary: 'A payment gateway',
      description:
        'Requests are form-encoded with flat, dotted names; answers are JSON. Clients must ' +
        'tolerate new fields. Legacy access by `authentication.*` parameters is accepted in place ' +
        `of the header. ${notServedNote()}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { description: 'The interface', url: '/docs/interface' },
    servers: [server],
    security: [{ accessToken: [] }],
    tags,
    paths,
    components: {
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The access token of the channel or of one of its owners ([Interface 5](/docs/interface#5)).',
        },
      },
      schemas: {
        PaymentRequest: formSchema(
          'A payment: PA, DB or CD, by card or by the structure that was sent. With `referenceUuid`, ' +
            'PA and no card: an increment or a reauthorization.',
          ...newPaymentKinds,
          ...(['incrementalAuthorization', 'reauthorization'] as const),
        ),
        ReferenceRequest: alsoOfType(
          registrationTypeOf('registration'),
          formSchema(
            'An operation on a transaction: CP, RV, RF, RB, RC, CB, CR, PA with the industry practice ' +
              'INCREMENTAL_AUTH or REAUTHORIZATION, or RG, which stores what it was paid with.',
            ...referenceKinds,
          ),
        ),
        AuthenticationRequest: formSchema('Whose shopper is to be authenticated.', 'threeDSecure'),
        RiskRequest: formSchema('What the rules are to judge.', 'risk'),
        RegistrationRequest: formSchema('What is to be stored.', 'registration'),
        RegistrationUpdateRequest: formSchema('What is to be changed.', 'registrationUpdate'),
        ...checkoutForms,
        ...scheduleForms,
        LaterParameters: restSchema(
          'Parameters of the interface whose requests this version does not serve yet.',
          ...servedKinds,
        ),
        ...answerSchemas,
      },
    },
  };
}
