import { noticeEnds, periodUnits, type ScheduleJob } from '@sluice/contracts';
import { codes } from '@sluice/result-codes';
import { type FieldTexts, fieldTextsOf, readFields } from './cron-expression.js';
import { type FieldName, wholeNumberOf } from './cron-fields.js';
import { saysDay } from './day-rule.js';
import { instantOf, type Period, PERIOD_NUMBER_MAX } from './period.js';
import { timeZoneOf } from './time-zone.js';

/** A job, or why its parameters are none. */
export type ReadJob =
  | { readonly kind: 'job'; readonly job: ScheduleJob }
  | { readonly kind: 'refused'; readonly resultCode: string; readonly problem: string };

type Refused = Extract<ReadJob, { readonly kind: 'refused' }>;
type JobParameters = Readonly<Record<string, string>>;

/** The code of a wrong field; the interface has none for years. */
const fieldCodes: Readonly<Record<FieldName, string>> = {
  second: codes.jobMinuteOrSecond,
  minute: codes.jobMinuteOrSecond,
  hour: codes.jobHour,
  dayOfMonth: codes.jobDayOfMonth,
  month: codes.jobMonth,
  dayOfWeek: codes.jobDayOfWeek,
  year: codes.jobFieldsConflict,
};

/**
 * The job that `job.*` parameters describe in the time zone of a channel (Interface 2.18). What is absent
 * has the interface's default: every year, January, the first, midnight. The default day of the week is
 * left out where it would contradict: with a day of the month alone the week decides nothing, and vice
 * versa. `job.expression` overwrites the single fields.
 * @throws Error for a time zone that there is not: a channel is configured with one that there is
 */
export function readJob(parameters: JobParameters, timeZone: string): ReadJob {
  if (timeZoneOf(timeZone) === undefined) throw new Error(`There is no time zone ${timeZone}.`);
  const fields = fieldsOf(parameters);
  if (typeof fields === 'string') return refused(codes.jobFieldsConflict, fields);
  const read = readFields(fields);
  if (read.kind === 'refused') {
    const isConflict = saysDay(fields.dayOfMonth) === saysDay(fields.dayOfWeek);
    const isOfDay = read.field === 'dayOfMonth' || read.field === 'dayOfWeek';
    const code = isConflict && isOfDay ? codes.jobFieldsConflict : fieldCodes[read.field ?? 'year'];
    return refused(code, read.problem);
  }
  const dates = datesOf(parameters, timeZone);
  if (isRefused(dates)) return dates;
  const terms = termsOf(parameters);
  if (isRefused(terms)) return terms;
  return { kind: 'job', job: { expression: read.expression.text, timeZone, ...dates, ...terms } };
}

function fieldsOf(parameters: JobParameters): FieldTexts | string {
  const expression = parameters['job.expression'];
  const year = parameters['job.year'] ?? '';
  const yearOrAll = year === '' ? '*' : year;
  // It overwrites the fields that it has; the year may be left out.
  if (expression !== undefined) return fieldTextsOf(expression, yearOrAll);
  const dayOfMonth = parameters['job.dayOfMonth'];
  const dayOfWeek = parameters['job.dayOfWeek'];
  return {
    second: parameters['job.second'] ?? '0',
    minute: parameters['job.minute'] ?? '0',
    hour: parameters['job.hour'] ?? '0',
    dayOfMonth: dayOfMonth ?? (dayOfWeek === undefined ? '1' : '?'),
    month: parameters['job.month'] ?? '1',
    dayOfWeek: dayOfWeek ?? '?',
    year: yearOrAll,
  };
}

type Dates = Pick<ScheduleJob, 'startMs' | 'endMs'>;

function datesOf(parameters: JobParameters, timeZone: string): Dates | Refused {
  const dates: { startMs?: number; endMs?: number } = {};
  for (const [name, field] of [
    ['job.startDate', 'startMs'],
    ['job.endDate', 'endMs'],
  ] as const) {
    const text = parameters[name];
    if (text === undefined) continue;
    const instant = instantOf(text, timeZone);
    if (instant === undefined) {
      return refused(codes.jobFieldsConflict, `${name} is not a date yyyy-MM-dd HH:mm:ss.`);
    }
    dates[field] = instant;
  }
  return dates;
}

type Terms = Omit<ScheduleJob, 'expression' | 'timeZone' | 'startMs' | 'endMs'>;

function termsOf(parameters: JobParameters): Terms | Refused {
  const duration = periodOf(parameters, 'duration');
  if (isRefused(duration)) return duration;
  const notice = periodOf(parameters, 'notice');
  if (isRefused(notice)) return notice;
  const callable = noticeEnds.find((each) => each === parameters['job.noticeCallable']);
  if (callable === 'DURATION_END' && duration === undefined) {
    return refused(codes.jobDurationUnit, 'Notice to DURATION_END needs a duration.');
  }
  return {
    ...(duration && { durationUnit: duration.unit, durationNumber: duration.number }),
    ...(notice && { noticeUnit: notice.unit, noticeNumber: notice.number }),
    ...(callable && { noticeCallable: callable }),
  };
}

function periodOf(
  parameters: JobParameters,
  name: 'duration' | 'notice',
): Period | Refused | undefined {
  const code = name === 'duration' ? codes.jobDurationUnit : codes.jobNoticeUnit;
  const unitText = parameters[`job.${name}Unit`];
  const digits = parameters[`job.${name}Number`];
  if (unitText === undefined && digits === undefined) return undefined;
  const unit = periodUnits.find((each) => each === unitText);
  if (unit === undefined || digits === undefined) {
    return refused(code, `job.${name}Unit and job.${name}Number are sent together.`);
  }
  const number = wholeNumberOf(digits);
  const least = name === 'duration' ? 1 : 0;
  if (number >= least && number <= PERIOD_NUMBER_MAX) return { unit, number };
  const range = `${String(least)} to ${String(PERIOD_NUMBER_MAX)}`;
  return refused(code, `job.${name}Number is from ${range}.`);
}

function isRefused(value: object | undefined): value is Refused {
  return value !== undefined && 'kind' in value && value.kind === 'refused';
}

function refused(resultCode: string, problem: string): Refused {
  return { kind: 'refused', resultCode, problem };
}
