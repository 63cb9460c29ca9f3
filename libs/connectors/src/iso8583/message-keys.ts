import { isTransactionId, mintedAtMs } from '@sluice/identifiers';
import { createHash } from 'node:crypto';

/**
 * By what a message and its answer are known to both sides. All of it follows from the acquirer
 * reference, so that a reversal can name it after a crash, with nothing else at hand (page 0050).
 */
export interface MessageKeys {
  /** Field 11: 6 digits, never all zero. */
  readonly trace: string;
  /** Field 7: `MMDDhhmmss` in UTC, of when the transaction's id was made. */
  readonly transmittedAt: string;
  /** The same with its year, `YYMMDDhhmmss`: field 12 of 1993; 1987 has parts of it in 12 and 13. */
  readonly localDateTime: string;
  /** Field 37: 12 digits and letters, which no two references share. */
  readonly retrievalReference: string;
  /** Field 41: one of the installation's, for each reference always the same. */
  readonly terminal: string;
}

/** What a message does with its reference: each has traces of its own. */
export type Purpose = 'submit' | 'undo';

const REFERENCE_ID_HEX_DIGITS = 32;
const YEAR_DIGITS = 2;
const DATE_TIME_DIGITS = 12;
const TRACES = 999_999;
const TRACE_DIGITS = 6;
const RETRIEVAL_CHARACTERS = 12;
const BASE = 36;
const RETRIEVAL_REFERENCES = BigInt(BASE) ** BigInt(RETRIEVAL_CHARACTERS);

/** A time as messages have it, `YYMMDDhhmmss` in UTC. */
export function localDateTimeAt(ms: number): string {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]/g, '');
  return digits.slice(YEAR_DIGITS, YEAR_DIGITS + DATE_TIME_DIGITS);
}

/** Field 7: the same without its year. */
export function transmittedAt(localDateTime: string): string {
  return localDateTime.slice(YEAR_DIGITS);
}

/** Undefined where the reference begins with no id of a transaction, so has no time. */
export function keysOf(
  acquirerReference: string,
  terminals: readonly string[],
  purpose: Purpose = 'submit',
): MessageKeys | undefined {
  const id = acquirerReference.slice(0, REFERENCE_ID_HEX_DIGITS);
  if (!isTransactionId(id)) return undefined;
  const digest = createHash('sha256').update(acquirerReference).digest();
  const traced = createHash('sha256').update(`${purpose}:${acquirerReference}`).digest();
  const localDateTime = localDateTimeAt(mintedAtMs(id));
  return {
    trace: String((traced.readUInt32BE(0) % TRACES) + 1).padStart(TRACE_DIGITS, '0'),
    transmittedAt: transmittedAt(localDateTime),
    localDateTime,
    retrievalReference: (digest.readBigUInt64BE(0) % RETRIEVAL_REFERENCES)
      .toString(BASE)
      .toUpperCase()
      .padStart(RETRIEVAL_CHARACTERS, '0'),
    terminal: terminals[digest.readUInt32BE(8) % terminals.length] ?? '',
  };
}
