import type { RequestContext } from './valid-requests.js';

/** A piece of an OpenAPI document: JSON. */
export type OpenApiObject = Readonly<Record<string, unknown>>;

/** Cards that are approved (the simulator's own), of three brands. */
const CARD_NUMBERS = ['4200000000000000', '5454545454545454', '377777777777770'];
/** Beside some that exist, so that most requests reach something and some reach nothing. */
const NOTHING = 'ffffffffffffffffffffffffffffffff';
const PAYMENTS_MAX = 20;

/** The forms, and what each takes as `paymentType` (Interface 4). */
const PAYMENT_TYPES: Readonly<Record<string, readonly string[]>> = {
  PaymentRequest: ['PA', 'DB', 'CD'],
  ReferenceRequest: ['CP', 'RV', 'RF', 'RB', 'RC', 'CB', 'CR', 'PA', 'RG'],
  RegistrationRequest: [],
  RegistrationUpdateRequest: ['RR'],
  CheckoutRequest: ['PA', 'DB', 'CD'],
  CheckoutUpdateRequest: ['PA', 'DB', 'CD'],
  ShopperRequest: [],
  ScheduleRequest: ['SD', 'PA', 'DB', 'CD'],
  RescheduleRequest: ['SD', 'PA', 'DB', 'CD', 'RS'],
};
/** The form that begins with something stored, of which there has to be one. */
const OF_SOMETHING_STORED = 'ScheduleRequest';
const OF_REGISTRATIONS = '/v1/registrations';

type Known = Readonly<Record<string, readonly string[]>>;

/**
 * The document with the values that this sandbox knows, where any other would end a request at the
 * door: whose it is, which payment it refers to, which card pays. Answers stay as they are
 * described; wrong values are made by breaking these.
 */
export function narrowed(
  document: OpenApiObject,
  url: string,
  { entityId, paymentIds, registrationIds }: RequestContext,
): OpenApiObject {
  const some = paymentIds.slice(0, PAYMENTS_MAX);
  const known: Known = {
    entityId: [entityId],
    'authentication.entityId': [entityId],
    'card.number': CARD_NUMBERS,
    'card.expiryYear': ['2034'],
    referenceUuid: some,
  };
  const components = document['components'] as OpenApiObject;
  const schemas = Object.entries(components['schemas'] as OpenApiObject).map(([name, schema]) => {
    const paymentType = PAYMENT_TYPES[name];
    if (paymentType === undefined) return [name, schema];
    const own = {
      ...(paymentType.length > 0 && { paymentType }),
      ...(name === OF_SOMETHING_STORED && { registrationId: [...registrationIds, NOTHING] }),
    };
    return [name, narrowedForm(schema as OpenApiObject, { ...known, ...own })];
  });
  return {
    ...document,
    servers: [{ url }],
    paths: narrowedPaths(document['paths'] as OpenApiObject, known, {
      ofPayments: [...some, NOTHING],
      ofRegistrations: [...registrationIds, NOTHING],
    }),
    components: { ...components, schemas: Object.fromEntries(schemas) as OpenApiObject },
  };
}

/** Each path with the ids of what it is about. */
function narrowedPaths(
  paths: OpenApiObject,
  known: Known,
  ids: Readonly<Record<'ofPayments' | 'ofRegistrations', readonly string[]>>,
): OpenApiObject {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => {
      const own = path.startsWith(OF_REGISTRATIONS) ? ids.ofRegistrations : ids.ofPayments;
      return [path, narrowedParameters(item, known, own)];
    }),
  );
}

/** Parameters of paths and queries, wherever they are described. */
function narrowedParameters(value: unknown, known: Known, ids: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => narrowedParameters(each, known, ids));
  if (typeof value !== 'object' || value === null) return value;
  const object = value as OpenApiObject;
  if (isParameter(object)) {
    const values = object['in'] === 'path' ? ids : known[object.name];
    return values === undefined ? object : { ...object, schema: oneOf(values) };
  }
  return Object.fromEntries(
    Object.entries(object).map(([key, inner]) => [key, narrowedParameters(inner, known, ids)]),
  );
}

function isParameter(object: OpenApiObject): object is OpenApiObject & { readonly name: string } {
  return typeof object['name'] === 'string' && typeof object['in'] === 'string';
}

function narrowedForm(schema: OpenApiObject, known: Known): OpenApiObject {
  const properties = Object.entries(schema['properties'] as OpenApiObject).map(([name, own]) => {
    const values = known[name];
    return [name, values === undefined ? own : { ...(own as object), ...oneOf(values) }];
  });
  return { ...schema, properties: Object.fromEntries(properties) as OpenApiObject };
}

function oneOf(values: readonly string[]): OpenApiObject {
  return { type: 'string', enum: values, examples: values.slice(0, 1) };
}
