import {
  avsResponses,
  type CardChecks,
  cvvResponses,
  type Precondition,
  type Redirect,
  redirectMethods,
} from '@sluice/contracts';
import { codes } from '@sluice/result-codes';
import type {
  AcquirerDecision,
  InquiryOutcome,
  ResultDetails,
  ReversalOutcome,
  SubmitOutcome,
} from '../connector.js';

/** What came back over HTTP. */
export interface HttpAnswer {
  readonly statusCode: number;
  readonly body: string;
}

/** The acquirer's own form of an answer. */
interface Answer {
  readonly transactionId: string;
  readonly status: 'approved' | 'declined' | 'pending' | 'reversed';
  readonly resultCode: string;
  readonly resultDetails: ResultDetails;
  readonly checks: CardChecks;
  readonly redirect?: Redirect;
}

/** An approved transaction in the simulator's book, by its own form of id. */
const TRANSACTION_ID = /^S[0-9]{12}$/;
const RESULT_CODE = /^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$/;
const STATUSES: readonly unknown[] = ['approved', 'declined', 'pending', 'reversed'];

/**
 * Whether an answer names this reference. Any other one may be a second answer to an earlier request,
 * and the one after it the answer to this: it is not looked at, and its connection is closed.
 */
export function isAbout(acquirerReference: string): (answer: HttpAnswer) => boolean {
  return ({ body }) => fieldsAbout(acquirerReference, body) !== undefined;
}

/**
 * The outcome of a submit. Only the acquirer's own form counts, and only about this reference: a
 * second answer on the connection, meant for somebody else, is an unknown outcome too.
 */
export function submitOutcome(answer: HttpAnswer, acquirerReference: string): SubmitOutcome {
  const { statusCode, body } = answer;
  if (statusCode >= 500) return { kind: 'unknown', reason: 'serverError' };
  const fields = fieldsAbout(acquirerReference, body);
  if ((statusCode === 400 || statusCode === 422) && isRefusal(fields)) {
    return { kind: 'notPerformed', reason: 'refused' };
  }
  const parsed = statusCode === 200 ? answerOf(fields) : undefined;
  return parsed ? decisionOf(parsed) : { kind: 'unknown', reason: 'unreadableAnswer' };
}

/** The outcome of an inquiry; only the acquirer's own "not found" about it is one. */
export function inquiryOutcome(answer: HttpAnswer, acquirerReference: string): InquiryOutcome {
  const fields = fieldsAbout(acquirerReference, answer.body);
  if (answer.statusCode === 404 && isNotFound(fields)) return { kind: 'notFound' };
  const parsed = answer.statusCode === 200 ? answerOf(fields) : undefined;
  return parsed ? { kind: 'found', outcome: decisionOf(parsed) } : { kind: 'unavailable' };
}

/** The outcome of an undo: reversed only if the answer names the booked transaction (D-27). */
export function reversalOutcome(answer: HttpAnswer, acquirerReference: string): ReversalOutcome {
  const fields = fieldsAbout(acquirerReference, answer.body);
  if (answer.statusCode === 404 && isNotFound(fields)) return { kind: 'notFound' };
  const parsed = answer.statusCode === 200 ? answerOf(fields) : undefined;
  return parsed?.status === 'reversed'
    ? { kind: 'reversed', connectorTxId: parsed.transactionId }
    : { kind: 'unavailable' };
}

function decisionOf(answer: Answer): AcquirerDecision {
  const { transactionId: connectorTxId, resultCode, resultDetails, checks } = answer;
  switch (answer.status) {
    case 'approved':
    case 'declined':
      return { kind: answer.status, connectorTxId, resultCode, resultDetails, ...checks };
    case 'pending': {
      const { redirect } = answer;
      const first = redirect === undefined ? {} : { redirect };
      return { kind: 'pending', connectorTxId, resultCode, resultDetails, ...checks, ...first };
    }
    case 'reversed':
      // D-34, "reversed after unknown".
      return { kind: 'declined', connectorTxId, resultCode: codes.timeoutReversed, resultDetails };
  }
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsAbout(acquirerReference: string, body: string): Fields | undefined {
  const fields = fieldsOf(body);
  return fields?.['reference'] === acquirerReference ? fields : undefined;
}

function fieldsOf(body: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

function answerOf(fields: Fields | undefined): Answer | undefined {
  if (fields === undefined) return undefined;
  const { transactionId, status, resultCode, resultDetails = {} } = fields;
  const whole =
    isText(transactionId, TRANSACTION_ID) &&
    isText(resultCode, RESULT_CODE) &&
    STATUSES.includes(status) &&
    isDetails(resultDetails);
  const redirect = redirectOf(fields);
  if (!whole || redirect === 'malformed') return undefined;
  return {
    transactionId,
    status: status as Answer['status'],
    resultCode,
    resultDetails,
    checks: checksOf(fields),
    ...(redirect !== undefined && { redirect }),
  };
}

/** A shopper is sent there, so it must be an address of the web (S-RED). */
function redirectOf({ redirect }: Fields): Redirect | 'malformed' | undefined {
  if (redirect === undefined) return undefined;
  const way = wayOf(redirect);
  if (way === undefined) return 'malformed';
  const { preconditions } = redirect as Fields;
  if (preconditions === undefined) return way;
  const before = Array.isArray(preconditions) ? preconditions.map(preconditionOf) : [undefined];
  return before.every((each) => each !== undefined)
    ? { ...way, preconditions: before }
    : 'malformed';
}

function wayOf(redirect: unknown): Redirect | undefined {
  if (typeof redirect !== 'object' || redirect === null) return undefined;
  const { url, method, parameters = {} } = redirect as Fields;
  const known = redirectMethods.find((each) => each === method);
  if (!isWebAddress(url) || known === undefined || !isDetails(parameters)) return undefined;
  return { url, method: known, parameters };
}

function preconditionOf(precondition: unknown): Precondition | undefined {
  const way = wayOf(precondition);
  if (way === undefined) return undefined;
  const { origin, waitUntil, description } = precondition as Fields;
  const said = Object.entries({ origin, waitUntil, description });
  const present = Object.fromEntries(said.filter(([, text]) => text !== undefined));
  return isDetails(present) ? { ...way, ...present } : undefined;
}

function isWebAddress(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  return ['http:', 'https:'].includes(new URL(value).protocol);
}

/** A letter that is none of the interface's is no reason to call an outcome unknown: it is left out. */
function checksOf({ avs, cvv }: Fields): CardChecks {
  const avsResponse = avsResponses.find((each) => each === avs);
  const cvvResponse = cvvResponses.find((each) => each === cvv);
  return {
    ...(avsResponse !== undefined && { avsResponse }),
    ...(cvvResponse !== undefined && { cvvResponse }),
  };
}

function isRefusal(fields: Fields | undefined): boolean {
  return typeof fields?.['error'] === 'object' && fields['error'] !== null;
}

function isNotFound(fields: Fields | undefined): boolean {
  return fields?.['status'] === 'notFound';
}

function isText(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value);
}

function isDetails(value: unknown): value is ResultDetails {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((each) => typeof each === 'string')
  );
}
