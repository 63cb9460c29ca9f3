import { isIP } from 'node:net';
import { isCountry } from './countries.js';
import { currencyOf } from './currencies.js';
import { isMissing, isSince, isTransactionId, type MessageVersion } from './messages.js';

/** What is wrong with a value, by the error code of EMV; nothing where it is right. */
export type FormFault = '201' | '203' | '204' | '207' | '304' | undefined;

/** What a data element looks like. */
export type ElementForm = (value: unknown, version: MessageVersion) => FormFault;

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const SENDERS_OWN = /^[89][0-9]$/;

function faultUnless(isRight: boolean): FormFault {
  return isRight ? undefined : '203';
}

/** Text as the pattern has it. */
export function form(pattern: RegExp): ElementForm {
  return (value) => faultUnless(typeof value === 'string' && pattern.test(value));
}

/** Text of so many characters, as people count them. */
export function text(lengthMax: number, lengthMin = 1): ElementForm {
  return (value) => {
    if (typeof value !== 'string' || /[\uD800-\uDFFF]/u.test(value)) return '203';
    const { length } = Array.from(value);
    return faultUnless(length >= lengthMin && length <= lengthMax);
  };
}

/**
 * Two digits up to the last that has a meaning; 80 to 99 are for directory servers. What is kept for
 * later has a code of its own since 2.3.1.
 */
export function codes(last: string): ElementForm {
  return (value, version) => {
    if (typeof value !== 'string' || !/^[0-9]{2}$/.test(value)) return '203';
    if ((value >= '01' && value <= last) || SENDERS_OWN.test(value)) return undefined;
    return isSince(version, '2.3.1') ? '207' : '203';
  };
}

/** Digits that are a number between two. */
export function numberBetween(from: number, to: number, digits: RegExp): ElementForm {
  return (value) => {
    if (typeof value !== 'string' || !digits.test(value)) return '203';
    return faultUnless(Number(value) >= from && Number(value) <= to);
  };
}

/** A list of so many, none of them twice since 2.3.1; each as the form has it. */
export function listOf(each: ElementForm, lengthMax: number): ElementForm {
  return (value, version) => {
    if (!Array.isArray(value) || value.length < 1 || value.length > lengthMax) return '203';
    const fault = (value as readonly unknown[]).map((one) => each(one, version)).find(Boolean);
    const isTwice = new Set(value.map((one) => JSON.stringify(one))).size < value.length;
    return fault ?? (isTwice && isSince(version, '2.3.1') ? '204' : undefined);
  };
}

/** The same element looks different in later versions. */
export function changed(
  before: ElementForm,
  ...later: readonly (readonly [MessageVersion, ElementForm])[]
): ElementForm {
  return (value, version) => {
    const [, its] = later.findLast(([first]) => isSince(version, first)) ?? [version, before];
    return its(value, version);
  };
}

/** An address of the web. */
export function address(lengthMax: number): ElementForm {
  const short = text(lengthMax);
  return (value, version) =>
    faultUnless(
      short(value, version) === undefined &&
        /^https?:\/\//i.test(String(value)) &&
        URL.canParse(String(value)),
    );
}

/** IPv4 or IPv6. */
export const internetAddress: ElementForm = (value) =>
  faultUnless(typeof value === 'string' && isIP(value) !== 0);

/** `YYYYMMDD`: a day that there is. */
export const day: ElementForm = (value) => {
  const [, year = 0, month = 0, date = 0] =
    /^(\d{4})(\d{2})(\d{2})$/.exec(String(value))?.map(Number) ?? [];
  const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCDate() === 29;
  const days = month === 2 && !isLeap ? 28 : (DAYS[month - 1] ?? 0);
  return faultUnless(typeof value === 'string' && date >= 1 && date <= days);
};

/** `YYYYMMDDHHMMSS`. */
export const instant: ElementForm = (value, version) => {
  const [, date, hour, minute, second] =
    /^(\d{8})(\d{2})(\d{2})(\d{2})$/.exec(typeof value === 'string' ? value : '') ?? [];
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  return isTime ? day(date, version) : '203';
};

/** A UUID. */
export const transactionId: ElementForm = (value) => faultUnless(isTransactionId(value));

/** True or false. */
export const truth: ElementForm = (value) => faultUnless(typeof value === 'boolean');

/** An object. */
export const object: ElementForm = (value) =>
  faultUnless(typeof value === 'object' && value !== null && !Array.isArray(value));

/** An object of at most so many characters. */
export function objectUpTo(charactersMax: number): ElementForm {
  return (value, version) =>
    object(value, version) ?? faultUnless(JSON.stringify(value).length <= charactersMax);
}

/** An object that must have these parts, and may have others. */
export function objectWith(parts: Readonly<Record<string, ElementForm>>): ElementForm {
  return (value, version) => {
    if (object(value, version) !== undefined) return '203';
    const given = value as Readonly<Record<string, unknown>>;
    const names = Object.keys(parts);
    if (names.some((name) => isMissing(given[name]))) return '201';
    return names.map((name) => parts[name]?.(given[name], version)).find(Boolean);
  };
}

/** Y or N. */
export const yesOrNo = form(/^[YN]$/);

/** Three digits of ISO 3166-1. */
export const country: ElementForm = (value, version) =>
  form(/^[0-9]{3}$/)(value, version) ?? (isCountry(String(value)) ? undefined : '304');

/** Three digits of ISO 4217. */
export const currency: ElementForm = (value, version) =>
  form(/^[0-9]{3}$/)(value, version) ?? (currencyOf(value) === undefined ? '304' : undefined);
