import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from '@sluice/parameters';
import { narrowed, type OpenApiObject } from './narrowed-document.js';

const context = {
  entityId: 'a'.repeat(32),
  accessToken: 'a-token',
  paymentIds: ['0'.repeat(32), '1'.repeat(32)],
  registrationIds: ['2'.repeat(32)],
};
const URL_OF_SANDBOX = 'http://127.0.0.1:1';
const document = openApiDocument();
const narrow = narrowed(document, URL_OF_SANDBOX, context);

/** What lies at the end of a path of names. */
function at(object: OpenApiObject, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as OpenApiObject)[name], object);
}

describe('the document that is fuzzed', () => {
  it('leads to the sandbox', () => {
    expect(narrow['servers']).toEqual([{ url: URL_OF_SANDBOX }]);
  });

  it.each([
    ['PaymentRequest', 'entityId', [context.entityId]],
    ['PaymentRequest', 'paymentType', ['PA', 'DB', 'CD']],
    ['PaymentRequest', 'referenceUuid', context.paymentIds],
    ['ReferenceRequest', 'entityId', [context.entityId]],
    ['RegistrationRequest', 'entityId', [context.entityId]],
    ['ScheduleRequest', 'entityId', [context.entityId]],
    ['ScheduleRequest', 'registrationId', [...context.registrationIds, 'f'.repeat(32)]],
    ['RescheduleRequest', 'entityId', [context.entityId]],
  ])('has the values of the sandbox in %s %s', (schema, name, values) => {
    const own = at(narrow, 'components', 'schemas', schema, 'properties', name);
    expect(own).toMatchObject({ type: 'string', enum: values });
  });

  it('has them in paths and queries', () => {
    const path = at(narrow, 'paths', '/v1/payments/{id}', 'parameters') as OpenApiObject[];
    expect(path.find(({ name }) => name === 'id')).toMatchObject({
      schema: { enum: [...context.paymentIds, 'f'.repeat(32)] },
    });
    const stored = at(narrow, 'paths', '/v1/registrations/{id}', 'parameters') as OpenApiObject[];
    expect(stored.find(({ name }) => name === 'id')).toMatchObject({
      schema: { enum: [...context.registrationIds, 'f'.repeat(32)] },
    });
    const query = at(narrow, 'paths', '/v1/query', 'get', 'parameters') as OpenApiObject[];
    expect(query.find(({ name }) => name === 'entityId')).toMatchObject({
      schema: { enum: [context.entityId] },
    });
  });

  it('describes every answer, and every other parameter, as before', () => {
    const answers = (of: OpenApiObject): unknown => at(of, 'components', 'schemas', 'Payment');
    expect(answers(narrow)).toEqual(answers(document));
    const responses = (of: OpenApiObject): unknown =>
      at(of, 'paths', '/v1/payments', 'post', 'responses');
    expect(responses(narrow)).toEqual(responses(document));
    const amount = (of: OpenApiObject): unknown =>
      at(of, 'components', 'schemas', 'PaymentRequest', 'properties', 'amount');
    expect(amount(narrow)).toEqual(amount(document));
  });
});
