import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityId } from '@sluice/identifiers';
import { startTestAuthority, type TestAuthority } from '@sluice/testing';
import { readFile } from 'node:fs/promises';
import { WalletMerchants } from './wallet-merchants.js';

const [channel, merchant, other] = ['a', 'b', 'c'].map((digit) => digit.repeat(32)) as [
  EntityId,
  EntityId,
  EntityId,
];

let authority: TestAuthority;
let identity: { readonly certificate: string; readonly privateKey: string };
let foreignKey: string;
beforeAll(async () => {
  authority = await startTestAuthority();
  const files = await authority.certificateOf('one');
  const foreign = await authority.certificateOf('two');
  const [certificate, privateKey, key] = await Promise.all(
    [files.certificateFile, files.keyFile, foreign.keyFile].map((file) => readFile(file, 'utf8')),
  );
  identity = { certificate: certificate!, privateKey: privateKey! };
  foreignKey = key!;
});
afterAll(() => authority.remove());

const apple = (changes: object = {}) => ({
  ...{ merchantIdentifier: 'merchant.example', countryCode: 'DE', ...identity, ...changes },
});
const google = (changes: object = {}) => ({ gateway: 'sluice', countryCode: 'DE', ...changes });
const system = (changes: object = {}) => ({
  ...{ script: 'https://src.example/sdk.js', global: 'vAdapters.VisaSRCI' },
  ...{ srcInitiatorId: 'gateway', srcDpaId: 'dpa', ...changes },
});
const src = (changes: object = {}) => ({ clickToPay: [{ systems: [system(changes)] }] });
const read = (file: unknown) => WalletMerchants.of(JSON.stringify(file), 'the file');

describe('who takes wallets on pages', () => {
  it("is the channel's own entry, else its merchant's, else everybody's", () => {
    const entries = [
      apple({ merchantIdentifier: 'everybody' }),
      apple({ merchantIdentifier: 'merchant', entityIds: [other, merchant] }),
      apple({ merchantIdentifier: 'channel', entityIds: [channel] }),
    ];
    const merchants = read({ applePay: entries });
    const named = (...entityIds: EntityId[]) => merchants.applePayOf(entityIds)?.merchantIdentifier;
    expect([
      named(channel, merchant),
      named(other, merchant),
      named('d'.repeat(32) as EntityId),
    ]).toEqual(['channel', 'merchant', 'everybody']);
    expect(merchants.googlePayOf([channel, merchant])).toBeUndefined();
  });

  it('is nobody where nothing is said, and where what is said is of others', () => {
    expect(read({}).applePayOf([channel])).toBeUndefined();
    expect(
      read({ googlePay: [google({ entityIds: [other] })] }).googlePayOf([channel]),
    ).toBeUndefined();
    expect(WalletMerchants.none.googlePayOf([channel])).toBeUndefined();
  });

  it('has a name and a certificate with Apple, and a name with Google', () => {
    const merchants = read({
      applePay: [apple({ displayName: 'Shop' })],
      googlePay: [google({ merchantId: 'BCR2', displayName: 'Shop' })],
    });
    expect(merchants.applePayOf([channel])).toEqual({
      ...{ merchantIdentifier: 'merchant.example', displayName: 'Shop', countryCode: 'DE' },
      identity: { cert: identity.certificate, key: identity.privateKey },
    });
    expect(merchants.googlePayOf([channel])).toEqual({
      ...{ gateway: 'sluice', merchantId: 'BCR2', displayName: 'Shop', countryCode: 'DE' },
    });
  });

  it('has systems with Click to Pay', () => {
    const { srcDpaId: srciDpaId, ...others } = system() as Record<string, string>;
    expect(read(src()).clickToPayOf([channel])).toEqual({ systems: [{ ...others, srciDpaId }] });
    expect(read({}).clickToPayOf([channel])).toBeUndefined();
  });

  it.each([
    ['no object', [], 'the file must be an object of JSON.'],
    ['another wallet', { samsungPay: [] }, 'the file has something that is none of'],
    ['no list', { applePay: {} }, 'the file, applePay must be a list'],
    ['an entry that is none', { googlePay: [1] }, 'the file, googlePay[0] must be an object'],
    [
      'no gateway',
      { googlePay: [google({ gateway: '' })] },
      'googlePay[0]: gateway must be a text.',
    ],
    [
      'no country',
      { googlePay: [google({ countryCode: 'de' })] },
      'countryCode must be of two capital',
    ],
    [
      'an unknown field',
      { googlePay: [google({ secret: 'x' })] },
      'googlePay[0]: only gateway, merchantId',
    ],
    ['no SRC system', { clickToPay: [{ systems: [] }] }, 'systems must be a list of 1 to 4'],
    ['a script without TLS', src({ script: 'http://src.example/a.js' }), 'begins with https://'],
    ['a global that is code', src({ global: 'a()' }), 'global must be a name'],
    ['no DPA', src({ srcDpaId: '' }), 'clickToPay[0]: srcDpaId must be a text.'],
    ['a stranger in a system', src({ secret: 'x' }), 'only script, global'],
    ['nobody', { googlePay: [google({ entityIds: [] })] }, 'entityIds must be a list of texts.'],
    ['a long name', { googlePay: [google({ displayName: 'x'.repeat(256) })] }, 'at most 255'],
  ])('cannot be read with %s', (_what, file, sentence) => {
    expect(() => read(file)).toThrow(sentence);
  });

  it('is refused with a key of another certificate, of which nothing is repeated', () => {
    const wrong = [{ privateKey: foreignKey }, { certificate: 'SECRET' }, { privateKey: 'SECRET' }];
    for (const changes of wrong) {
      expect(() => read({ applePay: [apple(changes)] })).toThrow(
        'the file, applePay[0]: certificate and privateKey cannot be used together.',
      );
    }
    expect(() => WalletMerchants.of('{SECRET', 'the file')).toThrow('the file is no JSON.');
  });

  it('is told where its file is not there', async () => {
    await expect(WalletMerchants.read('/nowhere.json')).rejects.toThrow(
      'CHECKOUTS_WALLETS_FILE /nowhere.json cannot be read (ENOENT).',
    );
  });
});
