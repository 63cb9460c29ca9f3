// What specs of this library send and read; no other file imports it.
import { createDecipheriv } from 'node:crypto';
import type { EntityId } from '@sluice/identifiers';
import { WebhookSecret } from '@sluice/secrets';
import type { Notification } from './notification.js';
import { IV_HEADER, type SealedNotification, TAG_HEADER } from './sealed-notification.js';

/** Wire contract 9: the key of the sample that the family publishes. */
export const SAMPLE_SECRET = new WebhookSecret('000102030405060708090a0b0c0d0e0f'.repeat(2));
/** Another one. */
export const OTHER_SECRET = new WebhookSecret('f'.repeat(64));

/** The entity of the notifications here. */
export const ENTITY = '8a8294174b7ecb28014b9699220015ca' as EntityId;

/** A payment as it is answered. */
export const ANSWER = {
  id: '0194670a0000abcd0000000000000001',
  paymentType: 'DB',
  paymentMethod: 'CC',
  paymentBrand: 'VISA',
  amount: '92.00',
  currency: 'EUR',
  shortId: '0194.670a.0000',
  descriptor: '0194.670a.0000 demo',
  merchantTransactionId: 'order-1042',
  result: { code: '000.100.110', description: 'Request successfully processed' },
  card: { bin: '420000', last4Digits: '0000', holder: 'Jane Jones', expiryMonth: '05' },
  customer: { givenName: 'Jane', email: 'jane@example.org' },
  billing: { city: 'Ulm' },
  cart: { items: [{ name: 'Book' }] },
  customParameters: { note: 'for Jane' },
  merchant: { name: 'Shop', billing: { city: 'Ulm' } },
  threeDSecure: { eci: '05', verificationId: 'cryptogram' },
  buildNumber: 'build',
  timestamp: '2026-01-15 12:00:00+0000',
  ndc: 'checkout-1',
} as const;

/** It as a notification. */
export function notificationOf(changes: Partial<Notification> = {}): Notification {
  return {
    notified: { type: 'PAYMENT', source: 'SYSTEM' },
    ...{ answer: ANSWER, entityId: ENTITY, channelName: 'demo', sequence: 3 },
    ...changes,
  };
}

/** What a receiver reads, written apart from what seals. @throws Error where anything was changed */
export function opened({ headers, body }: SealedNotification, secret: WebhookSecret): string {
  const hex =
    headers['Content-Type'] === 'application/json'
      ? (JSON.parse(body) as { encryptedBody: string }).encryptedBody
      : body;
  const bytesOf = (text = '') => Buffer.from(text, 'hex');
  const cipher = createDecipheriv(
    'aes-256-gcm',
    bytesOf(secret.reveal()),
    bytesOf(headers[IV_HEADER]),
  );
  cipher.setAuthTag(bytesOf(headers[TAG_HEADER]));
  return cipher.update(hex, 'hex', 'utf8') + cipher.final('utf8');
}
