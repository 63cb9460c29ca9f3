import { describe, expect, it } from '@jest/globals';
import { DEMO_ACCESS_TOKEN, DEMO_ENTITY_ID, DEMO_USER_ID, PUBLISHED_ACCESS_TOKEN } from './demo.js';
import { derivedEntityId } from './account-tree.js';
import { parseSeed, SEED_CHANNELS_MAX, SEED_CHARACTERS_MAX } from './seed.js';
import { ACCESS_TOKEN_CHARACTERS_MAX, SEED_CREDENTIALS_MAX } from './seed-terms.js';
import { SEED_NAME_CHARACTERS_MAX } from './seed-values.js';

const entityId = '8a829417567d952801568d9d9e3c0b84';
const token = 'token-of-16-char';

const file = (...lines: string[]) => parseSeed(lines.join('\n'));
const channel = (members: object) =>
  parseSeed(
    JSON.stringify({
      channels: [{ entityId, name: 'Shop', merchant: 'Books', accessTokens: [token], ...members }],
    }),
  );
const refusal = (result: ReturnType<typeof parseSeed>) => {
  if (result.kind !== 'refused') {
    throw new Error('the file was accepted');
  }
  return `${result.line}: ${result.reason}`;
};

describe('parseSeed, a good file', () => {
  it('gives the channels with their credentials as secrets', () => {
    const result = file(
      '{"channels": [{',
      `  "entityId": "${entityId}", "name": "Čtení & Söhne", "merchant": "Books",`,
      '  "accessTokens": ["OGE4Mjk0fHN5NktKc1Q4", "zweites-zweites=="],',
      '  "legacyCredentials": [{"userId": "u1", "password": "geheim"}]',
      '}]}',
    );
    if (result.kind !== 'seed') {
      throw new Error(refusal(result));
    }
    const channel = result.accounts.at(-1);
    const parentId = derivedEntityId('merchant', 'Books');
    expect(channel).toMatchObject({ id: entityId, name: 'Čtení & Söhne', parentId });
    expect(channel?.terms?.accessTokens.map((token) => token.reveal())).toEqual([
      'OGE4Mjk0fHN5NktKc1Q4',
      'zweites-zweites==',
    ]);
    expect(channel?.terms?.legacyCredentials[0]?.password.reveal()).toBe('geheim');
    expect(JSON.stringify(result)).not.toMatch(/OGE4|geheim/);
  });

  it('may leave one of the two kinds of credentials out', () => {
    expect(channel({}).kind).toBe('seed');
    const legacyCredentials = [{ userId: 'u', password: 'p' }];
    expect(channel({ accessTokens: undefined, legacyCredentials }).kind).toBe('seed');
  });

  it('may have no channels at all', () => {
    expect(file('{ "channels": [] }')).toEqual({ kind: 'seed', accounts: [] });
  });
});

describe('parseSeed, a file that is not JSON', () => {
  it.each([
    ['', '1: expected a value, found the end of the file'],
    ['{"channels": [\n]\n', '3: expected a comma or }, found the end of the file'],
    ['{"channels": [\n],\n}', '3: expected a text in double quotes, found "}"'],
    ['{\n"channels": [] "x"', '2: expected a comma or }, found "\\""'],
    ['{"channels"\n []}', '2: expected :, found "["'],
    ['{"channels": []}\n\n x', '3: expected the end of the file, found "x"'],
    ['{"a\tb": 1}', '1: a text holds a control character or a wrong escape'],
    ["{'channels': []}", '1: expected a text in double quotes, found "\'"'],
    ['{"channels": [01]}', '1: expected a comma or ], found "1"'],
    ['{"channels": [],\n"channels": []}', '2: "channels" is given twice'],
    ['['.repeat(99), '1: nested deeper than 16 levels'],
  ])('%j', (text, expected) => {
    expect(refusal(parseSeed(text))).toBe(expected);
  });
});

