import { outcomeOf, type ResultCode } from './catalogue.js';
import { codes } from './codes.js';

/** Statuses of Interface 7, and the two of D-35 for our own faults; the table is closed. */
export type HttpStatus = 200 | 400 | 401 | 403 | 404 | 500 | 503;

/** The status of a request that was answered without a transaction. */
export type RefusalStatus = Exclude<HttpStatus, 200>;

/**
 * The codes that a refusal states with another status than 400. The one place that says so: answers
 * and the reference read it. Where there are two, the first is meant unless the refusal says other.
 */
const statusesOfRefusals = {
  // Interface 5: no header or a malformed one, and one that is not accepted.
  [codes.invalidAuthentication]: [401, 403],
  // D-39: an entity that is unknown or another's.
  [codes.senderNotAuthorized]: [403],
  // Interface 7: an unknown URL, a mistyped path, a method that nothing there has.
  [codes.wrongUrl]: [404],
  [codes.methodNotAllowed]: [404],
  // D-29: no transaction has the id, or not for who asks.
  [codes.transactionNotFound]: [404],
  // D-35: a defect, and infrastructure that is away while nothing was started.
  [codes.undefinedError]: [500],
  [codes.unavailable]: [503],
} as const satisfies Partial<Record<ResultCode, readonly RefusalStatus[]>>;

const byCode: ReadonlyMap<string, readonly RefusalStatus[]> = new Map(
  Object.entries(statusesOfRefusals),
);

/**
 * The HTTP status of a payment's own answer with this code: 200 for success, pending and chargeback,
 * else 400 (Interface 7). A refusal without a payment has that of `refusalStatusesOf`.
 */
export function httpStatusOf(code: string): 200 | 400 {
  return outcomeOf(code) === 'rejected' ? 400 : 200;
}

/** The statuses with which a request is refused with this code, the usual one first. */
export function refusalStatusesOf(code: string): readonly [RefusalStatus, ...RefusalStatus[]] {
  const [usual = 400, ...others] = byCode.get(code) ?? [];
  return [usual, ...others];
}

/** Whether refusals with this code have a status of their own. */
export function hasRefusalStatus(code: string): boolean {
  return byCode.has(code);
}

/** The statuses of the answer to a request that ends with the code, as the reference has them. */
export function endStatusesOf(code: string): readonly HttpStatus[] {
  return hasRefusalStatus(code) ? refusalStatusesOf(code) : [httpStatusOf(code)];
}
