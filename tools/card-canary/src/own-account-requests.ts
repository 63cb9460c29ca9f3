import type { SeededRandom } from '@sluice/testing';
import type { CanaryBankAccount } from './bank-files.js';
import { luhnCheckDigit } from './canary-cards.js';
import {
  type CanaryAccount,
  type CanaryRequest,
  canaryRequest,
  type Form,
} from './canary-requests.js';
import { typed } from './number-spellings.js';

/*
 * What is paid with and is no card, sent a second time in parameters that are not for it. None of it
 * passes the check of a card number, so no mask of card numbers hides what should be hidden as an account.
 * IBANs are also sent with a card, as in requests that refer to a payment by account: they are known anywhere.
 */

/** No issuer of cards begins with it. */
const HEAD = '10';
const DIGITS = 16;
const MONEY = { amount: '92.00', currency: 'EUR', paymentType: 'DB' } as const;

/** Numbers that nothing takes for a card's, none like another. */
export function canaryAccountNumbers(random: SeededRandom, count: number): readonly string[] {
  return Array.from({ length: count }, () => {
    let body = HEAD;
    while (body.length < DIGITS - 1) body += String(random.integer(0, 9));
    return body + String((Number(luhnCheckDigit(body)) + 1) % 10);
  });
}

/** A payment by one account, and what is sent a second time of it. */
interface Paid {
  readonly form: Form;
  readonly again: string;
}

/** Ways to pay; each takes an account of its own. */
const instruments: Readonly<Record<string, (number: string, bank: CanaryBankAccount) => Paid>> = {
  IBAN: (_, { iban }) => ({
    form: { ...debiting, 'bankAccount.iban': iban },
    again: iban,
  }),
  'IBAN in groups and small letters': (_, { iban }) => ({
    form: { ...debiting, 'bankAccount.iban': iban },
    again: iban.toLowerCase().replaceAll(/.{4}/g, '$& '),
  }),
  'account number': (number) => ({
    form: { ...debiting, 'bankAccount.number': number },
    again: number,
  }),
  token: (number) => ({
    form: {
      ...{ ...MONEY, paymentBrand: 'VISA', 'tokenAccount.type': 'EXTERNAL' },
      'tokenAccount.number': number,
    },
    again: number,
  }),
  'gift card': (number) => ({
    form: { ...giving, 'giftCard.number': number, 'giftCard.pin': '9047' },
    again: number,
  }),
  PIN: (number) => ({
    form: { ...giving, 'giftCard.number': 'GIFT-0000-QUIX', 'giftCard.pin': number },
    again: number,
  }),
  'IBAN of another request': (_, { iban }) => ({ form: byCard, again: iban }),
  'IBAN of another request, in groups and small letters': (_, { iban }) => ({
    form: byCard,
    again: iban.toLowerCase().replaceAll(/.{4}/g, '$& '),
  }),
  'account of a sender': (number) => ({
    form: {
      ...{ ...debiting, 'bankAccount.iban': 'DE89370400440532013000' },
      'sender.accountNumber': number,
    },
    again: number,
  }),
};

const debiting = {
  ...{ ...MONEY, paymentBrand: 'DIRECTDEBIT_SEPA', 'bankAccount.holder': 'Jane Jones' },
  'bankAccount.bic': 'MARKDEF1100',
} as const;
/** The simulator's own card, which is not looked for. */
const byCard = {
  ...{ ...MONEY, paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.cvv': '123' },
  ...{ 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
} as const;
const giving = { ...MONEY, paymentBrand: 'GIFTCARD' } as const;

/** Parameters that it is sent in; the payment is made where they are texts, and refused where they are ids. */
const places: Readonly<Record<string, (again: string) => Form>> = {
  texts: (again) => ({
    descriptor: again,
    merchantMemo: `memo ${again}`,
    'customParameters[note]': `${again} and so on`,
    'customParameters[pin]': again,
    'customer.givenName': 'Jane',
    'customer.surname': 'Jones',
    'cart.items[0].name': again,
  }),
  merchantTransactionId: (again) => ({ merchantTransactionId: again }),
  merchantInvoiceId: (again) => ({ merchantInvoiceId: again }),
  lifecycleId: (again) => ({ lifecycleId: again }),
  names: (again) => ({ [`customParameters[${again}]`]: 'x', [`x${again}`]: again }),
  'wrong formats': (again) => ({ testMode: again, taxAmount: again }),
};

/** Where the account of another request cannot be known, as that of another card: ids are not altered. */
const IDS: readonly string[] = ['merchantTransactionId', 'merchantInvoiceId', 'lifecycleId'];

/** Every account in every place. */
const ways = Object.entries(instruments).flatMap(([instrument, pay]) =>
  Object.entries(places)
    .filter(([place]) => !instrument.includes('of another request') || !IDS.includes(place))
    .map(([place, put]) => ({ kind: kindOf(instrument, place), pay, put })),
);

/** How many accounts that takes, of each sort. */
export const ownAccountsTotal = ways.length;

/** The kind of the requests that are paid although the account stands in them twice. */
export const paidOwnAccountKinds: readonly string[] = Object.keys(instruments).map((instrument) =>
  kindOf(instrument, 'texts'),
);

function kindOf(instrument: string, place: string): string {
  return `in ${place}, an own ${instrument}`;
}

/** Every account in every place, spelled in turn. */
export function ownAccountRequests(
  account: CanaryAccount,
  numbers: readonly string[],
  banks: readonly CanaryBankAccount[],
): CanaryRequest[] {
  return ways.flatMap(({ kind, pay, put }, index) => {
    const [number, bank] = [numbers[index], banks[index]];
    if (number === undefined || bank === undefined) return [];
    const { form, again } = pay(number, bank);
    const spelled = again === number ? typed(again, index) : again;
    return [canaryRequest(account, kind, { ...form, ...put(spelled) })];
  });
}
