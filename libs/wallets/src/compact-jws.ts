import { Buffer } from 'node:buffer';
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { exactBytes, type Fields, fieldsOf, fieldsOfText, textOf } from './token-text.js';

/** A key that signs, by the id that signatures name it by, for one algorithm or for all of its kind. */
export interface SigningKey {
  readonly keyId: string;
  readonly publicKey: KeyObject;
  readonly algorithm: string | undefined;
}

/** P-256. */
const CURVE = 'prime256v1';

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
      key.asymmetricKeyDetails?.namedCurve === CURVE &&
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
  const listed: unknown = fieldsOf(set)?.['keys'];
  const keys = (Array.isArray(listed) ? listed : []).map((one: unknown) => fieldsOf(one) ?? {});
  // Some systems publish what they are written to in the same set (RFC 7517, 4.2).
  const signing = keys.filter((jwk) => textOf(jwk, 'use') !== 'enc');
  if (signing.length === 0) throw new TypeError('keys must be a JWK set with a key that signs');
  return signing.map(signingKey);
}

/** A key that no algorithm here is for would be accepted, and never count. */
function signingKey(jwk: Fields): SigningKey {
  const [keyId, algorithm] = [textOf(jwk, 'kid'), textOf(jwk, 'alg')];
  if (keyId === undefined) throw new TypeError('each key of a JWK set needs a kid');
  // Of a private key that somebody has put there, the public half is read.
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const { modulusLength = 0, namedCurve } = publicKey.asymmetricKeyDetails ?? {};
  const isCurve = namedCurve === CURVE;
  const isStrong = publicKey.asymmetricKeyType === 'rsa' && modulusLength >= RSA_BITS_MIN;
  if (!isCurve && !isStrong) {
    throw new TypeError('keys are of RSA, of 2048 bits and more, or of the curve P-256');
  }
  const taken = isCurve ? ['ES256'] : ['RS256', 'PS256'];
  if (algorithm !== undefined && !taken.includes(algorithm)) {
    throw new TypeError(`a key of this kind signs by ${taken.join(' or ')}`);
  }
  return { keyId, publicKey, algorithm };
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
