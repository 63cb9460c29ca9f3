import { createHash, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto';
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';
import { type Message, readMessage } from './messages.js';

/** How the content is encrypted: the SDK chooses, and is answered alike. */
const ENCRYPTIONS = ['A128CBC-HS256', 'A128GCM'] as const;
/** Of the shared secret, A128GCM takes one half for each way (EMV 3-D Secure 6.2.4). */
const HALF_BYTES = 16;
/** Bits of the key that both sides derive. */
const KEY_BITS = 256;

/** What the app and the ACS have in common. */
export interface AppKeys {
  /** By the key of both sides (ECDH). */
  readonly secret: Buffer;
  /** The number of the SDK, which goes into the derivation. */
  readonly sdkReferenceNumber: string;
}

/** What came from an app, and how it wants to be answered. */
export interface FromApp {
  readonly message: Message;
  readonly encryption: (typeof ENCRYPTIONS)[number];
}

/** By the key of an app (JWK); undefined for what is none of P-256. */
export function sharedSecret(privateKey: KeyObject, appKey: unknown): Buffer | undefined {
  try {
    const key = Object(appKey) as Readonly<Record<string, string>>;
    return diffieHellman({ privateKey, publicKey: createPublicKey({ key, format: 'jwk' }) });
  } catch {
    return undefined;
  }
}

/** Whose message it is, by its header (`kid`): the id of the ACS's transaction. */
export function transactionOf(jwe: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(jwe);
    return typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}

/** Decrypts what an app sent; undefined where it was not encrypted for this transaction. */
export async function fromApp(jwe: string, keys: AppKeys): Promise<FromApp | undefined> {
  try {
    const named = decodeProtectedHeader(jwe).enc;
    const encryption = ENCRYPTIONS.find((one) => one === named);
    if (encryption === undefined) return undefined;
    const allowed = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: [encryption] };
    const { plaintext } = await compactDecrypt(jwe, keyFor(keys, encryption, 'fromApp'), allowed);
    const message = readMessage(Buffer.from(plaintext).toString('utf8'));
    return message && { message, encryption };
  } catch {
    return undefined;
  }
}

/** Encrypts what an app is answered. */
export function toApp(
  message: Message,
  kid: string,
  keys: AppKeys,
  encryption: FromApp['encryption'],
): Promise<string> {
  return new CompactEncrypt(Buffer.from(JSON.stringify(message)))
    .setProtectedHeader({ alg: 'dir', enc: encryption, kid })
    .encrypt(keyFor(keys, encryption, 'toApp'));
}

function keyFor(
  keys: AppKeys,
  encryption: FromApp['encryption'],
  way: 'fromApp' | 'toApp',
): Uint8Array {
  const derived = derivedKey(keys);
  if (encryption === 'A128CBC-HS256') return derived;
  return way === 'fromApp' ? derived.subarray(0, HALF_BYTES) : derived.subarray(HALF_BYTES);
}

/** Concat KDF of one round (NIST SP 800-56A): no algorithm, no first party, the SDK as the second. */
function derivedKey({ secret, sdkReferenceNumber }: AppKeys): Buffer {
  const second = Buffer.from(sdkReferenceNumber, 'utf8');
  const parts = [uint32(1), secret, uint32(0), uint32(0), uint32(second.length), second];
  return createHash('sha256')
    .update(Buffer.concat([...parts, uint32(KEY_BITS)]))
    .digest();
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
