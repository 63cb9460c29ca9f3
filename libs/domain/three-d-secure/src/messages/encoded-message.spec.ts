import { Buffer } from 'node:buffer';
import { describe, expect, it } from '@jest/globals';
import {
  decodeMessage,
  decodeMethodData,
  encodeMessage,
  encodeMethodData,
} from './encoded-message.js';
import { frictionlessAnswer, SERVER_ID } from './messages-fixture.js';

const encoded = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url');
const url = 'https://gateway.example/redirects/1/method';

describe('a message as browsers carry it', () => {
  it('comes back as it was, without padding', () => {
    const message = { ...frictionlessAnswer, cardholderInfo: 'Grüße 😀' };
    expect(encodeMessage(message)).toMatch(/^[0-9A-Za-z_-]+$/u);
    expect(decodeMessage(encodeMessage(message))).toEqual({ value: message });
  });

  it.each([
    ['{"a":1}', 'eyJhIjoxfQ'],
    ['{"a":12}', 'eyJhIjoxMn0'],
    ['{"a":123}', 'eyJhIjoxMjN9'],
  ])('%s may be padded', (text, given) => {
    expect(decodeMessage(given)).toEqual({ value: JSON.parse(text) });
    const padded = given.padEnd(Math.ceil(given.length / 4) * 4, '=');
    expect(decodeMessage(padded)).toEqual({ value: JSON.parse(text) });
  });

  it.each([
    ['nothing', ''],
    ['padding alone', '=='],
    ['padding in it', 'eyJh=IjoxfQ'],
    ['too much padding', 'eyJhIjoxfQ==='],
    ['a space', 'eyJhIjoxfQ '],
    ['a line', 'eyJhIjox\nfQ'],
    ['base64 of another kind', 'eyJhIjoi+/8ifQ'],
    ['a length that there is not', 'eyJhIjoxfQa'],
    ['bits at the end that say nothing', 'eyJhIjoxfR'],
    ['bytes that are no UTF-8', encoded(Buffer.from([0x7b, 0xff, 0x7d]))],
    ['half a character in UTF-8', encoded(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))],
    ['a byte order mark', encoded('\ufeff{}')],
    ['no JSON', encoded('no')],
    ['no object', encoded('[]')],
    ['a prototype', encoded('{"__proto__":1}')],
    ['more than any message', 'A'.repeat(3_000_000)],
  ])('is refused with 101 where it is %s', (_, text) => {
    expect(decodeMessage(text)).toMatchObject({ erro: { errorCode: '101' } });
    expect(decodeMethodData(text)).toBeUndefined();
  });
});

describe('the data of the 3DS method', () => {
  it('says which transaction, and where the page has to say that it is done', () => {
    const text = encodeMethodData(SERVER_ID, url);
    expect(decodeMessage(text)).toEqual({
      value: { threeDSServerTransID: SERVER_ID, threeDSMethodNotificationURL: url },
    });
    expect(decodeMethodData(text)).toBe(SERVER_ID);
  });

  it.each([
    ['no id', '{}'],
    ['an id of another form', '{"threeDSServerTransID":"1"}'],
    ['an id that is no text', '{"threeDSServerTransID":{}}'],
    ['far too much', `{"threeDSServerTransID":"${SERVER_ID}","a":"${'a'.repeat(8_192)}"}`],
  ])('comes back with %s', (_, text) => {
    expect(decodeMethodData(encoded(text))).toBeUndefined();
  });
});
