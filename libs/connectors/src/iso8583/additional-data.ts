/**
 * Field 48, private to the two sides: elements of two digits that number them, two digits of their
 * length, and characters. The numbers are those of a widespread dialect of the standard.
 */
export const additionalElements = {
  /** How the shopper was authenticated: the electronic commerce indicator. */
  commerceIndicator: '42',
  /** What authentication proved it by. */
  cryptogram: '43',
  /** By what the acquirer knows the first payment of an agreement. */
  initialTransaction: '63',
  /** What the issuer says of the address. */
  addressAnswer: '83',
  /** What the network advises after a decline. */
  merchantAdvice: '84',
  /** What the issuer says of the security code. */
  securityCodeAnswer: '87',
  securityCode: '92',
} as const;

/** An element by its name. */
export type AdditionalElement = keyof typeof additionalElements;

/** Elements by name. */
export type AdditionalData = Readonly<Partial<Record<AdditionalElement, string>>>;

const NUMBER_CHARACTERS = 2;
const LENGTH_DIGITS = 2;
/** How long an element may be: what two digits can say. */
export const ELEMENT_CHARACTERS_MAX = 99;

const names = Object.keys(additionalElements) as AdditionalElement[];
const ELEMENT_START = /^([0-9A-Z]{2})([0-9]{2})/u;

/**
 * The text of the field; undefined if there is nothing to say.
 * @throws RangeError where an element is longer than it can say
 */
export function additionalText(data: AdditionalData): string | undefined {
  const text = names
    .map((name) => {
      const value = data[name];
      if (value === undefined) return '';
      if (value.length > ELEMENT_CHARACTERS_MAX) throw new RangeError(`${name} is too long`);
      const length = String(value.length).padStart(LENGTH_DIGITS, '0');
      return additionalElements[name] + length + value;
    })
    .join('');
  return text === '' ? undefined : text;
}

/** What of a host's field is known; the rest is its own affair. */
export function additionalDataIn(text: string | undefined): AdditionalData {
  const data: Partial<Record<AdditionalElement, string>> = {};
  let rest = text ?? '';
  for (;;) {
    const [start, number, digits] = ELEMENT_START.exec(rest) ?? [];
    if (start === undefined || digits === undefined) return data;
    const end = NUMBER_CHARACTERS + LENGTH_DIGITS + (lengths.get(digits) ?? 0);
    if (end > rest.length) return data;
    const name = names.find((each) => additionalElements[each] === number);
    if (name !== undefined) data[name] = rest.slice(start.length, end);
    rest = rest.slice(end);
  }
}

const lengths: ReadonlyMap<string, number> = new Map(
  Array.from({ length: ELEMENT_CHARACTERS_MAX + 1 }, (_each, length) => [
    String(length).padStart(LENGTH_DIGITS, '0'),
    length,
  ]),
);
