import type { Decider } from '@sluice/contracts';
import { isAcknowledgement } from './attempt-outcome.js';
import { evolve, type Subscription, type SubscriptionState, testedUrlOf } from './subscription.js';
import type {
  AddSubscription,
  ChangeSubscription,
  ConfirmSecret,
  RecordTest,
  RotateSecret,
  SubscriptionCommand,
} from './subscription-commands.js';
import type { SubscriptionEvent } from './subscription-events.js';

/** How long two secrets are valid unless something else is asked for (R-WH-08). */
export const SECRET_OVERLAP_MS = 24 * 60 * 60_000;
/** A week: a secret that was given up and stays valid for longer is forgotten to be so. */
export const SECRET_OVERLAP_MAX_MS = 7 * SECRET_OVERLAP_MS;

/** What a subscription does: pure functions over its events, with the time in the command. */
export const subscriptionDecider: Decider<
  SubscriptionCommand,
  SubscriptionState,
  SubscriptionEvent
> = { initialState: undefined, decide, evolve };

/**
 * Why a command is refused. `unknown`: there is none, or no more. `noTypes`: it would never be told anything.
 * `needsTest`: only what answers a test becomes active. `rotationUnderWay`: a third secret would take away the
 * one that the receiver may know; without an overlap it is rotated all the same. `overlapTooLong`: or not a time.
 */
export type SubscriptionRefusal =
  'unknown' | 'noTypes' | 'needsTest' | 'rotationUnderWay' | 'overlapTooLong';

/** Undefined for what is to be done, and for what is done already. */
export function refusalOf(
  command: SubscriptionCommand,
  state: SubscriptionState,
): SubscriptionRefusal | undefined {
  if (command.type === 'AddSubscription') {
    return command.types.length === 0 ? 'noTypes' : undefined;
  }
  if (command.type === 'RemoveSubscription' && state !== undefined) return undefined;
  if (state === undefined || state.standing === 'removed') return 'unknown';
  switch (command.type) {
    case 'ChangeSubscription':
      return command.changes.types?.length === 0 ? 'noTypes' : undefined;
    case 'RotateSecret':
      return rotationRefusal(command, state);
    case 'PauseSubscription':
    case 'ResumeSubscription': {
      const { standing } = state;
      return standing === 'untested' || standing === 'disabled' ? 'needsTest' : undefined;
    }
    case 'RecordTest':
    case 'ConfirmSecret':
    case 'DisableSubscription':
    case 'RemoveSubscription':
      return undefined;
  }
}

/** The events of a command in this state; none where it is refused or changes nothing. */
function decide(command: SubscriptionCommand, state: SubscriptionState): SubscriptionEvent[] {
  if (refusalOf(command, state) !== undefined) return [];
  if (command.type === 'AddSubscription') return state === undefined ? added(command) : [];
  if (state === undefined || state.standing === 'removed') return [];
  const { metadata } = command;
  const about = { data: { subscriptionId: state.id }, metadata };
  switch (command.type) {
    case 'RecordTest':
      return tested(command, state);
    case 'ChangeSubscription':
      return changed(command, state);
    case 'RotateSecret':
      return rotated(command, state);
    case 'ConfirmSecret':
      return confirmed(command, state);
    case 'PauseSubscription':
      return state.standing === 'active' ? [{ type: 'SubscriptionPaused', ...about }] : [];
    case 'ResumeSubscription':
      return state.standing === 'paused' ? [{ type: 'SubscriptionResumed', ...about }] : [];
    case 'DisableSubscription': {
      const { reason, url = state.url } = command;
      if (state.standing === 'disabled' || url !== state.url) return [];
      const data = { subscriptionId: state.id, reason };
      return [{ type: 'SubscriptionDisabled', data, metadata }];
    }
    case 'RemoveSubscription':
      return [{ type: 'SubscriptionRemoved', ...about }];
  }
}

function added(command: AddSubscription): SubscriptionEvent[] {
  const { type: _, types, isTrusted, metadata, ...terms } = command;
  const data = { ...terms, types: [...new Set(types)] };
  const trust = isTrusted ? [trusted(command.subscriptionId, metadata)] : [];
  return [{ type: 'SubscriptionAdded', data, metadata }, ...trust];
}

function trusted(subscriptionId: string, metadata: AddSubscription['metadata']): SubscriptionEvent {
  return { type: 'SubscriptionTrusted', data: { subscriptionId }, metadata };
}

/** A test of an address that is not wanted any more says nothing. */
function tested(
  { url, statusCode, metadata }: RecordTest,
  state: Subscription,
): SubscriptionEvent[] {
  if (url !== testedUrlOf(state)) return [];
  const isAcknowledged = isAcknowledgement(statusCode);
  const data = { subscriptionId: state.id, url, statusCode, isAcknowledged };
  return [{ type: 'SubscriptionTested', data, metadata }];
}

function changed(command: ChangeSubscription, state: Subscription): SubscriptionEvent[] {
  const { changes, isTrusted, metadata } = command;
  const { id: subscriptionId } = state;
  const { types, url, ...others } = changes;
  const distinct = types && [...new Set(types)];
  const data = {
    ...{ subscriptionId },
    ...(url !== undefined && url !== testedUrlOf(state) && { url }),
    ...(distinct && !isSameSet(distinct, state.types) && { types: distinct }),
    ...differing(others, state),
  };
  if (Object.keys(data).length === 1) return [];
  const change = { type: 'SubscriptionChanged', data, metadata } as const;
  return isTrusted && 'url' in data ? [change, trusted(subscriptionId, metadata)] : [change];
}

type OtherTerms = Omit<ChangeSubscription['changes'], 'types' | 'url'>;

function differing(others: OtherTerms, state: Subscription): OtherTerms {
  return Object.fromEntries(
    Object.entries(others).filter(([name, value]) => state[name as keyof OtherTerms] !== value),
  );
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((one) => right.includes(one));
}

function rotationRefusal(
  { secretId, overlapMs, metadata }: RotateSecret,
  { secret, previousSecret }: Subscription,
): SubscriptionRefusal | undefined {
  if (secretId === secret.id) return undefined;
  if (!(overlapMs >= 0 && overlapMs <= SECRET_OVERLAP_MAX_MS)) return 'overlapTooLong';
  const isUnderWay = metadata.recordedAtMs < (previousSecret?.overlapEndsAtMs ?? 0);
  return isUnderWay && overlapMs > 0 ? 'rotationUnderWay' : undefined;
}

function rotated(command: RotateSecret, { id, secret }: Subscription): SubscriptionEvent[] {
  const { secretId, sealedSecret, overlapMs, metadata } = command;
  if (secretId === secret.id) return [];
  const overlapEndsAtMs = metadata.recordedAtMs + overlapMs;
  const data = { subscriptionId: id, secretId, sealedSecret, overlapEndsAtMs };
  return [{ type: 'SecretRotated', data, metadata }];
}

/** Once, and only of the new one: that the old one is known says nothing. */
function confirmed(
  { secretId, metadata }: ConfirmSecret,
  { id, secret, previousSecret }: Subscription,
): SubscriptionEvent[] {
  if (secretId !== secret.id || secret.isConfirmed || previousSecret === undefined) return [];
  return [{ type: 'SecretConfirmed', data: { subscriptionId: id, secretId }, metadata }];
}
