import { timingSafeEqual } from 'node:crypto';
import {
  type AccessDirectory,
  type AccountNode,
  type Compatibility,
  type CompatibilitySwitchName,
  compatibilitySwitches,
  type CredentialEntry,
  type RegistrationChoice,
  strictly,
} from '@sluice/contracts';
import { type EntityId, isEntityId } from '@sluice/identifiers';
import { codes } from '@sluice/result-codes';

/** Levels of the tree PSP > division > merchant > channel; a longer chain of parents is a loop. */
const TREE_LEVELS_MAX = 4;

/** A channel that the caller may use, the caller's nodes, and the channel's merchant. */
export interface AllowedAccess {
  readonly kind: 'allowed';
  readonly channel: AccountNode;
  readonly merchant: AccountNode;
  /** The node that owns the credential: what events name as the actor, never the token. */
  readonly actor: EntityId;
  /** Every node that owns it. */
  readonly owners: readonly AccountNode[];
  /** The switches that are on for the channel. */
  readonly compatibility: Compatibility;
  /** What storing an account again makes for the channel. */
  readonly registrations: RegistrationChoice;
  /** URL schemes of apps that its shoppers may be sent back to (S-RED-01). */
  readonly appSchemes: readonly string[];
  /** Whether its shoppers may delete what is stored of them, where a checkout offers it. */
  readonly shoppersMayDelete: boolean;
}

/**
 * Why a request may not pass (D-39). `credentialUnknown` and `entityRefused` are HTTP 403; the
 * other two say that the request itself must be changed.
 */
export interface RefusedAccess {
  readonly kind: 'refused';
  readonly reason: 'credentialUnknown' | 'entityMissing' | 'entityRefused' | 'noDispatching';
  /** A code of the catalogue. */
  readonly code: (typeof codes)[
    'invalidAuthentication' | 'invalidParameter' | 'senderNotAuthorized' | 'notConfigured'];
}

/** One credential, with the full hash for the final comparison. */
interface IndexedCredential {
  readonly owners: readonly AccountNode[];
  readonly hash: Buffer;
  /** What has been found out for it, by the entity that was named. Made-up ids are not allowed, and leave nothing here. */
  readonly allowed: Map<string | undefined, AllowedAccess>;
}

/** A directory made ready for lookups; built once per version, read by every request. */
export interface AccessIndex {
  readonly version: string;
  readonly nodes: ReadonlyMap<EntityId, AccountNode>;
  readonly credentials: ReadonlyMap<string, IndexedCredential>;
  /** The switches that are on for each channel. */
  readonly compatibility: ReadonlyMap<EntityId, Compatibility>;
  /** Whether there is a channel whose checkouts are read without credentials. */
  readonly hasStatusWithoutAccess: boolean;
}

/**
 * Builds the index of a directory; `compatibility`: the switches that are on unless a node says
 * otherwise.
 */
export function accessIndex(
  { version, nodes: list, credentials }: AccessDirectory,
  compatibility: Compatibility = strictly,
): AccessIndex {
  const nodes = new Map(list.map((node) => [node.id, node]));
  const channels = list.filter(({ kind }) => kind === 'channel');
  const ofChannels = new Map(
    channels.map((channel) => [channel.id, compatibilityOf(nodes, channel, compatibility)]),
  );
  return {
    version,
    nodes,
    credentials: indexedCredentials(nodes, credentials),
    compatibility: ofChannels,
    hasStatusWithoutAccess: [...ofChannels.values()].some((on) => on.has('statusWithoutAccess')),
  };
}

type Nodes = AccessIndex['nodes'];

function indexedCredentials(
  nodes: Nodes,
  credentials: readonly CredentialEntry[],
): AccessIndex['credentials'] {
  const indexed = new Map<string, IndexedCredential>();
  for (const { kind, hash, nodeId } of credentials) {
    const owner = nodes.get(nodeId);
    if (owner === undefined) continue;
    const key = credentialKey(kind, hash);
    const owners = [...(indexed.get(key)?.owners ?? []), owner];
    indexed.set(key, { owners, hash: Buffer.from(hash, 'hex'), allowed: new Map() });
  }
  return indexed;
}

/** From the top down, so that lower nodes override higher ones. */
function compatibilityOf(
  nodes: Nodes,
  channel: AccountNode,
  otherwise: Compatibility,
): Compatibility {
  const path = pathToRoot(nodes, channel).toReversed();
  const isOn = (name: CompatibilitySwitchName): boolean =>
    path.reduce((above, { compatibility }) => compatibility[name] ?? above, otherwise.has(name));
  const on = compatibilitySwitches.map(({ name }) => name).filter(isOn);
  return on.length === 0 ? strictly : new Set(on);
}

/** Whether this credential exists; checked before a request's body is read (S-AUT-02). */
export function knowsCredential(
  index: AccessIndex,
  credential: { readonly kind: CredentialEntry['kind']; readonly hash: string },
): boolean {
  return indexedOf(index, credential) !== undefined;
}

