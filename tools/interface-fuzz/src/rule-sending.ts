import {
  type Exchange,
  politeRequest,
  type RawConnection,
  type RawRequest,
} from '@sluice/testing/programs';
import type { RuleRequest } from './rule-requests.js';

const FORM = 'application/x-www-form-urlencoded; charset=UTF-8';
const ANSWERED_WITHIN_MS = 30_000;

/** What came back. */
export interface HttpAnswer {
  /** 0 when nothing came. */
  readonly status: number;
  readonly body: string;
}

/** What is sent of a request. */
export type SentRequest = Pick<RuleRequest, 'method' | 'path' | 'form'>;

/** A request as it goes over the wire. */
export function onWire({ method, path, form }: SentRequest, accessToken: string): RawRequest {
  const access = { Authorization: `Bearer ${accessToken}` };
  return method === 'GET'
    ? politeRequest('GET', `${path}?${form}`, access)
    : politeRequest('POST', path, { ...access, 'Content-Type': FORM }, form);
}

/** What came, as a text; why nothing did, where nothing did. */
export function answerOf({ answers: [answer], failure = '' }: Exchange): HttpAnswer {
  if (answer === undefined) return { status: 0, body: failure };
  return { status: answer.status, body: answer.body.toString('utf8') };
}

/** Sends one request alone. */
export async function sent(
  connection: RawConnection,
  request: SentRequest,
  accessToken: string,
): Promise<HttpAnswer> {
  return answerOf(await connection.tried(onWire(request, accessToken), ANSWERED_WITHIN_MS));
}
