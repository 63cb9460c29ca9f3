export { AccountsModule, type AccountsStart, type RunningAccounts } from './accounts.module.js';
