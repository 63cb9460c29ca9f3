/** What a shopper agrees to pay on the device, and with which card. */
export interface WalletOrder {
  readonly number: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly holder?: string;
  readonly numberType: 'PAN' | 'DPAN';
  /** As it was said, with two decimals or none. */
  readonly amount: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** ISO 4217. */
  readonly currencyNumber: string;
  /** Whose payment it is, for the wallet that says so. */
  readonly entityId?: string;
  /** Which transaction of the shop's gateway, and which DPA, for the wallet that says so. */
  readonly transaction?: string;
  readonly dpa?: string;
}

/** An order, or what is wrong with the fields; values are never repeated. */
export type ReadOrder = { readonly order: WalletOrder } | { readonly error: string };

/**
 * The currencies that the wallets of the simulator know, with their numbers and decimals: written here a
 * second time, so that one mistake cannot be made on both sides.
 */
const currencies: Readonly<Record<string, readonly [number: string, decimals: number]>> = {
  ...{ AED: ['784', 2], AUD: ['036', 2], BRL: ['986', 2], CAD: ['124', 2], CHF: ['756', 2] },
  ...{ CZK: ['203', 2], DKK: ['208', 2], EUR: ['978', 2], GBP: ['826', 2], HKD: ['344', 2] },
  ...{ INR: ['356', 2], JPY: ['392', 0], KRW: ['410', 0], KWD: ['414', 3], MXN: ['484', 2] },
  ...{ NOK: ['578', 2], NZD: ['554', 2], PLN: ['985', 2], SAR: ['682', 2], SEK: ['752', 2] },
  ...{ SGD: ['702', 2], TRY: ['949', 2], USD: ['840', 2], ZAR: ['710', 2] },
};

const AMOUNT = /^[0-9]{1,10}(?:\.[0-9]{2})?$/;
const CARD_NUMBER = /^[0-9]{12,19}$/;
const MONTH = /^(?:0[1-9]|1[0-2])$/;
const YEAR = /^20[0-9]{2}$/;
const HOLDER_LENGTH_MAX = 128;
const ENTITY_ID = /^[0-9a-f]{32}$/;
/** The public test card of VISA. */
const DEFAULTS = {
  'card.number': '4200000000000000',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.numberType': 'DPAN',
} as const;
/** Cards that shoppers have put into Click to Pay, by their ids there: public test cards. */
const ENROLLED: Readonly<Record<string, string>> = {
  ...{ visa: '4200000000000000', mastercard: '5454545454545454' },
  ...{ amex: '377777777777770', discover: '6011587918359498' },
};
const NAMED = /^[A-Za-z0-9-]{1,64}$/;
/** Names are those of the interface. */
const NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(DEFAULTS),
  ...['card.holder', 'amount', 'currency', 'entityId'],
  ...['srciTransactionId', 'srcDpaId', 'srcDigitalCardId'],
]);

/** Reads the fields of a form. */
export function readOrder(form: URLSearchParams): ReadOrder {
  const unknown = [...form.keys()].find((name) => !NAMES.has(name));
  if (unknown !== undefined) return { error: `Only ${[...NAMES].join(', ')} are known.` };
  const field = (name: keyof typeof DEFAULTS): string => form.get(name) ?? DEFAULTS[name];
  const [amount, currency] = [form.get('amount') ?? '', form.get('currency') ?? ''];
  const known = Object.hasOwn(currencies, currency) ? currencies[currency] : undefined;
  if (!AMOUNT.test(amount)) return { error: 'amount must be like 92.00.' };
  if (known === undefined) {
    return { error: `currency must be one of ${Object.keys(currencies).join(', ')}.` };
  }
  const enrolled = form.get('srcDigitalCardId');
  if (enrolled !== null && !Object.hasOwn(ENROLLED, enrolled)) {
    return { error: `srcDigitalCardId must be one of ${Object.keys(ENROLLED).join(', ')}.` };
  }
  const number = ENROLLED[enrolled ?? ''] ?? field('card.number');
  if (!CARD_NUMBER.test(number)) return { error: 'card.number must have 12 to 19 digits.' };
  const [expiryMonth, expiryYear] = [field('card.expiryMonth'), field('card.expiryYear')];
  if (!MONTH.test(expiryMonth)) return { error: 'card.expiryMonth must be 01 to 12.' };
  if (!YEAR.test(expiryYear)) return { error: 'card.expiryYear must be like 2034.' };
  const numberType = field('card.numberType');
  if (numberType !== 'PAN' && numberType !== 'DPAN') {
    return { error: 'card.numberType must be PAN or DPAN.' };
  }
  const [holder, entityId] = [form.get('card.holder'), form.get('entityId')];
  if ((holder ?? '').length > HOLDER_LENGTH_MAX) return { error: 'card.holder is too long.' };
  if (entityId !== null && !ENTITY_ID.test(entityId)) {
    return { error: 'entityId must have 32 hex digits.' };
  }
  const [transaction, dpa] = [form.get('srciTransactionId'), form.get('srcDpaId')];
  if ([transaction, dpa].some((name) => name !== null && !NAMED.test(name))) {
    return { error: 'srciTransactionId and srcDpaId have letters, digits and hyphens.' };
  }
  const [currencyNumber, decimals] = known;
  const amountMinor = minorUnits(amount, decimals);
  if (amountMinor === undefined) return { error: `amount must have no fraction in ${currency}.` };
  return {
    order: {
      ...{ number, expiryMonth, expiryYear, numberType, amount, amountMinor },
      ...{ currency, currencyNumber },
      ...(holder !== null && { holder }),
      ...(entityId !== null && { entityId }),
      ...(transaction !== null && { transaction }),
      ...(dpa !== null && { dpa }),
    },
  };
}

/** The interface has two decimals whatever the currency; undefined for a fraction that it lacks. */
function minorUnits(amount: string, decimals: number): number | undefined {
  const [whole = '', fraction = '00'] = amount.split('.');
  const digits = fraction.padEnd(Math.max(decimals, 2), '0');
  if (!/^0*$/.test(digits.slice(decimals))) return undefined;
  return Number(`${whole}${digits.slice(0, decimals)}`);
}