describe('parseSeed, a file of another shape', () => {
  it.each([
    [() => file('[]'), '1: the file must be an object'],
    [() => file('{}'), '1: "channels" must be a list'],
    [() => file('{', '"channels": {}}'), '2: "channels" must be a list'],
    [
      () => file('{', '"canals": []}'),
      '2: the file has no member "canals"; it may have "psps", "divisions", "merchants", "channels"',
    ],
    [() => file('{"channels": [', '7', ']}'), '2: a channel must be an object'],
    [() => channel({ entityId: undefined }), '1: "entityId" is missing'],
    [
      () => channel({ entityId: entityId.toUpperCase() }),
      '1: "entityId" must be 32 lowercase hexadecimal digits',
    ],
    [() => channel({ name: '' }), '1: "name" must be a text of 1 to 100 printable characters'],
    [() => channel({ name: 'a\nb' }), '1: "name" must be a text of 1 to 100 printable characters'],
    [
      () => channel({ merchant: 5 }),
      '1: "merchant" must be a text of 1 to 100 printable characters',
    ],
    [() => channel({ accessTokens: 'x' }), '1: "accessTokens" must be a list'],
    [
      () => channel({ accessTokens: ['a b'] }),
      '1: an access token must be visible ASCII without spaces',
    ],
    [
      () => channel({ accessTokens: [] }),
      '1: nobody could use this channel: it, or a node above it, needs an access token or a legacy credential',
    ],
    [() => channel({ legacyCredentials: [{ userId: 'u' }] }), '1: "password" is missing'],
    [() => channel({ accessTokens: [token, token] }), '1: this access token is given twice here'],
    [
      () =>
        channel({
          accessTokens: Array.from({ length: SEED_CREDENTIALS_MAX + 1 }, (_, n) => `${token}${n}`),
        }),
      `1: "accessTokens" has more than ${SEED_CREDENTIALS_MAX} entries`,
    ],
  ])('%#', (read, expected) => {
    expect(refusal(read())).toBe(expected);
  });

  it('names the line of the value, not of its channel', () => {
    const text = `{"channels": [{\n"entityId": "${entityId}",\n"name":\n\n"",\n"merchant": "m"}]}`;
    expect(refusal(parseSeed(text))).toMatch(/^5: "name"/);
  });

  it('repeats of a name that it must not have forty characters', () => {
    const refused = (length: number) => refusal(file(`{"${'x'.repeat(length)}": 1}`));
    expect(refused(40)).toContain(`no member "${'x'.repeat(40)}";`);
    expect(refused(41)).toContain(`no member "${'x'.repeat(40)}";`);
  });

  it('has at most a thousand channels', () => {
    const channels = Array.from({ length: SEED_CHANNELS_MAX + 1 }, () => ({}));
    expect(refusal(parseSeed(JSON.stringify({ channels })))).toMatch(/more than 1000 entries/);
  });

  it('has so many credentials of a node, names so long and tokens so long, and no more', () => {
    const tokens = (count: number) => Array.from({ length: count }, (_, n) => `${token}${n}`);
    const of = (length: number) => 'x'.repeat(length);
    const longest = { name: of(SEED_NAME_CHARACTERS_MAX), merchant: of(SEED_NAME_CHARACTERS_MAX) };
    expect(channel({ ...longest, accessTokens: tokens(SEED_CREDENTIALS_MAX) }).kind).toBe('seed');
    expect(channel({ accessTokens: [of(ACCESS_TOKEN_CHARACTERS_MAX)] }).kind).toBe('seed');
    expect([
      refusal(channel({ name: of(SEED_NAME_CHARACTERS_MAX + 1) })),
      refusal(channel({ accessTokens: [of(ACCESS_TOKEN_CHARACTERS_MAX + 1)] })),
    ]).toEqual([
      '1: "name" must be a text of 1 to 100 printable characters',
      '1: an access token must be a text of 1 to 512 printable characters',
    ]);
  });

  it('has no more characters than a limit', () => {
    const text = (length: number) => `"${'x'.repeat(length - 2)}"`;
    expect(refusal(file(text(SEED_CHARACTERS_MAX)))).toBe('1: the file must be an object');
    expect(refusal(file(text(SEED_CHARACTERS_MAX + 1)))).toBe(
      '1: the file has more than 4194304 characters',
    );
  });

  it.each([
    ['lists', '[', ']', 'the file must be an object'],
    ['objects', '{"channels":', '}', '"channels" must be a list'],
  ])('is nested no deeper than a limit, in %s', (_, opening, closing, otherwise) => {
    const nested = (levels: number) => `${opening.repeat(levels)}null${closing.repeat(levels)}`;
    expect(refusal(file(nested(16)))).toBe(`1: ${otherwise}`);
    expect(refusal(file(nested(17)))).toBe('1: nested deeper than 16 levels');
  });

  it('names the line of a node that is taken: of its id, or of its name where it has none', () => {
    const twice = (node: string) => file(`{"channels": [], "psps": [${node},`, `${node}]}`);
    const taken = 'this psp is already taken by another one';
    expect(refusal(twice('{"name": "Bank"}'))).toBe(`2: ${taken}`);
    expect(refusal(twice(`{"name": "Bank",\n"entityId": "${entityId}"}`))).toBe(`4: ${taken}`);
  });

  it('gives a user once to a node', () => {
    const legacyCredential = { userId: 'u', password: 'p' };
    expect(refusal(channel({ legacyCredentials: [legacyCredential, legacyCredential] }))).toBe(
      '1: this "userId" is given twice here',
    );
  });

  it.each([
    ['entity id', { entityId: DEMO_ENTITY_ID }],
    ['access token', { accessTokens: [DEMO_ACCESS_TOKEN] }],
    ['published access token', { accessTokens: [PUBLISHED_ACCESS_TOKEN] }],
    ['user id', { legacyCredentials: [{ userId: DEMO_USER_ID, password: 'p' }] }],
  ])('may not take the %s of the demo channel', (_, members) => {
    expect(refusal(channel(members))).toMatch(/already taken/);
  });

  it('takes no access token that could be guessed, and names its line', () => {
    const text = `{"channels": [{\n"entityId": "${entityId}", "name": "n", "merchant": "m",`;
    expect(refusal(file(text, `"accessTokens": ["${token}",`, `"${token.slice(1)}"]}]}`))).toBe(
      '4: an access token must have at least 16 characters',
    );
  });

  it('never repeats a token or password in its reason', () => {
    const secret = 'verysecret with space';
    expect(refusal(channel({ accessTokens: [secret] }))).not.toContain('verysecret');
  });
});

