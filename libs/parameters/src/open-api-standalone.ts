import type { JsonObject } from './json-object.js';
import type { OpenApiWords } from './open-api-checkouts.js';
import { authenticationExamples, riskExamples } from './open-api-examples.js';

/** What their description is made of, as of those of payments. */
interface PathWords extends Pick<OpenApiWords, 'answer' | 'form' | 'idempotencyKey' | 'refusals'> {
  readonly query: (...keys: readonly ('entityId' | 'testMode')[]) => readonly JsonObject[];
  readonly id: JsonObject;
  readonly notFound: JsonObject;
  readonly refusalsOfPayments: JsonObject;
}

/** Authentications and risk checks without a payment (Interface 2.17, 2.18, wire contract 6). */
export function standalonePaths(words: PathWords): JsonObject {
  const { answer, form, id, idempotencyKey, notFound, query, refusals, refusalsOfPayments } = words;
  return {
    '/v1/threeDSecure': {
      post: {
        operationId: 'beginAuthentication',
        tags: ['Authentication and risk'],
        summary: 'Has a shopper authenticated for a payment that comes later; no money moves',
        parameters: [idempotencyKey],
        requestBody: form('AuthenticationRequest', authenticationExamples),
        responses: {
          '200': answer('Authenticated, or pending with a redirect.', 'Payment'),
          ...refusalsOfPayments,
        },
      },
    },
    '/v1/threeDSecure/{id}': {
      parameters: [id],
      get: {
        operationId: 'readAuthentication',
        tags: ['Authentication and risk'],
        summary: 'An authentication alone as it stands; the id of a payment is 404',
        parameters: query('entityId', 'testMode'),
        responses: { '200': answer('The authentication.', 'Payment'), ...refusals, ...notFound },
      },
    },
    '/v1/risk': {
      post: {
        operationId: 'checkRisk',
        tags: ['Authentication and risk'],
        summary: "Has the channel's rules judge what is no payment yet; no money moves",
        parameters: [idempotencyKey],
        requestBody: form('RiskRequest', riskExamples),
        responses: { '200': answer('Accepted (000.300.100).', 'Payment'), ...refusalsOfPayments },
      },
    },
  };
}
