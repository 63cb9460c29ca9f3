/*
 * How shops call a card's security code, or its PIN, in data of their own. Neither may be kept once
 * a payment is authorized, not even encrypted (S-PCI-03), so a value under such a name is masked.
 */

/** What a security code is called, without separators and in small letters. */
const CODES = [
  ...['cvv', 'cvv2', 'cvc', 'cvc2', 'cvn', 'cvn2', 'cvd', 'cvd2', 'csc', 'cav2', 'cvx2', '4dbc'],
  ...['securitycode', 'securitynumber', 'securityvalue', 'securitydigits', 'seccode'],
  ...['verificationcode', 'verificationvalue', 'verificationnumber', 'verificationdigits'],
  ...['validationcode', 'validationvalue', 'identificationcode'],
];
/** Words that mean a code of a card only alone or beside a word for the card: others have them too. */
const AMBIGUOUS = ['cid', 'pin'];
/** What stands before a name where it is one word with it: `cardcvv`, `ccCvv`. */
const OF_CARDS = ['card', 'credit', 'debit', 'payment', 'bank', 'cc', 'visa', 'master', 'amex'];
/** What may follow it: `cvvNumber`, `cvc_code`, `csc1`. */
const NOUNS = ['code', 'number', 'value', 'digits', 'nr', 'num', 'no', 'field', 'input', 'plain'];

/** With a word for a card before it even the postal code of India is a PIN. */
const POSTAL_CODE = /^pincode[0-9]*$/;

/** With any of its readings that begins at a word. */
const NAME = new RegExp(
  `^(?:${OF_CARDS.join('|')})*(?:${CODES.join('|')})(?:${NOUNS.join('|')}|[0-9])*$`,
);
/** As a whole. */
const WHOLE_NAME = new RegExp(
  `^(?:${OF_CARDS.join('|')})*(?:${AMBIGUOUS.join('|')})(?:${NOUNS.join('|')}|[0-9])*$`,
);

/** A word of `cardCvvNumber`, `CARD_CVV`, `card.cvv`, `CVVNumber`. */
const WORD = /[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+/g;

/**
 * Whether a name of a merchant's own is one of a security code or a PIN, in whatever case, with
 * whatever between its words, and whatever words before it. That is a matter of words: `cidade`,
 * `shipping` and `spinner` are others, and `cvvChecked` is about a code without being one.
 */
export function isSecurityCodeName(name: string): boolean {
  const words = (name.match(WORD) ?? []).map((word) => word.toLowerCase());
  const whole = words.join('');
  if (WHOLE_NAME.test(whole) && !POSTAL_CODE.test(whole)) return true;
  return words.some((_, first) => NAME.test(words.slice(first).join('')));
}
