import type { LegacyCredential } from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import type { AccessToken } from '@sluice/secrets';

/** A channel to create or to replace, with the credentials that may use it. */
export interface SeedChannel {
  readonly entityId: EntityId;
  readonly name: string;
  /** The merchant's entity id, or a name that an id is derived from. */
  readonly merchant: string;
  readonly accessTokens: readonly AccessToken[];
  readonly legacyCredentials: readonly LegacyCredential[];
}
