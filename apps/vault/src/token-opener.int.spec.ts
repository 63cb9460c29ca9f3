import { beforeEach, describe, expect, it } from '@jest/globals';
import type { TokenToOpen, WalletName } from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import { Detail } from '@sluice/secrets';
import { fixedClock, type FixedClock } from '@sluice/testing';
import { createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { TokenOpener } from './token-opener.js';
import { UsedTokens } from './used-tokens.js';
import { type KeyRing, VaultFixture } from './vault-fixture.js';
import { VaultMetrics } from './vault-metrics.js';
import { WalletRecipients } from './wallet-recipients.js';

interface Vectors {
  readonly now: string;
  readonly opened: Readonly<Record<string, string>>;
  readonly refused: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

function vectors<More>(name: string): Vectors & More {
  const file = new URL(`../../../libs/wallets/test/vectors/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Vectors & More;
}

const apple = vectors<{ root: string; merchants: readonly object[] }>('apple-pay');
const google = vectors<{ recipientId: string; privateKeys: string[]; rootSigningKeys: string }>(
  'google-pay',
);
const samsung = vectors<{ keys: readonly object[] }>('samsung-pay');
const clickToPay = vectors<{ keys: readonly object[]; srcDpaId: string; systems: object[] }>(
  'click-to-pay',
);
const SHOP = 'shop-1' as EntityId;
const MERCHANT = 'merchant-1' as EntityId;
const FILE = {
  applePay: {
    roots: [apple.root],
    recipients: apple.merchants.map((merchant) => ({ ...merchant, entityIds: [MERCHANT] })),
  },
  googlePay: {
    rootSigningKeys: google.rootSigningKeys,
    recipients: [{ recipientId: google.recipientId, privateKeys: google.privateKeys }],
  },
  samsungPay: { recipients: samsung.keys },
  clickToPay: {
    systems: clickToPay.systems,
    recipients: clickToPay.keys.map((key) => ({ ...key, srcDpaId: clickToPay.srcDpaId })),
  },
};
const tokens: Readonly<Record<WalletName, [name: string, vectors: Vectors]>> = {
  applePay: ['elliptic curves', apple],
  googlePay: ['with a cryptogram', google],
  samsungPay: ['RSA1_5 and A128GCM', samsung],
  clickToPay: ['RS256 and a token of a network', clickToPay],
};
const wallets = Object.keys(tokens) as readonly WalletName[];
const EUROS = { minor: '1999', currency: 'EUR' } as const;
const HOUR_MS = 60 * 60 * 1_000;

const fixture = new VaultFixture();
let ring: KeyRing;
let clock: FixedClock;
beforeEach(async () => {
  ring = await fixture.keyRing('1');
});

/** Of an instance of the vault that was just started, at the time of the vectors. */
function started(
  wallet: WalletName,
  recipients = WalletRecipients.of(JSON.stringify(FILE), 'the file'),
) {
  const { vault } = fixture.instance('vault-0', ring);
  const used = new UsedTokens(fixture.pool);
  const fingerprintKey = createSecretKey(Buffer.alloc(32, 7));
  clock = fixedClock(Date.parse(tokens[wallet][1].now));
  const metrics = new VaultMetrics();
  const opener = new TokenOpener({ recipients, used, vault, fingerprintKey, clock, metrics });
  return { vault, opener, used };
}

function asked(wallet: WalletName, more: Partial<TokenToOpen> = {}, token?: string): TokenToOpen {
  const [name, { opened }] = tokens[wallet];
  const details = {
    [`${wallet}.paymentToken`]: new Detail(token ?? opened[name]!),
    'sender.accountNumber': new Detail('4711'),
    'threeDSecure.verificationId': new Detail('what the merchant says'),
  };
  return {
    ...{ wallet, toHold: { kind: 'wallet', details }, usedBy: 'request-1' },
    amount: EUROS,
    entityIds: [SHOP, MERCHANT],
    ...more,
  };
}

describe.each(wallets)('a token of %s', (wallet) => {
  it('is held as the card that was in it, and is no longer there itself', async () => {
    const { opener, vault } = started(wallet);
    const opened = await opener.openToken(asked(wallet));
    expect(opened).toMatchObject({
      kind: 'held',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      card: {
        ...{ kind: 'card', bin: '411111', last4: '1111', brand: 'VISA', brandDetected: true },
        ...{ expiryMonth: '12', expiryYear: '2028', wallet, numberType: 'DPAN' },
      },
    });
    expect(JSON.stringify(opened)).not.toMatch(/4111111111111111|AgAAAAAABk4D/);
    const { kind, details } = (await vault.reveal(opened.kind === 'held' ? opened.reference : ''))!;
    const texts = Object.entries(details).map(([name, detail]) => [name, detail.reveal()]);
    expect({ kind, ...(Object.fromEntries(texts) as object) }).toEqual({
      kind: 'card',
      'card.number': '4111111111111111',
      'card.expiryMonth': '12',
      'card.expiryYear': '2028',
      'threeDSecure.verificationId': 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
      'sender.accountNumber': '4711',
    });
  });

  it('is used once, also by two instances at once and after a restart', async () => {
    const openers = [started(wallet), started(wallet), started(wallet)];
    const opened = await Promise.all(
      openers.map(({ opener }, index) =>
        opener.openToken(asked(wallet, { usedBy: `request-${index}` })),
      ),
    );
    expect(opened.map(({ kind }) => kind).sort()).toEqual(['held', 'refused', 'refused']);
    const later = await started(wallet).opener.openToken(asked(wallet, { usedBy: 'request-9' }));
    expect(later).toMatchObject({ kind: 'refused', reason: 'usedBefore' });
  });

  it('is opened again for the request that used it, with the same fingerprint', async () => {
    const { opener } = started(wallet);
    const [first, again] = [
      await opener.openToken(asked(wallet)),
      await opener.openToken(asked(wallet)),
    ];
    expect([first.kind, again.kind, again.fingerprint]).toEqual([
      ...['held', 'held', first.fingerprint],
    ]);
    await fixture.owner.query("UPDATE vault.used_tokens SET used_at = now() - interval '25 hours'");
    expect(await opener.openToken(asked(wallet))).toMatchObject({
      ...{ kind: 'refused', reason: 'usedBefore', fingerprint: first.fingerprint },
    });
  });

  it('is not used up by a payment that it is not for', async () => {
    const { opener } = started(wallet);
    const wrong: Partial<TokenToOpen>[] = [{ brand: 'MASTER' }, { brand: 'nothing' }];
    for (const more of wrong) {
      const refused = await opener.openToken(asked(wallet, more));
      expect(refused).toMatchObject({ kind: 'refused', reason: 'brand' });
    }
    expect(await fixture.count('used_tokens')).toBe(0);
    expect(await opener.openToken(asked(wallet, { brand: 'visa' }))).toMatchObject({
      kind: 'held',
    });
  });

  it('is refused for the reason that its library gives', async () => {
    const { opener } = started(wallet);
    const [, { refused }] = tokens[wallet];
    for (const [reason, all] of Object.entries(refused)) {
      for (const token of Object.values(all)) {
        const answer = await opener.openToken(asked(wallet, {}, token));
        expect(answer).toMatchObject({ kind: 'refused', reason });
      }
    }
    expect(await fixture.count('used_tokens')).toBe(0);
    expect(await fixture.count('held_cards')).toBe(0);
  });

  it('is refused without keys for it', async () => {
    // The second is what a new installation on Kubernetes begins with.
    for (const keys of [WalletRecipients.none, WalletRecipients.of('{}\n', 'the file')]) {
      const { opener } = started(wallet, keys);
      expect(await opener.openToken(asked(wallet))).toMatchObject({ reason: 'noKeys' });
    }
  });

  it('is forgotten once nobody can use it any more', async () => {
    const { opener, used } = started(wallet);
    await opener.openToken(asked(wallet));
    await fixture.owner.query("UPDATE vault.used_tokens SET forget_after = now() - interval '1 s'");
    expect([await used.sweepExpired(10), await fixture.count('used_tokens')]).toEqual([1, 0]);
  });
});

describe('what the shopper agreed to', () => {
  const naming = ['applePay', 'samsungPay', 'clickToPay'] as const;
  it.each<WalletName>(naming)('is what is paid with %s', async (wallet) => {
    const { opener } = started(wallet);
    const other = async (minor: string, currency: string): Promise<unknown> => {
      const answer = await opener.openToken(asked(wallet, { amount: { minor, currency } }));
      return answer.kind === 'refused' ? answer.reason : answer.kind;
    };
    expect([
      await other('2000', 'EUR'),
      await other('1999', 'USD'),
      await other('1999', 'EUR'),
    ]).toEqual(['otherAmount', 'otherCurrency', 'held']);
  });
});

describe('the page that the shopper was on', () => {
  const transaction = '5c54b8e8-7f0f-4a3e-9d3e-000000000002';
  const [unnamed] = Object.entries(clickToPay.opened).find(([name]) => name.includes('of no'))!;

  it('is the one whose sheet has given the token, where a page has asked', async () => {
    const { opener } = started('clickToPay');
    const other = asked('clickToPay', { transaction: '5c54b8e8-7f0f-4a3e-9d3e-000000000003' });
    expect(await opener.openToken(other)).toMatchObject({ reason: 'otherCheckout' });
    const ofNone = asked('clickToPay', { transaction }, clickToPay.opened[unnamed]);
    expect(await opener.openToken(ofNone)).toMatchObject({ reason: 'otherCheckout' });
    expect(await fixture.count('used_tokens')).toBe(0);
    const own = await opener.openToken(asked('clickToPay', { transaction }));
    expect(own).toMatchObject({ kind: 'held', eci: '05' });
  });
});

describe('keys', () => {
  it('are for the channels and merchants that they name', async () => {
    const { opener } = started('applePay');
    const elsewhere = asked('applePay', { entityIds: ['shop-2' as EntityId] });
    expect(await opener.openToken(elsewhere)).toMatchObject({ reason: 'noKeys' });
  });

  it('of Google are for all, and its tokens name one', async () => {
    const { opener } = started('googlePay');
    const elsewhere = asked('googlePay', { entityIds: ['shop-2' as EntityId] });
    expect(await opener.openToken(elsewhere)).toMatchObject({ reason: 'otherMerchant' });
  });

  it.each([
    ['no JSON', '{', 'is no JSON'],
    ['no object', '[]', 'must be an object'],
    ['another wallet', '{"payPal":{}}', 'none of applePay, googlePay, samsungPay, clickToPay'],
    ['no list', '{"samsungPay":{}}', 'samsungPay needs a list'],
    ['a text that is missing', '{"samsungPay":{"recipients":[{"keyId":"1"}]}}', 'privateKey must'],
    [
      'a key that is none',
      '{"samsungPay":{"recipients":[{"keyId":"1","privateKey":"SECRET"}]}}',
      'samsungPay.recipients[0]: a key or certificate cannot be read',
    ],
    [
      'no root keys',
      '{"googlePay":{"recipients":[{"recipientId":"gateway:a","privateKeys":["SECRET"]}]}}',
      'no root signing key',
    ],
    ['no SRC systems', '{"clickToPay":{"recipients":[]}}', 'systems must be a list'],
    [
      'a key of an SRC system that is none',
      '{"clickToPay":{"systems":[{"keys":{"keys":[{"kid":"1","k":"SECRET"}]}}],"recipients":[]}}',
      'clickToPay: a key or certificate cannot be read',
    ],
    ['no roots', '{"applePay":{"recipients":[]}}', 'roots must be a list'],
    [
      'entities that are none',
      JSON.stringify({ samsungPay: { recipients: [{ ...samsung.keys[0], entityIds: 'all' }] } }),
      'entityIds must be a list',
    ],
  ])('are refused: %s', (_, text, sentence) => {
    expect(() => WalletRecipients.of(text, 'the file')).toThrow(sentence);
    expect(() => WalletRecipients.of(text, 'the file')).not.toThrow(/SECRET/);
  });

  it('are refused in a file that is not there', async () => {
    await expect(WalletRecipients.read('/nowhere/wallets.json')).rejects.toThrow('ENOENT');
  });
});

it('an hour is kept between the clocks of vault and database', async () => {
  const { opener } = started('samsungPay');
  await opener.openToken(asked('samsungPay'));
  const { rows } = await fixture.owner.query<{ forget_after: Date }>(
    'SELECT forget_after FROM vault.used_tokens',
  );
  expect(rows[0]?.forget_after.getTime()).toBe(clock.now() + HOUR_MS + 20 * 60_000);
});
