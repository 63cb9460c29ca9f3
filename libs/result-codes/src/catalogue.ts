import { declines } from './descriptions/declines.js';
import { outcomes } from './descriptions/outcomes.js';
import { requestData } from './descriptions/request-data.js';
import { rules } from './descriptions/rules.js';
import { classify, type GroupName, groups, type Outcome } from './groups.js';

const descriptions = { ...outcomes, ...requestData, ...rules, ...declines } as const;

/** A code of the published list, `ddd.ddd.ddd`. */
export type ResultCode = keyof typeof descriptions;

/** One row of the table. */
export interface ResultCodeRow {
  readonly code: ResultCode;
  readonly description: string;
  readonly group: GroupName;
}

/** The whole table, by code: what `GET /v1/resultcodes` serves (wire contract 6). */
export const resultCodes: readonly ResultCodeRow[] = (
  Object.entries(descriptions) as [ResultCode, string][]
)
  .map(([code, description]) => ({ code, description, group: classify(code) }))
  .sort((left, right) => (left.code < right.code ? -1 : 1));

// A map, because codes arrive from outside (`forceResultCode`, acquirers) and `__proto__` is none.
const byCode: ReadonlyMap<string, ResultCodeRow> = new Map(
  resultCodes.map((row) => [row.code, row]),
);

const outcomeByGroup: ReadonlyMap<string, Outcome> = new Map(
  groups.map(({ name, outcome }) => [name, outcome]),
);

/** Whether the code is on the published list; of all others only reasons of chargebacks are ever answered (wire contract D7, D-73). */
export function isKnown(code: string): code is ResultCode {
  return byCode.has(code);
}

/**
 * The text for `result.description`; an unlisted code, e.g. of an acquirer, has a neutral one. Reasons
 * of chargebacks are answered as they come (D-73), also those that nobody has published.
 */
export function describeResult(code: string): string {
  const description = byCode.get(code)?.description;
  if (description !== undefined) return description;
  return classify(code) === 'chargeback'
    ? 'chargeback, for a reason that is not published'
    : 'no description available';
}

/** The group of a code, listed or not, as clients classify it. */
export function groupOf(code: string): GroupName {
  return byCode.get(code)?.group ?? classify(code);
}

/** What the code means for the money; one that no group covers is read as a rejection. */
export function outcomeOf(code: string): Outcome {
  return outcomeByGroup.get(groupOf(code)) ?? 'rejected';
}
