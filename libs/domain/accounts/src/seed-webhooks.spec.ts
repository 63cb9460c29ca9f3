import { describe, expect, it } from '@jest/globals';
import { parseSeed } from './seed.js';
import { SEED_WEBHOOKS_MAX } from './seed-webhooks.js';

const SECRET = '0123456789abcdef'.repeat(4);
const HOOK = { url: 'http://127.0.0.1:3000/hook', secret: SECRET };

function parsed(webhooks: unknown) {
  const channel = {
    ...{ entityId: '1'.repeat(32), name: 'Shop', merchant: 'Books' },
    accessTokens: ['a token of sixteen'.replaceAll(' ', '-')],
    webhooks,
  };
  return parseSeed(JSON.stringify({ channels: [channel] }));
}

function webhooksOf(webhooks: unknown) {
  const result = parsed(webhooks);
  if (result.kind === 'refused') throw new Error(result.reason);
  return result.accounts.at(-1)?.webhooks;
}

describe('the webhooks of a channel in a seed file', () => {
  it('need an address and a secret, and are told of all that there is in the raw form', () => {
    const [webhook] = webhooksOf([HOOK]) ?? [];
    expect(webhook).toMatchObject({
      ...{
        url: HOOK.url,
        types: ['PAYMENT', 'REGISTRATION', 'SCHEDULE', 'RISK'],
        fields: 'ALL',
        wrapper: 'none',
      },
    });
    expect(webhook?.secret.reveal()).toBe(SECRET);
    expect(JSON.stringify(webhook)).not.toContain(SECRET);
  });

  it('may say the rest', () => {
    const said = { types: ['PAYMENT'], fields: 'NON_CUSTOMER_DATA', wrapper: 'JSON' };
    expect(webhooksOf([{ ...HOOK, ...said }])).toMatchObject([said]);
  });

  it.each(['https://shop.example/a@b?c=@d', 'http://[::1]:3000/hook', 'https://shop.example?a=b'])(
    'may be at %s',
    (url) => {
      expect(webhooksOf([{ ...HOOK, url }])).toMatchObject([{ url }]);
    },
  );

  it('are none where the list is empty, and stay as they are where there is no list', () => {
    expect(webhooksOf([])).toEqual([]);
    expect(webhooksOf(undefined)).toBeUndefined();
  });

  it.each([
    ['no list', {}, '"webhooks" must be a list'],
    ['no address', [{ secret: SECRET }], '"url" is missing'],
    ['another scheme', [{ ...HOOK, url: 'ftp://shop.example/' }], 'address with https or http'],
    ['blanks', [{ ...HOOK, url: 'https://shop.example/a b' }], 'address with https or http'],
    ['a user', [{ ...HOOK, url: 'https://shop@127.0.0.1/' }], 'without a user'],
    ['a user of no name', [{ ...HOOK, url: 'https://@shop.example' }], 'without a user'],
    ['no host', [{ ...HOOK, url: 'https:///shop.example' }], 'without a user'],
    ['a backslash', [{ ...HOOK, url: 'https://shop.example\\@b.example/' }], 'a backslash'],
    ['a fragment', [{ ...HOOK, url: 'https://shop.example/hook#a' }], 'a backslash and a #'],
    ['no secret', [{ url: HOOK.url }], '"secret" is missing'],
    ['a short secret', [{ ...HOOK, secret: 'abc' }], 'must have 64 hexadecimal digits'],
    ['nothing to be told of', [{ ...HOOK, types: [] }], '"types" names nothing'],
    ['no type', [{ ...HOOK, types: ['payment'] }], 'a type must be one of'],
    ['no wrapper', [{ ...HOOK, wrapper: 'XML' }], '"wrapper" must be one of none, JSON'],
    ['the same twice', [HOOK, HOOK], 'this "url" is given twice here'],
    ['another member', [{ ...HOOK, method: 'GET' }], 'a webhook has no member "method"'],
    ['too many', Array.from({ length: SEED_WEBHOOKS_MAX + 1 }, () => HOOK), 'more than 20'],
  ])('are refused with %s', (_, webhooks, reason) => {
    expect(parsed(webhooks)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining(reason) as unknown,
    });
  });
});
