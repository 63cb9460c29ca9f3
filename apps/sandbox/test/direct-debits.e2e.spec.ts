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

const IBAN = 'DE23100000001234567890';
const ACCOUNT = {
  ...{ paymentBrand: 'DIRECTDEBIT_SEPA', 'bankAccount.holder': 'Jane Jones' },
  ...{ 'bankAccount.iban': IBAN, 'bankAccount.bic': 'MARKDEF1100' },
  ...{ 'bankAccount.country': 'DE', 'bankAccount.mandate.id': 'SHOP-MANDATE-JONES' },
  'bankAccount.mandate.dateOfSignature': '2026-03-02',
};
/** What answers say of it. */
const SHOWN = {
  ...{ holder: 'Jane Jones', iban: 'DE****************7890', bic: 'MARKDEF1100', country: 'DE' },
  mandate: { id: 'SHOP-MANDATE-JONES', dateOfSignature: '2026-03-02' },
};

const sandbox = testSandbox();

async function send(method: string, path: string, fields: Fields = {}): Promise<Body> {
  const body = await sendTo(sandbox, [method, path], fields);
  expect(JSON.stringify(body)).not.toContain('1234567890');
  return body;
}
const debit = (more: Fields = {}): Promise<Body> =>
  send('POST', '/v1/payments', { ...MONEY, ...ACCOUNT, ...more });
const refer = (id: string, fields: Fields): Promise<Body> =>
  send('POST', `/v1/payments/${id}`, { amount: '92.00', currency: 'EUR', ...fields });

describe('a direct debit', () => {
  it('is paid, read and found with its account masked', async () => {
    const paid = await debit({ transactionDueDate: '2034-12-01' });
    const shown = { paymentBrand: 'DIRECTDEBIT_SEPA', paymentMethod: 'DD', bankAccount: SHOWN };
    expect(paid).toMatchObject({ ...shown, result: { code: APPROVED } });
    expect(await send('GET', `/v1/payments/${paid.id}`)).toMatchObject(shown);
    expect(await send('GET', `/v1/query/${paid.id}`)).toMatchObject(shown);
  });

  it('is refunded in parts, and not beyond what was paid', async () => {
    const { id } = await debit();
    const refund = { paymentType: 'RF', amount: '50.00' };
    expect(await codeOf(refer(id, refund))).toBe(APPROVED);
    expect(await codeOf(refer(id, refund))).toBe('700.400.200');
  });

  it('is returned by the bank days later: a chargeback with the reason of the return', async () => {
    const { id } = await debit();
    const returned = { paymentType: 'CB', chargebackResultCode: '000.100.203' };
    expect(await codeOf(refer(id, returned))).toBe('000.100.203');
    // The money is back with the shopper already.
    expect(await codeOf(refer(id, { paymentType: 'RF' }))).toBe('700.300.600');
  });

  it('is authorized and captured, and declined like any other payment', async () => {
    const { id } = await debit({ paymentType: 'PA' });
    expect(await codeOf(refer(id, { paymentType: 'CP' }))).toBe(APPROVED);
    const declined = { 'customParameters[forceResultCode]': '800.100.172' };
    expect(await codeOf(debit(declined))).toBe('800.100.172');
  });

  it.each([
    ['an IBAN with a wrong digit', { 'bankAccount.iban': 'DE24100000001234567890' }],
    ['no holder', { 'bankAccount.holder': '' }],
    ['no account', { 'bankAccount.iban': '' }],
  ])('is refused with %s', async (_, wrong) => {
    expect(await codeOf(debit(wrong))).toBe('200.300.404');
  });

  it('is not due on a day that is over', async () => {
    const { result } = await debit({ transactionDueDate: '2020-01-01' });
    expect(result.code).toBe('100.500.301');
    expect(result.description).toContain('transactionDueDate 2020-01-01');
    const { id } = await debit({ paymentType: 'PA' });
    const captured = (transactionDueDate: string) =>
      codeOf(refer(id, { paymentType: 'CP', transactionDueDate }));
    expect(await captured('2020-01-01')).toBe('100.500.301');
    expect(await captured('xyz')).toBe('200.300.404');
    expect(await captured('2034-12-01')).toBe(APPROVED);
  });

  it('is stored without a day on which it is due, which is of one payment', async () => {
    const due = { ...ACCOUNT, transactionDueDate: '2034-12-01' };
    expect(await codeOf(send('POST', '/v1/registrations', due))).toBe('200.300.404');
  });

  it("is not the shopper's own order at the bank, which wants to know the way back", async () => {
    const { result } = await debit({ paymentBrand: 'GIROPAY' });
    expect(result.code).toBe('200.300.404');
    expect(result.parameterErrors?.map(({ name }) => name)).toContain('shopperResultUrl');
  });
});

describe('a bank account that is stored', () => {
  const pay = (id: string): Promise<Body> =>
    send('POST', `/v1/registrations/${id}/payments`, MONEY);

  it('pays again and again with the holder and the mandate that were stored, until it is deleted', async () => {
    const stored = await send('POST', '/v1/registrations', ACCOUNT);
    expect(stored).toMatchObject({ bankAccount: SHOWN, result: { code: APPROVED } });
    const { id } = stored;
    expect(await send('GET', `/v1/registrations/${id}`)).toMatchObject({ bankAccount: SHOWN });
    for (const paid of [await pay(id), await pay(id)]) {
      expect(paid).toMatchObject({ registrationId: id, bankAccount: SHOWN, paymentMethod: 'DD' });
      expect(await codeOf(refer(paid.id, { paymentType: 'RF' }))).toBe(APPROVED);
    }
    expect(await codeOf(send('DELETE', `/v1/registrations/${id}`))).toBe(APPROVED);
    expect(await codeOf(pay(id))).toBe('100.150.203');
  });

  it('is stored with a payment, too', async () => {
    const first = await debit({ createRegistration: 'true' });
    expect(await pay(String(first['registrationId']))).toMatchObject({ bankAccount: SHOWN });
  });

  it('has its IBAN in no text of what is paid by it, nor of what refers to that', async () => {
    const { id } = await send('POST', '/v1/registrations', ACCOUNT);
    const texts = { descriptor: IBAN, 'customParameters[note]': `${IBAN} 4111111111111111` };
    const paid = await send('POST', `/v1/registrations/${id}/payments`, { ...MONEY, ...texts });
    const hidden = '*'.repeat(IBAN.length);
    const masked = { customParameters: { note: `${hidden} ************1111` } };
    expect(paid).toMatchObject({ ...masked, descriptor: hidden });
    const refund = await refer(paid.id, { paymentType: 'RF', ...texts });
    expect(refund).toMatchObject({ ...masked, result: { code: APPROVED } });
    const found = await send('GET', `/v3/query/${paid.id}`, {
      includeLinkedTransactions: 'true',
    });
    expect(JSON.stringify(found)).not.toContain(IBAN);
    expect(JSON.stringify(found)).toContain(hidden);
  });

  it('is not stored for orders at the bank', async () => {
    const { result } = await send('POST', '/v1/registrations', {
      ...ACCOUNT,
      paymentBrand: 'GIROPAY',
    });
    expect(result.code).toBe('600.200.500');
  });
});
