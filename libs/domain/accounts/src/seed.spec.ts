import { describe, expect, it } from '@jest/globals';
import { DEMO_ACCESS_TOKEN, DEMO_ENTITY_ID, DEMO_USER_ID } from './demo.js';
import { parseSeed, SEED_CHANNELS_MAX, SEED_CREDENTIALS_MAX } from './seed.js';

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
    const [first] = result.channels;
    expect(first).toMatchObject({ entityId, name: 'Čtení & Söhne', merchant: 'Books' });
    expect(first?.accessTokens.map((token) => token.reveal())).toEqual([
      'OGE4Mjk0fHN5NktKc1Q4',
      'zweites-zweites==',
    ]);
    expect(first?.legacyCredentials[0]?.password.reveal()).toBe('geheim');
    expect(JSON.stringify(result)).not.toMatch(/OGE4|geheim/);
  });

  it('may leave one of the two kinds of credentials out', () => {
    expect(channel({}).kind).toBe('seed');
    const legacyCredentials = [{ userId: 'u', password: 'p' }];
    expect(channel({ accessTokens: undefined, legacyCredentials }).kind).toBe('seed');
  });

  it('may have no channels at all', () => {
    expect(file('{ "channels": [] }')).toEqual({ kind: 'seed', channels: [] });
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
    [file('[]'), '1: the file must be an object'],
    [file('{}'), '1: "channels" must be a list'],
    [file('{', '"channels": {}}'), '2: "channels" must be a list'],
    [file('{', '"canals": []}'), '2: the file has no member "canals"; it may have "channels"'],
    [file('{"channels": [', '7', ']}'), '2: a channel must be an object'],
    [channel({ entityId: undefined }), '1: "entityId" is missing'],
    [
      channel({ entityId: entityId.toUpperCase() }),
      '1: "entityId" must be 32 lowercase hexadecimal digits',
    ],
    [channel({ name: '' }), '1: "name" must be a text of 1 to 100 printable characters'],
    [channel({ name: 'a\nb' }), '1: "name" must be a text of 1 to 100 printable characters'],
    [channel({ merchant: 5 }), '1: "merchant" must be a text of 1 to 100 printable characters'],
    [channel({ accessTokens: 'x' }), '1: "accessTokens" must be a list'],
    [channel({ accessTokens: ['a b'] }), '1: an access token must be visible ASCII without spaces'],
    [channel({ accessTokens: [] }), '1: a channel needs an access token or a legacy credential'],
    [channel({ legacyCredentials: [{ userId: 'u' }] }), '1: "password" is missing'],
    [
      channel({ accessTokens: [token, token] }),
      '1: this access token is already taken by another channel',
    ],
    [
      channel({
        accessTokens: Array.from({ length: SEED_CREDENTIALS_MAX + 1 }, (_, n) => `${token}${n}`),
      }),
      `1: "accessTokens" has more than ${SEED_CREDENTIALS_MAX} entries`,
    ],
  ])('%#', (result, expected) => {
    expect(refusal(result)).toBe(expected);
  });

  it('names the line of the value, not of its channel', () => {
    const text = `{"channels": [{\n"entityId": "${entityId}",\n"name":\n\n"",\n"merchant": "m"}]}`;
    expect(refusal(parseSeed(text))).toMatch(/^5: "name"/);
  });

  it('has at most a thousand channels', () => {
    const channels = Array.from({ length: SEED_CHANNELS_MAX + 1 }, () => ({}));
    expect(refusal(parseSeed(JSON.stringify({ channels })))).toMatch(/more than 1000 entries/);
  });

  it.each([
    ['entity id', { entityId: DEMO_ENTITY_ID }],
    ['access token', { accessTokens: [DEMO_ACCESS_TOKEN] }],
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
