import { describe, expect, it } from '@jest/globals';
import { testSandbox } from '@sluice/testing';
import {
  APPROVED,
  type Body,
  codeOf,
  type Fields,
  MONEY,
  send as sendTo,
} from './demo-merchant-fixture.js';

const TOKEN = {
  ...{ paymentBrand: 'VISA', 'tokenAccount.number': '4200000000000075' },
  ...{ 'tokenAccount.type': 'NETWORK', 'tokenAccount.expiryMonth': '11' },
  'tokenAccount.expiryYear': '2034',
};
const PROOF = { 'tokenAccount.cryptogram': 'AgAAAAAABk4DWZ4C28yUQAAAAAA=' };
const SHOWN = { number: '************0075', type: 'NETWORK' };

const sandbox = testSandbox();

async function send(method: string, path: string, fields: Fields = {}): Promise<Body> {
  const body = await sendTo(sandbox, [method, path], fields);
  expect(JSON.stringify(body)).not.toMatch(/4200000000000075|AgAAAAAA/);
  return body;
}
const debit = (more: Fields = {}): Promise<Body> =>
  send('POST', '/v1/payments', { ...MONEY, ...TOKEN, ...PROOF, ...more });

describe('a payment with a token', () => {
  it('is approved, read, captured and refunded, with its number masked', async () => {
    const paid = await debit({ 'tokenAccount.dtvc': '846' });
    const shown = { paymentBrand: 'VISA', paymentMethod: 'NT', tokenAccount: SHOWN };
    expect(paid).toMatchObject({ ...shown, result: { code: APPROVED } });
    expect(await send('GET', `/v1/payments/${paid.id}`)).toMatchObject(shown);
    const refund = { paymentType: 'RF', amount: '92.00', currency: 'EUR' };
    expect(await codeOf(send('POST', `/v1/payments/${paid.id}`, refund))).toBe(APPROVED);
    const { id } = await debit({ paymentType: 'PA' });
    const capture = { ...MONEY, paymentType: 'CP' };
    expect(await codeOf(send('POST', `/v1/payments/${id}`, capture))).toBe(APPROVED);
  });

  it('of another provider says so', async () => {
    const paid = await debit({ 'tokenAccount.type': 'EXTERNAL' });
    expect(paid).toMatchObject({ paymentMethod: 'ET', tokenAccount: { type: 'EXTERNAL' } });
  });

  it.each([
    [
      'of a network with a wrong digit',
      { 'tokenAccount.number': '4200000000000076' },
      '100.100.101',
    ],
    ['of a network under the brand of another', { paymentBrand: 'MASTER' }, '100.100.700'],
    ['of a network under a brand without cards', { paymentBrand: 'BOOKCARD' }, '600.200.500'],
    ['whose time is over', { 'tokenAccount.expiryYear': '2020' }, '100.100.303'],
    ['that is declined', { 'customParameters[forceResultCode]': '800.100.151' }, '800.100.151'],
    ['without its number', { 'tokenAccount.number': '' }, '200.300.404'],
  ])('is refused: %s', async (_, wrong, code) => {
    expect(await codeOf(debit(wrong))).toBe(code);
  });
});

describe('a token that is stored', () => {
  it("has no card's security code beside it, nor has one that is paid with", async () => {
    const coded = { ...TOKEN, 'card.cvv': '123' };
    const byName = { name: 'card.cvv', message: expect.stringContaining('tokenAccount.dtvc') };
    for (const refused of [await send('POST', '/v1/registrations', coded), await debit(coded)]) {
      expect(refused.result).toMatchObject({
        ...{ code: '200.300.404', parameterErrors: expect.arrayContaining([byName]) },
      });
    }
  });

  it('fits its brand, or is refused', async () => {
    const other = { ...TOKEN, paymentBrand: 'MASTER' };
    expect(await codeOf(send('POST', '/v1/registrations', other))).toBe('100.100.700');
  });

  it('pays again, without its cryptogram, until it is deleted', async () => {
    const stored = await send('POST', '/v1/registrations', { ...TOKEN, ...PROOF });
    expect(stored).toMatchObject({ tokenAccount: SHOWN, result: { code: APPROVED } });
    const pay = (): Promise<Body> => send('POST', `/v1/registrations/${stored.id}/payments`, MONEY);
    for (const paid of [await pay(), await pay()]) {
      expect(paid).toMatchObject({ tokenAccount: SHOWN, result: { code: APPROVED } });
    }
    expect(await codeOf(send('DELETE', `/v1/registrations/${stored.id}`))).toBe(APPROVED);
    expect(await codeOf(pay())).toBe('100.150.203');
  });
});
