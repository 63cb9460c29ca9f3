import { describe, expect, it } from '@jest/globals';
import { databaseAddress } from './database-address.js';

describe('the address of a database', () => {
  it.each(['postgres://a:b@host:5432/name', 'postgresql:///name?host=/var/run'])(
    'is %s',
    (text) => {
      expect(databaseAddress(text)).toBe(text);
    },
  );

  it.each([
    ['', 'must begin with postgres://'],
    ['foo', 'must begin with postgres://'],
    ['http://secret@host/name', 'must begin with postgres://'],
    ['postgres://secret:pass#word@ho st/name', 'must look like postgres://'],
  ])('is not %j, which is not repeated', (text, sentence) => {
    expect(() => databaseAddress(text)).toThrow(sentence);
    expect(() => databaseAddress(text)).not.toThrow('secret');
  });
});
