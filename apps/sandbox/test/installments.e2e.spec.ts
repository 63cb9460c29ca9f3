import { describe, expect, it } from '@jest/globals';
import { testSandbox } from '@sluice/testing';
import { APPROVED, type Body, type Fields, send } from './demo-merchant-fixture.js';

const sandbox = testSandbox();
const NAME = 'recurring.numberOfInstallments';
const IN_THREE = { recurring: { numberOfInstallments: '3' } };
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
} as const;
const PAYMENT = {
  ...{ amount: '92.00', currency: 'EUR', paymentType: 'PA', 'card.cvv': '123', ...CARD },
} as const;

const pay = (fields: Fields, key?: string): Promise<Body> =>
  send(sandbox, ['POST', '/v1/payments'], { ...PAYMENT, ...fields }, key);
const refer = ({ id }: Body, fields: Fields): Promise<Body> =>
  send(sandbox, ['POST', `/v1/payments/${id}`], { amount: '92.00', currency: 'EUR', ...fields });
const codeOf = ({ result }: Body) => result.code;

describe('a payment in installments', () => {
  it('has their number wherever it is read', async () => {
    const merchantTransactionId = 'order-in-three-parts';
    const paid = await pay({ [NAME]: '3', merchantTransactionId });
    expect(paid).toMatchObject({ ...IN_THREE, result: { code: APPROVED } });
    expect(await send(sandbox, ['GET', `/v1/payments/${paid.id}`])).toMatchObject(IN_THREE);
    const found = await send(sandbox, ['GET', '/v3/query'], { merchantTransactionId });
    expect(found).toMatchObject({ records: [IN_THREE] });
  });

  it('is captured and refunded as any other, and rebilled at once', async () => {
    const paid = await pay({ [NAME]: '3' });
    const captured = await refer(paid, { paymentType: 'CP' });
    const refunded = await refer(captured, { paymentType: 'RF', amount: '30.00' });
    const debited = await pay({ [NAME]: '3', paymentType: 'DB' });
    const rebilled = await refer(debited, { paymentType: 'RB' });
    expect([captured, refunded, rebilled].map(codeOf)).toEqual([APPROVED, APPROVED, APPROVED]);
    for (const later of [captured, refunded, rebilled])
      expect(later).not.toHaveProperty('recurring');
    const refused = await refer(debited, { paymentType: 'RB', [NAME]: '3' });
    expect(codeOf(refused)).toBe('600.200.500');
  });

  it('is by a stored card, too', async () => {
    const { id: registrationId } = await send(sandbox, ['POST', '/v1/registrations'], CARD);
    const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB', [NAME]: '12' };
    const paid = await send(
      sandbox,
      ['POST', `/v1/registrations/${registrationId}/payments`],
      money,
    );
    expect(paid).toMatchObject({
      ...{ result: { code: APPROVED }, recurring: { numberOfInstallments: '12' } },
    });
  });

  it('is another one than the same in other installments', async () => {
    const first = await pay({ [NAME]: '3' }, 'a-key-of-installments');
    expect((await pay({ [NAME]: '3' }, 'a-key-of-installments')).id).toBe(first.id);
    const other = await pay({ [NAME]: '6' }, 'a-key-of-installments');
    expect(codeOf(other)).toBe('200.300.405');
  });
});