/**
 * Whether a credential may act for an entity (Interface 5, D-39). It is valid for its own node and
 * all below. An unknown entity and somebody else's are refused alike, so that nobody learns which
 * exist.
 */
export function resolveAccess(
  index: AccessIndex,
  credential: { readonly kind: CredentialEntry['kind']; readonly hash: string },
  entityId: string | undefined,
): AllowedAccess | RefusedAccess {
  const known = indexedOf(index, credential);
  if (known === undefined) {
    return { kind: 'refused', reason: 'credentialUnknown', code: codes.invalidAuthentication };
  }
  const access = known.allowed.get(entityId) ?? findAccess(index, known.owners, entityId);
  if (access.kind === 'allowed') known.allowed.set(entityId, access);
  return access;
}

function findAccess(
  index: AccessIndex,
  owners: readonly AccountNode[],
  entityId: string | undefined,
): AllowedAccess | RefusedAccess {
  const [only, ...others] = owners;
  if (entityId === undefined && (only?.kind !== 'channel' || others.length > 0)) {
    return { kind: 'refused', reason: 'entityMissing', code: codes.invalidParameter };
  }
  const node = entityId === undefined ? only : nodeOf(index, entityId);
  const path = node === undefined ? [] : pathToRoot(index.nodes, node);
  // The nearest, so that a token of a channel and of its merchant acts for the channel.
  const actor = path.find((each) => owners.includes(each));
  if (actor === undefined) {
    return { kind: 'refused', reason: 'entityRefused', code: codes.senderNotAuthorized };
  }
  if (node?.kind === 'merchant') {
    return { kind: 'refused', reason: 'noDispatching', code: codes.notConfigured };
  }
  return (
    allowedOn(index, path, { actor: actor.id, owners }) ?? {
      ...{ kind: 'refused', reason: 'entityRefused', code: codes.senderNotAuthorized },
    }
  );
}

/**
 * The access to a channel in the name of whoever has begun something there, for a shopper who completes
 * it: no credential owns it. Undefined where there is no such channel any more.
 */
export function channelAccess(
  index: AccessIndex,
  entityId: string,
  actor: string,
): AllowedAccess | undefined {
  const node = nodeOf(index, entityId);
  if (node === undefined || !isEntityId(actor)) return undefined;
  return allowedOn(index, pathToRoot(index.nodes, node), { actor, owners: [] });
}

/** Undefined where the path does not begin with the channel of a merchant. */
function allowedOn(
  index: AccessIndex,
  path: readonly AccountNode[],
  who: Pick<AllowedAccess, 'actor' | 'owners'>,
): AllowedAccess | undefined {
  const [node] = path;
  const merchant = path.find(({ kind }) => kind === 'merchant');
  if (node?.kind !== 'channel' || merchant === undefined) return undefined;
  const compatibility = index.compatibility.get(node.id) ?? strictly;
  // The lowest node that says something.
  const said = path.find((each) => each.registrations !== undefined);
  const registrations = said?.registrations ?? 'new';
  const appSchemes = path.find((each) => each.appSchemes !== undefined)?.appSchemes ?? [];
  const allowed = { kind: 'allowed', channel: node, merchant, ...who } as const;
  const deleting = path.find((each) => each.shoppersMayDelete !== undefined);
  const shoppersMayDelete = deleting?.shoppersMayDelete ?? false;
  return { ...allowed, compatibility, registrations, appSchemes, shoppersMayDelete };
}

/** Whether `entityId` is a channel of the same merchant that the same credential may use (D-29). */
export function mayUseSibling(
  index: AccessIndex,
  access: AllowedAccess,
  entityId: EntityId,
): boolean {
  const node = nodeOf(index, entityId);
  const path = node === undefined ? [] : pathToRoot(index.nodes, node);
  return (
    node?.kind === 'channel' &&
    node.id !== access.channel.id &&
    path.some(({ id }) => id === access.merchant.id) &&
    path.some((each) => access.owners.some(({ id }) => id === each.id))
  );
}

function indexedOf(
  index: AccessIndex,
  credential: { readonly kind: CredentialEntry['kind']; readonly hash: string },
): IndexedCredential | undefined {
  const found = index.credentials.get(credentialKey(credential.kind, credential.hash));
  const given = Buffer.from(credential.hash, 'hex');
  const isIt = found?.hash.length === given.length && timingSafeEqual(found.hash, given);
  return isIt ? found : undefined;
}

function nodeOf(index: AccessIndex, entityId: string): AccountNode | undefined {
  return isEntityId(entityId) ? index.nodes.get(entityId) : undefined;
}

/** The node itself first, then all above it. */
function pathToRoot(nodes: Nodes, node: AccountNode): readonly AccountNode[] {
  const path: AccountNode[] = [];
  let next: AccountNode | undefined = node;
  while (next !== undefined && path.length < TREE_LEVELS_MAX) {
    path.push(next);
    next = next.parentId === undefined ? undefined : nodes.get(next.parentId);
  }
  return path;
}

function credentialKey(kind: CredentialEntry['kind'], hash: string): string {
  return `${kind}:${hash}`;
}
