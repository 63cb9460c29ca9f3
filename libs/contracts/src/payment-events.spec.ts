import { describe, expect, it } from '@jest/globals';
import { eventFields } from './event-fields-fixture.js';
import { eventSchemas } from './event-table.js';
import { paymentEvents } from './payment-events.js';

describe('the events of a payment', () => {
  it('have no field for card numbers, security codes, secrets or clear personal data', () => {
    // Whoever adds a field decides here that it may leave the service.
    expect(eventFields(paymentEvents)).toEqual([
      'acquirerReference',
      'amount',
      'answer',
      'avsResponse',
      'bin',
      'brand',
      'brandDetected',
      'by',
      'candidates',
      'connector',
      'connectorTxId',
      'currency',
      'cvvResponse',
      'deadlineMs',
      'drawn',
      'excess',
      'expiryMonth',
      'expiryYear',
      'final',
      'instrument',
      'kind',
      'last4',
      'maskedIban',
      'maskedNumber',
      'merchantAccountId',
      'method',
      'minor',
      'numberOfCaptures',
      'numberType',
      'operation',
      'parameters',
      'paymentMethod',
      'personal',
      'reason',
      'redirect',
      'referencedId',
      'releases',
      'request',
      'resultCode',
      'resultDescription',
      'resultDetails',
      'route',
      'routeId',
      'rule',
      'source',
      'transactionId',
      'url',
      'vaultReference',
      'wallet',
      'weight',
      'weights',
    ]);
    const sealed = eventSchemas(paymentEvents).flatMap(
      ({ data }) => data.properties?.['personal'] ?? [],
    );
    expect(sealed.map(({ type }) => type)).toEqual(sealed.map(() => 'string'));
  });
});
