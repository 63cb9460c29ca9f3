import { isCountryNumber, isCurrencyNumber } from './iso-codes.js';
import { isSince, type MessageVersion } from './message-kinds.js';

/** What is wrong with an element, by the code that it is answered with. */
export interface Fault {
  readonly code: '201' | '203' | '204' | '207' | '304';
  /** The element, with its parents: `acctInfo.chAccAgeInd`. Values are never repeated. */
  readonly element: string;
}

/** What values of an element look like. */
export interface Format {
  /** In words, for the reference. */
  readonly text: string;
  readonly kind: 'array' | 'boolean' | 'object' | 'string';
  /** Of a value that is there, under its name. */
  readonly faultsIn: (value: unknown, element: string, version: MessageVersion) => readonly Fault[];
}

/** Enough to tell what is wrong; a card range table of a hundred thousand rows is not listed whole. */
const FAULTS_MAX = 20;
/** Half of a character: no text in UTF-8 has it. */
const LONE_SURROGATE = /[\uD800-\uDFFF]/u;
/** A character is at most two of JavaScript's units. */
const UNITS_PER_CHARACTER = 2;

const none: readonly Fault[] = [];

function ofText(
  text: string,
  faultOf: (value: string, version: MessageVersion) => Fault['code'] | undefined,
): Format {
  return {
    text,
    kind: 'string',
    faultsIn: (value, element, version) => {
      const code = typeof value === 'string' ? faultOf(value, version) : '203';
      return code === undefined ? none : [{ code, element }];
    },
  };
}

/** Text whose whole is as the pattern has it. */
export function pattern(text: string, form: RegExp): Format {
  return ofText(text, (value) => (form.test(value) ? undefined : '203'));
}

/** Text of so many characters. */
export function upTo(lengthMax: number, lengthMin = 1): Format {
  const length = lengthMin === 1 ? `at most ${lengthMax}` : `${lengthMin} to ${lengthMax}`;
  return ofText(`${length} characters`, (value) =>
    isOfLength(value, lengthMin, lengthMax) ? undefined : '203',
  );
}

/** One of few texts. */
export function oneOf(...values: readonly string[]): Format {
  return ofText(values.join(', '), (value) => (values.includes(value) ? undefined : '203'));
}

const TWO_DIGITS = /^[0-9]{2}$/u;
/** Directory servers give these a meaning of their own. */
const FOR_DIRECTORY_SERVERS = /^[89][0-9]$/u;

/**
 * Two digits: those that have a meaning, and 80 to 99, which directory servers give one. What EMV
 * keeps for later has a code of its own since 2.3.1.
 */
export function codes(first: string, last: string, ...others: readonly string[]): Format {
  return ofText([`${first} to ${last}`, ...others, '80 to 99'].join(', '), (value, version) => {
    if (!TWO_DIGITS.test(value)) return '203';
    if ((value >= first && value <= last) || others.includes(value)) return undefined;
    if (FOR_DIRECTORY_SERVERS.test(value)) return undefined;
    return isSince(version, '2.3.1') ? '207' : '203';
  });
}

/** Digits, so many. */
export function digits(lengthMax: number, lengthMin = lengthMax): Format {
  const length = lengthMin === lengthMax ? String(lengthMax) : `${lengthMin} to ${lengthMax}`;
  return ofText(`${length} digits`, (value) =>
    value.length >= lengthMin && value.length <= lengthMax && /^[0-9]+$/u.test(value)
      ? undefined
      : '203',
  );
}

/** Digits that are a number between two. */
export function number(from: number, to: number, lengthMax: number, lengthMin = 1): Format {
  const { faultsIn } = digits(lengthMax, lengthMin);
  return ofText(`digits, a number from ${from} to ${to}`, (value, version) => {
    if (faultsIn(value, '', version).length > 0) return '203';
    return BigInt(value) >= from && BigInt(value) <= to ? undefined : '203';
  });
}

/** `YYYYMMDD` and more, in UTC; a day that the calendar has. */
export function moment(form: 'YYYYMMDD' | 'YYYYMMDDHHMM' | 'YYYYMMDDHHMMSS'): Format {
  const { faultsIn } = digits(form.length);
  return ofText(form, (value, version) => {
    if (faultsIn(value, '', version).length > 0) return '203';
    const [year, month, day, hour, minute, second] = [
      ...[value.slice(0, 4), value.slice(4, 6), value.slice(6, 8)],
      ...[value.slice(8, 10), value.slice(10, 12), value.slice(12, 14)],
    ].map(Number) as [number, number, number, number, number, number];
    const hasDay = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
    return hasDay && hour < 24 && minute < 60 && second < 60 ? undefined : '203';
  });
}

/** An id of a transaction, as RFC 4122 writes it. */
export const transactionId = pattern(
  'a UUID',
  /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/u,
);

/** Three digits of ISO 3166-1. */
export const country = ofText('3 digits, ISO 3166-1', (value) =>
  /^[0-9]{3}$/u.test(value) ? (isCountryNumber(value) ? undefined : '304') : '203',
);

/** Three digits of ISO 4217. */
export const currency = ofText('3 digits, ISO 4217', (value) =>
  /^[0-9]{3}$/u.test(value) ? (isCurrencyNumber(value) ? undefined : '304') : '203',
);

const ADDRESS_CHARACTERS_MAX = 45;
const BYTE = /^(?:0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])$/u;

/** An address on the internet. */
export const address = ofText('an address, IPv4 or IPv6', (value) =>
  value.length <= ADDRESS_CHARACTERS_MAX && isAddress(value) ? undefined : '203',
);

