import { describe, expect, it } from '@jest/globals';
import { eventFields } from './event-fields-fixture.js';
import { eventSchemas } from './event-table.js';
import { paymentEvents } from './payment-events.js';

/** Whoever adds a field decides here that it may leave the service. */
const FIELDS = [
  'accountFingerprint',
  'acquirerReference',
  'agreement',
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
  'decline',
  'description',
  'drawn',
  'excess',
  'expiryMonth',
  'expiryYear',
  'final',
  'firstPaymentId',
  'instrument',
  'issuerCountry',
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
  'origin',
  'parameters',
  'paymentMethod',
  'personal',
  'preconditions',
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
  'terms',
  'transactionId',
  'url',
  'vaultReference',
  'waitUntil',
  'wallet',
  'weight',
  'weights',
];

describe('the events of a payment', () => {
  it('have no field for card numbers, security codes, secrets or clear personal data', () => {
    expect(eventFields(paymentEvents)).toEqual(FIELDS);
    const sealed = eventSchemas(paymentEvents).flatMap(
      ({ data }) => data.properties?.['personal'] ?? [],
    );
    expect(sealed.map(({ type }) => type)).toEqual(sealed.map(() => 'string'));
  });
});
