import {
  type Compatibility,
  type Mode,
  PAGED_TRANSACTIONS_MAX,
  type RecordedOperation,
  strictly,
} from '@sluice/contracts';
import type { Form } from './form.js';
import { operationsOfPaymentType } from './kinds.js';
import type { ParameterError } from './parameter-error.js';
import { read } from './read.js';
import { violations } from './violations.js';

/** What a query looks for and how much of it (Interface 2.19). */
export interface QueryForm {
  readonly by:
    | { readonly merchantTransactionId: string }
    /** Milliseconds since the epoch; the end is not part of it. */
    | { readonly fromMs: number; readonly toMs: number };
  readonly operations?: readonly RecordedOperation[];
  readonly paymentMethods?: readonly string[];
  readonly shortId?: string;
  readonly limit: number;
  readonly pageNo: number;
}

/** A query as it may be asked, or everything that is wrong with it. */
export type CheckedQuery =
  | { readonly kind: 'query'; readonly query: QueryForm }
  | { readonly kind: 'refused'; readonly violations: readonly ParameterError[] };

/** What a query by id looks for, and how much of it. */
export interface EntryQueryForm extends Omit<QueryForm, 'by' | 'shortId'> {
  readonly includeLinked: boolean;
}

/** A query by id as it may be asked, or everything that is wrong with it. */
export type CheckedEntryQuery =
  | { readonly kind: 'query'; readonly query: EntryQueryForm }
  | { readonly kind: 'refused'; readonly violations: readonly ParameterError[] };

const LIMIT_DEFAULT = 100;

/** What is looked for by, beside an id. */
const SEARCHES = ['merchantTransactionId', 'date.from', 'date.to', 'shortId'] as const;
/** What chooses among several entries. */
const CHOICES = [
  ...(['paymentTypes', 'paymentMethods', 'includeLinkedTransactions'] as const),
  ...(['limit', 'pageNo'] as const),
] as const;

/** The paths with an id that refuse a parameter which the queries without one take. */
export function queriesByIdThatRefuse(key: string): readonly string[] {
  const [one, list] = ['/v1/query/{id}', '/v3/query/{id}'] as const;
  if (SEARCHES.some((name) => name === key)) return [one, list];
  return CHOICES.some((name) => name === key) ? [one] : [];
}

/** Checks the parameters of `GET /v1/query` and `GET /v3/query`. */
export function checkQuery(
  form: Form,
  mode: Mode,
  compatibility: Compatibility = strictly,
): CheckedQuery {
  const found = violations(form, 'query', mode, compatibility);
  if (found.length > 0) return { kind: 'refused', violations: found };
  const by = whatToLookFor(form);
  if ('faults' in by) return { kind: 'refused', violations: by.faults };
  const shown = wantedEntries(form, compatibility);
  if ('faults' in shown) return { kind: 'refused', violations: shown.faults };
  const shortId = read(form, 'shortId');
  return { kind: 'query', query: { by, ...(shortId !== undefined && { shortId }), ...shown } };
}

/**
 * Checks the parameters of `GET /v3/query/{id}`; of `GET /v1/query/{id}` too, whose answer is one
 * transaction by itself, so that there is nothing to choose.
 */
export function checkEntryQuery(
  form: Form,
  mode: Mode,
  answer: 'one' | 'list',
  compatibility: Compatibility = strictly,
): CheckedEntryQuery {
  const found = violations(form, 'query', mode, compatibility);
  if (found.length > 0) return { kind: 'refused', violations: found };
  const without = answer === 'one' ? [...SEARCHES, ...CHOICES] : SEARCHES;
  const idle = without.filter((name) => form.has(name));
  if (idle.length > 0) {
    const message = 'has no meaning beside the id of a transaction in the path';
    return { kind: 'refused', violations: idle.map((name) => fault(name, message, form)) };
  }
  const shown = wantedEntries(form, compatibility);
  if ('faults' in shown) return { kind: 'refused', violations: shown.faults };
  const includeLinked = read(form, 'includeLinkedTransactions') === true;
  return { kind: 'query', query: { ...shown, includeLinked } };
}

function wantedEntries(
  form: Form,
  compatibility: Compatibility,
): Omit<EntryQueryForm, 'includeLinked'> | { readonly faults: readonly ParameterError[] } {
  const limit = read(form, 'limit', compatibility) ?? LIMIT_DEFAULT;
  const pageNo = read(form, 'pageNo') ?? 1;
  if ((pageNo - 1) * limit >= PAGED_TRANSACTIONS_MAX) {
    const message = `must not lead beyond ${PAGED_TRANSACTIONS_MAX} transactions; narrow the time frame`;
    return { faults: [fault('pageNo', message, form)] };
  }
  const paymentTypes = read(form, 'paymentTypes');
  const paymentMethods = read(form, 'paymentMethods');
  return {
    ...(paymentTypes && { operations: paymentTypes.flatMap(operationsOfPaymentType) }),
    ...(paymentMethods && { paymentMethods }),
    limit,
    pageNo,
  };
}

/**
 * The merchant's id or a whole time frame, never both. Half a frame beside the merchant's id is
 * ignored: a known client sends `date.from` alone with it (wire contract 6).
 */
function whatToLookFor(
  form: Form,
): QueryForm['by'] | { readonly faults: readonly ParameterError[] } {
  const merchantTransactionId = form.get('merchantTransactionId');
  const fromMs = read(form, 'date.from');
  const toMs = read(form, 'date.to');
  if (merchantTransactionId !== undefined) {
    if (fromMs === undefined || toMs === undefined) return { merchantTransactionId };
    const message = 'cannot be combined with date.from and date.to';
    return { faults: [{ name: 'merchantTransactionId', value: merchantTransactionId, message }] };
  }
  if (fromMs === undefined && toMs === undefined) {
    const message = 'must be sent, or date.from and date.to';
    return { faults: [{ name: 'merchantTransactionId', message }] };
  }
  if (fromMs === undefined) return { faults: [missing('date.from', 'date.to')] };
  if (toMs === undefined) return { faults: [missing('date.to', 'date.from')] };
  if (toMs > fromMs) return { fromMs, toMs };
  const value = form.get('date.to') ?? '';
  return { faults: [{ name: 'date.to', value, message: 'must be later than date.from' }] };
}

function missing(name: string, beside: string): ParameterError {
  return { name, message: `must be sent together with ${beside}` };
}

function fault(name: string, message: string, form: Form): ParameterError {
  const value = form.get(name);
  return { name, ...(value !== undefined && { value }), message };
}
