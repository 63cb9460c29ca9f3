// What an issuer tells the app of a shopper, signed as it should be or not; no other file imports it.
import { createMarkedCertificate, type SignedKey } from '@sluice/certificates';
import { CompactSign, exportJWK, generateKeyPair } from 'jose';
import { createPrivateKey } from 'node:crypto';

export type Fields = Readonly<Record<string, unknown>>;

/** A network's authority, the one below it, and an issuer's certificate. */
export interface Chain {
  readonly root: SignedKey;
  readonly intermediate: SignedKey;
  readonly leaf: SignedKey;
}

const VALID = { validDays: 2, from: new Date() };

/** Three certificates, each of which signs the next. */
export async function newChain(name: string): Promise<Chain> {
  const made = (part: string, isAuthority: boolean, issuer?: SignedKey) =>
    createMarkedCertificate({
      ...{ ...VALID, commonName: `${name} ${part}`, isAuthority },
      ...(issuer && { issuer }),
    });
  const root = await made('root', true);
  const intermediate = await made('intermediate', true, root);
  return { root, intermediate, leaf: await made('issuer', false, intermediate) };
}

/** As a header has certificates. */
export function listed(...certificates: readonly SignedKey[]): readonly string[] {
  return certificates.map(({ certificate }) => certificate.replaceAll(/-----[^-]+-----|\s/gu, ''));
}

/** A new public key, as messages have it. */
export async function newKey(): Promise<Fields> {
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { ...(await exportJWK(publicKey)) };
}

/** What an issuer tells the app. */
export async function contentFor(sdkEphemPubKey: unknown, changes: Fields = {}): Promise<Fields> {
  const acsURL = 'https://issuer.example/app';
  return { acsURL, acsEphemPubKey: await newKey(), sdkEphemPubKey, ...changes };
}

/** JWS, by this certificate's key. */
export function signed(content: unknown, by: SignedKey, x5c: readonly string[]): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(content)))
    .setProtectedHeader({ alg: 'ES256', x5c: [...x5c] })
    .sign(createPrivateKey(by.key));
}

/** JWS whose header and signature say anything. */
export function unsigned(content: unknown, header: Fields, signature = ''): string {
  const encoded = [header, content].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return [...encoded, signature].join('.');
}
