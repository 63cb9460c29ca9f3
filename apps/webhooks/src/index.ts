export { attemptEnds, type AttemptEnd } from './attempt-records.js';
export { webhooks } from './declaration.js';
export {
  DeliveryLog,
  type LoggedAttempt,
  type LoggedDelivery,
  type ReceiverHealth,
  type Resent,
  type WantedDeliveries,
} from './delivery-log.js';
export { mailsGoTo } from './mails/mails.processor.js';
export { SealedAddresses } from './mails/sealed-addresses.js';
export { askForTest, findTest, type ReceiverTest } from './receiver-tests.js';
export { type DeliveryStanding, deliveryStandings } from './schema.js';
export { SealedSecrets } from './sealed-secrets.js';
export { Subscriptions } from './subscriptions.js';
export { type RunningWebhooks, WebhooksModule, type WebhooksOptions } from './webhooks.module.js';
