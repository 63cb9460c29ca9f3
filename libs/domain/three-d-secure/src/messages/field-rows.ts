import { elementOf, type Format } from './formats.js';
import {
  type DeviceChannel,
  deviceChannels,
  type Message,
  type MessageCategory,
  type MessageType,
  type MessageVersion,
  messageVersions,
} from './message-kinds.js';

/** What conditions look at: the message, and what is known of its transaction. */
export interface Facts {
  readonly version: MessageVersion;
  readonly value: (name: string) => unknown;
  /** Of the message, or of the AReq that it belongs to; absent where neither is known. */
  readonly channel?: DeviceChannel;
  readonly category?: MessageCategory;
  /** The AReq that it belongs to. */
  readonly request?: Message;
}

/** Whether an element has to be there: always, under a condition, or as the sender likes. */
export type Presence =
  | { readonly kind: 'optional' }
  | { readonly kind: 'required' }
  | {
      readonly kind: 'conditional';
      /** In words, for the reference. */
      readonly when: string;
      /** Absent where only the sender or a directory server's rules know. */
      readonly holds?: (facts: Facts) => boolean;
    };

/** An element in one message. */
export interface Inclusion {
  readonly payment: Presence;
  readonly nonPayment: Presence;
}

/** A data element in one version of one message. */
export interface Field {
  readonly name: string;
  /** What it is, in one sentence. */
  readonly meaning: string;
  readonly message: MessageType;
  readonly version: MessageVersion;
  readonly format: Format;
  readonly channels: readonly DeviceChannel[];
  readonly inclusion: Inclusion;
}

/** A data element, with how it looks from which version on; null: from then on there is none. */
export type FormatByVersion = Readonly<Partial<Record<MessageVersion, Format | null>>>;

/** In which messages it is. */
export type Inclusions = Readonly<Partial<Record<MessageType, Inclusion | Presence>>>;

/** The element is always there. */
export const R: Presence = { kind: 'required' };

/** The element may be there. */
export const O: Presence = { kind: 'optional' };

/** The element is there when the condition holds, which a function knows or only the sender. */
export function C(when: string, holds?: (facts: Facts) => boolean): Presence {
  return { kind: 'conditional', when, ...(holds && { holds }) };
}

/** Directory servers say when. */
export const byRules = C('by rules of the directory server');

/** Laws may forbid to tell. */
export const ifLawful = C('where it is known, unless a law forbids to tell');

/** The element is there for payments in one way and for what is no payment in another. */
export function split(payment: Presence, nonPayment: Presence): Inclusion {
  return { payment, nonPayment };
}

/** A row of a table: the element in all versions and messages. */
export type Row = readonly Field[];

type RowOf = (
  name: string,
  meaning: string,
  format: Format | FormatByVersion,
  inclusions: Inclusions,
) => Row;

/** Rows for elements that are known where the shopper is in one of these ways. */
function rowsFor(...channels: readonly DeviceChannel[]): RowOf {
  return (name, meaning, format, inclusions) =>
    messageVersions.flatMap((version) => {
      const ofVersion = formatIn(format, version);
      if (ofVersion === null) return [];
      return Object.entries(inclusions).map(([message, inclusion]): Field => {
        const both = 'kind' in inclusion ? split(inclusion, inclusion) : inclusion;
        return {
          ...{ name, meaning, version, channels, format: ofVersion, inclusion: both },
          message: message as MessageType,
        };
      });
    });
}

/** An element of all channels. */
export const anywhere = rowsFor(...deviceChannels);

/** An element of the channel app. */
export const app = rowsFor('01');

/** An element of the channel browser. */
export const browser = rowsFor('02');

/** An element of all channels where the shopper is there. */
export const withShopper = rowsFor('01', '02');

/** An element of the channel where the shopper is not there (3RI). */
export const withoutShopper = rowsFor('03');

/** The same element from this version on. */
export function since(version: MessageVersion, format: Format): FormatByVersion {
  return { [version]: format };
}

function formatIn(format: Format | FormatByVersion, version: MessageVersion): Format | null {
  if ('faultsIn' in format) return format;
  const until = messageVersions.slice(0, messageVersions.indexOf(version) + 1);
  const known = until.map((each) => format[each]).filter((each) => each !== undefined);
  return known.at(-1) ?? null;
}

/** What conditions are to know of a message and its transaction. */
export function factsOf(
  message: Message,
  version: MessageVersion,
  known: Pick<Facts, 'category' | 'channel' | 'request'>,
): Facts {
  return { ...known, version, value: (name) => elementOf(message, name) };
}

/** Whether an element is one of these texts. */
export function isIn(name: string, ...values: readonly string[]): (facts: Facts) => boolean {
  return ({ value }) => {
    const given = value(name);
    return typeof given === 'string' && values.includes(given);
  };
}

/** Whether an element is there. */
export function isThere(name: string): (facts: Facts) => boolean {
  return ({ value }) => value(name) !== undefined;
}

/** Whether one of several conditions holds. */
export function anyOf(...conditions: readonly ((facts: Facts) => boolean)[]) {
  return (facts: Facts): boolean => conditions.some((holds) => holds(facts));
}