function isAddress(value: string): boolean {
  // The parser of URLs knows IPv6: between brackets it takes nothing else.
  if (value.includes(':')) {
    return /^[0-9A-Fa-f:.]+$/u.test(value) && URL.canParse(`http://[${value}]/`);
  }
  const bytes = value.split('.');
  return bytes.length === 4 && bytes.every((byte) => BYTE.test(byte));
}

/** A whole address of the web. */
export function url(lengthMax: number): Format {
  return ofText(`a URL of at most ${lengthMax} characters`, (value) =>
    isOfLength(value, 1, lengthMax) && /^https?:\/\//iu.test(value) && URL.canParse(value)
      ? undefined
      : '203',
  );
}

/** Base64url (RFC 4648) without padding. */
export function base64url(lengthMax: number, lengthMin = 1): Format {
  return ofText(`base64url, ${lengthMin} to ${lengthMax} characters`, (value) =>
    value.length >= lengthMin && value.length <= lengthMax && /^[0-9A-Za-z_-]+$/u.test(value)
      ? undefined
      : '203',
  );
}

/** True or false. */
export const truth: Format = {
  text: 'true or false',
  kind: 'boolean',
  faultsIn: (value, element) => (typeof value === 'boolean' ? none : [{ code: '203', element }]),
};

/** True, and nothing else. */
export const onlyTrue: Format = {
  text: 'true',
  kind: 'boolean',
  faultsIn: (value, element) => (value === true ? none : [{ code: '203', element }]),
};

/** An element of an object. */
export interface Part {
  readonly format: Format;
  readonly isRequired?: true;
  readonly since?: MessageVersion;
}

/** An element that its object has to have. */
export function needed(format: Format, since?: MessageVersion): Part {
  return { format, isRequired: true, ...(since && { since }) };
}

/** An element that its object may have. */
export function possible(format: Format, since?: MessageVersion): Part {
  return { format, ...(since && { since }) };
}

/** An object with these elements; what else is in it is not looked at. */
export function object(text: string, parts: Readonly<Record<string, Part>>): Format {
  const rows = Object.entries(parts);
  return {
    text: `${text}: ${rows.map(partText).join(', ')}`,
    kind: 'object',
    faultsIn: (value, element, version) => {
      if (!isObject(value)) return [{ code: '203', element }];
      const faults: Fault[] = [];
      for (const [name, { format, isRequired, since }] of rows) {
        if (since !== undefined && !isSince(version, since)) continue;
        const within = `${element}.${name}`;
        const part = elementOf(value, name);
        if (isRequired && isMissing(part)) faults.push({ code: '201', element: within });
        else if (part !== undefined) faults.push(...format.faultsIn(part, within, version));
      }
      return faults.slice(0, FAULTS_MAX);
    },
  };
}

function partText([name, { format, isRequired, since }]: readonly [string, Part]): string {
  const from = since === undefined ? '' : `, since ${since}`;
  return `${name}${isRequired ? '' : '?'} (${format.text}${from})`;
}

/** Any object, as text of at most so many characters. */
export function anyObject(text: string, charactersMax: number): Format {
  return {
    text: `${text}, at most ${charactersMax} characters`,
    kind: 'object',
    faultsIn: (value, element) =>
      isObject(value) && charactersOf(value) <= charactersMax ? none : [{ code: '203', element }],
  };
}

/** An array of so many elements, none of them twice since 2.3.1. */
export function array(of: Format, lengthMax: number, lengthMin = 1): Format {
  return {
    text: `${lengthMin} to ${lengthMax} of: ${of.text}`,
    kind: 'array',
    faultsIn: (value, element, version) => {
      if (!Array.isArray(value) || value.length < lengthMin || value.length > lengthMax) {
        return [{ code: '203', element }];
      }
      const faults: Fault[] = [];
      for (const each of value as readonly unknown[]) {
        for (const fault of of.faultsIn(each, element, version)) {
          if (!faults.some((known) => known.code === fault.code && known.element === fault.element))
            faults.push(fault);
        }
        if (faults.length >= FAULTS_MAX) return faults.slice(0, FAULTS_MAX);
      }
      if (faults.length === 0 && isSince(version, '2.3.1') && hasTwice(value)) {
        return [{ code: '204', element }];
      }
      return faults;
    },
  };
}

/** Either of two formats of different kinds. */
export function either(one: Format, other: Format): Format {
  return {
    text: `${one.text}; or ${other.text}`,
    kind: one.kind,
    faultsIn: (value, element, version) =>
      other.faultsIn(value, element, version).length === 0
        ? none
        : one.faultsIn(value, element, version),
  };
}

/** An element's own value: what an object inherits is not of the message. */
export function elementOf(message: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(message, name) ? message[name] : undefined;
}

/** Whether EMV calls an element missing (A.1): it is not there, or says nothing. */
export function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Whether a value is an object of JSON. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOfLength(value: string, lengthMin: number, lengthMax: number): boolean {
  if (value.length > lengthMax * UNITS_PER_CHARACTER || LONE_SURROGATE.test(value)) return false;
  const length = Array.from(value).length;
  return length >= lengthMin && length <= lengthMax;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** What cannot be written is longer than anything. */
function charactersOf(value: unknown): number {
  return textOf(value)?.length ?? Infinity;
}

function hasTwice(values: readonly unknown[]): boolean {
  return new Set(values.map(textOf)).size < values.length;
}

/** Absent for what is nested so deep that it cannot be written. */
function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
