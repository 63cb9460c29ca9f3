export {
  type AccountCommand,
  accountDecider,
  type AccountState,
  type Credential,
} from './account-decider.js';
export { type AccountEvent, accountEventCodec } from './account-events.js';
export { channelAccounts, derivedEntityId } from './account-tree.js';
export {
  DEMO_ACCESS_TOKEN,
  DEMO_ENTITY_ID,
  DEMO_PASSWORD,
  DEMO_USER_ID,
  demoAccounts,
  demoChannel,
  demoMerchantAccount,
  demoRoute,
  OLDER_ENTITY_ID,
  PUBLISHED_ACCESS_TOKEN,
  PUBLISHED_PASSWORD,
} from './demo.js';
export { JsonSyntaxError, parseLocatedJson } from './located-json.js';
export {
  CREDENTIALS_MAX,
  type MerchantAccountFault,
  SETTINGS_MAX,
} from './merchant-account-form.js';
export { CONDITION_VALUES_MAX, PRIORITY_MAX, type RouteFault, WEIGHT_MAX } from './route-form.js';
export type {
  ConfigureMerchantAccount,
  ConfigureRoute,
  RemoveMerchantAccount,
  RemoveRoute,
  RoutingCommand,
} from './routing-commands.js';
export {
  MERCHANT_ACCOUNTS_MAX,
  ROUTES_MAX,
  type RoutingRefusal,
  routingRefusal,
} from './routing-decisions.js';
export { routingSentences } from './routing-sentences.js';
export {
  type FindAccount,
  parseMerchantAccount,
  parseRoute,
  type ReadResult,
  type RoutePlace,
} from './seed-routing.js';
export { parseSeed, SEED_CHANNELS_MAX, SEED_CHARACTERS_MAX, type SeedResult } from './seed.js';
export type { SeedAccount, SeedChannel, SeedTerms } from './seed-account.js';
export {
  ACCESS_TOKEN_CHARACTERS_MAX,
  ACCESS_TOKEN_CHARACTERS_MIN,
  LEGACY_CHARACTERS_MAX,
  SEED_CREDENTIALS_MAX,
} from './seed-terms.js';
export { SEED_NAME_CHARACTERS_MAX } from './seed-values.js';
