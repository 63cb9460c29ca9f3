import type { PaymentCommandMessage } from '@sluice/contracts';
import { paymentTypeOf } from '@sluice/parameters';
import { groupOf } from '@sluice/result-codes';
import { currentSpan, notePayment, type Span, startSpan } from '@sluice/service';
import type { FastifyRequest } from 'fastify';
import type { Answer } from './answer.js';

const SERVER_ERROR = 500;

/**
 * The span of a merchant's request. A caller may have its own trace. It is continued only if
 * callers are trusted, because it decides what is recorded here; otherwise it is linked to.
 */
export function startRequestSpan(
  { method, routeOptions, headers }: FastifyRequest,
  trustsTraceparent: boolean,
): Span {
  const { traceparent } = headers;
  const theirs = typeof traceparent === 'string' ? traceparent : undefined;
  const links = theirs === undefined ? {} : { links: [theirs] };
  return startSpan(`${method} ${routeOptions.url ?? ''}`.trimEnd(), {
    kind: 'server',
    isRoot: true,
    ...(trustsTraceparent ? { parent: theirs } : links),
  });
}

/** The result of a request, in OpenTelemetry's attributes for HTTP and Sluice's own. */
export function describeAnswer({ method, routeOptions }: FastifyRequest, answer: Answer): void {
  const span = currentSpan();
  if (!span.isRecording) return;
  const { status, resultCode, ndc } = answer;
  span.set({
    'http.request.method': method,
    'http.response.status_code': status,
    ...(routeOptions.url !== undefined && { 'http.route': routeOptions.url }),
    'sluice.ndc': ndc,
    'sluice.result.group': groupOf(resultCode),
  });
  if (status >= SERVER_ERROR) span.failed(String(status));
}

/** Which transaction the request is about, for its log lines and its span. */
export function noteCommand({ type, data }: PaymentCommandMessage): void {
  // For a reference, only payments knows to which payment it belongs.
  if (type === 'InitiatePayment') notePayment(data.transactionId);
  const span = currentSpan();
  if (!span.isRecording) return;
  span.set({
    'sluice.transaction.id': data.transactionId,
    'sluice.payment.type': paymentTypeOf(data.operation),
  });
}
