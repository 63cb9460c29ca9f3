import type {
  AccountEventMetadata,
  AccountNode,
  CompatibilitySwitchName,
  CredentialEntry,
  Decider,
  SwitchSettings,
} from '@sluice/contracts';
import type { AccountEvent } from './account-events.js';
import { isEqualData } from './equal-data.js';
import type { RoutingCommand } from './routing-commands.js';
import { decideRouting, evolveRouting, noRouting, type RoutingState } from './routing-decisions.js';

/** What gives access to a node: a keyed hash, never the token or password itself (S-AUT-01). */
export type Credential = Omit<CredentialEntry, 'nodeId'>;

/**
 * Adds a node, or changes an existing one: it then has exactly these credentials and switches, so
 * that a token removed from a seed is revoked, and repeating the command changes nothing.
 */
export interface PlaceNode {
  readonly type: 'PlaceNode';
  readonly node: AccountNode;
  /** Absent if the node is only named as the parent of others: then it only has to exist. */
  readonly credentials?: readonly Credential[];
  readonly metadata: AccountEventMetadata;
}

/** Takes credentials away from a node, whichever of them it has. */
export interface RevokeCredentials {
  readonly type: 'RevokeCredentials';
  readonly credentials: readonly Credential[];
  readonly metadata: AccountEventMetadata;
}

/** The commands that a node takes. */
export type AccountCommand = PlaceNode | RevokeCredentials | RoutingCommand;

/** A node with its credentials, merchant accounts and routes; undefined before it is added. */
export type AccountState =
  | (RoutingState & { readonly node: AccountNode; readonly credentials: readonly Credential[] })
  | undefined;

/** The rules of the account tree's nodes. */
export const accountDecider: Decider<AccountCommand, AccountState, AccountEvent> = {
  initialState: undefined,
  decide: (command, state) => {
    switch (command.type) {
      case 'PlaceNode':
        return placeNode(command, state);
      case 'RevokeCredentials':
        return revokeCredentials(command, state);
      case 'ConfigureMerchantAccount':
      case 'RemoveMerchantAccount':
      case 'ConfigureRoute':
      case 'RemoveRoute':
        return decideRouting(command, state);
    }
  },
  evolve,
};

function placeNode(
  { node, credentials, metadata }: PlaceNode,
  state: AccountState,
): readonly AccountEvent[] {
  const { id: nodeId, kind, ...terms } = node;
  if (state !== undefined && credentials === undefined) return [];
  const placed: AccountEvent[] = [];
  if (state === undefined) {
    placed.push({ type: 'NodeAdded', data: { nodeId, kind, ...terms }, metadata });
  } else {
    // A channel never becomes a merchant: an owner with the same id is something else.
    if (state.node.kind !== kind) {
      throw new Error(`Node ${nodeId} is a ${state.node.kind} and cannot become a ${kind}.`);
    }
    if (!isSameNode(state.node, node)) {
      placed.push({ type: 'NodeChanged', data: { nodeId, ...terms }, metadata });
    }
  }
  const [had, wanted] = [state?.credentials ?? [], credentials ?? []];
  const revoked = had.filter((credential) => !has(wanted, credential));
  const granted = wanted.filter((credential) => !has(had, credential));
  return [
    ...placed,
    ...revoked.map((credential) =>
      credentialEvent('CredentialRevoked', nodeId, credential, metadata),
    ),
    ...granted.map((credential) =>
      credentialEvent('CredentialGranted', nodeId, credential, metadata),
    ),
  ];
}

function revokeCredentials(
  { credentials, metadata }: RevokeCredentials,
  state: AccountState,
): readonly AccountEvent[] {
  if (state === undefined) return [];
  const { id } = state.node;
  return state.credentials
    .filter((credential) => has(credentials, credential))
    .map((credential) => credentialEvent('CredentialRevoked', id, credential, metadata));
}

function credentialEvent(
  type: 'CredentialGranted' | 'CredentialRevoked',
  nodeId: AccountNode['id'],
  credential: Credential,
  metadata: AccountEventMetadata,
): AccountEvent {
  return { type, data: { nodeId, credential }, metadata };
}

function evolve(state: AccountState, event: AccountEvent): AccountState {
  if (event.type === 'NodeAdded') {
    const { nodeId: id, ...node } = event.data;
    return { node: { id, ...node }, credentials: [], ...noRouting };
  }
  const before = existing(state, event.data.nodeId);
  const { node, credentials } = before;
  switch (event.type) {
    case 'NodeChanged': {
      const { nodeId: id, ...terms } = event.data;
      return { ...before, node: { id, kind: node.kind, ...terms } };
    }
    case 'CredentialGranted':
      return { ...before, credentials: [...credentials, event.data.credential] };
    case 'CredentialRevoked': {
      const { credential } = event.data;
      return { ...before, credentials: credentials.filter((each) => !isSame(each, credential)) };
    }
    case 'MerchantAccountConfigured':
    case 'MerchantAccountRemoved':
    case 'RouteConfigured':
    case 'RouteRemoved':
      return { ...before, ...evolveRouting(before, event) };
  }
}

function existing(state: AccountState, nodeId: string): NonNullable<AccountState> {
  if (state === undefined) throw new Error(`No node ${nodeId} in its own stream`);
  return state;
}

function isSameNode(left: AccountNode, right: AccountNode): boolean {
  return (
    left.name === right.name &&
    left.parentId === right.parentId &&
    left.manualChargebacks === right.manualChargebacks &&
    left.registrations === right.registrations &&
    left.appSchemes?.join() === right.appSchemes?.join() &&
    left.shoppersMayDelete === right.shoppersMayDelete &&
    isEqualData(left.threeDSecure, right.threeDSecure) &&
    isEqualData(left.schedules, right.schedules) &&
    isSameSwitches(left.compatibility, right.compatibility)
  );
}

function isSameSwitches(left: SwitchSettings, right: SwitchSettings): boolean {
  const names = Object.keys({ ...left, ...right }) as CompatibilitySwitchName[];
  return names.every((name) => left[name] === right[name]);
}

function has(credentials: readonly Credential[], credential: Credential): boolean {
  return credentials.some((each) => isSame(each, credential));
}

function isSame(left: Credential, right: Credential): boolean {
  return left.kind === right.kind && left.hash === right.hash;
}
