export {
  type CronExpression,
  EXPRESSION_CHARACTERS_MAX,
  readExpression,
  type ReadExpression,
} from './cron-expression.js';
export { type FieldName, LIST_ITEMS_MAX, YEAR_FIRST, YEAR_LAST } from './cron-fields.js';
export { nextRun } from './next-run.js';
export { type TimeZone, timeZoneOf } from './time-zone.js';
