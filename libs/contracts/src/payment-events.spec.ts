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
      'connector',
      'connectorTxId',
      'currency',
      'cvvResponse',
      'deadlineMs',
      'excess',
      'expiryMonth',
      'expiryYear',
      'final',
      'instrument',
      'kind',
      'last4',
      'maskedIban',
      'maskedNumber',
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
      'source',
      'transactionId',
      'url',
      'vaultReference',
      'wallet',
    ]);
    const sealed = eventSchemas(paymentEvents).flatMap(
      ({ data }) => data.properties?.['personal'] ?? [],
    );
    expect(sealed.map(({ type }) => type)).toEqual(sealed.map(() => 'string'));
  });
});
