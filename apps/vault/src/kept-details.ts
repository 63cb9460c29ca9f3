import type {
  DetailsToKeep,
  Expiry,
  InstrumentKind,
  KeptBefore,
  KeptChange,
  KeptDetails as Kept,
  RevealedInstrument,
  SecretDetails,
} from '@sluice/contracts';
import { type AccountTexts, oneAccount } from '@sluice/parameters';
import { Detail } from '@sluice/secrets';
import type { KeyProvider } from '@sluice/service';
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { RewrapResult } from './data-keys.js';
import { type Account, openDetails, sealDetails } from './detail-cipher.js';

/** AES-256. */
const KEY_BYTES = 32;
/** Keys wrapped anew by one statement while the wrapping key is rotated. */
const REWRAP_BATCH = 500;
/** Their names begin like those of held details, whose instance is called otherwise. */
const PREFIX = 'kept.';
const REGISTRATION_ID = /^[0-9a-f]{32}$/;
/**
 * Races that one request may lose to others which keep the same account and forget it again; then it
 * fails, and is made again as after any outage.
 */
const KEEP_TRIES_MAX = 5;
/** A card that was issued again has another expiry, and is the same account. */
const CHANGES_WITH_RENEWAL = /\.expiry(?:Month|Year)$/;

/** What kept details are made of. */
export interface KeptDetailsParts {
  readonly pool: Pool;
  readonly provider: KeyProvider;
  readonly fingerprintKey: KeyObject;
}

interface KeptRow {
  readonly registration_id: string;
  readonly fingerprint: string;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
  readonly wrapping_key_version: string;
  readonly wrapped: Buffer;
  readonly revision: number;
}

