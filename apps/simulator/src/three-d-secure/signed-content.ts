import { generateKeyPairSync, sign } from 'node:crypto';
import { sharedSecret } from './app-channel.js';

/** What the app of a shopper is told (EMV `acsSignedContent`). */
export interface AppContent {
  readonly acsURL: string;
  readonly sdkEphemPubKey: unknown;
}

/**
 * Signs as an ACS does, with a key that no network knows: a real SDK refuses it, and a gateway passes it
 * on unread.
 */
export class ContentSigner {
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

  /** What an app and the ACS know, by the key that the app has sent; undefined for a key that is none. */
  secretWith(sdkKey: unknown): Buffer | undefined {
    return sharedSecret(this.#pair.privateKey, sdkKey);
  }

  /** JWS in its compact form. */
  sign({ acsURL, sdkEphemPubKey }: AppContent): string {
    const acsEphemPubKey = this.#pair.publicKey.export({ format: 'jwk' });
    const header = { alg: 'ES256', jwk: acsEphemPubKey };
    const signed = [header, { acsURL, acsEphemPubKey, sdkEphemPubKey }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const key = { key: this.#pair.privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  }
}
