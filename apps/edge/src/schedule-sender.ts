import type {
  EndScheduleData,
  ScheduleAnswer,
  ScheduleCommandMessage,
  ScheduleOperation,
  ScheduleQuery,
  ScheduleReply,
  SchedulesOfRegistrationAnswer,
  SchedulesOfRegistrationQuery,
  ScheduleView,
} from '@sluice/contracts';
import {
  isTransactionId,
  newTransactionId,
  newTransactionIdInChainOf,
  type TransactionId,
} from '@sluice/identifiers';
import {
  type Form,
  idleParameters,
  REGISTRATION_ID,
  scheduledInstallmentsRejection,
} from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import type { AdmittedRequest } from './access-guard.js';
import { type Answer, Refused } from './answer.js';
import { checkKind, refuseViolations } from './checked-form.js';
import type { CommandClient, Sending, ServiceCommands } from './command-client.js';
import { idempotencyKeyOf, KEY_CONFLICT } from './idempotency-claims.js';
import type { QueryClient } from './query-client.js';
import { BUSY, REGISTRATION_UNKNOWN, TRANSACTION_NOT_FOUND, UNAVAILABLE } from './refusals.js';
import { openScheduleAnswer, scheduleAnswer } from './schedule-answer.js';
import { createSchedule, endSchedule, reschedule } from './schedule-commands.js';

/** The resource that schedules are made in, as the scope of idempotency keys names it. */
export const SCHEDULES = '/scheduling/v1/schedules';

/** A command to scheduling, with what its answer needs. */
interface ScheduleSending extends Sending<ScheduleCommandMessage> {
  readonly operation: ScheduleOperation;
  /** What the command has sealed. */
  readonly personal: Readonly<Record<string, string>>;
}

/** There is no such schedule, or it is somebody else's. */
const SCHEDULE_UNKNOWN = TRANSACTION_NOT_FOUND;

/** What a change is checked with, where it says nothing of it: the schedule has all of these. */
const OF_SCHEDULE = { paymentType: 'SD', amount: '1.00', currency: 'EUR' } as const;

/** Sends commands to scheduling, and answers with what becomes of them. */
export class ScheduleSender implements ServiceCommands<ScheduleSending, ScheduleReply> {
  readonly service = 'scheduling';

  constructor(
    private readonly commands: CommandClient,
    private readonly queries: QueryClient,
  ) {}

  /** Creates a schedule by a form. @throws Refused */
  async create(admitted: AdmittedRequest): Promise<Answer> {
    checkKind(admitted, 'schedule');
    const { form, receivedAtMs } = admitted;
    refuseInstallments(form);
    const registrationId = form.get(REGISTRATION_ID) ?? '';
    if (!isTransactionId(registrationId)) throw new Refused(REGISTRATION_UNKNOWN);
    const key = idempotencyKeyOf(admitted, SCHEDULES);
    const transactionId = newTransactionId(receivedAtMs, key);
    const { personal, ...parts } = await this.#partsOf(admitted, transactionId, key);
    const command = createSchedule(parts, registrationId);
    return this.commands.send({ admitted, command, personal, operation: 'schedule' }, this);
  }

  /** Changes one by a form. @param id as it was sent */
  async reschedule(admitted: AdmittedRequest, id: string): Promise<Answer> {
    const scheduleId = scheduleIdOf(id);
    checkKind({ ...admitted, form: changedForm(admitted.form, scheduleId) }, 'schedule');
    refuseInstallments(admitted.form);
    await this.#refuseOtherRegistration(admitted, scheduleId);
    const key = idempotencyKeyOf(admitted, `${SCHEDULES}/${id}/reschedule`);
    const transactionId = newTransactionIdInChainOf(scheduleId, admitted.receivedAtMs, key);
    const { personal, ...parts } = await this.#partsOf(admitted, transactionId, key);
    const command = reschedule(parts, scheduleId);
    return this.commands.send({ admitted, command, personal, operation: 'reschedule' }, this);
  }

  /** Ends one. @param id as it was sent */
  async end(
    admitted: AdmittedRequest,
    operation: EndScheduleData['operation'],
    id: string,
  ): Promise<Answer> {
    checkKind(admitted, 'read');
    refuseViolations(idleParameters(admitted.form, 'deschedule'));
    const scheduleId = scheduleIdOf(id);
    const path =
      operation === 'deschedule' ? `${SCHEDULES}/${id}/deschedule` : `${SCHEDULES}/${id}`;
    const key = idempotencyKeyOf(admitted, path);
    const transactionId = newTransactionIdInChainOf(scheduleId, admitted.receivedAtMs, key);
    const claim = this.commands.claims.of(admitted, key, { id: transactionId });
    const parts = { admitted, transactionId, parameters: {}, ...claim };
    const command = endSchedule(parts, operation, scheduleId);
    return this.commands.send({ admitted, command, personal: {}, operation }, this);
  }

