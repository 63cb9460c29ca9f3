/** The refusal of what is not served (D-70). */
const REFUSED = 'refused with 600.200.500 and a description that says so';
const UNLESS = 'unless `threeDSecure.disable` is true or an external server authenticated';
/**
 * What the interface promises of parameters and this version does not do, or what it does instead:
 * sentences for the reference (D-70). The first that fits a key holds.
 */
const sentences: readonly (readonly [keys: RegExp, sentence: string])[] = [
  [/^shopperResultUrl$/, 'Nothing calls the address itself when the shopper does not come back.'],
  [/^merchantMemo$/, 'Recorded only: there are no reports yet.'],
  [
    /^recurring\.numberOfInstallments$/,
    `With another number than 0 or 1, a CD, a payment by anything but a card, RB, a further authorization, a schedule and what only stores an account are ${REFUSED}; so is a payment that no acquirer of its channel takes in installments.`,
  ],
  [/^recurringMigration\.(?:paymentType|amount|requestTimestamp)$/, 'Recorded only.'],
  [
    /^giftCard\.(?:number|pin)$/,
    `An amount is not divided yet: beside another account, or a \`paymentBrand\` that is no gift card's, it is ${REFUSED}.`,
  ],
  [/^giftCard\.type$/, 'Recorded only.'],
  [/^marketPlace\./, 'Recorded only: an amount is not divided among sellers yet.'],
  [
    /^threeDSecure\.deviceInfo$/,
    `A checkout with it is ${REFUSED}, ${UNLESS}: its shopper is in a browser.`,
  ],
  [
    /^threeDSecure\.authenticationStatus$/,
    `N and U say that the authentication failed: a payment with them is ${REFUSED}.`,
  ],
];

/** What is not done yet with a parameter, in a sentence; undefined where all is done. */
export function notYet(key: string): string | undefined {
  return sentences.find(([keys]) => keys.test(key))?.[1];
}

/** What becomes of everything that is taken, for the head of the reference. */
export function recordingNote(): string {
  return (
    'What a payment takes is recorded with it, account data and secrets apart, whether or not the answer ' +
    'returns it, and an acquirer is given what its connector takes. What is not done yet with a ' +
    'parameter is said in its row.'
  );
}
