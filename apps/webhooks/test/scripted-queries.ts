// What the specs of webhooks have other services say; no other file imports it.
import type {
  RegistrationAnswer,
  RegistrationQuery,
  RegistrationState,
  ResultPageAnswer,
  ResultPageQuery,
  RoutingAnswer,
  ScheduleAnswer,
  ScheduleQuery,
  TransactionAnswer,
  TransactionQuery,
  TransactionView,
} from '@sluice/contracts';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import { type Queries, QueryUnavailable } from '@sluice/messaging';

/** 2026-01-15T12:00:00Z. */
export const NOON_MS = Date.UTC(2026, 0, 15, 12);
export const CHANNEL = '8ac7a4c8700000000000000000000001' as EntityId;
export const MERCHANT = '8ac7a4c8700000000000000000000002' as EntityId;
export const OTHER = '8ac7a4c8700000000000000000000003' as EntityId;
/** Nobody may find it in a table or a log. */
export const EMAIL = 'jane.jones@shop.example';
/** What schedules charge. */
export const REGISTRATION = '0194670a0000abcd00000000000000aa' as TransactionId;
/** What comes later of a schedule is about the tries of a declined run. */
export const PLANNED_AT_VERSION = 4;

/** Payments that says what a spec has made of a transaction, and accounts with a small tree. */
export class ScriptedQueries implements Queries {
  isAway = false;
  readonly asked: TransactionQuery[] = [];
  /** Pages of results that are still to be called, by checkout. */
  readonly pages = new Map<string, NonNullable<ResultPageAnswer['page']>>();
  /** Of every registration; undefined: none. */
  notificationUrl: string | undefined;
  /** Its store was restored from before them. */
  readonly lost = new Set<string>();
  readonly views = new Map<string, Partial<TransactionView>>();
  /** By id and version; otherwise it can be used. */
  readonly registrations = new Map<string, RegistrationState>();

  ask<Answer>(_service: string, query: string, parameters: object): Promise<Answer> {
    if (query === 'accounts.routing') return Promise.resolve(TREE as Answer);
    if (query === 'registrations.registration') {
      return Promise.resolve(this.#registrationOf(parameters as RegistrationQuery) as Answer);
    }
    if (query === 'scheduling.schedule') {
      return Promise.resolve(scheduleOf(parameters as ScheduleQuery) as Answer);
    }
    if (query === 'checkouts.resultPage') {
      const page = this.pages.get((parameters as ResultPageQuery).checkoutId);
      return Promise.resolve((page === undefined ? {} : { page }) as Answer);
    }
    if (this.isAway) return Promise.reject(new QueryUnavailable(query, 'noService'));
    const asked = parameters as TransactionQuery;
    this.asked.push(asked);
    const answer: TransactionAnswer = this.lost.has(asked.transactionId)
      ? {}
      : { transaction: this.#viewOf(asked) };
    return Promise.resolve(answer as Answer);
  }

  #registrationOf({
    registrationId: id,
    entityId,
    atVersion = 0,
  }: RegistrationQuery): RegistrationAnswer {
    const state = this.registrations.get(`${id} ${atVersion}`) ?? 'kept';
    return {
      registration: {
        ...{ id, state, entityId, channelName: 'demo', mode: 'INTERNAL', parameters: {} },
        outcome: {
          ...{ id, operation: 'registration', status: 'approved', resultCode: '000.100.110' },
        },
        personal: {
          'card.holder': 'Jane Jones',
          ...(this.notificationUrl !== undefined && { notificationUrl: this.notificationUrl }),
        },
        instrument: {
          ...{ kind: 'card', brand: 'VISA', bin: '420000', last4: '0000' },
          ...{ expiryMonth: '05', expiryYear: '2034', vaultReference: `kept.${id}` },
        },
      },
    };
  }

  #viewOf({ transactionId, entityId, atVersion = 0 }: TransactionQuery): TransactionView {
    const changes = this.views.get(`${transactionId} ${atVersion}`) ?? {};
    return {
      ...{ id: transactionId, entityId, operation: 'debit', status: 'approved' },
      ...{ resultCode: '000.100.110', amount: { minor: '9200', currency: 'EUR' } },
      ...{ channelName: 'demo', mode: 'INTERNAL', ndc: 'checkout-1', recordedAtMs: NOON_MS },
      ...{
        parameters: { merchantTransactionId: 'order-1' },
        personal: { 'customer.email': EMAIL },
      },
      ...changes,
    };
  }
}

/** A schedule whose last run was declined, as an event of any version has left it. */
function scheduleOf({ scheduleId: id, entityId, atVersion = 0 }: ScheduleQuery): ScheduleAnswer {
  const money = { minor: '990', currency: 'EUR' } as const;
  const isRecovered = atVersion > PLANNED_AT_VERSION;
  const source = 'MACRETRY' as const;
  const recovery = { id, paymentId: id, dueMs: NOON_MS, amount: money, source };
  return {
    schedule: {
      ...{ id, entityId, channelName: 'demo', mode: 'INTERNAL', isActive: true, amount: money },
      ...{ registrationId: REGISTRATION, planId: id, nextDueMs: NOON_MS },
      ...{ source: isRecovered ? source : 'SCHEDULER' },
      recoveries: isRecovered ? [recovery] : [],
      outcome: { id, operation: 'schedule', resultCode: '000.100.110' },
      parameters: { 'job.hour': '12' },
      personal: { 'job.name': 'for Jane', 'customer.email': EMAIL },
    },
  };
}

const TREE: RoutingAnswer = {
  directory: {
    version: 'one',
    nodes: [
      { id: MERCHANT },
      { id: CHANNEL, parentId: MERCHANT },
      { id: OTHER, parentId: MERCHANT },
    ],
  },
};
