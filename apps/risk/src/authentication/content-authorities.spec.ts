import { beforeAll, describe, expect, it } from '@jest/globals';
import { createMarkedCertificate } from '@sluice/certificates';
import { createHmac } from 'node:crypto';
import {
  type Chain,
  contentFor,
  type Fields,
  listed,
  newChain,
  newKey,
  signed,
  unsigned,
} from '../../test/signed-content-fixture.js';
import { ContentAuthorities } from './content-authorities.js';

let network: Chain;
let others: Chain;
let sdkKey: Fields;
let content: Fields;
let authorities: ContentAuthorities;
beforeAll(async () => {
  network = await newChain('network');
  others = await newChain('network');
  sdkKey = await newKey();
  content = await contentFor(sdkKey);
  authorities = ContentAuthorities.of(network.root.certificate);
});

const DAY_MS = 24 * 60 * 60 * 1_000;
const faultIn = (jws: string, now = new Date()) => authorities.faultIn(jws, { sdkKey, now });
const chainOf = ({ leaf, intermediate }: Chain) => listed(leaf, intermediate);

describe('what an issuer tells an app', () => {
  it('is passed on where its certificates lead to the network', async () => {
    const { leaf, intermediate, root } = network;
    expect(await faultIn(await signed(content, leaf, chainOf(network)))).toBeUndefined();
    const withRoot = listed(leaf, intermediate, root);
    expect(await faultIn(await signed(content, leaf, withRoot))).toBeUndefined();
  });

  it.each<[string, () => Promise<string> | string]>([
    ['not signed (none)', () => unsigned(content, { alg: 'none', x5c: chainOf(network) })],
    ['signed by none with a signature', () => unsigned(content, { alg: 'none' }, 'AAAA')],
    [
      'signed by the certificate as if it were a secret (HS256)',
      () => {
        const header = { alg: 'HS256', x5c: chainOf(network) };
        const text = unsigned(content, header).replace(/\.$/u, '');
        const mac = createHmac('sha256', network.leaf.certificate).update(text);
        return `${text}.${mac.digest('base64url')}`;
      },
    ],
    ['signed with another key', () => signed(content, others.leaf, chainOf(network))],
    ['signed by a network of the same name', () => signed(content, others.leaf, chainOf(others))],
    ['signed without certificates', () => signed(content, network.leaf, [])],
    ['signed without the one between', () => signed(content, network.leaf, listed(network.leaf))],
    [
      'signed with one between of others',
      () => signed(content, network.leaf, listed(network.leaf, others.intermediate)),
    ],
    [
      'signed with certificates that are none',
      () => signed(content, network.leaf, ['AAAA', ...chainOf(network)]),
    ],
    [
      'signed with too many certificates',
      () => signed(content, network.leaf, Array<string>(1_000).fill(listed(network.leaf)[0] ?? '')),
    ],
    [
      'changed after it was signed',
      async () => {
        const [header, , signature] = (await signed(content, network.leaf, chainOf(network))).split(
          '.',
        );
        const [, forged] = unsigned({ ...content, acsURL: 'https://evil.example' }, {}).split('.');
        return [header, forged, signature].join('.');
      },
    ],
    [
      'of another transaction',
      async () => signed(await contentFor(await newKey()), network.leaf, chainOf(network)),
    ],
    [
      'in clear',
      async () =>
        signed({ ...content, acsURL: 'http://issuer.example' }, network.leaf, chainOf(network)),
    ],
    [
      'a script',
      async () =>
        signed({ ...content, acsURL: 'javascript:alert(1)' }, network.leaf, chainOf(network)),
    ],
    ['no object', () => signed('x', network.leaf, chainOf(network))],
    ['no JWS', () => 'x.y'],
    ['nothing', () => ''],
  ])('is refused where it is %s', async (_, jws) => {
    expect(await faultIn(await jws())).toEqual(expect.any(String));
  });

  it('is refused where an issuer has signed another certificate, as if it were an authority', async () => {
    const { leaf, intermediate } = network;
    const below = await createMarkedCertificate({
      ...{ commonName: 'below', validDays: 2, from: new Date(), isAuthority: false, issuer: leaf },
    });
    const jws = await signed(content, below, listed(below, leaf, intermediate));
    expect(await faultIn(jws)).toContain('nobody');
  });

  it('is refused before and after its certificates are valid', async () => {
    const jws = await signed(content, network.leaf, chainOf(network));
    for (const days of [-1, 3]) {
      expect(await faultIn(jws, new Date(Date.now() + days * DAY_MS))).toContain('not valid now');
    }
  });
});

describe('a file without certificates', () => {
  it('is none of authorities', () => {
    for (const text of ['', 'x', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----']) {
      expect(() => ContentAuthorities.of(text)).toThrow();
    }
  });
});
