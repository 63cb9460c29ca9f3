import { describe, expect, it } from '@jest/globals';
import { loadSettings, variableNames } from '@sluice/service';
import { RelayedService, relayedService, tablesOf } from './settings.js';

describe('a relay', () => {
  it('is told whose it is', () => {
    expect(relayedService({ RELAYED_SERVICE: 'payments' })).toBe('payments');
    expect(loadSettings(RelayedService, { RELAYED_SERVICE: 'payments' }).service).toBe('payments');
  });

  it.each([{}, { RELAYED_SERVICE: 'accounts' }, { RELAYED_SERVICE: 'nowhere' }])(
    'is not that of somebody who publishes nothing: %j',
    (environment) => {
      expect(relayedService(environment)).toBeUndefined();
      expect(() => loadSettings(RelayedService, environment)).toThrow('RELAYED_SERVICE');
    },
  );

  it('finds the outbox where the service itself finds it', () => {
    expect(variableNames(tablesOf('payments'))).toEqual([
      ...['PAYMENTS_DATABASE_URL', 'PAYMENTS_DATABASE_URL_FILE', 'PAYMENTS_SCHEMA'],
    ]);
  });
});
