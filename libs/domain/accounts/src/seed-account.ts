import type {
  AuthenticationSettings,
  LegacyCredential,
  MerchantAccount,
  NodeKind,
  RegistrationChoice,
  Route,
  ScheduleSettings,
  SwitchSettings,
} from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import type { AccessToken } from '@sluice/secrets';
import type { SeededReceiver } from './seed-webhooks.js';

/** What a seed says about a node: its credentials and switches, valid for it and all below. */
export interface SeedTerms {
  readonly accessTokens: readonly AccessToken[];
  readonly legacyCredentials: readonly LegacyCredential[];
  readonly compatibility: SwitchSettings;
  /** Absent: as the node above says. */
  readonly registrations?: RegistrationChoice;
  /** The same. */
  readonly appSchemes?: readonly string[];
  /** The same. */
  readonly shoppersMayDelete?: boolean;
  /** The same. */
  readonly threeDSecure?: AuthenticationSettings;
  /** The same. */
  readonly schedules?: ScheduleSettings;
}

/** A node of the account tree to create or to replace. */
export interface SeedAccount {
  readonly id: EntityId;
  readonly kind: NodeKind;
  readonly name: string;
  /** Absent for a PSP only. */
  readonly parentId?: EntityId;
  /** Absent if the node is only named as a parent: it is created if it is missing. */
  readonly terms?: SeedTerms;
  /** The node then has exactly these; absent: it keeps what it has. */
  readonly merchantAccounts?: readonly MerchantAccount[];
  /** The same of routes. */
  readonly routes?: readonly Route[];
  /** The same of receivers of notifications; accounts keeps none of them. */
  readonly webhooks?: readonly SeededReceiver[];
}

/** A channel to create or to replace, with the credentials that may use it. */
export interface SeedChannel extends SeedTerms {
  readonly entityId: EntityId;
  readonly name: string;
  /** The merchant's entity id, or a name from which an id is derived. */
  readonly merchant: string;
}
