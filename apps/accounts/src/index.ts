export { AccountsModule, type AccountsStart, type RunningAccounts } from './accounts.module.js';
export {
  DEMO_ACCESS_TOKEN,
  DEMO_ENTITY_ID,
  DEMO_PASSWORD,
  DEMO_USER_ID,
  demoChannel,
  parseSeed,
  type SeedChannel,
  type SeedResult,
} from '@sluice/domain-accounts';
