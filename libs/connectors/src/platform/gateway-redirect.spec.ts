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
      { url, preconditions: [] },
      { url, method: 'POST', parameters: {} },
    ],
  ])('is read from %j', (redirect, expected) => {
    expect(redirectIn({ redirect }, 'LIVE')).toEqual(expected);
  });

  it('comes with what is loaded before, in its order', () => {
    const frame = {
      origin: 'iframe#hidden',
      waitUntil: 'iframe#load',
      description: 'Hidden iframe post for 3D Secure 2.0',
      url: 'https://acs.example/method',
      method: 'POST',
    };
    const threeDSMethodData = 'eyJ0aHJlZURTU2VydmVyVHJhbnNJRCI6IjEifQ';
    const sent = {
      ...frame,
      parameters: [{ name: 'threeDSMethodData', value: threeDSMethodData }],
    };
    expect(redirectIn({ redirect: { url, preconditions: [sent, { url }] } }, 'LIVE')).toEqual({
      ...{ url, method: 'POST', parameters: {} },
      preconditions: [
        { ...frame, parameters: { threeDSMethodData } },
        { url, method: 'POST', parameters: {} },
      ],
    });
  });

  it('has no card number in what its steps say of themselves', () => {
    const description = 'for 4200000000000000';
    const redirect = { url, preconditions: [{ url, description }] };
    expect(redirectIn({ redirect }, 'LIVE')).toMatchObject({
      preconditions: [{ description: expect.not.stringContaining('4200000000000000') }],
    });
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
    ...[null, {}, [null], [{}], [{ url: 'http://a.example' }], [{ url: 'javascript:a' }]].map(
      (preconditions) => ({ url, preconditions }),
    ),
    { url, preconditions: [{ url }, { url, method: 'PUT' }] },
    { url, preconditions: [{ url, origin: 7 }] },
    { url, preconditions: [{ url, description: 'a'.repeat(2_049) }] },
    { url, preconditions: Array.from({ length: 11 }, () => ({ url })) },
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
