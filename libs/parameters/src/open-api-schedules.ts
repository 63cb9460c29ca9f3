import type { JsonObject } from './json-object.js';
import type { OpenApiWords } from './open-api-checkouts.js';
import { scheduleTypeOf } from './kinds.js';
import { rescheduleExamples, scheduleExamples } from './open-api-examples.js';
import { alsoOfType, formSchema } from './open-api-schemas.js';

/** What their description is made of, as of those of payments. */
interface PathWords extends Pick<OpenApiWords, 'answer' | 'form' | 'idempotencyKey' | 'refusals'> {
  readonly query: (
    ...keys: readonly ('entityId' | 'testMode' | 'registrationId')[]
  ) => readonly JsonObject[];
  readonly id: JsonObject;
}

const scheduleForm = formSchema('What is to be charged, and when.', 'schedule');

/** The forms of schedules, by the names of their schemas. */
export const scheduleForms: JsonObject = {
  ScheduleRequest: scheduleForm,
  RescheduleRequest: {
    ...alsoOfType(scheduleTypeOf('reschedule'), scheduleForm),
    description: 'What is to be changed in a schedule: together with the rest it has to be right.',
    required: [],
  },
};

/** Schedules of registrations (Interface 2.18, wire contract 6). */
export function schedulePaths(words: PathWords): JsonObject {
  const { answer, form, idempotencyKey, query, refusals } = words;
  const asker = query('entityId', 'testMode');
  const id = { ...words.id, description: 'A schedule, by its own id or that of a change.' };
  const notFound = { '404': answer('No schedule has this id (700.400.580).', 'Refusal') };
  const changed = { '200': answer('Changed.', 'Schedule'), ...refusals, ...notFound };
  return {
    '/scheduling/v1/schedules': {
      get: {
        operationId: 'listSchedules',
        tags: ['Schedules'],
        summary: 'The schedules of a registration',
        parameters: query('entityId', 'testMode', 'registrationId'),
        responses: { '200': answer('The schedules, oldest first.', 'Schedules'), ...refusals },
      },
      post: {
        operationId: 'createSchedule',
        tags: ['Schedules'],
        summary: 'Charges a registration at the times of a job',
        parameters: [idempotencyKey],
        requestBody: form('ScheduleRequest', scheduleExamples),
        responses: { '200': answer('Planned.', 'Schedule'), ...refusals },
      },
    },
    '/scheduling/v1/schedules/{id}': {
      parameters: [id],
      get: {
        operationId: 'readSchedule',
        tags: ['Schedules'],
        summary: 'A schedule as it stands',
        parameters: asker,
        responses: { '200': answer('The schedule.', 'Schedule'), ...refusals, ...notFound },
      },
      delete: {
        operationId: 'deleteSchedule',
        tags: ['Schedules'],
        summary: 'Ends a schedule at once, whatever its notice',
        parameters: [idempotencyKey, ...asker],
        responses: { ...changed, '200': answer('Ended.', 'Schedule') },
      },
    },
    ...changePaths(words, id, changed),
  };
}

function changePaths(
  { answer, form, idempotencyKey, query }: PathWords,
  id: JsonObject,
  changed: JsonObject,
): JsonObject {
  return {
    '/scheduling/v1/schedules/{id}/reschedule': {
      parameters: [id],
      post: {
        operationId: 'reschedule',
        tags: ['Schedules'],
        summary: 'Another amount or job from now on',
        description:
          'What is not sent stays as it is; whoever sends any of the times sends all that are not the default.',
        parameters: [idempotencyKey],
        requestBody: form('RescheduleRequest', rescheduleExamples),
        responses: changed,
      },
    },
    '/scheduling/v1/schedules/{id}/deschedule': {
      parameters: [id],
      post: {
        operationId: 'deschedule',
        tags: ['Schedules'],
        summary: 'Gives notice: nothing is charged after the end',
        parameters: [idempotencyKey, ...query('entityId', 'testMode')],
        responses: { ...changed, '200': answer('Notice was given.', 'Schedule') },
      },
    },
  };
}
