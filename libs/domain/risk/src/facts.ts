import type { AssessQuery, CardChecks, InitialOperation, Mode } from '@sluice/contracts';
import { type Amount, exponentOf, fromMessage, parseAmount, zero } from '@sluice/money';
import { deviceNames } from '@sluice/parameters';
import { addressOfShopper, emailOf } from './canonical-values.js';

/** By what payments are told to be of the same payer. */
export const subjects = ['card', 'email', 'ip', 'device', 'customer'] as const;

/** One of them. */
export type Subject = (typeof subjects)[number];

/** Those whose values are personal data: they are shown to nobody who has no key. */
export const personalSubjects: ReadonlySet<Subject> = new Set([
  'email',
  'ip',
  'device',
  'customer',
]);

/** What is known of an address of the Internet; each is absent where nobody says it. */
export interface AddressFacts {
  /** ISO 3166-1 alpha-2. */
  readonly ipCountry?: string;
  readonly isProxy?: boolean;
}

/** What rules know of a payment. */
export interface Facts extends AddressFacts {
  /** When the request came, milliseconds since the epoch. */
  readonly atMs: number;
  readonly mode: Mode;
  /** Absent of a standalone request. */
  readonly operation?: InitialOperation;
  /** `risk.amount` where it was sent (Interface 2.18), in the payment's currency. */
  readonly amount: Amount;
  /** What is paid, where the merchant has rules judge another amount; in minor units. */
  readonly paidMinor?: string;
  /** Who pays, by each subject that is known, in the spelling in which it is compared. */
  readonly payer: Readonly<Partial<Record<Subject, string>>>;
  /** The first six digits of the card. */
  readonly bin?: string;
  /** `paymentBrand`. */
  readonly brand?: string;
  /** ISO 3166-1 alpha-2, as are the next two. */
  readonly issuerCountry?: string;
  readonly billingCountry?: string;
  readonly shippingCountry?: string;
  /** What comes after the at sign, as it is compared. */
  readonly emailDomain?: string;
  /** Whether what was sent can be read as an address; absent where nothing was sent. */
  readonly isEmailReadable?: boolean;
  readonly isIpReadable?: boolean;
  /** Addresses that stand behind the shopper's in `customer.ip`: lists look at them, too. */
  readonly behindIp?: readonly string[];
  /** What the issuer found; absent as long as no acquirer has said yes. */
  readonly checks?: CardChecks;
  /** By wire name, personal ones among them. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Parameters that have a name of their own in expressions, in the one spelling in which they are compared. */
export const factOfParameter: ReadonlyMap<string, string> = new Map([
  ['customer.email', 'email'],
  ['customer.ip', 'ip'],
  ['customer.merchantCustomerId', 'customer'],
  ['billing.country', 'billingCountry'],
  ['shipping.country', 'shippingCountry'],
]);

/**
 * The facts of a question; what was not sent is absent.
 * @param lookUp what is known of its address
 */
export function factsOf(query: AssessQuery, lookUp: (ip: string) => AddressFacts): Facts {
  const { instrument, parameters, issuerCountry, accountFingerprint, operation } = query;
  const said = (name: string): string | undefined => {
    const value = parameters[name]?.trim();
    return value === '' ? undefined : value;
  };
  const [saidEmail, saidIp] = [said('customer.email'), said('customer.ip')];
  const email = saidEmail === undefined ? undefined : emailOf(saidEmail);
  const ip = saidIp === undefined ? undefined : addressOfShopper(saidIp);
  const payer = {
    card: accountFingerprint,
    email: email?.value,
    ip: ip?.value,
    device: deviceNames.map(said).find((value) => value !== undefined),
    customer: said('customer.merchantCustomerId'),
  };
  const country = (name: string) => said(name)?.toUpperCase();
  const amount = amountOfRisk(query);
  return {
    ...{ atMs: query.receivedAtMs, mode: query.mode, parameters, amount },
    ...(String(amount.minor) !== query.amount.minor && { paidMinor: query.amount.minor }),
    payer: withoutAbsent(payer),
    ...withoutAbsent({
      operation,
      bin: 'bin' in instrument ? instrument.bin : undefined,
      brand: 'brand' in instrument ? instrument.brand : undefined,
      issuerCountry,
      billingCountry: country('billing.country'),
      shippingCountry: country('shipping.country'),
      emailDomain: email && domainOf(email.value),
      isEmailReadable: email?.isReadable,
      isIpReadable: ip?.isReadable,
      behindIp: ip !== undefined && ip.behind.length > 0 ? ip.behind : undefined,
    }),
    ...(payer.ip !== undefined && lookUp(payer.ip)),
  };
}

function domainOf(email: string): string | undefined {
  return email.includes('@') ? email.split('@').at(-1) : undefined;
}

/** Interface 2.18: `N10.N2`. */
const WIRE_DECIMALS = 2;

/**
 * `risk.amount` is checked where it is taken. Of a currency without fractions, one with a fraction is judged as the
 * next whole amount, so that no rule misses it.
 */
function amountOfRisk({ amount, parameters }: AssessQuery): Amount {
  const paid = fromMessage(amount);
  const { currency } = paid;
  const text = parameters['risk.amount'] ?? '';
  const said = parseAmount(text, currency);
  if (said.kind === 'amount') return said.amount;
  switch (said.reason) {
    case 'zero':
      return zero(currency);
    case 'fractionNotAllowed': {
      const unit = 10n ** BigInt(WIRE_DECIMALS - exponentOf(currency));
      return { minor: BigInt(text.replace('.', '')) / unit + 1n, currency };
    }
    case 'malformed':
      return paid;
  }
}

type Present<Of> = { readonly [Name in keyof Of]?: Exclude<Of[Name], undefined> };

function withoutAbsent<Of extends object>(fields: Of): Present<Of> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Present<Of>;
}
