import { describe, expect, it } from '@jest/globals';
import { accountEvents } from './account-events.js';
import { eventFields } from './event-fields-fixture.js';
import type { Schema } from './schema.js';

describe('the events of a node of the account tree', () => {
  it('have no field for tokens, passwords or personal data', () => {
    // Whoever adds a field decides here that it may be recorded for ever.
    expect(eventFields(accountEvents)).toEqual([
      ...['EXTERNAL', 'LIVE', 'acquirerBin', 'acquirerMerchantId', 'address', 'amex'],
      ...['amountFrom', 'amountTo', 'appSchemes', 'authenticates'],
      ...['binCountries', 'brands', 'cartebancaire', 'compatibility', 'connector', 'credential'],
      ...['credentials', 'currencies', 'currency', 'diners', 'endpoints', 'goesOnWith', 'hash'],
      ...['jcb', 'kind', 'manualChargebacks', 'mastercard', 'merchantAccountId'],
      // Of the merchant, who is a firm: they are said to issuers and shoppers.
      ...['merchantCategoryCode', 'merchantCountry', 'merchantName', 'merchantUrl'],
      ...['methods', 'minor', 'missedRuns', 'modes', 'name', 'nodeId', 'parentId', 'priority'],
      ...['reference', 'registrations', 'requestorId', 'requestorName', 'requestors', 'routeId'],
      ...[
        'schedules',
        'settings',
        'shoppersMayDelete',
        'takesDeclined',
        'threeDSecure',
        'timeZone',
      ],
      ...['unionpay', 'visa', 'weight'],
    ]);
  });

  it('have secrets of acquirers by reference, and in no other form', () => {
    const { endpoints } = accountEvents.MerchantAccountConfigured.data.properties!;
    for (const endpoint of Object.values(endpoints!.properties!)) {
      const { additionalProperties } = endpoint.properties!['credentials']!;
      const { properties, required, ...others } = additionalProperties as Schema;
      expect(properties!['kind']).toMatchObject({ enum: ['reference'] });
      expect(required).toEqual(['kind', 'reference']);
      expect(others).toEqual({ type: 'object', additionalProperties: false });
    }
  });
});
