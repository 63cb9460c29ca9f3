import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isMissing, isObject } from './formats.js';
import type {
  DeviceChannel,
  Message,
  MessageCategory,
  MessageType,
  MessageVersion,
} from './message-kinds.js';

/** What a value has to look like, as a foreign table says it. */
export interface ForeignForm {
  readonly name: string;
  readonly type?: 'array' | 'bool' | 'json' | 'object';
  readonly values?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: keyof typeof formats;
  readonly length?: number;
  readonly lengthMin?: number;
  readonly lengthMax?: number;
  readonly range?: readonly [from: string, to: string];
}

/** An element of a message: required, optional, or required if one of some elements has one of some values. */
export interface ForeignElement extends ForeignForm {
  /** Empty: it does not say. */
  readonly categories: string;
  readonly channels: string;
  readonly payment: 'C' | 'O' | 'R';
  readonly nonPayment: 'C' | 'O' | 'R';
  /** Absent beside C: the condition is not of this message. */
  readonly requiredIf?: Readonly<Record<string, readonly unknown[] | 'there'>>;
}

interface ForeignTable {
  readonly message: MessageType;
  readonly versions: readonly MessageVersion[];
  readonly elements: readonly ForeignElement[];
}

/** A part of an object. */
export interface ForeignPart extends ForeignForm {
  readonly inclusion: 'O' | 'R';
}

interface ForeignObject {
  readonly elements: readonly string[];
  readonly parts: readonly ForeignPart[];
}

/**
 * The tables of messages that 3dsecure.io publishes, a 3-D Secure server that is sold and that is not of ours:
 * the facts alone, typed from its documentation (each file says from which page and commit).
 */
export const foreignTables: readonly ForeignTable[] = [
  ...['areq-2.1.0', 'areq-2.2.0', 'ares-2.1.0', 'ares-2.2.0', 'rreq-2.1.0', 'rreq-2.2.0', 'creq'],
].map((name) => fileOf<ForeignTable>(name));

/** Its objects, whose parts are the same in 2.1.0 and in 2.2.0. */
export const foreignObjects = fileOf<{ readonly objects: readonly ForeignObject[] }>(
  'objects',
).objects;

function fileOf<Of>(name: string): Of {
  const file = new URL(`../../test/foreign/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Of;
}

/** The elements of a message in a version; empty where there is no table of it. */
export function foreignElementsOf(
  type: MessageType,
  version: MessageVersion,
): readonly ForeignElement[] {
  return foreignTables
    .filter(({ message, versions }) => message === type && versions.includes(version))
    .flatMap(({ elements }) => elements);
}

const channelNames = { '01': 'APP', '02': 'BRW', '03': '3RI' } as const;
const categoryNames = { '01': 'PA', '02': 'NPA' } as const;

/** Whether an element may be there. */
export function isForeignIn(
  { channels, categories }: ForeignElement,
  channel: DeviceChannel,
  category: MessageCategory,
): boolean {
  const has = (names: string, name: string) => names === '' || names.split(' ').includes(name);
  return has(channels, channelNames[channel]) && has(categories, categoryNames[category]);
}

/** Whether an element has to be there. */
export function isForeignRequired(
  element: ForeignElement,
  message: Message,
  channel: DeviceChannel,
  category: MessageCategory,
): boolean {
  if (!isForeignIn(element, channel, category)) return false;
  const inclusion = category === '01' ? element.payment : element.nonPayment;
  if (inclusion !== 'C') return inclusion === 'R';
  return Object.entries(element.requiredIf ?? {}).some(([name, values]) =>
    values === 'there' ? !isMissing(message[name]) : values.includes(message[name]),
  );
}

/** Whether a value may stand in an element or a part. */
export function isForeignValue(form: ForeignForm, value: unknown): boolean {
  const { type } = form;
  if (type === undefined) return typeof value === 'string' && isForeignText(form, value);
  switch (type) {
    case 'bool':
      return typeof value === 'boolean' && (form.values?.includes(value) ?? true);
    case 'array':
      return Array.isArray(value) && value.length <= (form.lengthMax ?? Infinity);
    case 'object':
      return isObject(value);
    case 'json':
      return isObject(value) && JSON.stringify(value).length <= (form.lengthMax ?? Infinity);
  }
}

function isForeignText(form: ForeignForm, value: string): boolean {
  const { values, pattern, format, range, length, lengthMin = 1, lengthMax = Infinity } = form;
  const size = Array.from(value).length;
  return (
    (values?.includes(value) ?? true) &&
    (pattern === undefined || new RegExp(pattern, 'u').test(value)) &&
    (format === undefined || formats[format](value)) &&
    (range === undefined || isBetween(value, ...range)) &&
    (length === undefined || size === length) &&
    size >= lengthMin &&
    size <= lengthMax
  );
}

function isBetween(value: string, from: string, to: string): boolean {
  return /^[0-9]+$/u.test(value) && BigInt(value) >= BigInt(from) && BigInt(value) <= BigInt(to);
}

/** Its currencies that are none: metals, funds, tests. */
const NO_CURRENCIES: ReadonlySet<string> = new Set([
  ...['955', '956', '957', '958', '959', '960', '961', '962', '963', '964', '999'],
]);

/** It names them, and describes them in a sentence each. */
const formats = {
  uuid: (text: string) =>
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/iu.test(text),
  ip: (text: string) => isIP(text) !== 0,
  url: (text: string) => URL.canParse(text) && /^https?:$/u.test(new URL(text).protocol),
  email: (text: string) => /^[^@\s]+@[^@\s]+$/u.test(text),
  yymm: (text: string) => isDay(`20${text}01`),
  yyyymmdd: isDay,
  yyyymmddhhmmss: (text: string) =>
    isDay(text.slice(0, 8)) && /^(?:[01][0-9]|2[0-3])(?:[0-5][0-9]){2}$/u.test(text.slice(8)),
  country: (text: string) => /^[0-9]{3}$/u.test(text) && text < '901',
  currency: (text: string) => /^[0-9]{3}$/u.test(text) && !NO_CURRENCIES.has(text),
} as const;

function isDay(text: string): boolean {
  const [, year, month, day] = /^([0-9]{4})([0-9]{2})([0-9]{2})$/u.exec(text) ?? [];
  const iso = `${year}-${month}-${day}`;
  const date = new Date(iso);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso);
}
