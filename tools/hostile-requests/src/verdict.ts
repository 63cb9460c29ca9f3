import { type Exchange, headerOf, type RawAnswer } from '@sluice/testing';
import type { HostileRequest } from './request-text.js';

const RESULT_CODE = /^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$/;
const APPROVED = '000.100.110';
const OK = 200;
const CLIENT_ERROR = 400;
const SERVER_ERROR = 500;

/** Everything wrong with what came back, as sentences; none when all is as it must be. */
export function wrongWith(request: HostileRequest, exchange: Exchange): string[] {
  if (exchange.failure !== undefined) return [exchange.failure];
  return exchange.answers.flatMap((answer) => [
    ...wrongWithStatus(request, answer),
    ...wrongWithBody(request, answer),
    ...(headerOf(answer.head, 'x-injected') === undefined ? [] : ['a header was injected']),
  ]);
}

function wrongWithStatus({ expectation }: HostileRequest, { status }: RawAnswer): string[] {
  if (!(status >= OK && status < SERVER_ERROR)) return [`status ${status}`];
  switch (expectation) {
    case 'answered':
      return [];
    case 'refused':
      return status >= CLIENT_ERROR ? [] : [`status ${status} where a refusal was due`];
    case 'approved':
    case 'found':
      return status === OK ? [] : [`status ${status} for a request with nothing wrong`];
  }
}

function wrongWithBody(request: HostileRequest, answer: RawAnswer): string[] {
  if (request.isHead) return [];
  const type = headerOf(answer.head, 'content-type');
  const wrong =
    type?.replace(' ', '').toLowerCase() === 'application/json;charset=utf-8'
      ? []
      : [`content type ${String(type)}`];
  const text = answer.body.toString('utf8');
  const code = resultCodeOf(text);
  if (code === undefined) wrong.push('no JSON with a result code');
  else if (!RESULT_CODE.test(code)) wrong.push(`result code ${code}`);
  else if (request.expectation === 'approved' && code !== APPROVED) wrong.push(`code ${code}`);
  if (request.echo !== undefined && answer.status === OK && !text.includes(request.echo)) {
    wrong.push('data was taken and not echoed');
  }
  return wrong;
}

function resultCodeOf(text: string): string | undefined {
  try {
    const body = JSON.parse(text) as { result?: { code?: unknown } } | null;
    return typeof body?.result?.code === 'string' ? body.result.code : undefined;
  } catch {
    return undefined;
  }
}
