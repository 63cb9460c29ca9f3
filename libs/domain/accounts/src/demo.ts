import type { EntityId } from '@sluice/identifiers';
import { AccessToken } from '@sluice/secrets';
import type { SeedChannel } from './seed-channel.js';

/** The demo channel's entity id, the same in every sandbox. */
export const DEMO_ENTITY_ID = '8a8294174b7ecb28014b9699220015ca' as EntityId;
/** The demo channel's access token: public by intent, it opens nothing but a sandbox. */
export const DEMO_ACCESS_TOKEN = 'sluice-demo-access-token-for-sandboxes-only';
/** The demo channel's legacy `authentication.userId`. */
export const DEMO_USER_ID = '8a8294174b7ecb28014b9699220015cc';
/** The demo channel's legacy `authentication.password`: public by intent as well. */
export const DEMO_PASSWORD = 'sluice-demo';

/** The channel that every sandbox has, so that an example works as printed. */
export const demoChannel: SeedChannel = {
  entityId: DEMO_ENTITY_ID,
  name: 'Sluice Demo Shop',
  merchant: 'Sluice Demo Merchant',
  accessTokens: [new AccessToken(DEMO_ACCESS_TOKEN)],
  legacyCredentials: [{ userId: DEMO_USER_ID, password: new AccessToken(DEMO_PASSWORD) }],
};
