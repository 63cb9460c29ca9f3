import type {
  AccountBank,
  DetailsToHold,
  InstrumentKind,
  RevealedInstrument,
  SecretDetails,
} from '@sluice/contracts';
import { random } from '@sluice/identifiers';
import { Detail } from '@sluice/secrets';
import { createCipheriv, createDecipheriv, createHmac, type KeyObject } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
/** 96 random bits each time; uses per data key are limited, so that none comes twice (S-KEY-02). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What a ciphertext contains; it is bound to this too (S-KEY-01). */
const DETAILS_FIELD = 'details';

/** A key for details, and the id by which it is found again. */
export interface DataKey {
  /** UUID; the row of `data_keys`. */
  readonly id: string;
  readonly key: KeyObject;
}

/** Details as the row has them. */
export interface SealedDetails {
  readonly dataKeyId: string;
  readonly nonce: Buffer;
  /** Followed by the tag. */
  readonly ciphertext: Buffer;
}

/** The ciphertext was not written for this reference, or was altered. */
export class SealBrokenError extends Error {
  constructor() {
    super('Held details do not belong to their row, or were altered.');
    this.name = 'SealBrokenError';
  }
}

/** A detail and its wire name. */
type NamedText = readonly [name: string, text: string];

/** What is sealed. An older release wrote no reference, and no bank; JSON writes null for none. */
type SealedText = [
  kind: InstrumentKind,
  texts: NamedText[],
  kept?: string | null,
  bank?: AccountBank | null,
];

/** Details in clear, and the bank that tells which account they are of. */
export type Account = RevealedInstrument & Pick<DetailsToHold, 'bank'>;

/** The same, with the reference of kept ones that they go with. */
export type OpenedDetails = Account & Pick<DetailsToHold, 'kept'>;

/** Encrypts the details, bound to the reference; never those for memory only. */
export function sealDetails(
  { kind, details, kept, bank }: DetailsToHold,
  reference: string,
  dataKey: DataKey,
): SealedDetails {
  const text = JSON.stringify([kind, namedTexts(details), kept, bank]);
  const nonce = random(NONCE_BYTES);
  const ciphertext = encrypt(dataKey.key, nonce, boundTo(reference, dataKey.id), text);
  return { dataKeyId: dataKey.id, nonce, ciphertext };
}

/** The details again; throws `SealBrokenError` for another row's ciphertext. */
export function openDetails(
  sealed: SealedDetails,
  reference: string,
  key: KeyObject,
): OpenedDetails {
  const boundWith = boundTo(reference, sealed.dataKeyId);
  const plain = decrypt(key, sealed.nonce, boundWith, sealed.ciphertext);
  try {
    const [kind, texts, kept, bank] = JSON.parse(plain.toString('utf8')) as SealedText;
    const details = texts.map(([name, text]) => [name, new Detail(text)] as const);
    return {
      ...{ kind, details: Object.fromEntries(details) },
      ...(typeof kept === 'string' && { kept }),
      ...(bank && { bank }),
    };
  } finally {
    plain.fill(0);
  }
}

/**
 * Keyed hash of the details, hex: equal details have equal hashes, and nobody can try numbers against
 * it without the key, which is not one of the encryption keys (S-PCI-06, D-36).
 */
export function detailFingerprint({ kind, details, kept }: DetailsToHold, key: KeyObject): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([kind, namedTexts(details), ...(kept === undefined ? [] : [kept])]))
    .digest('hex');
}

/** Sorted by name, so that the order in which a merchant sent them does not matter. */
function namedTexts(details: SecretDetails): readonly NamedText[] {
  return Object.entries(details)
    .map(([name, detail]): NamedText => [name, detail.reveal()])
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

function boundTo(reference: string, dataKeyId: string): string {
  return `${reference}|${DETAILS_FIELD}|${dataKeyId}`;
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
