import { randomBytes } from 'node:crypto';
import type { PreparedRequest } from './open-loop.js';
import { benchChannels } from './installation-under-test.js';

const CARDS = [
  { brand: 'VISA', number: '4200000000000000', cvv: '123' },
  { brand: 'MASTER', number: '5454545454545454', cvv: '123' },
  { brand: 'AMEX', number: '377777777777770', cvv: '1234' },
] as const;

/** The only answer that counts: approved on the simulator. */
const APPROVED = Buffer.from('"000.100.110"');
const OK = 200;

/** The form of one card debit, with a fresh merchantTransactionId. */
export function paymentForm(index: number): string {
  const card = CARDS[index % CARDS.length] ?? CARDS[0];
  const channel = benchChannels[index % benchChannels.length] ?? benchChannels[0];
  return new URLSearchParams({
    entityId: channel.entityId,
    amount: '92.00',
    currency: 'EUR',
    paymentBrand: card.brand,
    paymentType: 'DB',
    merchantTransactionId: `bench-${randomBytes(8).toString('hex')}`,
    'card.number': card.number,
    'card.holder': 'Jane Jones',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    'card.cvv': card.cvv,
    'customParameters[BENCH_index]': String(index),
  }).toString();
}

/** The whole HTTP request, ready to be written. */
export function paymentRequest(index: number): PreparedRequest {
  const channel = benchChannels[index % benchChannels.length] ?? benchChannels[0];
  return request('/v1/payments', channel, paymentForm(index));
}

/** A debit of a stored card, which says the same as the one by card but for the account. */
export function storedPaymentRequest(
  { id, channel }: { readonly id: string; readonly channel: Channel },
  index: number,
): PreparedRequest {
  const form = new URLSearchParams({
    ...{ entityId: channel.entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' },
    merchantTransactionId: `bench-${randomBytes(8).toString('hex')}`,
    'customParameters[BENCH_index]': String(index),
  }).toString();
  return request(`/v1/registrations/${id}/payments`, channel, form);
}

/** The form that stores a card. */
export function registrationForm(entityId: string): URLSearchParams {
  return new URLSearchParams({
    ...{ entityId, paymentBrand: 'VISA', 'card.holder': 'Jane Jones' },
    ...{ 'card.number': '4200000000000000', 'card.expiryMonth': '05' },
    'card.expiryYear': '2034',
  });
}

/** Stores a card. */
export function registrationRequest(index: number): PreparedRequest {
  const channel = benchChannels[index % benchChannels.length] ?? benchChannels[0];
  return request('/v1/registrations', channel, registrationForm(channel.entityId).toString());
}

type Channel = (typeof benchChannels)[number];

/** One request of a channel, which an approval answers. */
export function request(path: string, { accessToken }: Channel, form: string): PreparedRequest {
  return {
    bytes: Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: bench\r\n` +
        `Authorization: Bearer ${accessToken}\r\n` +
        `Content-Type: application/x-www-form-urlencoded; charset=UTF-8\r\n` +
        `Content-Length: ${String(Buffer.byteLength(form))}\r\n\r\n${form}`,
    ),
    expected: (status, body) => status === OK && body.includes(APPROVED),
  };
}