  /** One of the asking channel; undefined if it has none with this id. */
  async find({ access }: AdmittedRequest, id: string): Promise<ScheduleView | undefined> {
    if (!isTransactionId(id)) return undefined;
    const query: ScheduleQuery = { scheduleId: id, entityId: access.channel.id };
    const { schedule } = await this.queries.ask<ScheduleAnswer>(
      ...(['scheduling', 'scheduling.schedule', query] as const),
    );
    return schedule;
  }

  /** Those of one registration of the asking channel. */
  async ofRegistration({ access }: AdmittedRequest, id: string): Promise<readonly ScheduleView[]> {
    if (!isTransactionId(id)) return [];
    const query: SchedulesOfRegistrationQuery = { registrationId: id, entityId: access.channel.id };
    const { schedules } = await this.queries.ask<SchedulesOfRegistrationAnswer>(
      ...(['scheduling', 'scheduling.schedulesOfRegistration', query] as const),
    );
    return schedules;
  }

  idOf({ command }: ScheduleSending): TransactionId {
    return command.data.transactionId;
  }

  isRejection(): boolean {
    return false;
  }

  needsInstrument(): boolean {
    return false;
  }

  replied(reply: ScheduleReply, sending: ScheduleSending): Answer {
    const { command, admitted } = sending;
    switch (reply.kind) {
      case 'outcome':
        return scheduleAnswer({ ...reply, ...echoedOf(sending) }, admitted.stamp);
      case 'keyTaken':
        if (reply.fingerprint !== command.data.idempotency?.fingerprint) {
          throw new Refused(KEY_CONFLICT);
        }
        if (reply.first === undefined) throw new Refused(BUSY);
        return scheduleAnswer({ ...reply.first, ...echoedOf(sending) }, reply.answer);
      case 'refused': {
        const { resultCode: code, problem: description } = reply;
        throw new Refused({ code, ...(description !== undefined && { description }) });
      }
      case 'notFound':
        throw new Refused(SCHEDULE_UNKNOWN);
      case 'busy':
        throw new Refused(BUSY);
      case 'unavailable':
      case 'elsewhere':
        throw new Refused(UNAVAILABLE);
    }
  }

  unanswered(sending: ScheduleSending): Answer {
    return this.#open(sending, codes.pending);
  }

  uncertain(sending: ScheduleSending): Answer {
    return this.#open(sending, codes.timeoutUncertain);
  }

  /** It may have been recorded before it was given up: a read tells (D-17). */
  failed(sending: ScheduleSending): Promise<Answer> {
    return Promise.resolve(this.uncertain(sending));
  }

  #open(sending: ScheduleSending, resultCode: string): Answer {
    const { operation, admitted } = sending;
    return openScheduleAnswer({ id: this.idOf(sending), operation }, resultCode, admitted.stamp);
  }

  async #partsOf(admitted: AdmittedRequest, transactionId: TransactionId, key: string | undefined) {
    const { kept, claims } = this.commands;
    const of = await kept.of(admitted.form, 'schedule', transactionId);
    const claim = claims.of(admitted, key, { id: transactionId });
    return { admitted, transactionId, ...of, ...claim };
  }

  /** What is charged instead would be another schedule. */
  async #refuseOtherRegistration(
    admitted: AdmittedRequest,
    scheduleId: TransactionId,
  ): Promise<void> {
    const named = admitted.form.get(REGISTRATION_ID);
    if (named === undefined) return;
    const schedule = await this.find(admitted, scheduleId);
    if (schedule === undefined) throw new Refused(SCHEDULE_UNKNOWN);
    if (schedule.registrationId === named) return;
    const message = 'must be the one that is charged, or absent: create another schedule';
    refuseViolations([{ name: REGISTRATION_ID, message }]);
  }
}

/** Left aside, the wish would have the shopper pay all of it at once. */
function refuseInstallments(form: Form): void {
  const rejection = scheduledInstallmentsRejection(form);
  if (rejection !== undefined) throw new Refused(rejection);
}

function scheduleIdOf(id: string): TransactionId {
  if (!isTransactionId(id)) throw new Refused(SCHEDULE_UNKNOWN);
  return id;
}

/** A change together with what it leaves as it is: it has to be right as a whole. */
function changedForm(form: Form, scheduleId: TransactionId): Form {
  const said = form.get('paymentType') === 'RS' ? form.with('paymentType', 'SD') : form;
  const named = said.has(REGISTRATION_ID) ? said : said.with(REGISTRATION_ID, scheduleId);
  // Neither of the two says anything alone.
  const isCharged = form.has('amount') || form.has('currency');
  return Object.entries(OF_SCHEDULE)
    .filter(([name]) => !named.has(name) && (name === 'paymentType' || !isCharged))
    .reduce((whole, [name, value]) => whole.with(name, value), named);
}

function echoedOf({ command, personal }: ScheduleSending): {
  readonly parameters: Readonly<Record<string, string>>;
  readonly personal: Readonly<Record<string, string>>;
} {
  return { parameters: command.data.parameters, personal };
}
