import { type AnswerStamp, resultOf } from '@sluice/answers';
import type { FastifyReply } from 'fastify';
import type { ParameterError } from '@sluice/parameters';
import type { TransactionId } from '@sluice/identifiers';
import { type HttpStatus, type RefusalStatus, refusalStatusesOf } from '@sluice/result-codes';

/** What goes out: one JSON body with its status. */
export interface Answer {
  readonly status: HttpStatus;
  readonly resultCode: string;
  readonly ndc: string;
  /** JSON text. */
  readonly body: string;
  /** The transaction that it is about, if it is about one. */
  readonly transactionId?: TransactionId;
}

/** A request that is answered without a transaction. */
export interface Refusal {
  readonly code: string;
  /** Only if refusals with this code can have several statuses. */
  readonly status?: RefusalStatus;
  /** In place of the catalogue's text. */
  readonly description?: string;
  readonly parameterErrors?: readonly ParameterError[];
  /** Only where the interface names an id: a throttled request, an outcome that is uncertain. */
  readonly id?: TransactionId;
}

/** Thrown to end several nested functions with a refusal; the filter answers it. */
export class Refused extends Error {
  /**
   * @param entityId the entity that the answer's ndc names, once it is known
   * @param backUrl where a shopper's browser finds the shop that it came from, if that is known
   */
  constructor(
    readonly refusal: Refusal,
    readonly entityId?: string,
    readonly backUrl?: string,
  ) {
    super(refusal.code);
    this.name = 'Refused';
  }
}

/** The common body of Interface 7 without a transaction. */
export function refusalAnswer(refusal: Refusal, stamp: AnswerStamp): Answer {
  const { code, description, parameterErrors, id } = refusal;
  const { status = refusalStatusesOf(code)[0] } = refusal;
  const body = JSON.stringify({
    ...(id !== undefined && { id }),
    result: resultOf(code, description, parameterErrors),
    buildNumber: stamp.buildNumber,
    timestamp: stamp.timestamp,
    ndc: stamp.ndc,
  });
  return { status, resultCode: code, ndc: stamp.ndc, body };
}

/** Wire contract D2: one client library throws for anything else, errors included. */
export const JSON_CONTENT_TYPE = 'application/json;charset=UTF-8';

const HEADERS = {
  'content-type': JSON_CONTENT_TYPE,
  'cache-control': 'max-age=0, no-cache, no-store',
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
};

/** Additional headers of a 401, as the interface family sends them (wire contract 1). */
const UNAUTHENTICATED_HEADERS = {
  ...HEADERS,
  'www-authenticate':
    'Bearer realm="sluice", error="invalid_token", ' +
    'error_description="Invalid Authorization header!"',
  'strict-transport-security': 'max-age=31536000',
};

/** Sends an answer with the headers that every answer has. */
export function sendAnswer(reply: FastifyReply, answer: Answer): void {
  void reply
    .code(answer.status)
    .headers(answer.status === 401 ? UNAUTHENTICATED_HEADERS : HEADERS)
    .send(answer.body);
}

/** The same as text for a connection that never reached Fastify; the connection ends with it. */
export function rawAnswer(answer: Answer): string {
  const headers = {
    ...HEADERS,
    'content-length': Buffer.byteLength(answer.body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${answer.status} Bad Request`, ...lines, '', answer.body].join('\r\n');
}
