import type {
  DisablingReason,
  NotificationFields,
  NotificationType,
  NotificationWrapper,
} from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import type { SubscriptionEvent } from './subscription-events.js';

/**
 * How a subscription stands. `untested`: its receiver has not answered a test yet. `paused`: what
 * there is to be told of waits. `disabled`: nothing waits either, until a test is answered.
 */
export type SubscriptionStanding = 'untested' | 'active' | 'paused' | 'disabled' | 'removed';

/** What is known of a secret; only the service that keeps its key can open it. */
export interface SealedSecret {
  readonly id: string;
  readonly sealed: string;
}

/** What a merchant chooses. */
export interface SubscriptionTerms {
  readonly types: readonly NotificationType[];
  readonly fields: NotificationFields;
  readonly wrapper: NotificationWrapper;
}

/** A subscription after its recorded events. */
export interface Subscription extends SubscriptionTerms {
  readonly id: string;
  /** Of the account tree: it is told of what happens there and below. */
  readonly nodeId: EntityId;
  /** Whom it calls. */
  readonly url: string;
  /** Whom it calls once that one has answered a test. */
  readonly awaitedUrl?: string;
  /** Sealed; empty: nobody. */
  readonly alertEmails: string;
  readonly secret: SealedSecret & {
    /** The receiver has acknowledged something encrypted with it since it was rotated. */
    readonly isConfirmed: boolean;
  };
  readonly previousSecret?: SealedSecret & {
    /** Milliseconds since the epoch, not included. */
    readonly overlapEndsAtMs: number;
  };
  readonly standing: SubscriptionStanding;
  readonly disabledBecause?: DisablingReason;
}

/** Undefined before the first event. */
export type SubscriptionState = Subscription | undefined;

/** Whether there will be deliveries of what happens now. */
export function collects({ standing }: Pick<Subscription, 'standing'>): boolean {
  return standing === 'active' || standing === 'paused';
}

/** Whether deliveries may be attempted now. */
export function sends({ standing }: Pick<Subscription, 'standing'>): boolean {
  return standing === 'active';
}

/** Whether somebody is mailed about its failures. */
export function isMailed({
  alertEmails,
  standing,
}: Pick<Subscription, 'alertEmails' | 'standing'>): boolean {
  return alertEmails !== '' && standing !== 'removed';
}

/** Something that merchants may be told of. */
export interface Happening {
  readonly type: NotificationType;
  /** The nodes that it belongs to, from its entity to the root of the account tree, in any order. */
  readonly nodes: readonly EntityId[];
}

/** Whether it is told of that: each subscription at or above the entity gets a copy (wire contract 9). */
export function isToldOf(subscription: Subscription, { type, nodes }: Happening): boolean {
  const { nodeId, types } = subscription;
  return collects(subscription) && types.includes(type) && nodes.includes(nodeId);
}

/** The address that a test calls. */
export function testedUrlOf({ url, awaitedUrl }: Subscription): string {
  return awaitedUrl ?? url;
}

/**
 * The secrets that a notification may be encrypted with at a time, in the order of trying; the second one is
 * for a receiver that refuses the first. Until the receiver has acknowledged the new one it may
 * know the one before alone; afterwards it may have forgotten that.
 */
export function secretsToTry(subscription: Subscription, nowMs: number): readonly SealedSecret[] {
  const { secret, previousSecret } = subscription;
  if (previousSecret === undefined || nowMs >= previousSecret.overlapEndsAtMs) return [secret];
  return secret.isConfirmed ? [secret, previousSecret] : [previousSecret, secret];
}

/** The state after one more event. */
export function evolve(state: SubscriptionState, event: SubscriptionEvent): SubscriptionState {
  if (event.type === 'SubscriptionAdded') return added(event);
  if (state === undefined) throw new Error('A subscription that was never added.');
  switch (event.type) {
    case 'SubscriptionTested':
      return event.data.isAcknowledged
        ? activated({ ...state, awaitedUrl: event.data.url })
        : state;
    case 'SubscriptionTrusted':
      return activated(state);
    case 'SubscriptionChanged': {
      const { subscriptionId: _, url, ...terms } = event.data;
      return { ...(url === undefined ? state : withUrl(state, url)), ...terms };
    }
    case 'SecretRotated':
      return rotated(state, event);
    case 'SecretConfirmed':
      return { ...state, secret: { ...state.secret, isConfirmed: true } };
    case 'SubscriptionPaused':
      return { ...state, standing: 'paused' };
    case 'SubscriptionResumed':
      return { ...state, standing: 'active' };
    case 'SubscriptionDisabled': {
      // The test that enables it again is one of the address that was wanted last.
      const { awaitedUrl, ...rest } = state;
      const url = awaitedUrl ?? state.url;
      return { ...rest, url, standing: 'disabled', disabledBecause: event.data.reason };
    }
    case 'SubscriptionRemoved':
      return { ...state, standing: 'removed' };
  }
}

type EventOf<Type extends SubscriptionEvent['type']> = Extract<
  SubscriptionEvent,
  { readonly type: Type }
>;

function added({ data }: EventOf<'SubscriptionAdded'>): Subscription {
  const { subscriptionId: id, secretId, sealedSecret, alertEmails = '', ...terms } = data;
  return {
    ...{ ...terms, id, alertEmails, standing: 'untested' },
    // There is none before it, so nobody knows another one.
    secret: { id: secretId, sealed: sealedSecret, isConfirmed: true },
  };
}

/** What waits for a test has passed it. */
function activated({ awaitedUrl, ...rest }: Subscription): Subscription {
  const { disabledBecause: _, ...enabled } = rest;
  const standing = rest.standing === 'paused' ? 'paused' : 'active';
  return { ...enabled, url: awaitedUrl ?? rest.url, standing };
}

/** One that has never answered, or does not count any more, is not called in the meantime. */
function withUrl({ awaitedUrl: _, ...rest }: Subscription, url: string): Subscription {
  if (!collects(rest)) return { ...rest, url };
  return url === rest.url ? rest : { ...rest, awaitedUrl: url };
}

function rotated(state: Subscription, event: EventOf<'SecretRotated'>): Subscription {
  const { secretId, sealedSecret, overlapEndsAtMs } = event.data;
  const { previousSecret: _, ...rest } = state;
  const { id, sealed } = state.secret;
  const hasOverlap = overlapEndsAtMs > event.metadata.recordedAtMs;
  return {
    ...rest,
    secret: { id: secretId, sealed: sealedSecret, isConfirmed: false },
    ...(hasOverlap && { previousSecret: { id, sealed, overlapEndsAtMs } }),
  };
}
