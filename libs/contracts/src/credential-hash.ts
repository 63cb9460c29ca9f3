import { createHmac } from 'node:crypto';
import type { AccessToken } from '@sluice/secrets';

/** The legacy credentials: `authentication.userId` and `.password` (wire contract D1). */
export interface LegacyCredential {
  readonly userId: string;
  readonly password: AccessToken;
}

/**
 * The keyed hash by which an access token is stored and found, HMAC-SHA256 in hex (S-AUT-01): a
 * dump of the table gives no usable token, and without the key no guess can be tried against it.
 */
export function accessTokenHash(key: Buffer, token: AccessToken): string {
  return createHmac('sha256', key).update(`accessToken:${token.reveal()}`).digest('hex');
}

/**
 * The same for a legacy credential. The length comes first so that no other split into user and
 * password gives the same text, and the prefix keeps the two kinds of credential apart.
 */
export function legacyCredentialHash(key: Buffer, credential: LegacyCredential): string {
  const { userId, password } = credential;
  return createHmac('sha256', key)
    .update(`legacy:${userId.length}:${userId}:${password.reveal()}`)
    .digest('hex');
}
