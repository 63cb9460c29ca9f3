import { describe, expect, it } from '@jest/globals';
import { answerForPage, formBody, isCheckout, submitPath } from './field-form.js';

const id = `${'A'.repeat(32)}.sluice`;
const checkout = { id, purpose: 'payment' } as const;
const number = '4200000000000000';

describe('the form that the number sends', () => {
  it('has what the page has told, and the number and code', () => {
    const fields = [
      ['card.holder', 'Jane Jones'],
      ['card.number', '1'],
      ['card.cvv', '1'],
    ] as const;
    const body = formBody({ checkout, fields, number, code: '123' });
    expect([...body]).toEqual([
      ['card.holder', 'Jane Jones'],
      ['card.number', number],
      ['card.cvv', '123'],
    ]);
  });

  it('has no code where there is none', () => {
    for (const code of [undefined, '']) {
      const body = formBody({ checkout, fields: [], number, code });
      expect([...body.keys()]).toEqual(['card.number']);
    }
  });

  it('goes to its checkout, from the frame', () => {
    const frame = 'https://gateway.example/v1/widget/abc/field.html';
    expect(new URL(submitPath(checkout), frame).href).toBe(
      `https://gateway.example/v1/checkouts/${id}/payment`,
    );
  });

  it.each([
    [checkout, true],
    [{ id, purpose: 'registration' }, true],
    [{ id, purpose: '../payments' }, false],
    [{ id: `../../${id}`, purpose: 'payment' }, false],
    [{ id: 7, purpose: 'payment' }, false],
    [undefined, false],
    [null, false],
  ])('is sent for a checkout alone: %j is one: %s', (said, is) => {
    expect(isCheckout(said)).toBe(is);
  });
});

describe('what the page is told of an answer', () => {
  it('is what became of it, and where to go', () => {
    const redirect = { url: 'https://shop.example/' };
    const result = {
      ...{ code: '200.300.404', description: number },
      parameterErrors: [{ name: 'card.number', value: number, message: `not ${number}` }],
    };
    const told = answerForPage({ id: 'a', ndc: id, result, redirect });
    expect(told).toEqual({
      result: { code: '200.300.404', parameterErrors: [{ name: 'card.number' }] },
      redirect,
    });
    expect(JSON.stringify(told)).not.toContain(number);
  });

  it('has of a description no more than that there is no further attempt', () => {
    const told = (description: string) =>
      answerForPage({ result: { code: '800.120.100', description } });
    expect(told(`Too many ${number}: it takes no further one`)).toMatchObject({
      result: { code: '800.120.100', description: 'it takes no further one' },
    });
    expect(told(`Too many ${number}`)).not.toMatchObject({
      result: { description: expect.anything() },
    });
  });

  it('is what was saved, by the names that are meant for it', () => {
    const saved = {
      ...{ id, saved: 'f'.repeat(32), resourcePath: `/v1/checkouts/${id}/payment` },
      ...{ paymentBrand: 'VISA' },
      card: { holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' },
    };
    const more = { ...saved, number, card: { ...saved.card, last4Digits: '0000', bin: '420000' } };
    const told = answerForPage({ result: { code: '000.200.101' }, saved: more });
    expect(told).toMatchObject({ saved });
    expect(JSON.stringify(told)).not.toMatch(/420000|0000/);
  });

  it.each([undefined, null, 'text', {}, { result: 'x' }])('is nothing of %j', (body) => {
    expect(answerForPage(body)).toBeUndefined();
  });
});
