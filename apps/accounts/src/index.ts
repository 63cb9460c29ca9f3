export { accounts } from './declaration.js';
export { AccountsModule, type AccountsStart, type RunningAccounts } from './accounts.module.js';
