import { describe, expect, it } from '@jest/globals';
import { calledBy, urlsVariableOf } from '@sluice/contracts';
import { describeSettings, loadSettings, SettingsError } from '@sluice/service';
import { upstreamSettings } from './upstream-settings.js';

describe('the settings of those that a service may ask', () => {
  it('are one address list for each, by the name of the service', () => {
    const urls = {
      VAULT_URLS: 'https://vault-0.vault:8443,https://vault-1.vault:8443',
      RISK_URLS: 'https://risk:8443',
      SEPA_URLS: 'https://sepa-0.sepa:8443',
      ACCOUNTS_URLS: 'https://accounts:8443',
    };
    expect(loadSettings(upstreamSettings('payments'), urls)).toEqual({
      vault: ['https://vault-0.vault:8443', 'https://vault-1.vault:8443'],
      risk: ['https://risk:8443'],
      sepa: ['https://sepa-0.sepa:8443'],
      accounts: ['https://accounts:8443'],
    });
  });

  it('are as many as the table of services has', () => {
    const names = describeSettings(upstreamSettings('edge')).map(({ name }) => name);
    expect(names).toEqual(calledBy('edge').map(urlsVariableOf));
    expect(describeSettings(upstreamSettings('vault'))).toEqual([]);
  });

  it('must all be set', () => {
    const load = () => loadSettings(upstreamSettings('reporting'), {});
    expect(load).toThrow(
      new SettingsError(
        'PAYMENTS_URLS must be set; REGISTRATIONS_URLS must be set; SCHEDULING_URLS must be set.',
      ),
    );
  });
});
