export type {
  CatchUp,
  CreateSchedule,
  EndSchedule,
  RecordRun,
  Reschedule,
  RunOutcome,
  ScheduleCommand,
  StartRun,
  TakeDue,
} from './commands.js';
export {
  type CronExpression,
  EXPRESSION_CHARACTERS_MAX,
  readExpression,
  type ReadExpression,
} from './cron-expression.js';
export { type FieldName, LIST_ITEMS_MAX, YEAR_FIRST, YEAR_LAST } from './cron-fields.js';
export { DUE_AT_ONCE_MAX, MISSED_AFTER_MS, OPEN_RUNS_MAX } from './due-runs.js';
export { readJob, type ReadJob } from './job-parameters.js';
export { latestSource } from './latest-source.js';
export { nextRun } from './next-run.js';
export { PERIOD_NUMBER_MAX } from './period.js';
export {
  RECOVERY_DAYS,
  RECOVERY_TRIES_MAX,
  type RecoveryPlan,
  recoveryPlanOf,
} from './recovery.js';
export {
  type OpenRun,
  type Plan,
  type Recovery,
  type Schedule,
  type ScheduleEvent,
  scheduleEventCodec,
  type ScheduleRequestOutcome,
  type SealedBlock,
  type ScheduleStreamState,
} from './schedule.js';
export { dueAtMs, refusalOf, RESCHEDULES_MAX, scheduleDecider } from './schedule-decider.js';
export { type TimeZone, timeZoneOf } from './time-zone.js';
