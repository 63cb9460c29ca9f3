import type { EntityId } from '@sluice/identifiers';

/** The levels of the tree PSP > division > merchant > channel. */
export type NodeKind = 'psp' | 'division' | 'merchant' | 'channel';

/** One node of the tree. */
export interface AccountNode {
  readonly id: EntityId;
  readonly kind: NodeKind;
  readonly name: string;
  /** Absent for a PSP only. */
  readonly parentId?: EntityId;
  /** Channels only: chargebacks may be recorded over HTTP (D-32). */
  readonly manualChargebacks: boolean;
}

/** A credential, by its keyed hash: never the token or password itself (S-AUT-01). */
export interface CredentialEntry {
  /** By `accessTokenHash` or `legacyCredentialHash`, hex. */
  readonly hash: string;
  readonly kind: 'accessToken' | 'legacy';
  /** The node it belongs to; it is good for that node and all below (D-39). */
  readonly nodeId: EntityId;
}

/** Everything edge keeps in memory to decide who may call. */
export interface AccessDirectory {
  /** Grows with every change; edge asks again and again with the one it has. */
  readonly version: string;
  readonly nodes: readonly AccountNode[];
  readonly credentials: readonly CredentialEntry[];
}

/** The query `accounts.directory`. */
export interface DirectoryQuery {
  /** The version the asker has; absent at first. */
  readonly knownVersion?: string;
  /** Names one running instance of the asker, so that accounts can count them. */
  readonly asker?: string;
}

/** Its answer; without a directory when nothing has changed. */
export interface DirectoryAnswer {
  readonly directory?: AccessDirectory;
  /** Instances that have asked in the last seconds, this one among them; absent if it has no name. */
  readonly askers?: number;
}
