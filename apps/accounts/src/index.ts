export { accounts } from './declaration.js';
export { AccountsModule, type AccountsStart, type RunningAccounts } from './accounts.module.js';
export { AccountNodes, type NodeState } from './account-nodes.js';
export {
  configureAccount,
  configureRoute,
  pathOf,
  removeAccount,
  type RoutingChange,
  RoutingChanges,
  RoutingRefused,
} from './routing-changes.js';
