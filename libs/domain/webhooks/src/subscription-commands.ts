import type { DisablingReason, SubscriptionEventMetadata } from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import type { SubscriptionTerms } from './subscription.js';

/** What every command says. */
interface SubscriptionRequest {
  readonly metadata: SubscriptionEventMetadata;
}

/** A receiver is to be told of what happens. Whether its address may be called was looked at before. */
export interface AddSubscription extends SubscriptionRequest, SubscriptionTerms {
  readonly type: 'AddSubscription';
  readonly subscriptionId: string;
  readonly nodeId: EntityId;
  readonly url: string;
  readonly secretId: string;
  readonly sealedSecret: string;
  /** Sealed; absent: nobody. */
  readonly alertEmails?: string;
  /** The installation counts it as active without a test. */
  readonly isTrusted: boolean;
}

/** A receiver was called with a test. */
export interface RecordTest extends SubscriptionRequest {
  readonly type: 'RecordTest';
  /** That was called. */
  readonly url: string;
  /** 0: nothing was answered in time. */
  readonly statusCode: number;
}

/** Other terms; what is absent stays. */
export interface ChangeSubscription extends SubscriptionRequest {
  readonly type: 'ChangeSubscription';
  readonly changes: Partial<SubscriptionTerms> & {
    readonly url?: string;
    readonly alertEmails?: string;
  };
  readonly isTrusted: boolean;
}

/** A new secret takes the place of the one that there is. */
export interface RotateSecret extends SubscriptionRequest {
  readonly type: 'RotateSecret';
  readonly secretId: string;
  readonly sealedSecret: string;
  /** For how long the one before may be used beside it; 0 for one that somebody else may know. */
  readonly overlapMs: number;
}

/** The receiver has acknowledged something encrypted with this secret. */
export interface ConfirmSecret extends SubscriptionRequest {
  readonly type: 'ConfirmSecret';
  readonly secretId: string;
}

/** Nothing is sent for now. */
export interface PauseSubscription extends SubscriptionRequest {
  readonly type: 'PauseSubscription';
}

/** The end of a pause. */
export interface ResumeSubscription extends SubscriptionRequest {
  readonly type: 'ResumeSubscription';
}

/** Nobody is called until a test is answered. */
export interface DisableSubscription extends SubscriptionRequest {
  readonly type: 'DisableSubscription';
  readonly reason: DisablingReason;
  /** Who has answered that it is gone: after a change of the address it says nothing of the new one. */
  readonly url?: string;
}

/** For ever. */
export interface RemoveSubscription extends SubscriptionRequest {
  readonly type: 'RemoveSubscription';
}

/** Everything that is decided about a subscription. */
export type SubscriptionCommand =
  | AddSubscription
  | RecordTest
  | ChangeSubscription
  | RotateSecret
  | ConfirmSecret
  | PauseSubscription
  | ResumeSubscription
  | DisableSubscription
  | RemoveSubscription;
