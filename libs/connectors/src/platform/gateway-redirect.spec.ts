import { describe, expect, it } from '@jest/globals';
import { redirectIn } from './gateway-redirect.js';

const url = 'https://other.example/redirects/1';

describe('where the other gateway wants the shopper', () => {
  it('is nowhere, if it says so', () => {
    expect(redirectIn({}, 'LIVE')).toBeUndefined();
  });

  it.each([
    [{ url }, { url, method: 'POST', parameters: {} }],
    [
      { url, method: 'GET', parameters: [] },
      { url, method: 'GET', parameters: {} },
    ],
    [
      {
        url,
        parameters: [
          { name: 'a', value: '' },
          { name: 'b', value: '2' },
        ],
      },
      { url, method: 'POST', parameters: { a: '', b: '2' } },
    ],
    [
      { url, preconditions: [{ url }] },
      { url, method: 'POST', parameters: {} },
    ],
  ])('is read from %j', (redirect, expected) => {
    expect(redirectIn({ redirect }, 'LIVE')).toEqual(expected);
  });

  const malformed: readonly unknown[] = [
    ...['', null, [], 7, {}, { url: '' }, { url: 'other.example' }, { url: 7 }],
    ...[{ url: 'javascript:alert(1)' }, { url: 'data:text/html,a' }, { url: 'http://a.example' }],
    ...[{ url: `https://a.example/${'a'.repeat(2_048)}` }, { url, method: 'PUT' }],
    ...[
      { url, parameters: {} },
      { url, parameters: [null] },
      { url, parameters: [{ name: 'a' }] },
    ],
    { url, parameters: [{ name: '', value: 'a' }] },
    { url, parameters: [{ name: 'a', value: 7 }] },
    { url, parameters: ['1', '2'].map((value) => ({ name: 'a', value })) },
    { url, parameters: [{ name: 'a', value: 'a'.repeat(65_537) }] },
    { url, parameters: Array.from({ length: 101 }, (_, n) => ({ name: `a${n}`, value: 'b' })) },
  ];
  it.each(malformed.map((each) => [JSON.stringify(each).slice(0, 60), each]))(
    'is not taken from %s',
    (_, redirect) => {
      expect(redirectIn({ redirect }, 'LIVE')).toBe('malformed');
    },
  );

  it('may be unencrypted in tests alone', () => {
    const redirect = { url: 'http://a.example/', method: 'GET' };
    expect(redirectIn({ redirect }, 'INTERNAL')).toMatchObject(redirect);
  });
});
