/** How a first payment is paid, as its merchant sends it. */
interface InstrumentRow {
  /**
   * Whatever later payments of an agreement send again. The merchant's number of the first payment
   * gives it a mandate, or a card, of its own.
   */
  readonly fields: (reference: string) => Readonly<Record<string, string>>;
  /** What proves one payment alone. */
  readonly proof?: Readonly<Record<string, string>>;
  /** Whether it goes into a file for a bank; all others go to the simulator in the end. */
  readonly isForBank?: true;
  /** It is paid at the channel that has one registration for each account. */
  readonly isStoredOnce?: true;
}

/** The card of this merchant's shoppers, without its security code. */
export const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
} as const;
const SECURITY_CODE = { 'card.cvv': '123' } as const;
/** The channel's routes are for this mode alone. */
const BY_ROUTE = { ...CARD, testMode: 'EXTERNAL' } as const;

/** Everything that is paid with beside accounts at a provider, which need a shopper. */
export const instruments = {
  card: { fields: () => CARD, proof: SECURITY_CODE },
  /** Its first acquirer books nothing and never will: the next route takes it. */
  failoverCard: { fields: () => BY_ROUTE, proof: SECURITY_CODE },
  /**
   * Its first acquirer declines, and its issuer advises another route. Each is another card, because
   * such an advice is remembered of a card that no acquirer has approved in the end.
   */
  declinedCard: {
    fields: (reference) => ({
      ...{ ...BY_ROUTE, paymentBrand: 'MASTER' },
      'card.number': cardNumber('545454', numberIn(reference)),
    }),
    proof: SECURITY_CODE,
  },
  /** For a while each payment is with the same card as the one before: it is stored again. */
  storedOnceCard: {
    fields: (reference) => ({ ...CARD, 'card.number': storedOnceNumber(reference) }),
    proof: SECURITY_CODE,
    isStoredOnce: true,
  },
  // Beside its brand, the token of a wallet is all that is sent.
  applePay: { fields: () => ({ paymentBrand: 'APPLEPAY' }) },
  googlePay: { fields: () => ({ paymentBrand: 'GOOGLEPAY' }) },
  samsungPay: { fields: () => ({ paymentBrand: 'SAMSUNGPAY' }) },
  clickToPay: { fields: () => ({ paymentBrand: 'CLICK_TO_PAY' }) },
  tokenAccount: {
    fields: () => ({
      ...{ paymentBrand: 'VISA', 'tokenAccount.number': '4200000000000075' },
      ...{ 'tokenAccount.type': 'NETWORK', 'tokenAccount.expiryMonth': '11' },
      'tokenAccount.expiryYear': '2034',
    }),
    proof: { 'tokenAccount.cryptogram': 'AgAAAAAABk4DWZ4C28yUQAAAAAA=' },
  },
  giftCard: {
    fields: () => ({
      ...{ paymentBrand: 'GIFTCARD', 'giftCard.number': '6006491260550218' },
      'giftCard.holder': 'Mary Morstan',
    }),
    proof: { 'giftCard.pin': '482193' },
  },
  decryptedWallet: {
    fields: () => ({ ...CARD, paymentBrand: 'APPLEPAY', 'applePay.source': 'web' }),
    proof: {
      'threeDSecure.verificationId': 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
      'threeDSecure.eci': '05',
    },
  },
  directDebit: {
    fields: (reference) => ({
      // In the mode INTERNAL the simulator plays the bank, too.
      ...{ testMode: 'EXTERNAL', paymentBrand: 'DIRECTDEBIT_SEPA' },
      ...{ 'bankAccount.holder': 'Jane Jones', 'bankAccount.iban': 'DE23100000001234567890' },
      ...{ 'bankAccount.bic': 'MARKDEF1100', 'bankAccount.country': 'DE' },
      ...{ 'bankAccount.mandate.id': mandateOf(reference) },
      'bankAccount.mandate.dateOfSignature': '2026-03-02',
    }),
    isForBank: true,
  },
} satisfies Readonly<Record<string, InstrumentRow>>;

/** One of them. */
export type InstrumentName = keyof typeof instruments;

/** Wallets whose tokens are paid with: parameters are named by them. */
export const walletNames = [
  'applePay',
  'googlePay',
  'samsungPay',
  'clickToPay',
] as const satisfies readonly InstrumentName[];

/** One of them. */
export type WalletName = (typeof walletNames)[number];

/** Whether what is paid with it goes into a file for a bank. */
export function isForBank(name: InstrumentName | undefined): boolean {
  return rowOf(name)?.isForBank === true;
}

/** Whether it is the token of a wallet. */
export function isWallet(name: InstrumentName | undefined): name is WalletName {
  return walletNames.some((each) => each === name);
}

/** Whether it is paid at the channel that has one registration for each account. */
export function isStoredOnce(name: InstrumentName | undefined): boolean {
  return rowOf(name)?.isStoredOnce === true;
}

function rowOf(name: InstrumentName | undefined): InstrumentRow | undefined {
  return name === undefined ? undefined : instruments[name];
}

/** What a payment with it says. */
export function fieldsOf(
  name: InstrumentName,
  { reference, isProven }: { readonly reference: string; readonly isProven: boolean },
): Readonly<Record<string, string>> {
  const { fields, proof = {} }: InstrumentRow = instruments[name];
  return { ...fields(reference), ...(isProven ? proof : {}) };
}

/** So many requests of all kinds: some of a card's payments are before a kill, and some after it. */
const CARD_CHANGES_AFTER = 150;

/** The first numbers behind these digits are test cards whose shoppers have to be authenticated. */
const FIRST_STORED_ONCE = 1_000;

/** The card that a payment stores at the channel which has one registration for each. */
export function storedOnceNumber(reference: string): string {
  const changes = Math.floor(numberIn(reference) / CARD_CHANGES_AFTER);
  return cardNumber('420000', FIRST_STORED_ONCE + changes);
}

/** What the merchant's number of a request ends with. */
function numberIn(reference: string): number {
  return Number(/[0-9]{1,6}$/u.exec(reference)?.[0] ?? 0);
}

const CARD_DIGITS = 16;

/** The card of this number among those with these first digits; its last digit is the check digit. */
function cardNumber(firstDigits: string, number: number): string {
  const digits = firstDigits + String(number).padStart(CARD_DIGITS - 1 - firstDigits.length, '0');
  const sum = Array.from(digits, Number).reduce((total, digit, index) => {
    const doubled = index % 2 === 0 ? 2 * digit : digit;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const LETTERS_OF_DIGITS = 'GHIJKLMNOP';

/** A mandate for each request: ids have letters and hyphens alone, so digits become others than A to F. */
function mandateOf(reference: string): string {
  return reference.toUpperCase().replaceAll(/[0-9]/gu, (digit) => LETTERS_OF_DIGITS.charAt(+digit));
}
