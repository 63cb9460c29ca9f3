import type { CardToHold, RevealedCard } from '@sluice/contracts';
import { random } from '@sluice/identifiers';
import { AccountNumber, Cryptogram, Pan } from '@sluice/secrets';
import { createCipheriv, createDecipheriv, createHmac, type KeyObject } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
/** 96 bits, random per use; a data key's uses are bounded so that they cannot meet (S-KEY-02). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Which of a card's parts a ciphertext is; part of what it is bound to (S-KEY-01). */
const CARD_FIELD = 'card';

/** A key for cards, and the name under which it is found again. */
export interface DataKey {
  /** UUID; the row of `data_keys`. */
  readonly id: string;
  readonly key: KeyObject;
}

/** A card as the row has it. */
export interface SealedCard {
  readonly dataKeyId: string;
  readonly nonce: Buffer;
  /** With the tag behind it. */
  readonly ciphertext: Buffer;
}

/** The row's ciphertext is not the one that was written for this reference, or was altered. */
export class SealBrokenError extends Error {
  constructor() {
    super('A held card does not belong to its row or was altered.');
    this.name = 'SealBrokenError';
  }
}

/**
 * Encrypts number, expiry, holder, the accounts of a transfer and the cryptogram of an authentication,
 * bound to the reference; the security code is never in it.
 */
export function sealCard(card: CardToHold, reference: string, dataKey: DataKey): SealedCard {
  const parts = [
    card.number.reveal(),
    card.expiryMonth,
    card.expiryYear,
    card.holder,
    card.senderAccount?.reveal(),
    card.recipientAccount?.reveal(),
    card.cryptogram?.reveal(),
  ];
  // Nothing stands behind the last part there is: an earlier version reads what it knows.
  const last = parts.findLastIndex((part) => part !== undefined);
  const text = JSON.stringify(parts.slice(0, last + 1));
  const nonce = random(NONCE_BYTES);
  const ciphertext = encrypt(dataKey.key, nonce, boundTo(reference, dataKey.id), text);
  return { dataKeyId: dataKey.id, nonce, ciphertext };
}

/** The card again; throws `SealBrokenError` for another row's ciphertext. */
export function openCard(sealed: SealedCard, reference: string, key: KeyObject): RevealedCard {
  const boundWith = boundTo(reference, sealed.dataKeyId);
  const plain = decrypt(key, sealed.nonce, boundWith, sealed.ciphertext);
  try {
    // What a card does not have is null, or not there.
    const [number, expiryMonth, expiryYear, holder, sender, recipient, cryptogram] = JSON.parse(
      plain.toString('utf8'),
    ) as (string | null | undefined)[];
    return {
      number: new Pan(number ?? ''),
      expiryMonth: expiryMonth ?? '',
      expiryYear: expiryYear ?? '',
      ...(holder && { holder }),
      ...(sender && { senderAccount: new AccountNumber(sender) }),
      ...(recipient && { recipientAccount: new AccountNumber(recipient) }),
      ...(cryptogram && { cryptogram: new Cryptogram(cryptogram) }),
    };
  } finally {
    plain.fill(0);
  }
}

/**
 * Keyed hash of number and expiry, hex: the same card gives the same, and nobody without the key
 * can try numbers against it. Its key is none of the encryption keys (S-PCI-06, D-36).
 */
export function cardFingerprint(card: CardToHold, key: KeyObject): string {
  return createHmac('sha256', key)
    .update(`card|${card.number.reveal()}|${card.expiryMonth}|${card.expiryYear}`)
    .digest('hex');
}

function boundTo(reference: string, dataKeyId: string): string {
  return `${reference}|${CARD_FIELD}|${dataKeyId}`;
}

function encrypt(key: KeyObject, nonce: Buffer, boundWith: string, clear: string): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(boundWith));
  const body = cipher.update(clear, 'utf8');
  cipher.final();
  return Buffer.concat([body, cipher.getAuthTag()]);
}

function decrypt(key: KeyObject, nonce: Buffer, boundWith: string, sealed: Buffer): Buffer {
  if (nonce.length !== NONCE_BYTES || sealed.length < TAG_BYTES) throw new SealBrokenError();
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(boundWith));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const clear = decipher.update(sealed.subarray(0, sealed.length - TAG_BYTES));
  try {
    decipher.final();
    return clear;
  } catch {
    clear.fill(0);
    throw new SealBrokenError();
  }
}
