import type { EntityId } from '@sluice/identifiers';
import type { credentialKinds, nodeKinds, RegistrationChoice } from './account-events.js';
import type { AuthenticationSettings } from './authentications.js';
import type { SwitchSettings } from './compatibility.js';
import type { ScheduleSettings } from './scheduling.js';

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
  /** Valid for this node and all below, unless one of those sets it differently (D-67). */
  readonly compatibility: SwitchSettings;
  /** The same: what storing an account again makes; always a new registration unless it is set. */
  readonly registrations?: RegistrationChoice;
  /** The same: URL schemes of apps that shoppers may be sent back to; none unless it is set (S-RED-01). */
  readonly appSchemes?: readonly string[];
  /** The same: whether shoppers may delete the stored accounts that a checkout offers them; not unless it is set. */
  readonly shoppersMayDelete?: boolean;
  /** The same, as a whole: how shoppers are authenticated by 3-D Secure; not unless it is set. */
  readonly threeDSecure?: AuthenticationSettings;
  /** The same, as a whole: when schedules run; in UTC unless it is set. */
  readonly schedules?: ScheduleSettings;
}

/** A credential, by its keyed hash: never the token or password itself (S-AUT-01). */
export interface CredentialEntry {
  /** By `accessTokenHash` or `legacyCredentialHash`, hex. */
  readonly hash: string;
  readonly kind: (typeof credentialKinds)[number];
  /**
   * A node that it belongs to: it is valid for that node and all below (D-39). A credential of
   * several nodes has an entry for each (D-68).
   */
  readonly nodeId: EntityId;
}

/** Everything edge keeps in memory to decide who may call. */
export interface AccessDirectory {
  /** Different after every change; edge sends the one that it has with each request. */
  readonly version: string;
  /**
   * Without how shoppers are authenticated, which `accounts.routing` says to payments, and when schedules
   * run, which `accounts.schedules` says to scheduling.
   */
  readonly nodes: readonly Omit<AccountNode, 'threeDSecure' | 'schedules'>[];
  readonly credentials: readonly CredentialEntry[];
}

/**
 * Requests per second that an instance received, by throttle key: a keyed hash of credential and
 * entity that reveals neither. Only the busiest keys.
 */
export type Demands = Readonly<Record<string, number>>;

/** The query `accounts.directory`. */
export interface DirectoryQuery {
  /** The version that the asking instance has; absent at first. */
  readonly knownVersion?: string;
  /** Names one running instance of the asking service, so that accounts can count them. */
  readonly asker?: string;
  /** Since its last query; passed on to the other instances. Ignored without a name. */
  readonly demands?: Demands;
}

/** Its answer; without a directory when nothing has changed. */
export interface DirectoryAnswer {
  readonly directory?: AccessDirectory;
  /**
   * Instances that have asked in the last seconds, including this one; absent if it has no name.
   */
  readonly askers?: number;
  /**
   * The requests that the other instances received for the keys in the query, one number each; a
   * key that no other instance reported lately is left out. Absent if the asking instance has no
   * name.
   */
  readonly others?: Readonly<Record<string, readonly number[]>>;
}
