/** What the card form says, in English; every other language says the same (`languages`). */
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
};

/** The texts of one language. */
export type Texts = Readonly<typeof english>;
/** The name of a text, by which shops replace it. */
export type TextName = keyof Texts;
