import { CreatePayment } from './operations/create-payment.js';
import { ListResultCodes } from './operations/list-result-codes.js';
import { QueryTransaction } from './operations/query-transaction.js';
import { QueryTransactions } from './operations/query-transactions.js';
import { ReadPayment } from './operations/read-payment.js';
import { ReferToPayment } from './operations/refer-to-payment.js';
import { routesOf } from './route-table.js';

/** All operations of edge, one file each; their declarations are the only list of routes. */
export const operations = [
  CreatePayment,
  ReferToPayment,
  ReadPayment,
  QueryTransactions,
  QueryTransaction,
  ListResultCodes,
] as const;

/** The routes of all of them. */
export const routes = routesOf(operations);
