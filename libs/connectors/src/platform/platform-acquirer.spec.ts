import { describe, expect, it } from '@jest/globals';
import { validateSync } from 'class-validator';
import { inspect } from 'node:util';
import { addressFault } from './gateway-address.js';
import { platform, PlatformSettings } from './platform-acquirer.js';

const LIMITS = { callTimeoutMs: 20_000, maxInFlightMs: 30_000, callsMax: 8 };
const url = 'https://gateway.example';
const entityId = '8a8294174b7ecb28014b9699220015ca';
const accessToken = 'the-token-of-another-gateway';

const settingsOf = (told: Partial<PlatformSettings>): PlatformSettings =>
  Object.assign(new PlatformSettings(), told);

describe('the settings of another gateway', () => {
  it('make a connector, which shows nobody the token', async () => {
    const connector = platform.connect(settingsOf({ url, entityId, accessToken }), LIMITS);
    expect(connector?.name).toBe('platform');
    expect(connector?.capabilities).toMatchObject({ callTimeoutMs: 20_000, maxInFlightMs: 30_000 });
    expect(inspect(connector, { depth: 9, showHidden: true })).not.toContain(accessToken);
    expect(JSON.stringify(connector)).not.toContain(accessToken);
    await connector?.close();
  });

  it('are none without its address', () => {
    expect(platform.connect(settingsOf({ entityId, accessToken }), LIMITS)).toBeUndefined();
  });

  it.each([{ url }, { url, entityId }, { url, accessToken }])(
    'are refused where half of them is missing',
    (told) => {
      expect(() => platform.connect(settingsOf(told), LIMITS)).toThrow(
        'PAYMENTS_PLATFORM_URL needs PAYMENTS_PLATFORM_ENTITY_ID and _ACCESS_TOKEN beside it',
      );
    },
  );

  it.each([
    { entityId: 'demo' },
    { entityId: entityId.toUpperCase() },
    { accessToken: 'a token' },
    { accessToken: '' },
  ])('are refused by name: %j', (told) => {
    const [name] = Object.keys(told);
    expect(validateSync(settingsOf(told))).toMatchObject([{ property: name }]);
  });

  it('are refused with an address that is not public, unless they say so', async () => {
    const told = { url: 'http://gateway:8080', entityId, accessToken };
    expect(() => platform.connect(settingsOf(told), LIMITS)).toThrow('must begin with https://');
    const connector = platform.connect(settingsOf({ ...told, isPrivate: true }), LIMITS);
    expect(connector).toBeDefined();
    await connector?.close();
  });
});

describe('an address of another gateway', () => {
  it.each(['https://gateway.example', 'https://gateway.example/', 'https://gateway.example:8443'])(
    'may be %s',
    (url) => {
      expect(addressFault(url, false)).toBeUndefined();
    },
  );

  it.each([
    ['http://gateway.example', 'https'],
    ['https://gateway.example:444', 'port'],
    ['https://gateway.example/v1', 'path'],
    ['https://gateway.example?a', 'query'],
    ['https://gateway.example#a', 'query'],
    ['https://user@gateway.example', 'user'],
    ['https://user:word@gateway.example', 'user'],
    ['ftp://gateway.example', 'such as'],
    ['gateway.example', 'such as'],
    ['https://', 'such as'],
    ['', 'such as'],
  ])('cannot be %s (%s)', (url, word) => {
    expect(addressFault(url, false)).toContain(word);
  });
});
