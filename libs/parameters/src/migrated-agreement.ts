import type { Form } from './form.js';
import type { ParameterError } from './parameter-error.js';

const WHEN = 'recurringMigration.requestTimestamp';
/** A shop's clock may be ahead of ours, and its text has no zone: UTC+14 is the first to have a day. */
const AHEAD_MS_MAX = 14 * 3_600_000;

/** Why a first payment that is said to have been made elsewhere cannot have been: its time has not come. */
export function migratedFromTheFuture(form: Form, nowMs: number): readonly ParameterError[] {
  const value = form.get(WHEN);
  if (value === undefined) return [];
  const madeAtMs = Date.parse(`${value.replace(' ', 'T')}Z`);
  if (madeAtMs <= nowMs + AHEAD_MS_MAX) return [];
  return [
    { name: WHEN, value, message: 'lies in the future, and the first payment was made before' },
  ];
}
