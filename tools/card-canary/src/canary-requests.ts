import type { CanaryCard } from './canary-cards.js';
import { typed } from './number-spellings.js';

/** One request that carries a canary, rightly or wrongly. */
export interface CanaryRequest {
  /** Which way the card takes, for the report. */
  readonly kind: string;
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Whom the requests are from. */
export interface CanaryAccount {
  readonly entityId: string;
  readonly accessToken: string;
}

/** A security code of twelve digits is malformed and searched like a card number. */
export const malformedCodes = ['730918264455', '918273645566', '604815927733'] as const;

/** PINs of gift cards, which may be as long: what is searched like a card number is found wherever it is. */
export const giftCardPins = ['284610937752', '917264803318', '450829176631'] as const;

/** A form by parameter name. */
export type Form = Readonly<Record<string, string>>;
type MakeForm = (card: CanaryCard, other: CanaryCard, index: number) => Form;

const FORM_TYPE = 'application/x-www-form-urlencoded; charset=UTF-8';

/** A payment that would be approved. */
export function paying(card: CanaryCard, index: number): Form {
  return {
    amount: '92.00',
    currency: 'EUR',
    paymentBrand: card.brand,
    paymentType: index % 2 === 0 ? 'DB' : 'PA',
    'card.number': card.number,
    'card.holder': 'Jane Jones',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    'card.cvv': card.securityCode,
  };
}

/** An account whose number is the canary's, which is then looked for like a card's. */
function debiting(account: Form, index: number): Form {
  return {
    ...{ amount: '92.00', currency: 'EUR', paymentType: index % 2 === 0 ? 'DB' : 'PA' },
    ...{ paymentBrand: 'DIRECTDEBIT_SEPA', 'bankAccount.holder': 'Jane Jones' },
    ...{ 'bankAccount.bic': 'MARKDEF1100', ...account },
  };
}

/** The same of a gift card. */
function giving({ number }: CanaryCard, index: number): Form {
  return {
    ...{ amount: '92.00', currency: 'EUR', paymentType: index % 2 === 0 ? 'DB' : 'PA' },
    ...{ paymentBrand: 'GIFTCARD', 'giftCard.holder': 'Mary Morstan' },
    ...{ 'giftCard.number': number },
    'giftCard.pin': giftCardPins[index % giftCardPins.length] ?? giftCardPins[0],
  };
}

/** The same of an account at a provider; what the merchant initiates is decided without a shopper. */
function agreeing({ number }: CanaryCard, index: number): Form {
  return {
    ...{ amount: '92.00', currency: 'EUR', paymentType: index % 2 === 0 ? 'DB' : 'PA' },
    ...{ paymentBrand: 'PAYPAL', 'virtualAccount.accountId': number },
    ...{ 'standingInstruction.source': 'MIT', 'standingInstruction.agreementId': 'CANARIES' },
  };
}

const MONEY = { amount: '92.00', currency: 'EUR' } as const;
/** Interface 2.17: so many characters has what proves a payment. */
const CRYPTOGRAM_LENGTH = 28;

/** A token in place of a card, whose cryptogram holds another canary's number. */
function byToken(card: CanaryCard, other: CanaryCard, index: number): Form {
  return {
    ...{ ...MONEY, paymentType: index % 2 === 0 ? 'DB' : 'PA', paymentBrand: card.brand },
    'tokenAccount.number': card.number,
    'tokenAccount.type': index % 2 === 0 ? 'NETWORK' : 'EXTERNAL',
    ...{ 'tokenAccount.expiryMonth': '11', 'tokenAccount.expiryYear': '2034' },
    'tokenAccount.cryptogram': other.number.padEnd(CRYPTOGRAM_LENGTH, 'A'),
  };
}

/** The number of a device, whose cryptogram holds another canary's number. */
function ofWallet(card: CanaryCard, other: CanaryCard, index: number): Form {
  const { 'card.cvv': _, ...rest } = paying(card, index);
  return {
    ...rest,
    [`${['applePay', 'googlePay', 'samsungPay', 'clickToPay'][index % 4] ?? 'applePay'}.source`]:
      'app',
    // As the card's network has it, or the cryptogram would not even come as far as the vault.
    'threeDSecure.eci': ['MASTER', 'MAESTRO'].includes(card.brand) ? '02' : '05',
    'threeDSecure.verificationId': `${other.number.padEnd(CRYPTOGRAM_LENGTH - 1, 'A')}=`,
  };
}

/** Twenty digits of an account, which hold any card number, after four of the bank. */
function ibanOf({ number }: CanaryCard): string {
  const account = `0999${number.padStart(20, '0')}`;
  // ISO 13616: the country's letters as numbers, and two zeros in place of what is looked for.
  const remainder = BigInt(`${account}211100`) % 97n;
  return `LB${String(98n - remainder).padStart(2, '0')}${account}`;
}

/** Ways through the form of a payment; each card takes one of them. */
const formWays: Readonly<Record<string, MakeForm>> = {
  approved: (card, _other, index) => paying(card, index),
  declined: (card, _other, index) => ({
    ...paying(card, index),
    'customParameters[forceResultCode]': '800.100.152',
  }),
  'declined by holder': (card, _other, index) => ({
    ...paying(card, index),
    'card.holder': '800.100.151',
  }),
  fault: (card, _other, index) => ({
    ...paying(card, index),
    'customParameters[simulator.fault]':
      ['drop-before', 'drop-after', 'http-500', 'garbage', 'twice', 'late:200', 'delay:200'][
        index % 7
      ] ?? 'twice',
  }),
  expired: (card, _other, index) => ({ ...paying(card, index), 'card.expiryYear': '2019' }),
  'other brand': (card, _other, index) => ({
    ...paying(card, index),
    paymentBrand: card.brand === 'VISA' ? 'MASTER' : 'VISA',
  }),
  'malformed expiry': (card, _other, index) => ({
    ...paying(card, index),
    'card.expiryMonth': '13',
  }),
  'malformed code': (card, _other, index) => ({
    ...paying(card, index),
    'card.cvv': malformedCodes[index % malformedCodes.length] ?? malformedCodes[0],
  }),
  'malformed number': (card, _other, index) => ({
    ...paying(card, index),
    'card.number': typed(card.number, index + 1),
  }),
  'missing amount': (card, _other, index) => {
    const { amount: _amount, ...rest } = paying(card, index);
    return rest;
  },
  'in customParameters': (card, other, index) => ({
    ...paying(card, index),
    'customParameters[note]': typed(other.number, index),
  }),
  'as name of a customParameter': (card, other, index) => ({
    ...paying(card, index),
    [`customParameters[${other.number}]`]: 'x',
  }),
  'code in customParameters': (card, other, index) => ({
    ...paying(card, index),
    'customParameters[cvv]': other.securityCode,
    'customParameters[card.cvv]': card.securityCode,
    'customParameters[cardCVCNumber]': card.securityCode,
  }),
  'in merchantMemo': (card, other, index) => ({
    ...paying(card, index),
    merchantMemo: typed(other.number, index),
  }),
  'in descriptor': (card, other, index) => ({
    ...paying(card, index),
    descriptor: typed(other.number, index),
  }),
  'in card.holder': (card, _other, index) => ({
    ...paying(card, index),
    'card.holder': typed(card.number, index),
  }),
  'as merchantTransactionId': (card, _other, index) => ({
    ...paying(card, index),
    merchantTransactionId: card.number,
  }),
  'as merchantInvoiceId': (card, _other, index) => ({
    ...paying(card, index),
    merchantInvoiceId: card.number,
  }),
  'in other fields': (card, other, index) => ({
    ...paying(card, index),
    [['customer.givenName', 'billing.street1', 'customer.email', 'cart.items[0].name'][index % 4] ??
    'customer.givenName']: typed(other.number, index),
  }),
  'as amount, currency, brand, type': (card, _other, index) => ({
    ...paying(card, index),
    [['amount', 'currency', 'paymentBrand', 'paymentType'][index % 4] ?? 'amount']: card.number,
  }),
  'as forced code or fault': (card, other, index) => ({
    ...paying(card, index),
    [`customParameters[${index % 2 === 0 ? 'forceResultCode' : 'simulator.fault'}]`]: other.number,
  }),
  'as registration': (card, _other, index) => ({
    ...paying(card, index),
    registrationId: card.number,
  }),
  'stored with the payment': (card, _other, index) => ({
    ...paying(card, index),
    createRegistration: 'true',
  }),
  'as IBAN': (card, _other, index) => debiting({ 'bankAccount.iban': ibanOf(card) }, index),
  'as malformed IBAN': (card, _other, index) =>
    debiting({ 'bankAccount.iban': `DE00${card.number}` }, index),
  'as account number': (card, _other, index) =>
    debiting({ 'bankAccount.number': card.number }, index),
  'as stored IBAN': (card, _other, index) =>
    debiting({ 'bankAccount.iban': ibanOf(card), createRegistration: 'true' }, index),
  'as account at a provider': (card, _other, index) => agreeing(card, index),
  'as stored account at a provider': (card, _other, index) => ({
    ...agreeing(card, index),
    createRegistration: 'true',
  }),
  'as account at a provider that asks the shopper': ({ number }) => ({
    ...{ ...MONEY, paymentType: 'DB', paymentBrand: 'PAYPAL' },
    ...{ 'virtualAccount.accountId': number, shopperResultUrl: 'https://shop.test/result' },
  }),
  'as gift card': (card, _other, index) => giving(card, index),
  'as stored gift card': (card, _other, index) => ({
    ...giving(card, index),
    createRegistration: 'true',
  }),
  'as gift card beside a card': (card, other, index) => ({
    ...paying(card, index),
    'giftCard.number': other.number,
    'giftCard.pin': other.securityCode,
  }),
  'as token': (card, other, index) => byToken(card, other, index),
  'as stored token': (card, other, index) => ({
    ...byToken(card, other, index),
    createRegistration: 'true',
  }),
  'as token with a code': (card, other, index) => {
    const { 'tokenAccount.cryptogram': _, ...rest } = byToken(card, other, index);
    return { ...rest, 'tokenAccount.dtvc': card.securityCode };
  },
  'out of a wallet': (card, other, index) => ofWallet(card, other, index),
  'out of a wallet, stored': (card, other, index) => ({
    ...ofWallet(card, other, index),
    createRegistration: 'true',
  }),
  'as malformed token of a wallet': (card, _other, index) => ({
    ...MONEY,
    ...{ paymentType: index % 2 === 0 ? 'DB' : 'PA', paymentBrand: 'SAMSUNGPAY' },
    'samsungPay.paymentToken': `{"method":"3DS","3DS":{"data":"${card.number}"}}`,
  }),
  'as unknown parameter': (card, other, index) => ({
    ...paying(card, index),
    [`x${other.number}`]: card.number,
  }),
};

/** Ways outside the form: targets, headers, and bodies that are no form. */
const rawWays: Readonly<
  Record<string, (card: CanaryCard, account: CanaryAccount) => Partial<CanaryRequest>>
> = {
  'in the path': ({ number }) => ({ method: 'GET', target: `/v1/payments/${number}`, body: '' }),
  'in the path of a reference': ({ number }) => ({ target: `/v1/payments/${number}` }),
  'in a longer path': ({ number }) => ({
    method: 'GET',
    target: `/v1/payments/${number.padEnd(32, 'a')}`,
    body: '',
  }),
  'stored for later': () => ({ target: '/v1/registrations' }),
  'in a checkout': () => ({ target: '/v1/checkouts' }),
  'in the path of a checkout': ({ number }) => ({
    ...{ method: 'GET', target: `/v1/checkouts/${number.padEnd(32, 'A')}/payment`, body: '' },
  }),
  "in a shopper's form": () => ({ target: `/v1/checkouts/${'A'.repeat(32)}.sluice/payment` }),
  'in the path of a registration': ({ number }) => ({
    ...{ method: 'GET', target: `/v1/registrations/${number}`, body: '' },
  }),
  'in a schedule': () => ({ target: '/scheduling/v1/schedules' }),
  'in the path of a schedule': ({ number }) => ({
    ...{ method: 'GET', target: `/scheduling/v1/schedules/${number}`, body: '' },
  }),
  'in a change of a registration': () => ({ target: `/v1/registrations/${'0'.repeat(32)}` }),
  'in the path of a payment by registration': ({ number }) => ({
    target: `/v1/registrations/${number}/payments`,
  }),
  'in the query': ({ number, securityCode }) => ({
    target: `/v1/payments?card.number=${number}&card.cvv=${securityCode}`,
  }),
  'in the query of a read': ({ number }, { entityId }) => ({
    method: 'GET',
    target: `/v1/payments/${'0'.repeat(32)}?entityId=${entityId}&card.number=${number}`,
    body: '',
  }),
  'as idempotency key': ({ number }) => ({ headers: { 'Idempotency-Key': number } }),
  'as access token': ({ number }) => ({ headers: { Authorization: `Bearer ${number}` } }),
  'in other headers': ({ number }) => ({
    headers: { 'User-Agent': number, Referer: `https://shop.test/${number}`, 'X-Card': number },
  }),
  twice: ({ number, securityCode }) => ({
    body: `card.number=${number}&card.number=${number}&card.cvv=${securityCode}`,
  }),
  'in JSON': ({ number, securityCode }) => ({
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ card: { number, cvv: securityCode } }),
  }),
  'in broken JSON': ({ number, securityCode }) => ({
    headers: { 'Content-Type': 'application/json' },
    body: `{"card":{"number":"${number}","cvv":"${securityCode}"`,
  }),
  'in XML': ({ number }) => ({
    headers: { 'Content-Type': 'application/xml' },
    body: `<card><number>${number}</number></card>`,
  }),
  'in broken encoding': ({ number }) => ({ body: `card.number=${number}%zz` }),
  'as the whole body': ({ number }) => ({ body: number }),
};

