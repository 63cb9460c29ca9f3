import type { EntityId, TransactionId } from '@sluice/identifiers';
import type { AppChallenge } from './app-challenges.js';
import type { Expiry } from './expiry.js';
import type { AmountMessage } from './messages.js';
import type { Mode, TestDirectives } from './payments.js';
import type { Redirect } from './redirects.js';

/** What an authentication found out (EMV 3-D Secure `transStatus`). */
export const authenticationStatuses = ['Y', 'A', 'N', 'U', 'R', 'C', 'D', 'I'] as const;

/** One of them: Y = authenticated, A = attempted, N = not, U = could not be, R = rejected, I = told only. */
export type AuthenticationStatus = (typeof authenticationStatuses)[number];

/** Those with which one can end, and a payment may go on where its channel says so. */
export const endStatuses = ['Y', 'A', 'N', 'U', 'R', 'I'] as const satisfies AuthenticationStatus[];

/** When shoppers of a node are authenticated. */
export const authenticationDemands = ['always', 'onDemand'] as const;

/** How it was found out. `none`: nobody was asked, because the card does not take part or nothing answered. */
export const authenticationFlows = ['frictionless', 'challenge', 'decoupled', 'none'] as const;

/** One of them. */
export type AuthenticationFlow = (typeof authenticationFlows)[number];

/** The card networks with a directory server: those of `threeDSecure.v2.<network>` (Interface 2.17), and unionpay. */
export const authenticationNetworks = [
  ...(['visa', 'mastercard', 'amex', 'diners', 'jcb', 'cartebancaire', 'unionpay'] as const),
] as const;

/** One of them. */
export type AuthenticationNetwork = (typeof authenticationNetworks)[number];

/** Who a merchant is to the directory server of a network. */
export interface AuthenticationRequestor {
  readonly requestorId: string;
  readonly requestorName: string;
  /** The acquirer's number there, 6 to 11 digits. */
  readonly acquirerBin: string;
  /** What the acquirer calls the merchant. */
  readonly acquirerMerchantId: string;
}

/** What a node of the account tree says of 3-D Secure; valid for all below that say nothing else. */
export interface AuthenticationSettings {
  /** `always`: each payment by card that a shopper makes; `onDemand`: what demands one (Interface 2.17). */
  readonly authenticates: (typeof authenticationDemands)[number];
  /** With which statuses a payment goes on; Y and A unless something else is set. */
  readonly goesOnWith: readonly (typeof endStatuses)[number][];
  readonly merchantName: string;
  /** ISO 3166-1 alpha-2. */
  readonly merchantCountry: string;
  /** ISO 18245, four digits. */
  readonly merchantCategoryCode: string;
  readonly merchantUrl: string;
  readonly requestors: Readonly<Partial<Record<AuthenticationNetwork, AuthenticationRequestor>>>;
}

/** The query `risk.authenticate`: begins an authentication; asked again, the same one is answered. */
export interface AuthenticateQuery {
  /** Of the payment, or of a second authentication of the same payment. */
  readonly authenticationId: TransactionId;
  readonly paymentId: TransactionId;
  readonly entityId: EntityId;
  readonly mode: Mode;
  /** `payment` or not (EMV 3-D Secure `messageCategory` 01 and 02; Interface 2.17 `threeDSecure.npa`). */
  readonly category: 'payment' | 'nonPayment';
  readonly amount: AmountMessage;
  /** `paymentBrand`, with which its network is known. */
  readonly brand: string;
  /** Under which the vault holds the card; its number is read by risk alone (D-44). */
  readonly vaultReference: string;
  readonly expiry: Expiry;
  /** A challenge is a must, because the issuer declined without one (`300.100.100`). */
  readonly challengeIsMandated?: true;
  /** A rule demands it, and takes none that would cover less than is paid: that one is refused. */
  readonly isOfRule?: true;
  readonly settings: AuthenticationSettings;
  /** What was sent of sections 2.3 and 2.9 to 2.18, by wire name, personal values in clear. */
  readonly parameters: Readonly<Record<string, string>>;
  /** What was sent of them is kept nowhere but sealed. */
  readonly testDirectives?: TestDirectives;
  /** The address of the browser's way, below which risk's own addresses are: `/redirects/{id}`. */
  readonly redirectUrl?: string;
}

/** The query `risk.authentication`: what has become of one. */
export interface AuthenticationQuery {
  readonly authenticationId: TransactionId;
}

/** The query `risk.proceed`: the shopper's browser has come, or come back. */
export interface ProceedQuery {
  readonly authenticationId: TransactionId;
  /** `arrived` at the redirect; `returned` from the challenge, with what it brings: it only wakes. */
  readonly step: 'arrived' | 'returned';
  /** `CRes` as it came, base64url; anything may stand in it. */
  readonly challengeResponse?: string;
  /** The browser was given what comes before, and the time for it: it goes on without, if it has to. */
  readonly isPrepared?: true;
}

/** The query `risk.methodDone`: a browser posted what the page of the 3DS method gave it. */
export interface MethodDoneQuery {
  /** Of the address that it posted to: of a second authentication of a payment, the payment's own. */
  readonly authenticationId: TransactionId;
  /** `threeDSMethodData` as it came, base64url. */
  readonly methodData: string;
}

