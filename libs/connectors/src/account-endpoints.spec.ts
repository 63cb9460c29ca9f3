import { describe, expect, it } from '@jest/globals';
import type { AccountEndpoint } from './acquirer.js';
import { connectorTo } from './acquirers.js';

const LIMITS = { callTimeoutMs: 20_000, maxInFlightMs: 30_000, callsMax: 8 };

const simulator: AccountEndpoint = {
  ...{ address: new URL('https://simulator.example'), port: 443, acquirerMerchantId: 'M-1' },
  ...{ settings: {}, secretFiles: {} },
};
const iso8583: AccountEndpoint = {
  ...{ address: new URL('tls://host.example:5000'), port: 5_000 },
  acquirerMerchantId: 'MERCHANT-1',
  settings: {
    ...{ terminals: 'T1,T2', acquirerId: '123456', merchantCategory: '5942' },
    ...{ version: '1993', encoding: 'binary', lengthBytes: '4' },
  },
  secretFiles: { authority: '/s/ca', certificate: '/s/certificate', key: '/s/key' },
};
const platform: AccountEndpoint = {
  ...{ address: new URL('https://gateway.example'), port: 443, settings: {} },
  acquirerMerchantId: '8a8294174b7ecb28014b9699220015ca',
  secretFiles: { accessToken: '/s/token' },
};

/** Why an endpoint is refused; undefined if it is not. */
async function refusal(name: string, endpoint: AccountEndpoint): Promise<string | undefined> {
  try {
    await connectorTo(name, endpoint, LIMITS).close();
    return undefined;
  } catch (error) {
    const { name: kind, message } = error as Error;
    return kind === 'EndpointRefused' ? message : `another error: ${message}`;
  }
}

describe('the connector of a merchant account', () => {
  it.each([
    ['simulator', simulator],
    ['iso8583', iso8583],
    ['platform', platform],
  ])('has the name and the limits of the installation: %s', async (name, endpoint) => {
    const connector = connectorTo(name, endpoint, LIMITS);
    expect(connector.name).toBe(name);
    expect(connector.capabilities).toMatchObject({ callTimeoutMs: 20_000, maxInFlightMs: 30_000 });
    await connector.close();
  });

  it('is none where no acquirer has the name', async () => {
    expect(await refusal('nobody', simulator)).toMatch(/no connector .* iso8583, platform, sim/);
  });
});

describe('an endpoint of a simulator', () => {
  it.each<[string, Partial<AccountEndpoint>, RegExp]>([
    ['a socket', { address: new URL('tls://host.example:5000') }, /http or https/],
    ['a path', { address: new URL('https://host.example/v1') }, /without a path/],
    ['settings', { settings: { terminals: 'T1' } }, /no settings/],
    ['credentials', { secretFiles: { key: '/s/key' } }, /no settings and no credentials/],
  ])('is refused with %s', async (_, changes, reason) => {
    expect(await refusal('simulator', { ...simulator, ...changes })).toMatch(reason);
  });
});

describe('an endpoint of a host of ISO 8583', () => {
  const told = (settings: object): Partial<AccountEndpoint> => ({
    settings: { ...iso8583.settings, ...settings },
  });

  it.each<[string, Partial<AccountEndpoint>]>([
    ['terminals alone', { settings: { terminals: 'T1' }, secretFiles: {} }],
    ['no TLS', { address: new URL('tcp://[2001:db8::1]:5000'), secretFiles: {} }],
    ['the authority of the system', { secretFiles: { key: '/s/key', certificate: '/s/c' } }],
  ])('may have %s', async (_, changes) => {
    expect(await refusal('iso8583', { ...iso8583, ...changes })).toBeUndefined();
  });

  it.each<[string, Partial<AccountEndpoint>, RegExp]>([
    ['HTTP', { address: new URL('https://host.example') }, /tls or tcp and a port/],
    ['no port', { address: new URL('tls://host.example'), port: 0 }, /a port/],
    ['a path', { address: new URL('tls://host.example:5000/v1') }, /without a path/],
    ['no terminals', { settings: {} }, /"terminals" is missing/],
    ['a terminal too long', told({ terminals: 'T12345678' }), /"terminals" is not of its form/],
    ['an unknown version', told({ version: '2003' }), /"version" must be .*: 1987 or 1993/],
    ['an unknown encoding', told({ encoding: 'ebcdic' }), /"encoding" is not of its form/],
    ['another length', told({ lengthBytes: '3' }), /"lengthBytes" is not of its form/],
    ['an unknown setting', told({ terminal: 'T1' }), /Unknown to ISO 8583: terminal/],
    ['an unknown credential', { secretFiles: { password: '/s/p' } }, /ISO 8583: password/],
    ['a merchant too long', { acquirerMerchantId: 'M'.repeat(16) }, /"acquirerMerchantId"/],
    ['keys without TLS', { address: new URL('tcp://host.example:5000') }, /Without TLS/],
  ])('is refused with %s', async (_, changes, reason) => {
    expect(await refusal('iso8583', { ...iso8583, ...changes })).toMatch(reason);
  });
});

describe('an endpoint of another gateway', () => {
  it.each<[string, Partial<AccountEndpoint>, RegExp]>([
    ['a socket', { address: new URL('tls://host.example:5000') }, /must be an address such as/],
    ['a path', { address: new URL('https://gateway.example/v1') }, /neither a path nor/],
    ['another merchant id', { acquirerMerchantId: 'M-1' }, /entityId there, 32 hex digits/],
    ['settings', { settings: { terminals: 'T1' } }, /Unknown to a gateway: terminals/],
    ['no token', { secretFiles: {} }, /"accessToken" is missing/],
    [
      'another secret',
      { secretFiles: { ...platform.secretFiles, key: '/s/key' } },
      /Unknown to a gateway: key/,
    ],
  ])('is refused with %s', async (_, changes, reason) => {
    expect(await refusal('platform', { ...platform, ...changes })).toMatch(reason);
  });
});
