import { describe, expect, it } from '@jest/globals';
import { accountEvents } from './account-events.js';
import { eventFields } from './event-fields-fixture.js';

describe('the events of a node of the account tree', () => {
  it('have no field for tokens, passwords or personal data', () => {
    // Whoever adds a field decides here that it may be recorded for ever.
    expect(eventFields(accountEvents)).toEqual([
      'compatibility',
      'credential',
      'hash',
      'kind',
      'manualChargebacks',
      'name',
      'nodeId',
      'parentId',
    ]);
  });
});
