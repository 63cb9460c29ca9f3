import { describe, expect, it } from '@jest/globals';
import { MESSAGE_CHARACTERS_MAX, parseMessage } from './parse-message.js';
import { SERVER_ID } from './messages-fixture.js';

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** The code and the detail of the Erro; nothing where it is a message. */
function refusalOf(text: string, charactersMax?: number): string | undefined {
  const parsed = parseMessage(text, charactersMax);
  return 'erro' in parsed ? `${parsed.erro.errorCode} ${parsed.erro.errorDetail}` : undefined;
}

describe('a text that is a message', () => {
  it.each([
    ['empty', '{}', {}],
    [
      'the same name in two objects',
      '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
      { a: { a: 1 }, b: [{ a: 1 }, { a: 2 }] },
    ],
    ['a text with a colon after it', '{"a":"b","c":"\\":"}', { a: 'b', c: '":' }],
    ['texts that look like names', '{"a":["a","a"],"b":"a"}', { a: ['a', 'a'], b: 'a' }],
    ['brackets in a text', `{"a":"${'['.repeat(100)}"}`, { a: '['.repeat(100) }],
    ['spaces', ' {\n"a" : 1 ,\t"b":2}\r\n', { a: 1, b: 2 }],
    [
      'names of prototypes that are harmless',
      '{"constructor":1,"toString":2}',
      { constructor: 1, toString: 2 },
    ],
    ['a number that is too large', '{"a":1e999}', { a: Infinity }],
    ['half a character', '{"a":"\\ud800"}', { a: '\ud800' }],
    ['as deep as may be', nested(20), JSON.parse(nested(20))],
  ])('%s', (_, text, value) => {
    expect(parseMessage(text)).toEqual({ value });
  });
});

describe('a text that is none', () => {
  it.each([
    ['empty', '', '101 the message is not JSON'],
    ['no JSON', '<html>', '101 the message is not JSON'],
    ['cut off', '{"a":"', '101 the message is not JSON'],
    ['two of them', '{}{}', '101 the message is not JSON'],
    ['with a byte order mark', '\ufeff{}', '101 the message is not JSON'],
    ['a list', '[{}]', '101 the message is not an object'],
    ['a text', '"a"', '101 the message is not an object'],
    ['null', 'null', '101 the message is not an object'],
    ['brackets without end', '['.repeat(300_000), '101 the message is not JSON'],
    ['too deep', nested(21), '101 the message is nested too deep'],
    [
      'far too deep',
      `{"a":${'['.repeat(150_000)}${']'.repeat(150_000)}}`,
      '101 the message is nested too deep',
    ],
    ['too long', `{"a":"${'a'.repeat(MESSAGE_CHARACTERS_MAX)}"}`, '101 the message is too long'],
    ['a prototype', '{"__proto__":{"a":1}}', '101 the message has a name that is not taken'],
    [
      'a prototype in hiding',
      '{"a":[{"\\u005f_proto__":1}]}',
      '101 the message has a name that is not taken',
    ],
    ['a name twice', '{"a":1,"b":2,"a":1}', '204 a'],
    ['a name twice, once written otherwise', '{"a":1,"\\u0061":2}', '204 a'],
    ['names twice, further in', '{"a":[{"b":1,"b":2}],"c":{"d":1,"d":1}}', '204 b,d'],
    ['a name with a quote twice', '{"\\"":1,"\\"":2}', '204 "'],
    ['a name twice that does harm', '{"\\u001b":1,"\\u001b":2}', '204 ?'],
  ])('%s', (_, text, refusal) => {
    expect(refusalOf(text)).toBe(refusal);
  });

  it('is answered with its ids where they can be read', () => {
    const parsed = parseMessage(`{"threeDSServerTransID":"${SERVER_ID}","a":1,"a":2}`);
    expect(parsed).toMatchObject({ erro: { threeDSServerTransID: SERVER_ID, errorCode: '204' } });
  });

  it('names no more than twenty', () => {
    const names = Array.from({ length: 50 }, (_, index) => `"n${index}":1,"n${index}":1`);
    expect(refusalOf(`{${names.join(',')}}`)?.split(',')).toHaveLength(20);
  });
});

describe('card ranges', () => {
  it('are longer than other messages, and are read by a limit of their own', () => {
    const range = `{"startRange":"4012000000000000","endRange":"4012999999999999"}`;
    const text = `{"cardRangeData":[${Array.from({ length: 10_000 }, () => range).join(',')}]}`;
    expect(refusalOf(text)).toBe('101 the message is too long');
    expect(refusalOf(text, text.length)).toBeUndefined();
  });
});
