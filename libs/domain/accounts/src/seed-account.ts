import type { LegacyCredential, NodeKind, SwitchSettings } from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import type { AccessToken } from '@sluice/secrets';

/** What a seed says of a node: who may use it and what is on there, for it and all below. */
export interface SeedTerms {
  readonly accessTokens: readonly AccessToken[];
  readonly legacyCredentials: readonly LegacyCredential[];
  readonly compatibility: SwitchSettings;
}

/** A node of the account tree to create or to replace. */
export interface SeedAccount {
  readonly id: EntityId;
  readonly kind: NodeKind;
  readonly name: string;
  /** Absent for a PSP only. */
  readonly parentId?: EntityId;
  /** Absent of a node that something stands under and nothing is said of: made if it is missing. */
  readonly terms?: SeedTerms;
}

/** A channel to create or to replace, with the credentials that may use it. */
export interface SeedChannel extends SeedTerms {
  readonly entityId: EntityId;
  readonly name: string;
  /** The merchant's entity id, or a name that an id is derived from. */
  readonly merchant: string;
}
