import { createHash } from 'node:crypto';
import type { NodeKind } from '@sluice/contracts';
import { type EntityId, isEntityId } from '@sluice/identifiers';
import type { SeedAccount, SeedChannel } from './seed-account.js';

/** Real ids of the interface family begin like this (wire contract 2). */
const ID_PREFIX = '8a8294';
const ID_HEX_DIGITS = 32;

/** A level above the channels. */
export type OwnerKind = Exclude<NodeKind, 'channel'>;

/** The parents of merchants and divisions, unless a seed names others. */
export const DEFAULT_PSP = 'Sluice';
export const DEFAULT_DIVISION = 'Sandbox';

/** A channel with the nodes above it, from the top: PSP, division, merchant, channel. */
export function channelAccounts(channel: SeedChannel): readonly SeedAccount[] {
  const { entityId, name, merchant, ...terms } = channel;
  const psp = impliedOwner('psp', DEFAULT_PSP);
  const division = impliedOwner('division', DEFAULT_DIVISION, psp.id);
  const owner = impliedOwner('merchant', merchant, division.id);
  return [psp, division, owner, { id: entityId, kind: 'channel', name, parentId: owner.id, terms }];
}

/** A node that a seed names only as the parent of others. */
export function impliedOwner(kind: OwnerKind, name: string, parentId?: EntityId): SeedAccount {
  const id = ownerIdOf(kind, name);
  return { id, kind, name, ...(parentId !== undefined && { parentId }) };
}

/** The id of a node above the channels: its name, if that is one, else derived from the name. */
export function ownerIdOf(kind: OwnerKind, name: string): EntityId {
  return isEntityId(name) ? name : derivedEntityId(kind, name);
}

/** The id of a node that is known only by name: the same name gives the same id everywhere. */
export function derivedEntityId(kind: OwnerKind, name: string): EntityId {
  const digest = createHash('sha256').update(`${kind}:${name}`).digest('hex');
  return `${ID_PREFIX}${digest}`.slice(0, ID_HEX_DIGITS) as EntityId;
}
