import {
  type Compatibility,
  type InitialOperation,
  type Mode,
  PAGED_TRANSACTIONS_MAX,
  type ReferenceOperation,
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
  readonly operations?: readonly (InitialOperation | ReferenceOperation)[];
  readonly paymentMethods?: readonly string[];
  readonly shortId?: string;
  readonly limit: number;
  readonly pageNo: number;
}

/** A query as it may be asked, or everything that is wrong with it. */
export type CheckedQuery =
  | { readonly kind: 'query'; readonly query: QueryForm }
  | { readonly kind: 'refused'; readonly violations: readonly ParameterError[] };

const LIMIT_DEFAULT = 100;

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
  const limit = read(form, 'limit', compatibility) ?? LIMIT_DEFAULT;
  const pageNo = read(form, 'pageNo') ?? 1;
  if ((pageNo - 1) * limit >= PAGED_TRANSACTIONS_MAX) {
    const message = `must not lead beyond ${PAGED_TRANSACTIONS_MAX} transactions; narrow the time frame`;
    return refused('pageNo', message, form);
  }
  const paymentTypes = read(form, 'paymentTypes');
  const paymentMethods = read(form, 'paymentMethods');
  const shortId = read(form, 'shortId');
  return {
    kind: 'query',
    query: {
      by,
      ...(paymentTypes && { operations: paymentTypes.flatMap(operationsOfPaymentType) }),
      ...(paymentMethods && { paymentMethods }),
      ...(shortId !== undefined && { shortId }),
      limit,
      pageNo,
    },
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

function refused(name: string, message: string, form: Form): CheckedQuery {
  const value = form.get(name);
  return {
    kind: 'refused',
    violations: [{ name, ...(value !== undefined && { value }), message }],
  };
}
