import {
  type BinTable,
  paymentFields,
  registrationFields,
  scheduleFields,
  shownSchedule,
  stampFields,
  timestampOf,
} from '@sluice/answers';
import {
  type NotificationFields,
  type NotificationType,
  paymentMethodOf,
  type ScheduleAnswer,
  type ScheduleQuery,
  shownInstrument,
} from '@sluice/contracts';
import {
  type Notification,
  type NotificationSource,
  notificationText,
  type RegistrationAction,
} from '@sluice/domain-webhooks';
import { shortIdOf } from '@sluice/identifiers';
import type { Queries } from '@sluice/messaging';
import { type Place, registrationAt, transactionAt } from './told-objects.js';

/** Of what a merchant or a shopper has asked for. */
const MERCHANTS: NotificationSource = 'SYSTEM';

/** What is told of, as far as a text follows from it. */
export interface TextSource extends Place {
  readonly type: NotificationType;
  readonly ndc: string;
  readonly happenedAtMs: number;
  /** Of a registration; null for all else. */
  readonly action: RegistrationAction | null;
}

/** The parts they are made of. */
export interface NotificationsParts {
  readonly queries: Queries;
  readonly bins: BinTable;
  readonly buildNumber: string;
}

/** What was told of is not there: the store of its owner was restored from before it. */
export class NothingToTell extends Error {
  override readonly name = 'NothingToTell';

  constructor(readonly transactionId: string) {
    super(`Nobody has ${transactionId} any more.`);
  }
}

/**
 * What notifications say: what the gateway answers of the transaction, registration or schedule, by the same function, as it
 * was after the event that is told of. It is made when it is sent, so personal data is kept here by nobody, and
 * what was forgotten is told to nobody.
 */
export class Notifications {
  constructor(private readonly parts: NotificationsParts) {}

  /** @throws QueryUnavailable, NothingToTell */
  async textOf(source: TextSource, fields: NotificationFields): Promise<string> {
    return notificationText(await this.#notificationOf(source), fields);
  }

  /** Whether a registration can be used after an event. @throws QueryUnavailable */
  async isUsable(place: Place): Promise<boolean> {
    return (await registrationAt(this.parts.queries, place))?.state === 'kept';
  }

  /** What a transaction is told as; undefined: it is not there any more. @throws QueryUnavailable */
  async typeOf(place: Place): Promise<NotificationType | undefined> {
    const transaction = await transactionAt(this.parts.queries, place);
    if (transaction === undefined) return undefined;
    return transaction.operation === 'riskAssessment' ? 'RISK' : 'PAYMENT';
  }

  #notificationOf(source: TextSource): Promise<Notification> {
    switch (source.type) {
      case 'PAYMENT':
        return this.#ofTransaction(source, 'PAYMENT');
      case 'RISK':
        return this.#ofTransaction(source, 'RISK');
      case 'REGISTRATION':
        return this.#ofRegistration(source);
      case 'SCHEDULE':
        return this.#ofSchedule(source);
    }
  }

  async #ofTransaction(source: TextSource, type: 'PAYMENT' | 'RISK'): Promise<Notification> {
    const { entityId, sequence } = source;
    const transaction = await transactionAt(this.parts.queries, source);
    if (transaction === undefined) throw new NothingToTell(source.transactionId);
    const { channelName, ndc, paymentMethod } = transaction;
    const shown = { ...transaction, outcome: transaction };
    const fields = paymentFields(shown, this.parts.bins);
    // Of what refers to a payment its answer does not say it, and a notification does (wire contract 9).
    const method = paymentMethod === undefined ? {} : { paymentMethod };
    return {
      notified: type === 'RISK' ? { type } : { type, source: transaction.source ?? MERCHANTS },
      answer: { ...fields, ...method, ...this.#stamp(source, ndc) },
      ...{ entityId, channelName, sequence },
    };
  }

  async #ofRegistration(source: TextSource): Promise<Notification> {
    const { transactionId, entityId, sequence, ndc, action } = source;
    const registration = await registrationAt(this.parts.queries, source);
    if (registration === undefined || action === null) throw new NothingToTell(transactionId);
    const { instrument, channelName, outcome, parameters, personal } = registration;
    const shown = { outcome, parameters, personal };
    const ofInstrument = instrument && { instrument: shownInstrument(instrument) };
    const fields = {
      ...registrationFields({ ...shown, ...ofInstrument }, this.parts.bins),
      ...{
        paymentMethod: instrument && paymentMethodOf(instrument),
        shortId: shortIdOf(transactionId),
      },
    };
    return {
      notified: { type: 'REGISTRATION', action },
      answer: { id: transactionId, ...fields, ...this.#stamp(source, ndc) },
      ...{ entityId, channelName, sequence },
    };
  }

  /** The schedule itself, whatever was asked of it, and by which id. */
  async #ofSchedule(source: TextSource): Promise<Notification> {
    const { transactionId: scheduleId, entityId, sequence, ndc } = source;
    const query: ScheduleQuery = { scheduleId, entityId, atVersion: sequence };
    const { schedule } = await this.parts.queries.ask<ScheduleAnswer>(
      ...(['scheduling', 'scheduling.schedule', query] as const),
    );
    if (schedule === undefined) throw new NothingToTell(scheduleId);
    return {
      notified: { type: 'SCHEDULE', source: schedule.source },
      answer: { ...scheduleFields(shownSchedule(schedule)), ...this.#stamp(source, ndc) },
      ...{ entityId, channelName: schedule.channelName, sequence },
    };
  }

  #stamp({ happenedAtMs }: TextSource, ndc: string) {
    const timestamp = timestampOf(happenedAtMs);
    return stampFields({ buildNumber: this.parts.buildNumber, timestamp, ndc });
  }
}
