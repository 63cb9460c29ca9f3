import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countryFile } from '../../test/country-file-fixture.js';
import { AddressFiles } from './address-files.js';

let folder: string;
let logged: unknown[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-addresses-'));
  logged = [];
});
afterEach(() => rm(folder, { recursive: true }));

const logger = {
  error: (fields: object) => void logged.push(fields),
  info: () => undefined,
} as unknown as ConstructorParameters<typeof AddressFiles>[1];

async function opened(contents: { readonly countries?: Buffer; readonly proxies?: string }) {
  const { countries, proxies } = contents;
  const paths = {
    ...(countries !== undefined && { countries: join(folder, 'countries.mmdb') }),
    ...(proxies !== undefined && { proxies: join(folder, 'proxies.txt') }),
  };
  if (paths.countries !== undefined) await writeFile(paths.countries, countries ?? '');
  if (paths.proxies !== undefined) await writeFile(paths.proxies, proxies ?? '');
  const files = new AddressFiles(paths, logger);
  await files.open();
  return files;
}

const COUNTRIES = { '192.0.2.0/24': 'DE', '198.51.100.0/25': 'FR' };

describe('a file with countries', () => {
  it('says in which country an address is, and nothing of others', async () => {
    const { lookUp, known } = await opened({ countries: countryFile(COUNTRIES) });
    expect(['192.0.2.17', '198.51.100.127'].map(lookUp)).toEqual([
      { ipCountry: 'DE' },
      { ipCountry: 'FR' },
    ]);
    for (const ip of ['198.51.100.128', '::1', '2001:db8::1', 'rubbish', '', '1.2.3']) {
      expect(lookUp(ip)).toEqual({});
    }
    expect(known).toMatchObject(new Map([['countries', { builtAtMs: 1_900_000_000_000 }]]));
  });

  it('may be one that has nothing but the country', async () => {
    const flat = countryFile(COUNTRIES, (code) => ({ country_code: code }));
    expect((await opened({ countries: flat })).lookUp('192.0.2.1')).toEqual({ ipCountry: 'DE' });
  });

  it('says nothing where its word is no country', async () => {
    const odd = countryFile({ '192.0.2.0/24': 'Germany' });
    expect((await opened({ countries: odd })).lookUp('192.0.2.1')).toEqual({});
  });

  it('is read again when it is replaced; one that cannot be used changes nothing', async () => {
    const files = await opened({ countries: countryFile(COUNTRIES) });
    await writeFile(join(folder, 'countries.mmdb'), 'rubbish');
    await files.refresh();
    await files.refresh();
    expect(files.lookUp('192.0.2.1')).toEqual({ ipCountry: 'DE' });
    expect(logged).toEqual([
      { reason: 'RISK_IP_COUNTRY_FILE names a file that is no MaxMind DB.' },
    ]);
    await writeFile(join(folder, 'countries.mmdb'), countryFile({ '192.0.2.0/24': 'NL' }));
    await files.refresh();
    expect(files.lookUp('192.0.2.1')).toEqual({ ipCountry: 'NL' });
  });
});

describe('a file with proxies', () => {
  const LIST = '# made up\n192.0.2.0/24\n203.0.113.7   # one of them\n\r\n2001:db8::/32\n';

  it('says of each address whether it is one', async () => {
    const { lookUp, known } = await opened({ proxies: LIST });
    for (const ip of ['192.0.2.255', '203.0.113.7', '2001:db8:1::7']) {
      expect(lookUp(ip)).toEqual({ isProxy: true });
    }
    for (const ip of ['192.0.3.0', '203.0.113.8', '2001:db9::', 'rubbish']) {
      expect(lookUp(ip)).toEqual({ isProxy: false });
    }
    expect([...known.keys()]).toEqual(['proxies']);
  });

  it.each<[string, string]>([
    ['192.0.2.0/24\n192.0.2.0/33', 'is wrong in line 2: it must be an address or a range'],
    ['# nothing', 'has no range'],
  ])('is refused with a sentence: %j', async (proxies, reason) => {
    await expect(opened({ proxies })).rejects.toThrow(
      `RISK_PROXY_FILE names a file that ${reason}`,
    );
  });
});

describe('no file, and one that is not there', () => {
  it('say nothing, and are refused', async () => {
    expect((await opened({})).lookUp('192.0.2.1')).toEqual({});
    const missing = new AddressFiles({ countries: join(folder, 'nothing') }, logger);
    await expect(missing.open()).rejects.toThrow('cannot be read (ENOENT)');
  });
});
