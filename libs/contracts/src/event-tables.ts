import { accountEvents } from './account-events.js';
import { authenticationEvents } from './authentication-events.js';
import { checkoutEvents } from './checkout-events.js';
import type { EventTable } from './event-table.js';
import { paymentEvents } from './payment-events.js';
import { registrationEvents } from './registration-events.js';
import { scheduleEvents } from './schedule-events.js';
import { subscriptionEvents } from './subscription-events.js';

/** Every table of events, by its stream; each has its schemas in `docs/reference/<stream>-events.json`. */
export const eventTables = {
  payment: paymentEvents,
  account: accountEvents,
  registration: registrationEvents,
  checkout: checkoutEvents,
  authentication: authenticationEvents,
  schedule: scheduleEvents,
  subscription: subscriptionEvents,
} as const satisfies Readonly<Record<string, EventTable>>;
