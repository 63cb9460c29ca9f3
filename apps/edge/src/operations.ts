import { CreateAuthentication } from './operations/create-authentication.js';
import { CreateCheckout } from './operations/create-checkout.js';
import { CreatePayment } from './operations/create-payment.js';
import { CreateRegistration } from './operations/create-registration.js';
import { CreateRiskCheck } from './operations/create-risk-check.js';
import { CreateSchedule } from './operations/create-schedule.js';
import { DeleteCheckout } from './operations/delete-checkout.js';
import { DeleteOfferedRegistration } from './operations/delete-offered-registration.js';
import { DeleteRegistration } from './operations/delete-registration.js';
import { DeleteSchedule } from './operations/delete-schedule.js';
import { Deschedule } from './operations/deschedule.js';
import { ExtendRegistration } from './operations/extend-registration.js';
import { ListResultCodes } from './operations/list-result-codes.js';
import { ListSchedules } from './operations/list-schedules.js';
import { PayByRegistration } from './operations/pay-by-registration.js';
import { QueryTransaction } from './operations/query-transaction.js';
import { QueryTransactions } from './operations/query-transactions.js';
import { ReadAuthentication } from './operations/read-authentication.js';
import { ReadCardRange } from './operations/read-card-range.js';
import { ReadCheckout } from './operations/read-checkout.js';
import { ReadCheckoutBrands } from './operations/read-checkout-brands.js';
import { ReadCheckoutForm } from './operations/read-checkout-form.js';
import { ReadCheckoutWallets } from './operations/read-checkout-wallets.js';
import { ReadPayment } from './operations/read-payment.js';
import { ReadRegistration } from './operations/read-registration.js';
import { ReadSchedule } from './operations/read-schedule.js';
import { ReferToPayment } from './operations/refer-to-payment.js';
import { Reschedule } from './operations/reschedule.js';
import { StartApplePaySession } from './operations/start-apple-pay-session.js';
import { SubmitCheckout } from './operations/submit-checkout.js';
import { UpdateCheckout } from './operations/update-checkout.js';
import { UpdateRegistration } from './operations/update-registration.js';
import { routesOf } from './route-table.js';

/** All operations of edge, one file each; their declarations are the only list of routes. */
export const operations = [
  CreatePayment,
  ReferToPayment,
  ReadPayment,
  CreateAuthentication,
  ReadAuthentication,
  CreateRiskCheck,
  CreateRegistration,
  ReadRegistration,
  UpdateRegistration,
  DeleteCheckout,
  DeleteRegistration,
  ExtendRegistration,
  PayByRegistration,
  CreateCheckout,
  UpdateCheckout,
  SubmitCheckout,
  ReadCheckout,
  ReadCheckoutBrands,
  ReadCheckoutForm,
  ReadCheckoutWallets,
  ReadCardRange,
  DeleteOfferedRegistration,
  StartApplePaySession,
  ...[CreateSchedule, ListSchedules, ReadSchedule, Reschedule, Deschedule, DeleteSchedule],
  QueryTransactions,
  QueryTransaction,
  ListResultCodes,
] as const;

/** The routes of all of them. */
export const routes = routesOf(operations);
