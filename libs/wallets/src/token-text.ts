import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';

/**
 * The longest token that is read, in characters. Apple's have about 4,000, which certificates
 * fill, Google's and Samsung's 2,000.
 */
export const TOKEN_LENGTH_MAX = 16_384;

/** An object of JSON, whose fields are anything. */
export type Fields = Readonly<Record<string, unknown>>;

/** The object that a text of JSON is; nothing if the text is too long or anything else. */
export function fieldsOfText(text: string): Fields | undefined {
  if (text.length > TOKEN_LENGTH_MAX) return undefined;
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The value as an object; nothing if it is a list or no object. */
export function fieldsOf(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Fields;
}

/** The text of a field that the object itself has. */
export function textOf(fields: Fields, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/**
 * The bytes of a field in this encoding. Only the one way in which an encoder writes them is taken:
 * otherwise a token could be altered and still say the same.
 */
export function bytesOf(
  fields: Fields,
  name: string,
  encoding: 'base64' | 'hex' = 'base64',
): Buffer | undefined {
  const text = textOf(fields, name);
  return text === undefined || text === '' ? undefined : exactBytes(text, encoding);
}

/** The bytes of a text in this encoding, if it is written as an encoder writes it. */
export function exactBytes(
  text: string,
  encoding: 'base64' | 'base64url' | 'hex',
): Buffer | undefined {
  const bytes = Buffer.from(text, encoding);
  return bytes.toString(encoding) === text ? bytes : undefined;
}

/** Whole milliseconds since 1970 as a text of digits, which no date needs more than 15 of. */
const MILLISECONDS = /^[0-9]{1,15}$/;

/** The moment that a text of milliseconds since 1970 names. */
export function instantOf(text: string | undefined): Date | undefined {
  return text !== undefined && MILLISECONDS.test(text) ? new Date(Number(text)) : undefined;
}

/** SHA-256. */
export function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
