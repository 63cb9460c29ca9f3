import { WebhookSecret } from '@sluice/secrets';

const HEX_KEY = /^[0-9a-fA-F]{64}$/;

/** A subscription's secret as merchants write it, 64 hexadecimal digits; undefined for anything else. */
export function webhookSecretOf(text: string): WebhookSecret | undefined {
  return HEX_KEY.test(text) ? new WebhookSecret(text) : undefined;
}

/** The 32 bytes that it stands for. @throws TypeError for what is no such secret */
export function secretBytes(secret: WebhookSecret): Buffer {
  const text = secret.reveal();
  // A half of a key would be a key of another cipher, and nobody would notice.
  if (!HEX_KEY.test(text)) throw new TypeError('A secret has 64 hexadecimal digits.');
  return Buffer.from(text, 'hex');
}
