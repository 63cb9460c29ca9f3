import { describe, expect, it } from '@jest/globals';
import { instrumentLives, liveThrough, testSandbox } from '@sluice/testing';
import { entityId } from './demo-merchant-fixture.js';
import { START_WITHIN_MS } from './started-sandboxes-fixture.js';

const accessToken = 'sluice-demo-access-token-for-sandboxes-only';

const sandbox = testSandbox();

/** The cluster's specs have the same over Kafka. */
describe('every way to pay', () => {
  it.each(instrumentLives)(
    'is paid, kept, reused, refunded, deleted and declined: %s',
    async (_, row, expected) => {
      const { url } = sandbox;
      const installation = { url, entityId, accessToken, walletsUrl: `${url}/simulator/wallets` };
      expect(await liveThrough(row, installation)).toEqual(expected);
    },
    START_WITHIN_MS,
  );
});
