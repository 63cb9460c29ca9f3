import { timingSafeEqual } from 'node:crypto';
import type { AccessDirectory, AccountNode, CredentialEntry } from '@sluice/contracts';
import { type EntityId, isEntityId } from '@sluice/identifiers';

/** Levels of the tree PSP > division > merchant > channel; a longer chain of parents is a loop. */
const TREE_LEVELS_MAX = 4;

/** A channel that may be used, by whom, and the merchant it belongs to. */
export interface AllowedAccess {
  readonly kind: 'allowed';
  readonly channel: AccountNode;
  readonly merchant: AccountNode;
  /** The node that owns the credential: what events name as the actor, never the token. */
  readonly actor: EntityId;
}

/**
 * Why a request may not pass (D-39). `credentialUnknown` and `entityRefused` are HTTP 403; the
 * other two say that the request itself must be changed.
 */
export interface RefusedAccess {
  readonly kind: 'refused';
  readonly reason: 'credentialUnknown' | 'entityMissing' | 'entityRefused' | 'noDispatching';
  /** A code of the catalogue. */
  readonly code: '800.900.300' | '200.300.404' | '800.900.100' | '600.200.500';
}

/** One credential with what its hash is compared with at last. */
interface IndexedCredential {
  readonly entry: CredentialEntry;
  readonly hash: Buffer;
}

/** A directory made ready for lookups; built once per version, read by every request. */
export interface AccessIndex {
  readonly version: string;
  readonly nodes: ReadonlyMap<EntityId, AccountNode>;
  readonly credentials: ReadonlyMap<string, IndexedCredential>;
}

/** Builds the index of a directory. */
export function accessIndex(directory: AccessDirectory): AccessIndex {
  return {
    version: directory.version,
    nodes: new Map(directory.nodes.map((node) => [node.id, node])),
    credentials: new Map(
      directory.credentials.map((entry) => [
        credentialKey(entry.kind, entry.hash),
        { entry, hash: Buffer.from(entry.hash, 'hex') },
      ]),
    ),
  };
}

/** Whether anybody has this credential; asked before a request's body is looked at (S-AUT-02). */
export function knowsCredential(
  index: AccessIndex,
  credential: { readonly kind: CredentialEntry['kind']; readonly hash: string },
): boolean {
  return ownerOf(index, credential) !== undefined;
}

/**
 * Whether a credential may act for an entity (Interface 5, D-39). It is good for its own node and
 * all below; an unknown and a foreign entity are refused alike, so that nobody learns which exist.
 */
export function resolveAccess(
  index: AccessIndex,
  credential: { readonly kind: CredentialEntry['kind']; readonly hash: string },
  entityId: string | undefined,
): AllowedAccess | RefusedAccess {
  const owner = ownerOf(index, credential);
  if (owner === undefined) {
    return { kind: 'refused', reason: 'credentialUnknown', code: '800.900.300' };
  }
  if (entityId === undefined && owner.kind !== 'channel') {
    return { kind: 'refused', reason: 'entityMissing', code: '200.300.404' };
  }
  const node = entityId === undefined ? owner : nodeWithin(index, owner, entityId);
  if (node?.kind === 'merchant') {
    return { kind: 'refused', reason: 'noDispatching', code: '600.200.500' };
  }
  const merchant = node && ancestorOfKind(index, node, 'merchant');
  if (node?.kind !== 'channel' || merchant === undefined) {
    return { kind: 'refused', reason: 'entityRefused', code: '800.900.100' };
  }
  return { kind: 'allowed', channel: node, merchant, actor: owner.id };
}

/** Whether `entityId` is a channel of the same merchant that the same credential may use (D-29). */
export function mayUseSibling(
  index: AccessIndex,
  access: AllowedAccess,
  entityId: EntityId,
): boolean {
  const owner = index.nodes.get(access.actor);
  const node = owner && nodeWithin(index, owner, entityId);
  return (
    node?.kind === 'channel' &&
    node.id !== access.channel.id &&
    ancestorOfKind(index, node, 'merchant')?.id === access.merchant.id
  );
}

function ownerOf(
  index: AccessIndex,
  credential: { readonly kind: CredentialEntry['kind']; readonly hash: string },
): AccountNode | undefined {
  const found = index.credentials.get(credentialKey(credential.kind, credential.hash));
  const given = Buffer.from(credential.hash, 'hex');
  if (found?.hash.length !== given.length || !timingSafeEqual(found.hash, given)) {
    return undefined;
  }
  return index.nodes.get(found.entry.nodeId);
}

/** The node of this id if it is `owner` itself or stands below it. */
function nodeWithin(
  index: AccessIndex,
  owner: AccountNode,
  entityId: string,
): AccountNode | undefined {
  const node = isEntityId(entityId) ? index.nodes.get(entityId) : undefined;
  return node && pathToRoot(index, node).some(({ id }) => id === owner.id) ? node : undefined;
}

function ancestorOfKind(
  index: AccessIndex,
  node: AccountNode,
  kind: AccountNode['kind'],
): AccountNode | undefined {
  return pathToRoot(index, node).find((ancestor) => ancestor.kind === kind);
}

function pathToRoot(index: AccessIndex, node: AccountNode): readonly AccountNode[] {
  const path: AccountNode[] = [];
  let next: AccountNode | undefined = node;
  while (next !== undefined && path.length < TREE_LEVELS_MAX) {
    path.push(next);
    next = next.parentId === undefined ? undefined : index.nodes.get(next.parentId);
  }
  return path;
}

function credentialKey(kind: CredentialEntry['kind'], hash: string): string {
  return `${kind}:${hash}`;
}
