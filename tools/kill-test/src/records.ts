import type { BankEvidence } from './bank-files.js';
import type { InstrumentName } from './instruments.js';
import type { AgreedTerms } from './planned-methods.js';

/** As merchants send them; the two further authorizations are named by what they ask for. */
export type Operation =
  | 'DB'
  | 'PA'
  | 'CD'
  | 'CP'
  | 'RF'
  | 'RV'
  | 'RB'
  | 'RC'
  | 'CB'
  | 'CR'
  | 'INCREMENTAL_AUTH'
  | 'REAUTHORIZATION';

/** How one try of a request ended for the merchant. */
export type Attempt =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly code: string;
      /** Absent where nothing was recorded. */
      readonly id?: string;
      readonly registrationId?: string;
      /** Where the shopper has to go first. */
      readonly redirectUrl?: string;
      /** When it was sent and when the answer was there, in milliseconds since 1970: for whoever explains it. */
      readonly sentAtMs?: number;
      readonly answeredAtMs?: number;
    }
  /** The connection was refused: not one byte was sent. */
  | { readonly kind: 'notSent' }
  /** Reset or silence after bytes were sent: it may have happened or not. */
  | { readonly kind: 'indefinite'; readonly why: string };

/** What the merchant's own books say about one request. Amounts are minor units of EUR. */
export interface MerchantRequest {
  /** The merchant's own number, sent as `merchantTransactionId`: unique. */
  readonly reference: string;
  readonly operation: Operation;
  /** Absent for a reversal of everything that is open. */
  readonly amountMinor?: bigint;
  readonly currency: string;
  /** The merchant's number of the request this one refers to. */
  readonly refersTo?: string;
  readonly idempotencyKey?: string;
  readonly fault?: string;
  /** The simulator is told to decline with it. */
  readonly forcedCode?: string;
  /** The card is to be stored with the payment. */
  readonly storesCard?: boolean;
  /** What its chain is paid with, if that is no card. */
  readonly instrument?: InstrumentName;
  /** It is the first payment of an agreement, which allows this. */
  readonly begins?: AgreedTerms;
  /** The merchant's number of the first payment of its agreement. */
  readonly continues?: string;
  /** The merchant's number of the payment that has stored what this one is made with. */
  readonly storedBy?: string;
  /** The merchant's number of the payment whose token of a wallet was sent with this one, too. */
  readonly tokenOf?: string;
  /** It is paid by a checkout: several attempts may be recorded, one of which may have succeeded. */
  readonly isByCheckout?: true;
  readonly attempts: readonly Attempt[];
}

/** How far a transaction has come, by the events. */
export type Outcome =
  | 'requested'
  | 'approved'
  | 'declined'
  | 'pending'
  | 'unknown'
  | 'notPerformed'
  | 'reversedAfterUnknown'
  | 'rejected';

/** An attempt after which another acquirer was asked. */
export interface GivenUpAttempt {
  readonly acquirerReference: string;
  /** Why it had booked nothing, as events say it. */
  readonly reason: string;
}

/** One transaction as the events have it. */
export interface RecordedTransaction {
  readonly id: string;
  readonly streamId: string;
  /** The id of the transaction that it refers to. */
  readonly referencedId?: string;
  /** `merchantTransactionId`. */
  readonly reference?: string;
  readonly operation: string;
  /** Absent where a refused request named none. */
  readonly amountMinor?: bigint;
  readonly currency?: string;
  readonly outcome: Outcome;
  readonly resultCode?: string;
  /** Of the last attempt; absent where no acquirer was ever to be called. */
  readonly acquirerReference?: string;
  /** The attempts before the last one; absent if there were none. */
  readonly givenUp?: readonly GivenUpAttempt[];
}

/** One line of the acquirer's book that is about money, with what became of it. */
export interface BookedEffect {
  readonly acquirerReference: string;
  readonly operation: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly status: 'approved' | 'declined' | 'pending' | 'reversed';
}

/** What `GET /v1/payments/{id}` said when everything was over. */
export interface ReadBack {
  /** What was asked for. */
  readonly id: string;
  /** What the answer is about; absent where there is nothing. */
  readonly shownId?: string;
  readonly status: number;
  readonly code: string;
}

/** The sides that must agree, and what a read says. */
export interface Evidence {
  readonly merchant: readonly MerchantRequest[];
  readonly recorded: readonly RecordedTransaction[];
  readonly book: readonly BookedEffect[];
  readonly readBack: readonly ReadBack[];
  /** Of a bank that takes files; absent where there is none. */
  readonly bank?: BankEvidence;
}

/** Something that must not be; the rule's name is what tests and people look for. */
export interface Violation {
  readonly rule: string;
  readonly subject: string;
  readonly sentence: string;
}
