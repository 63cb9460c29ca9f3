import { Buffer } from 'node:buffer';
import { createPrivateKey, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { isAuthentic, messageKeys, plainOf, type SealedMessage } from './google-pay-message.js';
import { bytesOf, type Fields, fieldsOf, fieldsOfText, instantOf, textOf } from './token-text.js';
import { cardOf, refused, type WalletCard, type WalletOpening } from './wallet-card.js';

/** Whose tokens are opened, and whose signatures count; made once by `googlePayRecipient`. */
export interface GooglePayRecipient {
  /** `gateway:<name of the gateway>`, or `merchant:<id>` where merchants decrypt themselves. */
  readonly recipientId: string;
  /**
   * By which names its merchant is known to the gateway; a token for another is refused. Absent where
   * merchants decrypt themselves.
   */
  readonly gatewayMerchantIds?: readonly string[];
  /** All that may still be in use: Google encrypts for the newest, and names none. */
  readonly privateKeys: readonly KeyObject[];
  readonly rootSigningKeys: readonly RootSigningKey[];
}

/** A key of Google's, and until when it counts. */
export interface RootSigningKey {
  readonly publicKey: KeyObject;
  readonly until: Date;
}

const VERSION = 'ECv2';
const SENDER = 'Google';
/** Google sends one; a list is there for a change of root keys. */
const SIGNATURES_MAX = 8;
/** A recipient has two while it changes them. */
const PRIVATE_KEYS_MAX = 8;

/**
 * Reads keys.
 * @throws when one of them is none, or none of Google's is for ECv2: wrong settings.
 */
export function googlePayRecipient(settings: {
  readonly recipientId: string;
  readonly gatewayMerchantIds?: readonly string[];
  /** PEM. */
  readonly privateKeys: readonly string[];
  /** The JSON that Google publishes. */
  readonly rootSigningKeys: string;
}): GooglePayRecipient {
  const { recipientId, gatewayMerchantIds, privateKeys } = settings;
  if (privateKeys.length > PRIVATE_KEYS_MAX) throw new RangeError('too many private keys');
  const listed = fieldsOfText(settings.rootSigningKeys)?.['keys'];
  const rootSigningKeys = (Array.isArray(listed) ? listed : []).flatMap(rootSigningKey);
  if (rootSigningKeys.length === 0) throw new TypeError('no root signing key for ECv2');
  return {
    recipientId,
    ...(gatewayMerchantIds !== undefined && { gatewayMerchantIds }),
    privateKeys: privateKeys.map((key) => createPrivateKey(key)),
    rootSigningKeys,
  };
}

function rootSigningKey(listed: unknown): RootSigningKey[] {
  const fields = fieldsOf(listed) ?? {};
  if (textOf(fields, 'protocolVersion') !== VERSION) return [];
  const publicKey = publicKeyOf(fields);
  const until = instantOf(textOf(fields, 'keyExpiration'));
  if (publicKey === undefined || until === undefined) {
    throw new TypeError('a root signing key without a key or without an end');
  }
  return [{ publicKey, until }];
}

interface GoogleToken {
  readonly signedKey: string;
  readonly keySignatures: readonly Buffer[];
  readonly signedMessage: string;
  readonly signature: Buffer;
}

/**
 * Opens a Google Pay payment method token of version ECv2. Both signatures are checked before
 * anything is decrypted.
 */
export function openGooglePayToken(
  token: string,
  recipient: GooglePayRecipient,
  now: Date,
): WalletOpening {
  const fields = fieldsOfText(token);
  if (fields === undefined) return refused('unreadable');
  const version = textOf(fields, 'protocolVersion');
  if (version !== VERSION) return refused(version === undefined ? 'unreadable' : 'unsupported');
  const read = readToken(fields);
  if (read === undefined) return refused('unreadable');
  const { signedKey, signedMessage, signature } = read;
  if (!isOfGoogle(read, recipient, now)) return refused('wrongChain');
  const keyFields = fieldsOfText(signedKey) ?? {};
  const intermediate = publicKeyOf(keyFields);
  const until = instantOf(textOf(keyFields, 'keyExpiration'));
  if (intermediate === undefined || until === undefined) return refused('unreadable');
  if (until <= now) return refused('expired');
  const words = [SENDER, recipient.recipientId, VERSION, signedMessage];
  if (!isSigned(words, intermediate, signature)) return refused('altered');
  const message = readMessage(signedMessage);
  return message === undefined ? refused('unreadable') : openMessage(message, recipient, now);
}

function readToken(fields: Fields): GoogleToken | undefined {
  const intermediate = fieldsOf(fields['intermediateSigningKey']);
  if (intermediate === undefined) return undefined;
  const signedKey = textOf(intermediate, 'signedKey');
  const signedMessage = textOf(fields, 'signedMessage');
  const signature = bytesOf(fields, 'signature');
  const listed: unknown = intermediate['signatures'];
  if (!Array.isArray(listed) || listed.length > SIGNATURES_MAX) return undefined;
  const keySignatures = listed.map((text: unknown) => bytesOf({ text }, 'text'));
  if (signedKey === undefined || signedMessage === undefined || signature === undefined) {
    return undefined;
  }
  if (!keySignatures.every((one) => one !== undefined)) return undefined;
  return { signedKey, keySignatures, signedMessage, signature };
}

/** Whether a root key that still counts has signed the intermediate key. */
function isOfGoogle(
  { signedKey, keySignatures }: GoogleToken,
  { rootSigningKeys }: GooglePayRecipient,
  now: Date,
): boolean {
  const roots = rootSigningKeys.filter(({ until }) => until > now);
  const words = [SENDER, VERSION, signedKey];
  return roots.some(({ publicKey }) =>
    keySignatures.some((signature) => isSigned(words, publicKey, signature)),
  );
}

/** Whether the key has signed the words, each with its length in front (four bytes, lowest first). */
export function isSigned(words: readonly string[], key: KeyObject, signature: Buffer): boolean {
  const framed = words.flatMap((word) => {
    const bytes = Buffer.from(word, 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return [length, bytes];
  });
  try {
    return verify('sha256', Buffer.concat(framed), key, signature);
  } catch {
    return false;
  }
}

function publicKeyOf(fields: Fields): KeyObject | undefined {
  const bytes = bytesOf(fields, 'keyValue');
  if (bytes === undefined) return undefined;
  try {
    const key = createPublicKey({ key: bytes, format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ec' ? key : undefined;
  } catch {
    return undefined;
  }
}

/** The parts of a signed message; nothing if it is not of its form. */
export function readMessage(signedMessage: string): SealedMessage | undefined {
  const fields = fieldsOfText(signedMessage) ?? {};
  const encrypted = bytesOf(fields, 'encryptedMessage');
  const ephemeralPublicKey = bytesOf(fields, 'ephemeralPublicKey');
  const tag = bytesOf(fields, 'tag');
  if (encrypted === undefined || ephemeralPublicKey === undefined || tag === undefined) {
    return undefined;
  }
  return { encrypted, ephemeralPublicKey, tag };
}

function openMessage(
  message: SealedMessage,
  recipient: GooglePayRecipient,
  now: Date,
): WalletOpening {
  for (const privateKey of recipient.privateKeys) {
    const keys = messageKeys(message, privateKey);
    if (keys !== undefined && isAuthentic(message, keys)) {
      return openingOf(plainOf(message, keys), recipient, now);
    }
  }
  return refused('unknownKey');
}

function openingOf(plain: string, recipient: GooglePayRecipient, now: Date): WalletOpening {
  const fields = fieldsOfText(plain);
  const until = instantOf(textOf(fields ?? {}, 'messageExpiration'));
  if (fields === undefined || until === undefined) return refused('unreadable');
  if (until <= now) return refused('expired');
  const { gatewayMerchantIds } = recipient;
  const named = textOf(fields, 'gatewayMerchantId') ?? '';
  if (gatewayMerchantIds?.includes(named) === false) return refused('otherMerchant');
  const tokenId = textOf(fields, 'messageId');
  const details = fieldsOf(fields['paymentMethodDetails']);
  if (tokenId === undefined || tokenId === '' || details === undefined)
    return refused('unreadable');
  if (fields['paymentMethod'] !== 'CARD') return refused('unsupported');
  return openingOfDetails(details, { tokenId, goodUntil: until });
}

function openingOfDetails(
  details: Fields,
  token: Pick<WalletCard, 'tokenId' | 'goodUntil'>,
): WalletOpening {
  const method = details['authMethod'];
  if (method !== 'PAN_ONLY' && method !== 'CRYPTOGRAM_3DS') return refused('unsupported');
  const isOfDevice = method === 'CRYPTOGRAM_3DS';
  const card = cardOf({
    number: details['pan'],
    numberType: isOfDevice ? 'DPAN' : 'PAN',
    month: digits(details['expirationMonth'], 2),
    year: digits(details['expirationYear'], 4),
    ...(isOfDevice && { cryptogram: details['cryptogram'] ?? '', eci: details['eciIndicator'] }),
  });
  return card === undefined
    ? refused('unreadable')
    : { kind: 'opened', card: { ...card, ...token } };
}

function digits(value: unknown, length: number): string | undefined {
  return typeof value === 'number' ? String(value).padStart(length, '0') : undefined;
}
