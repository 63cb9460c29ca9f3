import { describe, expect, it } from '@jest/globals';
import { sentOf } from './sent-answer.js';

const url = 'https://shop.example/result?id=1';
const answer = (code: string, more: object = {}) => ({ id: 'a', result: { code }, ...more });

describe('a form that was sent', () => {
  it('is accepted, and the shopper goes on', () => {
    const redirect = { url, method: 'GET', parameters: [] };
    expect(sentOf(200, answer('000.100.110', { redirect }))).toEqual({
      kind: 'accepted',
      redirect: { ...redirect, preconditions: [] },
    });
    expect(sentOf(200, answer('000.200.000'))).toEqual({ kind: 'accepted', redirect: undefined });
  });

  it('may be saved alone, of which the page is told', () => {
    const saved = { id: 'c', paymentBrand: 'VISA' };
    expect(sentOf(200, answer('000.200.101', { saved }))).toEqual({
      ...{ kind: 'accepted', redirect: undefined, saved },
    });
  });

  it('may lead elsewhere first, by a form unless it is said otherwise', () => {
    const parameters = [{ name: 'a', value: 'b' }];
    const before = { url: 'https://acquirer.example/', method: 'POST', parameters, origin: 'x' };
    const redirect = { url, parameters: [], preconditions: [before, { url: 'javascript:x' }] };
    expect(sentOf(200, answer('000.200.000', { redirect }))).toEqual({
      kind: 'accepted',
      redirect: {
        ...{ url, method: 'POST', parameters: [] },
        preconditions: [{ url: before.url, method: 'POST', parameters }],
      },
    });
  });

  it.each([
    ['100.100.101', 'cardNumber'],
    ['100.100.700', 'cardNumber'],
    ['100.100.303', 'expiry'],
    ['100.100.201', 'expiry'],
    ['100.100.401', 'cardHolder'],
    ['100.100.501', 'brand'],
    ['100.100.600', 'cvv'],
    ['800.100.152', undefined],
  ])('is declined with %s, for the field %s', (code, field) => {
    expect(sentOf(400, answer(code))).toEqual({ kind: 'declined', field });
  });

  it('names what is invalid', () => {
    const parameterErrors = [{ name: 'card.number', message: 'x' }, {}];
    const result = { code: '200.300.404', parameterErrors };
    expect(sentOf(400, { result })).toEqual({ kind: 'invalid', names: ['card.number'] });
  });

  it('is too late where there is no such checkout, or it takes no further attempt', () => {
    expect(sentOf(400, answer('200.300.404'))).toEqual({ kind: 'over' });
    const description =
      'Too many requests. Please try again later. - too many attempts of this checkout have failed: it takes no further one';
    const result = { code: '800.120.100', description };
    expect(sentOf(400, { result })).toEqual({ kind: 'over' });
  });

  it.each(['Too many requests. Please try again later.', undefined, 1])(
    'may be sent again where there is too much at the moment (%j)',
    (description) => {
      const result = { code: '800.120.100', description };
      expect(sentOf(400, { result })).toEqual({ kind: 'tooMany' });
    },
  );

  it.each([
    [503, answer('900.100.400')],
    [500, {}],
    [200, '<html>'],
    [200, null],
  ])('has a fate that nobody knows: %s %j', (status, body) => {
    expect(sentOf(status, body)).toEqual({ kind: 'unknown' });
  });
});