describe('parseSeed, nodes above the channels (D-68)', () => {
  const tree = (lists: object) =>
    parseSeed(
      JSON.stringify({
        channels: [{ entityId, name: 'Shop', merchant: 'Books', accessTokens: [token] }],
        ...lists,
      }),
    );
  const accountsOf = (result: ReturnType<typeof parseSeed>) => {
    if (result.kind !== 'seed') throw new Error(refusal(result));
    return result.accounts;
  };

  it('are implied where they are not listed, once, and nothing is said of them', () => {
    const second = { entityId: '0'.repeat(32), name: 'Other', merchant: 'Books' };
    const channels = [
      { entityId, name: 'Shop', merchant: 'Books', accessTokens: [token] },
      { ...second, accessTokens: [token] },
    ];
    const accounts = accountsOf(tree({ channels }));
    expect(accounts.map(({ kind, terms }) => [kind, terms !== undefined])).toEqual([
      ['psp', false],
      ['division', false],
      ['merchant', false],
      ['channel', true],
      ['channel', true],
    ]);
  });

  it('have a name or an id, stand under one another, and come in the order of the tree', () => {
    const accounts = accountsOf(
      tree({
        merchants: [{ name: 'Books', division: 'Retail', accessTokens: [token] }],
        divisions: [{ name: 'Retail', psp: 'Bank', entityId: 'd'.repeat(32) }],
        psps: [{ name: 'Bank', legacyCredentials: [{ userId: 'u', password: 'p' }] }],
      }),
    );
    const bank = derivedEntityId('psp', 'Bank');
    expect(accounts.map(({ id, parentId }) => [id, parentId])).toEqual([
      [bank, undefined],
      ['d'.repeat(32), bank],
      [derivedEntityId('merchant', 'Books'), 'd'.repeat(32)],
      [entityId, derivedEntityId('merchant', 'Books')],
    ]);
    expect(accounts[0]?.terms?.legacyCredentials).toHaveLength(1);
    expect(accounts[2]?.terms?.accessTokens).toHaveLength(1);
  });

  it('may share a token and a user, and a channel may have none of its own', () => {
    const legacyCredentials = [{ userId: 'u', password: 'p' }];
    const keys = { accessTokens: [token], legacyCredentials };
    const shops = ['1', '2', '3'].map((digit) => ({
      ...{ entityId: digit.repeat(32), name: digit, merchant: digit === '3' ? 'Shoes' : 'Books' },
      ...(digit !== '3' && keys),
    }));
    const merchants = [{ name: 'Shoes', ...keys }];
    expect(accountsOf(tree({ channels: shops, merchants })).length).toBe(7);
  });

  it.each([
    [{ merchants: [{ name: 'Books', division: 7 }] }, /"division" must be a text/],
    [{ merchants: [{ name: 'Books' }, { name: 'Books' }] }, /already taken/],
    [{ merchants: [{ name: 'Books', entityId: 'x' }] }, /32 lowercase hexadecimal digits/],
    [{ merchants: [{ name: 'Books', psp: 'Bank' }] }, /a merchant has no member "psp"/],
    [{ divisions: [{ name: 'Retail', entityId }] }, /already taken/],
    [{ psps: [{ name: 'Bank', accessTokens: [PUBLISHED_ACCESS_TOKEN] }] }, /public/],
    [
      {
        psps: [{ name: 'Bank', legacyCredentials: [{ userId: 'u', password: 'p' }] }],
        merchants: [{ name: 'Books', legacyCredentials: [{ userId: 'u', password: 'q' }] }],
      },
      /this "userId" has another password above/,
    ],
  ])('are refused: %j', (lists, reason) => {
    expect(refusal(tree(lists))).toMatch(reason);
  });
});

