import { createCipheriv, createHmac } from 'node:crypto';
import type { NotificationWrapper } from '@sluice/contracts';
import type { WebhookSecret } from '@sluice/secrets';
import { secretBytes } from './secret-bytes.js';

const CIPHER = 'aes-256-gcm';
/** Of the initialization vector. */
export const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Read by clients whatever the case is; written as the family documents it (wire contract 9). */
export const IV_HEADER = 'X-Initialization-Vector';
/** Beside it. */
export const TAG_HEADER = 'X-Authentication-Tag';

/** What goes out. */
export interface SealedNotification {
  /** By name as it goes on the wire. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a notification is encrypted with. */
export interface Sealing {
  readonly secret: WebhookSecret;
  /**
   * 12 random bytes, never the same with the same secret: who sees it twice can forge notifications. So
   * many notifications may go out with one secret: 2^32 (NIST SP 800-38D, 8.3).
   */
  readonly iv: Uint8Array;
  readonly wrapper: NotificationWrapper;
}

/**
 * Encrypts a notification as the family does (wire contract 9): AES-256-GCM without additional data, all
 * in hexadecimal capitals. Raw: `text/plain`; in JSON: `{"encryptedBody": "…"}`.
 * @param text JSON, for instance of `notificationText`
 * @throws RangeError for an initialization vector of another length
 */
export function sealed(text: string, { secret, iv, wrapper }: Sealing): SealedNotification {
  if (iv.length !== IV_BYTES)
    throw new RangeError(`An initialization vector has ${IV_BYTES} bytes.`);
  const cipher = createCipheriv(CIPHER, secretBytes(secret), iv, { authTagLength: TAG_BYTES });
  const encrypted = hex(Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]));
  const headers = { [IV_HEADER]: hex(iv), [TAG_HEADER]: hex(cipher.getAuthTag()) };
  switch (wrapper) {
    case 'none':
      return { headers: { 'Content-Type': 'text/plain', ...headers }, body: encrypted };
    case 'JSON': {
      const body = JSON.stringify({ encryptedBody: encrypted });
      return { headers: { 'Content-Type': 'application/json', ...headers }, body };
    }
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase();
}

const MS_PER_SECOND = 1_000;

/** What is signed. */
export interface Signing {
  /** Of the delivery: the same however often it is sent (R-WH-02). */
  readonly deliveryId: string;
  /** Of the attempt, milliseconds since the epoch. */
  readonly sentAtMs: number;
  /** As it is sent. */
  readonly body: string;
  /** All that are valid: a receiver needs to know one of them. */
  readonly secrets: readonly WebhookSecret[];
}

/**
 * The headers of Standard Webhooks 1.0, which any of its libraries verifies: HMAC-SHA256 of
 * `id.seconds.body` with the bytes of the secret. They are an addition of ours: who decrypts needs none.
 */
export function signatureHeaders(signing: Signing): Readonly<Record<string, string>> {
  const { deliveryId, sentAtMs, body, secrets } = signing;
  const seconds = String(Math.floor(sentAtMs / MS_PER_SECOND));
  const signatures = secrets.map((secret) => {
    const hash = createHmac('sha256', secretBytes(secret));
    return `v1,${hash.update(`${deliveryId}.${seconds}.${body}`, 'utf8').digest('base64')}`;
  });
  return {
    ...{ 'webhook-id': deliveryId, 'webhook-timestamp': seconds },
    'webhook-signature': signatures.join(' '),
  };
}
