import { describe, expect, it } from '@jest/globals';
import { services } from '@sluice/contracts';
import { DEMO_ENTITY_ID } from '@sluice/domain-accounts';

// libs/contracts may not import a domain library, so the table of services writes the id down itself.
describe('the channel that the reference page shows in test installations', () => {
  it('is the demo channel of the seed', () => {
    expect(services.edge.testSettings).toMatchObject({ DEMO_ENTITY_ID });
  });
});
