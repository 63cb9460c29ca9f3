// Fixed subscriptions for the specs of this library; no other file imports it.
import type { SubscriptionEventMetadata } from '@sluice/contracts';
import { ENTITY } from './notification-fixture.js';
import type { Subscription, SubscriptionState } from './subscription.js';
import type {
  AddSubscription,
  ChangeSubscription,
  DisableSubscription,
  RecordTest,
  RotateSecret,
  SubscriptionCommand,
} from './subscription-commands.js';
import { SECRET_OVERLAP_MS, subscriptionDecider } from './subscription-decider.js';
import { type SubscriptionEvent, subscriptionEventCodec } from './subscription-events.js';

/** 2026-01-15T12:00:00Z. */
export const NOON_MS = Date.UTC(2026, 0, 15, 12);
/** The addresses of two receivers. */
export const HERE = 'https://shop.example/hook';
/** The second. */
export const THERE = 'https://new.shop.example/hook';

/** Who does it, and when. */
export function by(actor: string, recordedAtMs = NOON_MS): SubscriptionEventMetadata {
  return { recordedAtMs, actor, correlationId: 'ndc-1', causationId: 'message-1' };
}

/** The first command. */
export function add(changes: Partial<AddSubscription> = {}): AddSubscription {
  return {
    ...{ type: 'AddSubscription', subscriptionId: 'a'.repeat(32), nodeId: ENTITY, url: HERE },
    ...{ types: ['PAYMENT', 'RISK'], fields: 'ALL', wrapper: 'none' },
    ...{ secretId: 'first', sealedSecret: 'sealed first', isTrusted: false },
    ...{ metadata: by('operator-1'), ...changes },
  };
}

/** The receiver was called with a test. */
export function test(statusCode: number, url = HERE): RecordTest {
  return { type: 'RecordTest', url, statusCode, metadata: by('operator-1') };
}

/** Other terms. */
export function change(
  changes: ChangeSubscription['changes'],
  isTrusted = false,
): ChangeSubscription {
  return { type: 'ChangeSubscription', changes, isTrusted, metadata: by('operator-2') };
}

/** A new secret of this id. */
export function rotate(
  secretId: string,
  overlapMs = SECRET_OVERLAP_MS,
  atMs = NOON_MS,
): RotateSecret {
  return {
    ...{ type: 'RotateSecret', secretId, sealedSecret: `sealed ${secretId}`, overlapMs },
    metadata: by('operator-2', atMs),
  };
}

/** It was used with success. */
export function confirm(secretId: string): SubscriptionCommand {
  return { type: 'ConfirmSecret', secretId, metadata: by('receiver') };
}

/** Nobody is called any more. */
export function disable(changes: Partial<DisableSubscription> = {}): DisableSubscription {
  return { type: 'DisableSubscription', reason: 'asked', metadata: by('operator-2'), ...changes };
}

/** The others, which say nothing but their name. */
export function please(
  type: 'PauseSubscription' | 'ResumeSubscription' | 'RemoveSubscription',
): SubscriptionCommand {
  return { type, metadata: by('operator-2') };
}

/** The events of these commands, each in the state after the ones before, as the store gives them. */
export function eventsOf(...commands: readonly SubscriptionCommand[]): SubscriptionEvent[] {
  const events: SubscriptionEvent[] = [];
  for (const command of commands) {
    const state = events.reduce<SubscriptionState>(subscriptionDecider.evolve, undefined);
    events.push(...subscriptionDecider.decide(command, state).map(stored));
  }
  return events;
}

/** The names of those events alone. */
export function namesOf(...commands: readonly SubscriptionCommand[]): string[] {
  return eventsOf(...commands).map(({ type }) => type);
}

function stored(event: SubscriptionEvent): SubscriptionEvent {
  const { data, metadata, ...encoded } = subscriptionEventCodec.encode(event);
  const parsed = { data: JSON.parse(data) as unknown, metadata: JSON.parse(metadata) as unknown };
  return subscriptionEventCodec.decode({ ...encoded, ...parsed });
}

/** The subscription after them. */
export function after(...commands: readonly SubscriptionCommand[]): Subscription {
  const state = eventsOf(...commands).reduce<SubscriptionState>(
    subscriptionDecider.evolve,
    undefined,
  );
  if (state === undefined) throw new Error('nothing was recorded');
  return state;
}