const KEEP = {
  name: 'keep',
  text: `INSERT INTO kept_details
           (registration_id, fingerprint, nonce, ciphertext, wrapping_key_version, wrapped,
            scope, is_once)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
};
/** Its own row first; else the oldest, so that all who ask at once are told the same. */
const FIND_ACCOUNT = {
  name: 'find-account',
  text: `SELECT registration_id, fingerprint, nonce, ciphertext, wrapped FROM kept_details
         WHERE registration_id = $1 OR (fingerprint = $2 AND scope = $3)
         ORDER BY registration_id <> $1, kept_at, registration_id LIMIT 1`,
};
const FIND = {
  name: 'find-kept',
  text: 'SELECT fingerprint FROM kept_details WHERE registration_id = $1',
};
const REVEAL = {
  name: 'reveal-kept',
  text: `SELECT nonce, ciphertext, wrapped FROM kept_details WHERE registration_id = $1`,
};
const TO_CHANGE = {
  name: 'kept-to-change',
  text: `SELECT nonce, ciphertext, wrapped, revision FROM kept_details WHERE registration_id = $1`,
};
/** Neither a late change nor the same one twice. The key, and what it is wrapped with, stay. */
const CHANGE = {
  name: 'change-kept',
  text: `UPDATE kept_details SET nonce = $2, ciphertext = $3, revision = $4
         WHERE registration_id = $1 AND revision < $4`,
};
const FORGET = {
  name: 'forget-kept',
  text: 'DELETE FROM kept_details WHERE registration_id = $1',
};
/** Two ranges of the index, which are empty nearly always. */
const TO_REWRAP = {
  name: 'kept-to-rewrap',
  text: `SELECT registration_id, wrapping_key_version, wrapped FROM kept_details
         WHERE (wrapping_key_version < $1 OR wrapping_key_version > $1)
           AND wrapping_key_version = ANY ($2) LIMIT $3`,
};
const REWRAP = {
  name: 'rewrap-kept',
  text: `UPDATE kept_details kept SET wrapping_key_version = $1, wrapped = now.wrapped
         FROM unnest($2::text[], $3::text[], $4::bytea[]) AS now (registration_id, before, wrapped)
         WHERE kept.registration_id = now.registration_id
           AND kept.wrapping_key_version = now.before`,
};
const VERSIONS = {
  name: 'kept-versions',
  text: `WITH RECURSIVE versions AS (
           (SELECT wrapping_key_version FROM kept_details ORDER BY 1 LIMIT 1)
           UNION ALL
           SELECT (SELECT kept.wrapping_key_version FROM kept_details kept
                   WHERE kept.wrapping_key_version > versions.wrapping_key_version
                   ORDER BY 1 LIMIT 1)
           FROM versions WHERE versions.wrapping_key_version IS NOT NULL)
         SELECT wrapping_key_version FROM versions WHERE wrapping_key_version IS NOT NULL`,
};

/**
 * Details that are kept for registrations, and for orders, each encrypted with a key of its own, which
 * stands wrapped beside them: forgetting one forgets its key, and once the wrapping key was rotated, no
 * older copy of the row can be opened either.
 */
export class KeptDetails {
  constructor(private readonly parts: KeptDetailsParts) {}

  /** Whether a reference is to kept details. */
  static isKept(reference: string): boolean {
    return reference.startsWith(PREFIX) && REGISTRATION_ID.test(reference.slice(PREFIX.length));
  }

  /**
   * Keeps an instrument; the same answer for what is kept already. Where it may be kept for another
   * registration, the row is the claim: a unique index lets one of several at once have it, and it is
   * free again when the row is gone, with nothing beside it that could be left behind.
   */
  async keep(held: Account, toKeep: DetailsToKeep): Promise<Kept | KeptBefore> {
    const { registrationId, merchantId, mayBeExisting } = toKeep;
    const { fingerprintKey: key } = this.parts;
    const instrument = ownAccount(held);
    const fingerprint = fingerprintOf(instrument, merchantId, key);
    const scope = toKeep.scope && `${toKeep.scope}${spellingOf(instrument, key)}`;
    const isOnce = scope !== undefined && mayBeExisting === true;
    for (let tries = 0; tries < KEEP_TRIES_MAX; tries += 1) {
      if (isOnce) {
        const values = [registrationId, fingerprint, scope];
        const { rows } = await this.parts.pool.query<KeptRow>({ ...FIND_ACCOUNT, values });
        const [row] = rows;
        if (row !== undefined && row.registration_id !== registrationId) {
          return this.#before(row, instrument);
        }
      }
      const row = { registrationId, fingerprint, scope, isOnce };
      if (await this.#insert(instrument, row)) {
        return { reference: referenceOf(registrationId), fingerprint };
      }
      const found = await this.find(registrationId);
      if (found !== undefined) return found;
    }
    throw new Error('Details were forgotten while they were being kept.');
  }

  async #before(row: KeptRow, instrument: Account): Promise<KeptBefore> {
    const keptFor = row.registration_id;
    const kept = await this.#opened(keptFor, row);
    const [expiry, before] = [expiryOf(instrument), expiryOf(kept.instrument)];
    const isSame = expiry?.month === before?.month && expiry?.year === before?.year;
    return { keptFor, ...(expiry !== undefined && !isSame && { expiry }) };
  }

  /** False if the registration has a row, or another one has the account. */
  async #insert(
    instrument: Account,
    row: {
      readonly registrationId: string;
      readonly fingerprint: string;
      readonly scope: string | undefined;
      readonly isOnce: boolean;
    },
  ): Promise<boolean> {
    const { pool, provider } = this.parts;
    const { registrationId, fingerprint, scope, isOnce } = row;
    const reference = referenceOf(registrationId);
    const clear = randomBytes(KEY_BYTES);
    const { version, wrapped } = await provider.wrap(clear, contextOf(registrationId));
    const key = createSecretKey(clear);
    clear.fill(0);
    const { nonce, ciphertext } = sealDetails(instrument, reference, { id: registrationId, key });
    const sealed = [registrationId, fingerprint, nonce, ciphertext, version, wrapped];
    const values = [...sealed, scope ?? null, isOnce];
    const { rowCount } = await pool.query({ ...KEEP, values });
    return rowCount === 1;
  }

  /** What stands for the details of a registration, if any are kept. */
  async find(registrationId: string): Promise<Kept | undefined> {
    const values = [registrationId];
    const { rows } = await this.parts.pool.query<KeptRow>({ ...FIND, values });
    const [row] = rows;
    return row && { reference: referenceOf(registrationId), fingerprint: row.fingerprint };
  }

  /** The instrument in clear; undefined if it was forgotten. @throws WrappingKeyRetired */
  reveal(reference: string): Promise<RevealedInstrument | undefined> {
    return this.revealOf(reference.slice(PREFIX.length));
  }

  /** The same by the id that they are kept for. */
  async revealOf(id: string): Promise<RevealedInstrument | undefined> {
    const account = await this.#accountOf(id);
    return account && { kind: account.kind, details: account.details };
  }

  /** The account that is kept, to be kept once more; undefined if it was forgotten. */
  account(reference: string): Promise<Account | undefined> {
    return this.#accountOf(reference.slice(PREFIX.length));
  }

  async #accountOf(id: string): Promise<Account | undefined> {
    const { rows } = await this.parts.pool.query<KeptRow>({ ...REVEAL, values: [id] });
    const [row] = rows;
    return row && (await this.#opened(id, row)).instrument;
  }

  /**
   * Changes what is kept, under the key that the row has; false if nothing is kept. The revision
   * guards it: a change that comes again, or after a later one, changes nothing.
   */
  async change({ registrationId, revision, expiry }: KeptChange): Promise<boolean> {
    const { pool } = this.parts;
    const { rows } = await pool.query<KeptRow>({ ...TO_CHANGE, values: [registrationId] });
    const [row] = rows;
    if (row === undefined) return false;
    if (row.revision >= revision) return true;
    const { key, instrument } = await this.#opened(registrationId, row);
    const { kind } = instrument;
    const details = {
      ...instrument.details,
      [`${kind}.expiryMonth`]: new Detail(expiry.month),
      [`${kind}.expiryYear`]: new Detail(expiry.year),
    };
    const changed = { ...instrument, details };
    const reference = referenceOf(registrationId);
    const sealed = sealDetails(changed, reference, { id: registrationId, key });
    const values = [registrationId, sealed.nonce, sealed.ciphertext, revision];
    await pool.query({ ...CHANGE, values });
    return true;
  }

  async #opened(
    id: string,
    { nonce, ciphertext, wrapped }: KeptRow,
  ): Promise<{ readonly key: KeyObject; readonly instrument: Account }> {
    const clear = await this.parts.provider.unwrap(wrapped, contextOf(id));
    const key = createSecretKey(clear);
    clear.fill(0);
    const sealed = { dataKeyId: id, nonce, ciphertext };
    return { key, instrument: openDetails(sealed, referenceOf(id), key) };
  }

  /** Forgets details and key; it is no error if there are none. */
  async forget(registrationId: string): Promise<void> {
    await this.parts.pool.query({ ...FORGET, values: [registrationId] });
  }

  /**
   * Wraps every key under the current version that is not yet. Each row is guarded by the version it
   * had, so this can stop anywhere, continue later, and run on several instances.
   */
  async rewrap(): Promise<RewrapResult> {
    const { pool, provider } = this.parts;
    const current = provider.currentVersion();
    const { rows } = await pool.query<KeptRow>(VERSIONS);
    const others = rows.map((row) => row.wrapping_key_version).filter((each) => each !== current);
    const known = others.filter((version) => provider.hasVersion(version));
    let rewrapped = 0;
    for (let batch = known.length > 0 ? REWRAP_BATCH : 0; batch === REWRAP_BATCH;) {
      const values = [current, known, REWRAP_BATCH];
      const found = (await pool.query<KeptRow>({ ...TO_REWRAP, values })).rows;
      batch = found.length;
      rewrapped += await this.#rewrapAll(found, current);
    }
    return { rewrapped, unreadable: others.length - known.length };
  }

  async #rewrapAll(rows: readonly KeptRow[], current: string): Promise<number> {
    const { pool, provider } = this.parts;
    if (rows.length === 0) return 0;
    const wrapped = await Promise.all(
      rows.map(async (row) => {
        const context = contextOf(row.registration_id);
        const clear = await provider.unwrap(row.wrapped, context);
        const again = await provider.wrap(clear, context);
        clear.fill(0);
        return again.wrapped;
      }),
    );
    const ids = rows.map((row) => row.registration_id);
    const before = rows.map((row) => row.wrapping_key_version);
    const { rowCount } = await pool.query({ ...REWRAP, values: [current, ids, before, wrapped] });
    return rowCount ?? 0;
  }
}

function referenceOf(registrationId: string): string {
  return `${PREFIX}${registrationId}`;
}

/** What a wrapped key is bound to: its own row. */
function contextOf(registrationId: string): string {
  return `kept-details|${registrationId}`;
}

/** The proof of one payment with a token, which the next one must not have (S-PCI-03). */
const OF_ONE_PAYMENT = '.cryptogram';

/**
 * The account alone: what proves one authentication, or belongs to one transfer, is worth nothing for
 * another payment.
 */
function ownDetails(kind: InstrumentKind, details: SecretDetails): SecretDetails {
  return Object.fromEntries(
    Object.entries(details).filter(
      ([name]) => name.startsWith(`${kind}.`) && !name.endsWith(OF_ONE_PAYMENT),
    ),
  );
}

function ownAccount({ kind, details, bank }: Account): Account {
  return { kind, details: ownDetails(kind, details), ...(bank !== undefined && { bank }) };
}

/** Of details that are held for a payment: the one that they would have if they were kept. */
export function accountFingerprint(held: Account, merchantId: string, key: KeyObject): string {
  return fingerprintOf(ownAccount(held), merchantId, key);
}

/** Undefined for what never expires. */
function expiryOf({ kind, details }: RevealedInstrument): Expiry | undefined {
  const month = details[`${kind}.expiryMonth`]?.reveal();
  const year = details[`${kind}.expiryYear`]?.reveal();
  return month === undefined || year === undefined ? undefined : { month, year };
}

/** Equal for the same account of the same merchant, however it is spelt, and never reversible without the key. */
function fingerprintOf(account: Account, merchantId: string, key: KeyObject): string {
  const texts = Object.entries(oneAccount(textsOf(account), account.bank)).sort(
    ([left], [right]) => (left < right ? -1 : 1),
  );
  return createHmac('sha256', key)
    .update(JSON.stringify(['registration', merchantId, account.kind, texts]))
    .digest('hex');
}

/**
 * Of what is not sent as it is compared, how it is: whoever stores one spelling is not told of another, because a
 * provider may take them for two accounts. A bank does not.
 */
function spellingOf(account: Account, key: KeyObject): string {
  if (account.kind === 'bankAccount') return '';
  const sent = textsOf(account);
  const one = oneAccount(sent);
  const spelt = Object.entries(sent).filter(([name, text]) => one[name] !== text);
  if (spelt.length === 0) return '';
  const hash = createHmac('sha256', key).update(JSON.stringify(['spelling', spelt]));
  return `|${hash.digest('hex')}`;
}

function textsOf({ details }: Account): AccountTexts {
  const texts = Object.entries(details)
    .filter(([name]) => !CHANGES_WITH_RENEWAL.test(name))
    .map(([name, detail]) => [name, detail.reveal()] as const);
  return Object.fromEntries(texts);
}
