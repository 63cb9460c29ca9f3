// How a shop calls the gateway: a flat form, and a result code in the answer.
const ENTITY_ID = '8a8294174b7ecb28014b9699220015ca';
const ACCESS_TOKEN = 'sluice-demo-access-token-for-sandboxes-only';

const CARD = {
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
};

class Shop {
  constructor(url) {
    this.url = url;
  }

  /** Charges a card, or reserves the amount with `paymentType: 'PA'`. */
  pay(fields, options) {
    const wanted = { paymentType: 'DB', amount: '92.00', currency: 'EUR', ...CARD, ...fields };
    return this.send('POST', '/v1/payments', wanted, options);
  }

  capture(id, amount) {
    return this.send('POST', `/v1/payments/${id}`, { paymentType: 'CP', amount, currency: 'EUR' });
  }

  refund(id, amount) {
    return this.send('POST', `/v1/payments/${id}`, { paymentType: 'RF', amount, currency: 'EUR' });
  }

  /** The payments with the shop's own order number. */
  find(merchantTransactionId) {
    const query = new URLSearchParams({ entityId: ENTITY_ID, merchantTransactionId });
    return this.send('GET', `/v1/query?${query}`);
  }

  async send(method, path, fields, { idempotencyKey, timeoutMs = 30_000 } = {}) {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${ACCESS_TOKEN}`,
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      ...(fields && { body: new URLSearchParams({ entityId: ENTITY_ID, ...fields }) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return response.json();
  }
}

module.exports = { Shop };
