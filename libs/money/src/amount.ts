import { type Currency, currency as currencyOf, exponentOf } from './currency.js';

/** A sum of money in integer minor units of its currency (R-MON-05); plain data. */
export interface Amount {
  readonly minor: bigint;
  readonly currency: Currency;
}

/** An amount as messages carry it: JSON has no integers of this size. */
export interface AmountText {
  readonly minor: string;
  readonly currency: string;
}

/**
 * Why a text is no amount: `malformed` = not `N10.N2`; `zero` = nothing to pay;
 * `fractionNotAllowed` = a fraction of a currency without one, e.g. JPY 100.50.
 */
export type AmountRefusal = 'malformed' | 'zero' | 'fractionNotAllowed';

/** What `parseAmount` answers. */
export type ParsedAmount =
  | { readonly kind: 'amount'; readonly amount: Amount }
  | { readonly kind: 'refused'; readonly reason: AmountRefusal };

/** Decimals of the wire format, whatever the currency (Interface 2.3: `N10.N2`). */
const WIRE_DECIMALS = 2;
/** Digits before the point. */
const WIRE_DIGITS = 10;
/** Interface 2.3: 1-10 digits, optional dot and exactly 2 decimals. */
const WIRE_AMOUNT = /^([0-9]{1,10})(?:\.([0-9]{2}))?$/;
/** More digits than any sum of amounts will have: a limit on what a message may claim. */
const MINOR_UNITS = /^-?[0-9]{1,40}$/;

/**
 * Reads an amount of the wire (`N10.N2`, Interface 2.3) exactly: `100.00` is 100 minor units of JPY,
 * 10000 of EUR, 100000 of KWD. A refusal is a value, because merchants send such texts.
 */
export function parseAmount(text: string, currency: Currency): ParsedAmount {
  const match = WIRE_AMOUNT.exec(text);
  if (match === null) return { kind: 'refused', reason: 'malformed' };
  const hundredths = BigInt((match[1] ?? '') + (match[2] ?? '00'));
  if (hundredths === 0n) return { kind: 'refused', reason: 'zero' };
  const exponent = exponentOf(currency);
  if (exponent >= WIRE_DECIMALS) {
    const minor = hundredths * powerOfTen(exponent - WIRE_DECIMALS);
    return { kind: 'amount', amount: { minor, currency } };
  }
  const unit = powerOfTen(WIRE_DECIMALS - exponent);
  if (hundredths % unit !== 0n) return { kind: 'refused', reason: 'fractionNotAllowed' };
  return { kind: 'amount', amount: { minor: hundredths / unit, currency } };
}

/** Whether an amount has no more digits before its point than an amount of the wire can have. */
export function isOnWire({ minor, currency }: Amount): boolean {
  return minor < powerOfTen(WIRE_DIGITS + exponentOf(currency));
}

/**
 * Writes an amount for an answer: always two decimals (wire contract D3).
 * @throws RangeError for an amount that needs a third decimal: nothing may ever compute one, since
 * no answer could state it (R-MON-06).
 */
export function formatAmount(amount: Amount): string {
  const exponent = exponentOf(amount.currency);
  if (exponent <= WIRE_DECIMALS) {
    return decimal(amount.minor * powerOfTen(WIRE_DECIMALS - exponent), WIRE_DECIMALS);
  }
  const unit = powerOfTen(exponent - WIRE_DECIMALS);
  if (amount.minor % unit !== 0n) throw new RangeError('the amount needs more than two decimals');
  return decimal(amount.minor / unit, WIRE_DECIMALS);
}

/**
 * The exact decimal text with the currency's own number of decimals, as acquirers want it: KWD
 * `10.000`, EUR `10.00`, JPY `100`.
 */
export function isoDecimal(amount: Amount): string {
  return decimal(amount.minor, exponentOf(amount.currency));
}

/** The sum. @throws RangeError when the currencies differ. */
export function add(left: Amount, right: Amount): Amount {
  assertSameCurrency(left, right);
  return { minor: left.minor + right.minor, currency: left.currency };
}

/** Below, equal or above zero as `left` is to `right`. @throws RangeError on two currencies. */
export function compare(left: Amount, right: Amount): -1 | 0 | 1 {
  assertSameCurrency(left, right);
  if (left.minor === right.minor) return 0;
  return left.minor < right.minor ? -1 : 1;
}

/** Nothing of this currency. */
export function zero(currency: Currency): Amount {
  return { minor: 0n, currency };
}

/** The form in which an amount travels in commands and events. */
export function toMessage(amount: Amount): AmountText {
  return { minor: amount.minor.toString(), currency: amount.currency };
}

/**
 * The amount of a command or event.
 * @throws RangeError when it is none: our own services write them, so that is a defect.
 */
export function fromMessage(message: AmountText): Amount {
  if (!MINOR_UNITS.test(message.minor)) throw new RangeError('minor units are not an integer');
  return { minor: BigInt(message.minor), currency: currencyOf(message.currency) };
}

function assertSameCurrency(left: Amount, right: Amount): void {
  if (left.currency !== right.currency) {
    throw new RangeError(`amounts in ${left.currency} and ${right.currency}`);
  }
}

function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** The digits with a dot before the last `decimals` of them. */
function decimal(scaled: bigint, decimals: number): string {
  const sign = scaled < 0n ? '-' : '';
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, '0');
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
