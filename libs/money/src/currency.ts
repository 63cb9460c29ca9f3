/**
 * ISO 4217: how many decimals the minor unit of each active currency has. Funds codes are in,
 * because ISO gives them a minor unit; metals and test codes (XAU, XTS, XXX …) are out, because it
 * gives them none and nothing can be paid in them. ANG and BGN were withdrawn in 2025 and 2026 and
 * stay, so that older payments can still be refunded.
 */
const currenciesByExponent = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD
    CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS
    GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL
    MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK
    PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS
    TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
} as const;

/** How many decimals a minor unit has. */
export type Exponent = 0 | 2 | 3 | 4;

declare const currencyBrand: unique symbol;

/** An active ISO 4217 code that has a minor unit, in upper case. */
export type Currency = string & { readonly [currencyBrand]: true };

const exponents: ReadonlyMap<string, Exponent> = new Map(
  ([0, 2, 3, 4] as const).flatMap((exponent) =>
    currenciesByExponent[exponent].split(/\s+/u).map((code) => [code, exponent] as const),
  ),
);

/** All currencies, in alphabetical order. */
export const currencies: readonly Currency[] = [...exponents.keys()].sort() as Currency[];

/** Whether the text is a currency code as Interface 2.3 wants it: ISO 4217, upper case. */
export function isCurrency(text: string): text is Currency {
  return exponents.has(text);
}

/**
 * The currency with this code.
 * @throws RangeError when there is none; texts from outside are asked with `isCurrency` first.
 */
export function currency(code: string): Currency {
  if (!isCurrency(code)) throw new RangeError('not an ISO 4217 currency code');
  return code;
}

/** The decimals of the currency's minor unit (R-MON-06). */
export function exponentOf(code: Currency): Exponent {
  const exponent = exponents.get(code);
  if (exponent === undefined) throw new RangeError('not an ISO 4217 currency code');
  return exponent;
}