describe('parseSeed, whether shoppers may delete', () => {
  it('may be said at any node', () => {
    const shop = { entityId, name: 'Shop', merchant: 'Books', accessTokens: [token] };
    const result = parseSeed(
      JSON.stringify({
        merchants: [{ name: 'Books', shoppersMayDelete: true }],
        channels: [{ ...shop, shoppersMayDelete: false }],
      }),
    );
    if (result.kind !== 'seed') throw new Error(refusal(result));
    expect(result.accounts.map(({ terms }) => terms?.shoppersMayDelete)).toEqual([
      ...[undefined, undefined, true, false],
    ]);
  });

  it.each(['true', 1, null])('is refused: %j', (shoppersMayDelete) => {
    expect(refusal(channel({ shoppersMayDelete }))).toMatch(
      /"shoppersMayDelete" must be true or false/,
    );
  });
});

describe('parseSeed, registrations of the same account', () => {
  it('may be chosen at any node', () => {
    const result = parseSeed(
      JSON.stringify({
        merchants: [{ name: 'Books', registrations: 'existing' }],
        channels: [
          {
            ...{ entityId, name: 'Shop', merchant: 'Books', accessTokens: [token] },
            registrations: 'new',
          },
        ],
      }),
    );
    if (result.kind !== 'seed') throw new Error(refusal(result));
    expect(result.accounts.map(({ terms }) => terms?.registrations)).toEqual([
      ...[undefined, undefined, 'existing', 'new'],
    ]);
  });

  it.each(['Existing', '', true, null, ['existing']])('are refused: %j', (registrations) => {
    expect(refusal(channel({ registrations }))).toMatch(
      /"registrations" must be "new" or "existing"/,
    );
  });
});

describe('parseSeed, schemes of apps (S-RED-01)', () => {
  it('may be registered, in whatever order', () => {
    const result = channel({ appSchemes: ['shop.example', 'com.shop.app'] });
    if (result.kind !== 'seed') throw new Error(refusal(result));
    expect(result.accounts.at(-1)?.terms?.appSchemes).toEqual(['com.shop.app', 'shop.example']);
  });

  it.each([
    ['com.shop.app', /must be a list/],
    [['x'], /no scheme of an app/],
    [['com.shop.app://'], /no scheme of an app/],
    [['Com.Shop.App'], /no scheme of an app/],
    [['javascript'], /no scheme of an app/],
    [['https'], /no scheme of an app/],
    [['a'.repeat(62)], /text of 1 to 61/],
    [['com.shop.app', 'com.shop.app'], /given twice/],
    [Array.from({ length: 21 }, (_, n) => `app${String(n)}`), /more than 20 entries/],
  ])('are refused: %j', (appSchemes, reason) => {
    expect(refusal(channel({ appSchemes }))).toMatch(reason);
  });
});

describe('parseSeed, compatibility switches (D-67)', () => {
  it('may be turned on and off at any node', () => {
    const result = parseSeed(
      JSON.stringify({
        psps: [{ name: 'Sluice', compatibility: { limitBelow100: true } }],
        merchants: [{ name: 'Books', compatibility: {} }],
        channels: [
          {
            ...{ entityId, name: 'Shop', merchant: 'Books', accessTokens: [token] },
            compatibility: { limitBelow100: false, shippingName: true },
          },
        ],
      }),
    );
    if (result.kind !== 'seed') throw new Error(refusal(result));
    expect(result.accounts.map(({ terms }) => terms?.compatibility)).toEqual([
      { limitBelow100: true },
      undefined,
      {},
      { limitBelow100: false, shippingName: true },
    ]);
  });

  it.each([
    [
      { emailWithoutname: true },
      /there is no switch "emailWithoutname"; did you mean "emailWithoutName"/,
    ],
    [{ shortTransactionId: true }, /did you mean "shortMerchantTransactionId"/],
    [{ everything: true }, /there are emailWithoutName, shortMerchantTransactionId/],
    [{ __proto__x: true }, /there are emailWithoutName/],
    [{ shippingName: 'true' }, /"shippingName" must be true or false/],
    [{ shippingName: 1 }, /"shippingName" must be true or false/],
    [['shippingName'], /"compatibility" must be an object of switches/],
    [true, /"compatibility" must be an object of switches/],
  ])('are refused: %j', (compatibility, reason) => {
    expect(refusal(channel({ compatibility }))).toMatch(reason);
  });

  it('are refused with their line', () => {
    const text = `{"channels": [{\n"entityId": "${entityId}", "name": "n", "merchant": "m",`;
    const rest = `"accessTokens": ["${token}"],\n"compatibility": {\n"lenient": true}}]}`;
    expect(refusal(file(text, rest))).toMatch(/^5: there is no switch "lenient"/);
  });
});
