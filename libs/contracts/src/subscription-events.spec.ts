import { describe, expect, it } from '@jest/globals';
import { eventSchemas } from './event-table.js';
import { eventFields } from './event-fields-fixture.js';
import { subscriptionEvents } from './subscription-events.js';

describe('the events of a subscription', () => {
  it('have no field for a secret in clear', () => {
    // Whoever adds a field decides here that it may be recorded for ever.
    expect(eventFields(subscriptionEvents)).toEqual([
      ...['alertEmails', 'fields', 'isAcknowledged', 'nodeId', 'overlapEndsAtMs', 'reason'],
      ...['sealedSecret', 'secretId', 'statusCode', 'subscriptionId', 'types', 'url', 'wrapper'],
    ]);
  });

  it('have what is secret or personal sealed', () => {
    const fields = eventSchemas(subscriptionEvents).flatMap(({ data }) =>
      Object.entries(data.properties ?? {}),
    );
    const sealed = fields.filter(([name]) => name === 'sealedSecret' || name === 'alertEmails');
    expect(sealed).toHaveLength(4);
    for (const [, { description }] of sealed) expect(description).toMatch(/sealed/);
  });
});
