import type { EntityId, TransactionId } from '@sluice/identifiers';
import {
  authenticationFlows,
  authenticationNetworks,
  authenticationStatuses,
} from './authentications.js';
import { challengeRendering } from './app-challenges.js';
import { amount } from './event-codec.js';
import { eventTable } from './event-table.js';
import { closed, described, flag, formed, integer, listOf, oneOf, text } from './schema.js';

/** When it happened, by the clock of the database. */
export interface AuthenticationEventMetadata {
  readonly recordedAtMs: number;
}

const id = formed<TransactionId>('^[0-9a-f]{32}$');
/** As others have written it, in small or capital letters. */
const transactionOfEmv = formed('^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$');
const instant = (what: string) => described(integer, `${what}, milliseconds since the epoch.`);
const proofReference = described(text, 'What stands for the cryptogram in the vault.');
const twoDigits = formed('^[0-9]{2}$');

/** What is known of an authentication from its beginning on. */
export const authenticationTerms = closed(
  {
    authenticationId: id,
    paymentId: id,
    entityId: formed<EntityId>('^[0-9a-f]{32}$'),
    isLive: flag,
    network: oneOf(authenticationNetworks),
    version: oneOf(['2.1.0', '2.2.0', '2.3.1'], 'The version in which the messages are.'),
    channel: oneOf(['01', '02', '03'], 'Where the shopper is: 01 app, 02 browser, 03 not there.'),
    category: oneOf(['01', '02'], '01: a payment; 02: none.'),
    vaultReference: described(text, 'Under which the vault has the card.'),
    goesOnWith: listOf(oneOf(authenticationStatuses), 'With which statuses a payment goes on.'),
    serverTransactionId: transactionOfEmv,
    beginByMs: instant('Until when the browser has to come'),
  },
  {
    redirectUrl: described(text, "The address of the browser's way."),
    methodUrl: described(text, 'The page of the 3DS method.'),
    decoupledMs: described(integer, 'How long the issuer may ask the shopper elsewhere.'),
    sdkTransactionId: described(text, "The id of it in the shopper's app (`sdkTransID`)."),
    appChallengeMs: described(integer, 'How long the app gives its shopper for a challenge.'),
    challengeWindow: described(oneOf(['01', '02', '03', '04', '05']), 'How large a challenge is.'),
  },
);

/** What the issuer has found out, in ARes or RReq. */
const found = {
  eci: formed('^.{2}$'),
  statusReason: twoDigits,
  proofReference,
};

/**
 * Everything that can have happened to an authentication (Interface 2.17). Nothing in here is the card's
 * number or a cryptogram, and what is personal is sealed.
 */
export const authenticationEvents = eventTable({
  AuthenticationBegun: {
    version: 1,
    description: 'A shopper is to be authenticated, and the card takes part.',
    data: closed(
      { terms: authenticationTerms },
      {
        amount: described(amount, 'How much it will cover: nothing where nothing is paid.'),
        isShort: described(flag, 'It is less than is paid, or in another currency.'),
        personal: described(
          text,
          'What the issuer will be told, sealed under the key of the stream: AES-256-GCM, base64.',
        ),
      },
    ),
  },
  MethodDone: {
    version: 1,
    description: 'The browser has run the page of the 3DS method.',
    data: closed({ serverTransactionId: transactionOfEmv }),
  },
  RequestSent: {
    version: 1,
    description: 'The directory server is asked (AReq): recorded before it is.',
    data: closed({
      serverTransactionId: transactionOfEmv,
      methodCompletion: oneOf(['Y', 'N', 'U'], 'Whether the page of the 3DS method ran.'),
      answerByMs: instant('When nobody waits for its answer any more'),
    }),
  },
  ResponseReceived: {
    version: 1,
    description: 'The issuer has answered (ARes).',
    data: closed(
      {
        serverTransactionId: transactionOfEmv,
        status: oneOf(authenticationStatuses),
        dsTransactionId: transactionOfEmv,
        acsTransactionId: transactionOfEmv,
        endByMs: instant('When a challenge is over'),
      },
      {
        ...found,
        acsUrl: described(text, 'Where the challenge is.'),
        acsSignedContent: described(text, "For the shopper's app."),
        acsReferenceNumber: described(text, "The same: the number of the issuer's server."),
        acsRenderingType: challengeRendering,
        cardholderInfo: described(
          text,
          'What the issuer has to say to the shopper, sealed under the key of the authentication.',
        ),
      },
    ),
  },
  ShopperReturned: {
    version: 1,
    description: 'The browser has come back from the challenge, which says nothing of its outcome.',
    data: closed({ resultByMs: instant('When the issuer has to have told the result') }),
  },
  ResultReceived: {
    version: 1,
    description: 'The issuer has told the result of a challenge (RReq).',
    data: closed(
      { status: oneOf(authenticationStatuses) },
      { ...found, challengeCancel: twoDigits },
    ),
  },
  AuthenticationEnded: {
    version: 1,
    description: 'It is over.',
    data: closed(
      {
        flow: oneOf(authenticationFlows),
        goesOn: flag,
        resultCode: formed('^[0-9]{3}\\.[0-9]{3}\\.[0-9]{3}$'),
        liabilityShifts: flag,
      },
      {
        status: oneOf(authenticationStatuses, 'Absent where the issuer said nothing.'),
        eci: formed('^[0-9]{2}$'),
      },
    ),
  },
});
