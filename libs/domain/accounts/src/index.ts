export { derivedEntityId, nodesOf, type SeedOptions } from './account-tree.js';
export {
  DEMO_ACCESS_TOKEN,
  DEMO_ENTITY_ID,
  DEMO_PASSWORD,
  DEMO_USER_ID,
  demoChannel,
} from './demo.js';
export {
  ACCESS_TOKEN_CHARACTERS_MAX,
  ACCESS_TOKEN_CHARACTERS_MIN,
  LEGACY_CHARACTERS_MAX,
  parseSeed,
  SEED_CHANNELS_MAX,
  SEED_CHARACTERS_MAX,
  SEED_CREDENTIALS_MAX,
  SEED_NAME_CHARACTERS_MAX,
  type SeedResult,
} from './seed.js';
export type { SeedChannel } from './seed-channel.js';
