import { createHash } from 'node:crypto';
import type { AccountNode, NodeKind } from '@sluice/contracts';
import { type EntityId, isEntityId } from '@sluice/identifiers';
import type { SeedChannel } from './seed-channel.js';

/** Real ids of the interface family begin so (wire contract 2). */
const ID_PREFIX = '8a8294';
const ID_HEX_DIGITS = 32;

/** What the nodes of a seeded tree are made with. */
export interface SeedOptions {
  /** Chargebacks may be recorded over HTTP (D-32): sandboxes yes, live installations no. */
  readonly manualChargebacks: boolean;
}

/**
 * The nodes that a seeded channel needs, from the top: PSP, division, merchant, channel. A seed
 * names no PSP and no division, so all its merchants stand under one of each.
 */
export function nodesOf(channel: SeedChannel, options: SeedOptions): readonly AccountNode[] {
  const psp = node('psp', 'Sluice', undefined);
  const division = node('division', 'Sandbox', psp.id);
  const merchant = node('merchant', channel.merchant, division.id);
  return [
    psp,
    division,
    merchant,
    {
      id: channel.entityId,
      kind: 'channel',
      name: channel.name,
      parentId: merchant.id,
      manualChargebacks: options.manualChargebacks,
    },
  ];
}

/** The id of a node that is known by name alone: the same name gives the same id everywhere. */
export function derivedEntityId(kind: Exclude<NodeKind, 'channel'>, name: string): EntityId {
  const digest = createHash('sha256').update(`${kind}:${name}`).digest('hex');
  return `${ID_PREFIX}${digest}`.slice(0, ID_HEX_DIGITS) as EntityId;
}

function node(
  kind: Exclude<NodeKind, 'channel'>,
  name: string,
  parentId: EntityId | undefined,
): AccountNode {
  const id = isEntityId(name) ? name : derivedEntityId(kind, name);
  return { id, kind, name, manualChargebacks: false, ...(parentId && { parentId }) };
}
