import { invalidParameter, tooManyRequests } from '@sluice/result-codes/codes';
import { isExhausted } from './field-form.js';
import { isAddress } from './result-address.js';

/** A field of the card form, as its classes name it. */
export type FieldName = 'brand' | 'cardNumber' | 'expiry' | 'cardHolder' | 'cvv';

/** Where to go on. */
export interface Onward {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly parameters: readonly Parameter[];
}

/** One parameter of an address. */
export interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** Where to go on, and what is loaded out of sight before. */
export interface Redirect extends Onward {
  readonly preconditions: readonly Onward[];
}

/** What becomes of a form that was sent. */
export type Sent =
  /** It is accepted or decided elsewhere; without a redirect the way is the shop's own address. */
  | {
      readonly kind: 'accepted';
      readonly redirect: Redirect | undefined;
      /** Where it was only saved: what the page is told of that. */
      readonly saved?: unknown;
    }
  | { readonly kind: 'declined'; readonly field: FieldName | undefined }
  /** By the names of what is wrong. */
  | { readonly kind: 'invalid'; readonly names: readonly string[] }
  /** The checkout is no more, or takes no further attempt. */
  | { readonly kind: 'over' }
  /** Nothing has begun, and the same may be sent again in a while. */
  | { readonly kind: 'tooMany' }
  /** Nobody knows; sent again, it is at most one payment (page 0064). */
  | { readonly kind: 'unknown' };

const FAILED_FROM = 400;
const UNKNOWN_FROM = 500;

/** Reads the answer to a shopper's form (wire contract 2 and 3). */
export function sentOf(status: number, body: unknown): Sent {
  const { result, redirect, saved } = record(body);
  const { code, description, parameterErrors } = record(result);
  if (typeof code !== 'string' || status >= UNKNOWN_FROM) return { kind: 'unknown' };
  if (status < FAILED_FROM) return { kind: 'accepted', redirect: redirectOf(redirect), saved };
  if (code === tooManyRequests) return { kind: isExhausted(description) ? 'over' : 'tooMany' };
  if (code !== invalidParameter) return { kind: 'declined', field: fieldOfCode(code) };
  const names = list(parameterErrors).flatMap((error) => texts(record(error)['name']));
  return names.length === 0 ? { kind: 'over' } : { kind: 'invalid', names };
}

/** The field that a result code is about, if it is about one. */
function fieldOfCode(code: string): FieldName | undefined {
  if (/^100\.100\.(?:1|700)/.test(code)) return 'cardNumber';
  if (/^100\.100\.[23]/.test(code)) return 'expiry';
  if (code.startsWith('100.100.4')) return 'cardHolder';
  if (code.startsWith('100.100.5')) return 'brand';
  return code.startsWith('100.100.6') ? 'cvv' : undefined;
}

const FIELDS: ReadonlyMap<string, FieldName> = new Map([
  ['card.number', 'cardNumber'],
  ['card.expiryMonth', 'expiry'],
  ['card.expiryYear', 'expiry'],
  ['card.holder', 'cardHolder'],
  ['card.cvv', 'cvv'],
  ['paymentBrand', 'brand'],
]);

/** The field in which a parameter is typed. */
export function fieldOfParameter(name: string): FieldName | undefined {
  return FIELDS.get(name);
}

function redirectOf(value: unknown): Redirect | undefined {
  const onward = onwardOf(value);
  if (onward === undefined) return undefined;
  const preconditions = list(record(value)['preconditions']).flatMap((one) => onwardOf(one) ?? []);
  return { ...onward, preconditions };
}

function onwardOf(value: unknown): Onward | undefined {
  const { url, method, parameters } = record(value);
  if (typeof url !== 'string' || !isAddress(url)) return undefined;
  const told = list(parameters).flatMap((one) => {
    const { name, value: said } = record(one);
    return typeof name === 'string' && typeof said === 'string' ? [{ name, value: said }] : [];
  });
  return { url, method: method === 'GET' ? 'GET' : 'POST', parameters: told };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function texts(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : [];
}
