import { describe, expect, it } from '@jest/globals';
import { benchChannels } from './installation-under-test.js';
import { paymentRead, referenceQuery } from './payment-reads.js';

const [{ entityId, accessToken }] = benchChannels;
const payment = { id: 'a'.repeat(32), entityId, merchantTransactionId: 'order 7&8' };
const answer = Buffer.from(`{"id":"${payment.id}","result":{"code":"000.100.110"}}`);

describe('a read', () => {
  it('asks for a payment with the credentials of its channel', () => {
    const text = paymentRead(payment).bytes.toString();
    expect(text).toContain(`GET /v1/payments/${payment.id}?entityId=${entityId} HTTP/1.1\r\n`);
    expect(text).toContain(`Authorization: Bearer ${accessToken}\r\n\r\n`);
  });

  it("asks by the merchant's own id, whatever is in it", () => {
    const text = referenceQuery(payment).bytes.toString();
    expect(text).toContain('merchantTransactionId=order+7%268 HTTP/1.1');
    expect(() => referenceQuery({ id: payment.id, entityId })).toThrow('no id of its merchant');
  });

  it('counts only if this payment was found', () => {
    const { expected } = paymentRead(payment);
    expect(expected(200, answer)).toBe(true);
    expect(expected(404, answer)).toBe(false);
    expect(expected(200, Buffer.from('{"result":{"code":"000.100.110"},"records":[]}'))).toBe(
      false,
    );
  });
});
