/** How a first payment is paid, as its merchant sends it. */
interface InstrumentRow {
  /** Whatever later payments of an agreement send again; `mandate` is the id of one, in letters. */
  readonly fields: (mandate: string) => Readonly<Record<string, string>>;
  /** What proves one payment alone. */
  readonly proof?: Readonly<Record<string, string>>;
  /** Whether it goes into a file for a bank; all others go to the simulator. */
  readonly isForBank?: true;
}

/** The card of this merchant's shoppers, without its security code. */
export const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
} as const;

/** Everything that is paid with beside accounts at a provider, which need a shopper. */
export const instruments = {
  card: { fields: () => CARD, proof: { 'card.cvv': '123' } },
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
    fields: (mandate) => ({
      // In the mode INTERNAL the simulator plays the bank, too.
      ...{ testMode: 'EXTERNAL', paymentBrand: 'DIRECTDEBIT_SEPA' },
      ...{ 'bankAccount.holder': 'Jane Jones', 'bankAccount.iban': 'DE23100000001234567890' },
      ...{ 'bankAccount.bic': 'MARKDEF1100', 'bankAccount.country': 'DE' },
      ...{ 'bankAccount.mandate.id': mandate, 'bankAccount.mandate.dateOfSignature': '2026-03-02' },
    }),
    isForBank: true,
  },
} satisfies Readonly<Record<string, InstrumentRow>>;

/** One of them. */
export type InstrumentName = keyof typeof instruments;

/** Whether what is paid with it goes into a file for a bank. */
export function isForBank(name: InstrumentName | undefined): boolean {
  if (name === undefined) return false;
  const row: InstrumentRow = instruments[name];
  return row.isForBank === true;
}

/** What a payment with it says. */
export function fieldsOf(
  name: InstrumentName,
  { mandate, isProven }: { readonly mandate: string; readonly isProven: boolean },
): Readonly<Record<string, string>> {
  const { fields, proof = {} }: InstrumentRow = instruments[name];
  return { ...fields(mandate), ...(isProven ? proof : {}) };
}

const LETTERS_OF_DIGITS = 'GHIJKLMNOP';

/** A mandate for each request: ids have letters and hyphens alone, so digits become others than A to F. */
export function mandateOf(reference: string): string {
  return reference.toUpperCase().replaceAll(/[0-9]/gu, (digit) => LETTERS_OF_DIGITS.charAt(+digit));
}
