import type { EntityId } from '@sluice/identifiers';
import type { credentialKinds, nodeKinds } from './account-events.js';
import type { SwitchSettings } from './compatibility.js';

/** The levels of the tree PSP > division > merchant > channel. */
export type NodeKind = (typeof nodeKinds)[number];

/** One node of the tree. */
export interface AccountNode {
  readonly id: EntityId;
  readonly kind: NodeKind;
  readonly name: string;
  /** Absent for a PSP only. */
  readonly parentId?: EntityId;
  /** Channels only: chargebacks may be recorded over HTTP (D-32). */
  readonly manualChargebacks: boolean;
  /** Good for this node and all below, unless one of those says otherwise (D-67). */
  readonly compatibility: SwitchSettings;
}

/** A credential, by its keyed hash: never the token or password itself (S-AUT-01). */
export interface CredentialEntry {
  /** By `accessTokenHash` or `legacyCredentialHash`, hex. */
  readonly hash: string;
  readonly kind: (typeof credentialKinds)[number];
  /**
   * A node that it belongs to: it is good for that node and all below (D-39). One of several nodes
   * has an entry for each (D-68).
   */
  readonly nodeId: EntityId;
}

/** Everything edge keeps in memory to decide who may call. */
export interface AccessDirectory {
  /** Another one after every change; edge asks again and again with the one it has. */
  readonly version: string;
  readonly nodes: readonly AccountNode[];
  readonly credentials: readonly CredentialEntry[];
}

/**
 * Requests per second that an instance was asked for, by throttle key: a keyed hash of credential
 * and entity that says nothing of either. The busiest keys only.
 */
export type Demands = Readonly<Record<string, number>>;

/** The query `accounts.directory`. */
export interface DirectoryQuery {
  /** The version the asker has; absent at first. */
  readonly knownVersion?: string;
  /** Names one running instance of the asker, so that accounts can count them. */
  readonly asker?: string;
  /** Since it last asked; the other instances are told. Heard only of one that has a name. */
  readonly demands?: Demands;
}

/** Its answer; without a directory when nothing has changed. */
export interface DirectoryAnswer {
  readonly directory?: AccessDirectory;
  /** Instances that have asked in the last seconds, this one among them; absent if it has no name. */
  readonly askers?: number;
  /**
   * What the other instances were asked for of the keys in the question, one number each; a key
   * that no other one reported lately is left out. Absent if the asker has no name.
   */
  readonly others?: Readonly<Record<string, readonly number[]>>;
}
