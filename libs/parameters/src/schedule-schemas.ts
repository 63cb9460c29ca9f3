import { runSources } from '@sluice/contracts';
import { object, type Properties, text } from './answer-properties.js';
import { echoedProperties } from './echoed-schema.js';
import type { JsonObject } from './json-object.js';
import { scheduleTypeOf } from './kinds.js';

const id: JsonObject = { pattern: '^[a-z0-9]{32}$' };
const time: JsonObject = {
  pattern: String.raw`^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\+0000$`,
};
const wireAmount: JsonObject = { pattern: String.raw`^[0-9]+\.[0-9]{2}$` };

const money = {
  amount: text('Of each run.', wireAmount),
  currency: text('ISO 4217.', { pattern: '^[A-Z]{3}$' }),
} as const;

const plan = object('What runs now; of a try of a run, that try.', {
  id: text('The request that it is of: the first one, or the last change.', id),
  active: { type: 'boolean', description: 'Whether anything is due yet.' },
  source: text('Who planned it; MACRETRY: the merchant advice code.', { enum: runSources }),
  referencedId: text('Of a try: the payment that was declined, or not made.', id),
  nextRun: text('When it is due next, in UTC; absent if it never is.', time),
  end: text('After notice: nothing is due later, in UTC.', time),
});

const recovery = object('A try of a declined run, or of one that nobody could be asked for.', {
  id: text('Of the try.', id),
  referencedId: text('The payment that was declined, or not made.', id),
  active: { type: 'boolean', description: 'True: it has not been tried yet.' },
  source: text('MACRETRY: the merchant advice code; SCHEDULER: nobody could be asked.', {
    enum: runSources,
  }),
  nextRun: text('When it is due, in UTC.', time),
  ...money,
});

/**
 * The answers about schedules (wire contract 6).
 * @param common what every answer has
 */
export function scheduleSchemas(
  common: Properties,
): Readonly<Record<'Schedule' | 'ScheduleEntry' | 'Schedules', JsonObject>> {
  const operations = ['schedule', 'reschedule', 'deschedule'] as const;
  const properties = {
    id: text('The schedule; of what was done to it, the request; of a try, the try.', id),
    referencedId: text('The schedule that it was done to, or is a try of.', id),
    registrationId: text('The stored account that is charged.', { pattern: '^[a-zA-Z0-9]{32}$' }),
    paymentType: text('What was asked for.', { enum: operations.map(scheduleTypeOf) }),
    ...money,
    plan,
    recoveries: { type: 'array', description: 'Tries that are planned.', items: recovery },
    ...echoedProperties(({ row }) => row.kinds.includes('schedule')),
    ...common,
  };
  const required = ['id', 'registrationId', 'paymentType', 'result'];
  const Schedule = object('A schedule, or what was done to one.', properties, {
    required: [...required, ...Object.keys(common).filter((name) => name !== 'result')],
  });
  const { buildNumber: _, timestamp: __, ndc: ___, ...inList } = properties as Properties;
  const { plan: ____, recoveries: _____, ...asked } = properties as Properties;
  return {
    Schedule,
    ScheduleEntry: object('What was asked of a schedule, in queries.', asked, {
      required: ['id', 'paymentType', 'result'],
    }),
    Schedules: object(
      'The schedules of a registration. New fields may come at any time.',
      {
        schedules: { type: 'array', items: object('One of them.', inList, { required }) },
        ...common,
      },
      { required: ['schedules', ...Object.keys(common)] },
    ),
  };
}
