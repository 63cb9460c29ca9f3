import { Buffer } from 'node:buffer';
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { exactBytes, type Fields, fieldsOf, fieldsOfText, textOf } from './token-text.js';

/** A key that signs, by the id that signatures name it by, for one algorithm or for all of its kind. */
export interface SigningKey {
  readonly keyId: string;
  readonly publicKey: KeyObject;
  readonly algorithm: string | undefined;
}

/**
 * The algorithms that are taken (RFC 7518, 3.1). Those with a shared secret are not: what is public here
 * would then sign. Neither is `none`.
 */
const algorithms: Readonly<Record<string, (data: Buffer, key: KeyObject, by: Buffer) => boolean>> =
  {
    RS256: (data, key, by) => key.asymmetricKeyType === 'rsa' && verify('sha256', data, key, by),
    PS256: (data, key, by) => {
      const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = constants;
      return (
        key.asymmetricKeyType === 'rsa' && verify('sha256', data, { key, padding, saltLength }, by)
      );
    },
    ES256: (data, key, by) =>
      key.asymmetricKeyDetails?.namedCurve === 'prime256v1' &&
      verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, by),
  };
const PARTS = 3;
/** Shorter ones of RSA are no protection any more (RFC 7518, 3.3). */
const RSA_BITS_MIN = 2_048;

/** A JWS in compact form (RFC 7515), of which nothing is known yet but its form. */
export interface CompactJws {
  readonly algorithm: string;
  readonly keyId: string;
  /** What is signed: the signature itself can be written in more than one way. */
  readonly signed: string;
  readonly signature: Buffer;
  readonly payload: Buffer;
}

/**
 * Reads a JWK set as its owner publishes it.
 * @throws when one of its keys has no id, or is none that signs: wrong settings
 */
export function signingKeys(set: unknown): readonly SigningKey[] {
  const listed = fieldsOf(set)?.['keys'];
  if (!Array.isArray(listed) || listed.length === 0) throw new TypeError('keys must be a JWK set');
  return listed.map((one: unknown) => {
    const jwk = fieldsOf(one) ?? {};
    const keyId = textOf(jwk, 'kid');
    if (keyId === undefined) throw new TypeError('each key of a JWK set needs a kid');
    // Of a private key that somebody has put there, the public half is read.
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
    const { modulusLength = RSA_BITS_MIN } = publicKey.asymmetricKeyDetails ?? {};
    const isStrong = modulusLength >= RSA_BITS_MIN;
    const isKnown = ['rsa', 'ec'].includes(publicKey.asymmetricKeyType ?? '');
    if (!isStrong || !isKnown) throw new TypeError('keys are of RSA, of 2048 bits and more, or EC');
    return { keyId, publicKey, algorithm: textOf(jwk, 'alg') };
  });
}

/** Its parts, or why it is not taken. */
export function readCompactJws(token: string): CompactJws | 'unreadable' | 'unsupported' {
  const parts = token.split('.', PARTS + 1);
  const [header, payload, signature] = parts.map((part) => exactBytes(part, 'base64url'));
  if (parts.length !== PARTS || header === undefined) return 'unreadable';
  if (payload === undefined || signature === undefined) return 'unreadable';
  const fields = fieldsOfText(header.toString('utf8'));
  const algorithm = fields && textOf(fields, 'alg');
  if (fields === undefined || algorithm === undefined) return 'unreadable';
  // Extensions that must be understood (RFC 7515, 4.1.11), and payloads that are elsewhere (RFC 7797).
  const isPlain = !('crit' in fields) && !('b64' in fields);
  if (!isPlain || !Object.hasOwn(algorithms, algorithm)) return 'unsupported';
  const keyId = textOf(fields, 'kid');
  if (keyId === undefined) return 'unreadable';
  return { algorithm, keyId, signed: token.slice(0, token.lastIndexOf('.')), signature, payload };
}

/** Whether this key has signed it. */
export function isSignedBy(jws: CompactJws, { publicKey, algorithm }: SigningKey): boolean {
  if (algorithm !== undefined && algorithm !== jws.algorithm) return false;
  const check = algorithms[jws.algorithm];
  try {
    return check?.(Buffer.from(jws.signed, 'latin1'), publicKey, jws.signature) ?? false;
  } catch {
    return false;
  }
}

/** What it says. */
export function payloadOf({ payload }: CompactJws): Fields | undefined {
  return fieldsOfText(payload.toString('utf8'));
}