/** The answer to it. */
export interface MethodDoneAnswer {
  /** `notFound`: what was posted is of no authentication of this address. */
  readonly kind: 'notFound' | 'noted';
}

/** The query `risk.issuerWords`: what issuers had to say to shoppers, for answers to merchants. */
export interface IssuerWordsQuery {
  /** `cardholderInfo` of authentications, as it was sealed. */
  readonly sealed: readonly string[];
}

/** The answer to it, in the order of the question; null for what was erased. */
export interface IssuerWordsAnswer {
  readonly texts: readonly (string | null)[];
}

/**
 * The query `risk.coveredAmount`: how much an authentication that was made here covers, and what it found out, by
 * the id that its directory server gave it. A merchant has that id of one alone, and pays with it later.
 */
export interface CoveredAmountQuery {
  /** Of the channel that asks: of another one's it is told nothing. */
  readonly entityId: EntityId;
  readonly dsTransactionId: string;
}

/** The answer to it: nothing of what was made elsewhere. */
export interface CoveredAmountAnswer {
  /** Absent where it has proven nobody. */
  readonly amount?: AmountMessage;
  /** Without a status as long as it is not over, and where nobody was asked. */
  readonly found?: AuthenticationFindings;
}

/** What a payment with an earlier authentication claims of it (Interface 2.17). */
export type AuthenticationFindings = Pick<
  AuthenticationResult,
  'status' | 'eci' | 'version' | 'acsTransactionId'
>;

/** How an authentication ended. */
export interface AuthenticationResult {
  /** Absent where nobody was asked. */
  readonly status?: AuthenticationStatus;
  readonly flow: AuthenticationFlow;
  /** Whether the payment may go on, by the channel's `goesOnWith`. */
  readonly goesOn: boolean;
  /** `000.400.110` and the like where it may; else why it ends. */
  readonly resultCode: string;
  /** Who bears a fraud: true where it is the issuer. */
  readonly liabilityShifts: boolean;
  /** For how much, where that is less than is paid, or in another currency: no liability shifts then. */
  readonly authenticated?: AmountMessage;
  /** Two digits (Interface 2.17 `threeDSecure.eci`). */
  readonly eci?: string;
  /** What stands for the cryptogram, which the vault has; absent where there is none. */
  readonly proofReference?: string;
  /** EMV protocol version, `2.2.0`. */
  readonly version?: string;
  readonly dsTransactionId?: string;
  readonly acsTransactionId?: string;
  /** Absent where nobody was asked. */
  readonly serverTransactionId?: string;
  /** `transStatusReason`, two digits. */
  readonly statusReason?: string;
  /** Why a challenge was cancelled (`challengeCancel`), two digits. */
  readonly challengeCancel?: string;
  /** What the issuer has to say to the shopper, sealed: risk alone opens it (`risk.issuerWords`). */
  readonly cardholderInfo?: string;
  /** For the app of the shopper: `acsSignedContent`. */
  readonly acsSignedContent?: string;
}

/** The answer to all of them but those that have their own. */
export type AuthenticationAnswer =
  | { readonly kind: 'completed'; readonly result: AuthenticationResult }
  /**
   * The browser has to go somewhere: to the redirect of ours after the 3DS method, or to the issuer.
   * @see Redirect for the preconditions of the former
   */
  | { readonly kind: 'redirect'; readonly redirect: Redirect; readonly expiresAtMs: number }
  /** The issuer asks the shopper without the browser, in the app or elsewhere, or its word is still to come. */
  | {
      readonly kind: 'waiting';
      readonly expiresAtMs: number;
      /** The app of the shopper has to go on, with this. */
      readonly appChallenge?: AppChallenge;
    }
  /** Nothing was begun, for this reason: the operator's or the merchant's to mend, not the shopper's. */
  | {
      readonly kind: 'refused';
      readonly reason: string;
      /** What the merchant has sent wrongly, or not at all; absent where it is not in the request. */
      readonly parameters?: readonly string[];
      /** It would cover less than is paid, and a rule demands it. */
      readonly isShort?: true;
    }
  | { readonly kind: 'notFound' };

/** What merchants see of an authentication (Interface 2.17); its cryptogram is in the vault. */
export type ShownAuthentication = Omit<
  AuthenticationResult,
  'goesOn' | 'proofReference' | 'resultCode'
>;

/** Why nobody is authenticated by us: an external server did and proves it, or nobody can be, in words that stand alone. */
export type NotAuthenticated =
  /** Proven: he was authenticated; else it was tried, and the issuer could not or did not have to say. */
  | { readonly kind: 'elsewhere'; readonly isProven: boolean }
  | { readonly kind: 'impossible'; readonly reason: string };

/** Of a payment whose shopper can be authenticated here: by card, and nobody else did it or forbade it. */
export interface AuthenticationWish {
  /** What of the request demands it, in words; absent: the channel alone may. */
  readonly demandedBy?: string;
  /** Where the shopper's browser would begin. */
  readonly redirectUrl: string;
}
