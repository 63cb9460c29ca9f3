import { describe, expect, it } from '@jest/globals';
import { parseTransactionRequest } from './transaction-request.js';

const whole = {
  reference: 'ref-1',
  operation: 'debit',
  amount: '92.00',
  currency: 'EUR',
  mode: 'INTERNAL',
  card: { number: '4200000000000042', expiryMonth: '05', expiryYear: '2034', cvv: '123' },
};

describe('a request', () => {
  it('keeps six and four digits of the card and never its security code', () => {
    const parsed = parseTransactionRequest(whole);
    expect(parsed).toEqual({
      request: {
        reference: 'ref-1',
        operation: 'debit',
        amount: '92.00',
        currency: 'EUR',
        mode: 'INTERNAL',
        bin: '420000',
        last4: '0042',
        checkedCard: { securityCodeSent: true, addressSent: false, wished: {} },
      },
    });
  });

  it.each([
    ['3', 3],
    ['99', 99],
    ['1', undefined],
    ['0', undefined],
  ])('is paid in the installments that it asks for: %s', (numberOfInstallments, installments) => {
    const parsed = parseTransactionRequest({
      ...whole,
      parameters: { recurring: { numberOfInstallments } },
    });
    if (!('request' in parsed)) throw new Error(parsed.message);
    expect(parsed.request.installments).toBe(installments);
  });

  it.each([
    [{}, '100'],
    [{}, 3],
    [{ operation: 'credit' }, '3'],
    [{ card: undefined }, '3'],
  ])('with %j is not paid in installments: %j', (changes, numberOfInstallments) => {
    const parameters = { recurring: { numberOfInstallments } };
    expect(parseTransactionRequest({ ...whole, ...changes, parameters })).toMatchObject({
      parameter: 'numberOfInstallments',
    });
  });

  it('knows of a security code only whether it was sent', () => {
    const { cvv: _, ...card } = whole.card;
    expect(parseTransactionRequest({ ...whole, card, avs: 'F', cvv: 'S' })).toMatchObject({
      request: { checkedCard: { securityCodeSent: false, wished: { avs: 'F', cvv: 'S' } } },
    });
  });

  it.each([
    [{ billing: { street1: 'High Street 1', city: 'London' } }, true],
    [{ billing: { postcode: 'SW1A 1AA' } }, true],
    [{ billing: { country: 'GB' } }, false],
    [{ descriptor: 'Books' }, false],
    [undefined, false],
    [null, false],
    ['x', false],
  ])('knows of an address only whether it was sent: %j', (parameters, addressSent) => {
    const parsed = parseTransactionRequest({ ...whole, parameters });
    expect(parsed).toMatchObject({ request: { checkedCard: { addressSent } } });
    expect(JSON.stringify(parsed)).not.toMatch(/High Street|SW1A/);
  });

  it('keeps holder, wishes and fault', () => {
    const parsed = parseTransactionRequest({
      ...whole,
      card: { ...whole.card, holder: 'Jane Jones' },
      originalReference: 'ref-0',
      forceResultCode: '800.100.151',
      fault: 'late:100',
    });
    expect(parsed).toMatchObject({
      request: {
        holder: 'Jane Jones',
        originalReference: 'ref-0',
        forceResultCode: '800.100.151',
        fault: { kind: 'late', delayMs: 100 },
      },
    });
  });

  it.each<[string, object | null]>([
    ['body', null],
    ['reference', { ...whole, reference: undefined }],
    ['reference', { ...whole, reference: '../x' }],
    ['reference', { ...whole, reference: 'x'.repeat(65) }],
    ['operation', { ...whole, operation: 'chargeback' }],
    ['amount', { ...whole, amount: 92 }],
    ['amount', { ...whole, amount: '92,00' }],
    ['amount', { ...whole, amount: '-1.00' }],
    ['amount', { ...whole, amount: '1e3' }],
    ['currency', { ...whole, currency: 'eur' }],
    ['originalReference', { ...whole, originalReference: '' }],
    ['mode', { ...whole, mode: 'LIVE' }],
    ['card', { ...whole, card: 'x' }],
    ['card', { ...whole, card: { number: '42' } }],
    ['forceResultCode', { ...whole, forceResultCode: '800.100.1510' }],
    ['fault', { ...whole, fault: 'explode' }],
    ['fault', { ...whole, fault: 7 }],
    ['avs', { ...whole, avs: 'X' }],
    ['avs', { ...whole, avs: '' }],
    ['cvv', { ...whole, cvv: 'A' }],
    ['cvv', { ...whole, cvv: '123' }],
  ])('with a wrong %s is refused by its name alone', (parameter, body) => {
    const parsed = parseTransactionRequest(body);
    expect(parsed).toMatchObject({ parameter });
    expect(JSON.stringify(parsed)).not.toContain('4200000000000042');
  });
});
