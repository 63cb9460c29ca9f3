import { codes, outcomeOf, retryOf } from '@sluice/result-codes';

/** What came back over HTTP. */
export interface HttpAnswer {
  readonly statusCode: number;
  readonly body: string;
}

/** Fields by their names of the interface, which may hold anything. */
export type Fields = Readonly<Record<string, unknown>>;

/** An answer in the form of the interface (Interface 2.2). */
export interface GatewayAnswer {
  readonly statusCode: number;
  readonly ndc: string;
  readonly code: string;
  readonly fields: Fields;
}

/** What a result code says of the money. */
export type Verdict = 'approved' | 'pending' | 'rejected' | 'uncertain';

const RESULT_CODE = /^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$/;
/** Interface 2.2 allows 69 characters; some send more (wire contract 2). */
const NDC = /^[!-~]{1,255}$/;
const SERVER_ERROR = 500;

/**
 * Reads an answer; undefined for anything that is not in the form of the interface: another format, no
 * `result.code`, no `ndc`. An error of the server is none, whatever its body says.
 */
export function gatewayAnswer({ statusCode, body }: HttpAnswer): GatewayAnswer | undefined {
  const fields = fieldsIn(body);
  const code = resultIn(fields)?.['code'];
  const ndc = fields?.['ndc'];
  if (fields === undefined || statusCode >= SERVER_ERROR) return undefined;
  if (typeof code !== 'string' || !RESULT_CODE.test(code)) return undefined;
  return typeof ndc === 'string' && NDC.test(ndc) ? { statusCode, ndc, code, fields } : undefined;
}

/** `result` of an answer, or of one entry of a list. */
export function resultIn(fields: Fields | undefined): Fields | undefined {
  const result = fields?.['result'];
  return isFields(result) ? result : undefined;
}

/** The result code of one entry of a list. */
export function codeIn(fields: Fields): string | undefined {
  const code = resultIn(fields)?.['code'];
  return typeof code === 'string' && RESULT_CODE.test(code) ? code : undefined;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Codes after which something may be booked, whatever group they belong to. */
const UNCERTAIN: readonly string[] = [
  codes.busy,
  codes.undefinedError,
  // Something was sent under this key before, and it was not this.
  codes.idempotencyKeyConflict,
];

/** What a code says of the money; one that says "chargeback" says nothing of what was asked. */
export function verdictOf(code: string): Verdict {
  if (UNCERTAIN.includes(code) || retryOf(code) === 'askFirst') return 'uncertain';
  const outcome = outcomeOf(code);
  switch (outcome) {
    case 'success':
      return 'approved';
    case 'pending':
    case 'rejected':
      return outcome;
    case 'chargeback':
      return 'uncertain';
  }
}

function fieldsIn(body: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** More than one process has under way and asks about in a minute. */
const REMEMBERED_MAX = 10_000;

/**
 * Which answers have been seen: each has an `ndc` of its own (Interface 2.2), so one that comes again
 * is about something else. Neither refusals nor "not found" name what they are about in this interface.
 */
export class SeenAnswers {
  readonly #seen = new Set<string>();

  /** Whether this is the first time; it is remembered from now on. */
  isFirst(ndc: string): boolean {
    if (this.#seen.has(ndc)) return false;
    this.#seen.add(ndc);
    const [oldest] = this.#seen;
    if (this.#seen.size > REMEMBERED_MAX && oldest !== undefined) this.#seen.delete(oldest);
    return true;
  }
}