/** How many ways there are: send at least so many cards. */
export const waysTotal = Object.keys(formWays).length + Object.keys(rawWays).length;

/** Requests that together use every card at least once and every way several times. */
export function canaryRequests(
  account: CanaryAccount,
  cards: readonly CanaryCard[],
): CanaryRequest[] {
  const forms = Object.entries(formWays);
  const raws = Object.entries(rawWays);
  return cards.map((card, index) => {
    const round = Math.floor(index / waysTotal);
    const way = index % waysTotal;
    const other = cards[(index + 1) % cards.length] ?? card;
    const [formKind, makeForm] = forms[way] ?? [];
    if (formKind !== undefined && makeForm !== undefined) {
      return canaryRequest(account, formKind, makeForm(card, other, round));
    }
    const [kind = '', makeRaw] = raws[way - forms.length] ?? [];
    const usual = canaryRequest(account, kind, paying(card, round));
    const raw = makeRaw?.(card, account) ?? {};
    return { ...usual, ...raw, headers: { ...usual.headers, ...raw.headers } };
  });
}

/** A form POST to `/v1/payments`, or to the payment that `target` names. */
export function canaryRequest(
  account: CanaryAccount,
  kind: string,
  form: Form,
  target = '/v1/payments',
): CanaryRequest {
  return {
    kind,
    method: 'POST',
    target,
    headers: { Authorization: `Bearer ${account.accessToken}`, 'Content-Type': FORM_TYPE },
    body: new URLSearchParams({ entityId: account.entityId, ...form }).toString(),
  };
}

/** A payment whose acquirer takes its time: whoever kills the sandbox meanwhile hits it in hand. */
export function slowPayment(account: CanaryAccount, card: CanaryCard): CanaryRequest {
  const form = { ...paying(card, 0), 'customParameters[simulator.fault]': 'delay:3000' };
  return canaryRequest(account, 'killed in the middle', form);
}
