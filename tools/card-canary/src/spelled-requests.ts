import type { CanaryCard } from './canary-cards.js';
import {
  type CanaryAccount,
  type CanaryRequest,
  canaryRequest,
  type Form,
  paying,
} from './canary-requests.js';
import { spellings, typed, typedInAscii } from './number-spellings.js';

type Place = (card: CanaryCard, spelling: number) => Form;

/** Every parameter that takes a text, and some that do not, with the request's own number. */
const places: Readonly<Record<string, Place>> = {
  'free texts': ({ number }, spelling) => ({
    merchantMemo: `memo ${typed(number, spelling)}`,
    descriptor: typed(number, spelling),
    transactionPurposeAccount: typed(number, spelling),
    'customParameters[note]': typed(number, spelling),
    'customParameters[SHOPPER_note]': `${typed(number, spelling)} and so on`,
  }),
  ...inParameter('merchantTransactionId'),
  ...inParameter('merchantInvoiceId'),
  ...inParameter('lifecycleId'),
  ...inParameter('transactionCategory'),
  ...inParameter('standingInstruction.agreementId'),
  ...inParameter('standingInstruction.initialTransactionId'),
  ...inParameter('card.holder'),
  ...inParameter('card.number'),
  ...inParameter('locale'),
  'a URL': ({ number }, spelling) => ({
    shopperResultUrl: `https://shop.test/?card=${encodeURIComponent(typed(number, spelling))}`,
  }),
  'wrong formats': ({ number }, spelling) => ({
    currency: typed(number, spelling),
    taxAmount: typed(number, spelling),
    testMode: typed(number, spelling),
    transactionPurposeCode: typed(number, spelling),
    'customParameters[forceResultCode]': typed(number, spelling),
    'customParameters[simulator.fault]': typed(number, spelling),
  }),
  'parts not built': ({ number }, spelling) => ({
    'customer.givenName': typed(number, spelling),
    'billing.street1': typed(number, spelling),
    'cart.items[0].name': typed(number, spelling),
  }),
  names: ({ number }, spelling) => ({
    [`customParameters[${typed(number, spelling)}]`]: 'x',
    [typed(number, spelling)]: typed(number, spelling),
  }),
};

type Outside = (spelled: string) => Partial<CanaryRequest>;

/** The same outside the form. */
const outside: Readonly<Record<string, Outside>> = {
  path: (spelled) => ({ method: 'GET', target: `/v1/payments/${spelled}`, body: '' }),
  'path of a reference': (spelled) => ({ target: `/v1/payments/${spelled}` }),
  'unknown path': (spelled) => ({ method: 'GET', target: `/${spelled}`, body: '' }),
  query: (spelled) => ({ target: `/v1/payments?merchantMemo=${spelled}` }),
  headers: (spelled) => ({
    headers: { 'Idempotency-Key': spelled, 'User-Agent': spelled, 'X-Request-Id': spelled },
  }),
  'access token': (spelled) => ({ headers: { Authorization: `Bearer ${spelled}` } }),
};

const placesTotal = Object.keys(places).length + Object.keys(outside).length;

/** How many requests there are: give as many cards. */
export const spelledTotal = placesTotal * spellings.length;

/** Every spelling in every place, each with a card of its own. */
export function spelledRequests(
  account: CanaryAccount,
  cards: readonly CanaryCard[],
): CanaryRequest[] {
  const makers = [
    ...Object.entries(places).map(([kind, place]) => formMaker(account, kind, place)),
    ...Object.entries(outside).map(([kind, change]) => outsideMaker(account, kind, change)),
  ];
  return cards.slice(0, spelledTotal).flatMap((card, index) => {
    const maker = makers[index % makers.length];
    return maker === undefined ? [] : [maker(card, Math.floor(index / makers.length))];
  });
}

type Maker = (card: CanaryCard, spelling: number) => CanaryRequest;

function formMaker(account: CanaryAccount, kind: string, place: Place): Maker {
  return (card, spelling) => {
    const form = { ...paying(card, 0), ...place(card, spelling) };
    return canaryRequest(account, `spelled in ${kind}`, form);
  };
}

function outsideMaker(account: CanaryAccount, kind: string, change: Outside): Maker {
  return (card, spelling) => {
    const usual = canaryRequest(account, `spelled in ${kind}`, paying(card, 0));
    const changed = change(typedInAscii(card.number, spelling));
    return { ...usual, ...changed, headers: { ...usual.headers, ...changed.headers } };
  };
}

function inParameter(name: string): Record<string, Place> {
  return { [name]: ({ number }, spelling) => ({ [name]: typed(number, spelling) }) };
}
