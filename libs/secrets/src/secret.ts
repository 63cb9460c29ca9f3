import type { InspectOptions } from 'node:util';

const inspectSymbol = Symbol.for('nodejs.util.inspect.custom');

/** What every secret shows of itself, whatever prints it. */
const MASK = '***';

/**
 * A value that cannot print itself: string conversion, JSON, inspection and structured cloning
 * all give the mask or fail. Only `reveal` gives the value, and lint lists the files that may call
 * it (reliability S-PCI-04).
 */
export class Secret<Kind extends string> {
  readonly #value: string;
  /** Makes secrets of different kinds different types. */
  declare readonly kind: Kind;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value in clear. Only the listed files may call this. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [Symbol.toPrimitive](): string {
    return MASK;
  }

  [inspectSymbol](_depth: number, _options: InspectOptions): string {
    return MASK;
  }
}

/**
 * A detail of an instrument in plain text: a card's number or its security code, an IBAN, the
 * cryptogram of an authentication.
 */
export class Detail extends Secret<'Detail'> {}

/** The access token of the `Authorization` header, or a legacy password (Interface 5). */
export class AccessToken extends Secret<'AccessToken'> {}

/** The key of a subscription's notifications, 64 hexadecimal digits (wire contract 9). */
export class WebhookSecret extends Secret<'WebhookSecret'> {}
