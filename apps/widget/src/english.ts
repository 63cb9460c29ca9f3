/** What the forms say, in English; every other language says the same (`languages`). */
export const english = {
  brand: 'Brand',
  cardNumber: 'Card number',
  expiryDate: 'Expiry date',
  mmyy: 'MM / YY',
  cardHolder: 'Name on card',
  cvv: 'Security code',
  submit: 'Pay now',
  store: 'Save card',
  cvvHint: 'The three digits on the back of the card',
  cvvHint4: 'The four digits on the front of the card',
  brandError: 'Choose the brand of your card',
  cardNumberError: 'Check the card number',
  expiryMonthError: 'Check the expiry date',
  expiryYearError: 'This card has expired',
  cardHolderError: 'Check the name on the card',
  cvvError: 'Check the security code',
  declined: 'The payment was declined. Check your details or use another card.',
  invalid: 'Some details cannot be accepted. Check them and try again.',
  over: 'This payment can no longer be completed here. Go back to the shop.',
  unknown: 'We could not reach the payment service. Try again: you will not be charged twice.',
  accountHolder: 'Account holder',
  accountIban: 'IBAN',
  accountBic: 'BIC',
  accountNumber: 'Account number',
  bankCode: 'Bank code',
  country: 'Country',
  accountId: 'Account (e-mail or phone number)',
  directDebit: 'Direct debit',
  storeAccount: 'Save account',
  goOn: 'Continue to {brand}',
  mandate:
    'By submitting this form you authorize the shop to collect payments from your account by direct debit, and your bank to carry them out.',
  refundRight: 'You can ask your bank for a refund within eight weeks of a debit.',
  accountHolderError: 'Check the name of the account holder',
  accountIbanError: 'Check the IBAN',
  accountBicError: 'Check the BIC',
  accountNumberError: 'Check the account number',
  bankCodeError: 'Check the bank code',
  countryError: 'Choose a country',
  accountIdError: 'Check the account',
  declinedAccount: 'The payment was declined. Check your details or pay in another way.',
};

/** The texts of one language. */
export type Texts = Readonly<typeof english>;
/** The name of a text, by which shops replace it. */
export type TextName = keyof Texts;
