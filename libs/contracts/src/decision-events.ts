import type { TransactionId } from '@sluice/identifiers';
import { appChallenge } from './app-challenges.js';
import { riskDecisions } from './assessments.js';
import { authenticationFlows, authenticationStatuses } from './authentications.js';
import { decline } from './declines.js';
import { amount } from './event-codec.js';
import { redirect } from './redirects.js';
import { closed, described, flag, formed, integer, listOf, oneOf, text, texts } from './schema.js';

const transactionId = formed<TransactionId>('^[0-9a-f]{32}$');
const resultCode = formed('^[0-9]{3}\\.[0-9]{3}\\.[0-9]{3}$');
const ofTransaction = { transactionId };
const authenticationId = described(
  formed<TransactionId>('^[0-9a-f]{32}$'),
  'Of the payment itself, or of its second authentication.',
);

/** What was decided under review: a person, or the time that the channel set. */
export const reviewDecisions = ['released', 'rejected'] as const;

/** What a payment goes on with after an authentication, because its command is gone by then. */
export const resumption = closed(
  {},
  {
    returnUrl: described(text, 'Where the acquirer sends the shopper back to.'),
    testDirectives: described(texts, 'What a test tells the simulator to do.'),
    redirectUrl: described(text, 'Where the shopper of another authentication would begin.'),
    storedByPaymentId: described(
      transactionId,
      'The payment that stored what this one is made with.',
    ),
  },
);

const assessed = { decision: oneOf(riskDecisions), score: integer };
const reasons = {
  resultCode: described(resultCode, 'Why it is rejected or reviewed.'),
  fired: listOf(text, 'The ids of the rules that spoke.'),
};

/** What the merchant's rules said. */
export const riskAssessed = closed(
  { ...ofTransaction, ...assessed },
  {
    ...reasons,
    afterwards: listOf(
      closed({ pairs: listOf(text), ...assessed }, reasons),
      'What they will say of an approval, by what the issuer finds of address and security code, `NM` say.',
    ),
  },
);

/** Somebody, or the time, has decided about a payment under review. */
export const reviewDecided = closed({ ...ofTransaction, decision: oneOf(reviewDecisions) });

/** The shopper has to be authenticated first. */
export const authenticationPending = closed(
  {
    ...{ ...ofTransaction, authenticationId, resumption },
    expiresAtMs: described(integer, 'When it ends without a word, milliseconds since the epoch.'),
  },
  {
    redirect: described(
      redirect,
      'Where the shopper has to go; absent if the issuer asks elsewhere.',
    ),
    decline: described(decline, 'What the issuer said without an authentication.'),
    appChallenge: described(appChallenge, "What the shopper's app goes on with."),
  },
);

/** How an authentication ended. The cryptogram is in the vault. */
export const authenticationCompleted = closed(
  {
    ...{ ...ofTransaction, authenticationId, resultCode },
    flow: oneOf(authenticationFlows),
    goesOn: described(flag, 'Whether the payment may go on, by the rules of its channel.'),
    liabilityShifts: described(flag, 'Whether the issuer bears a fraud.'),
  },
  {
    status: oneOf(authenticationStatuses, 'Absent where nobody was asked.'),
    authenticated: described(
      amount,
      'For how much, where that is less than is paid, or in another currency: then no liability shifts.',
    ),
    proofReference: described(text, 'What stands for the cryptogram in the vault.'),
    eci: formed('^0[0-9]$'),
    version: text,
    serverTransactionId: text,
    dsTransactionId: text,
    acsTransactionId: text,
    statusReason: formed('^[0-9]{2}$'),
    challengeCancel: formed('^[0-9]{2}$'),
    cardholderInfo: described(
      text,
      'What the issuer has to say to the shopper, sealed under the key of the authentication.',
    ),
    acsSignedContent: described(text, "For the shopper's app."),
  },
);
