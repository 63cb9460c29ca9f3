import type { HttpResult } from './http-client.js';
import type { Span } from './spans.js';

const FIRST_FAILURE = 400;

/** Says in the span of a call what became of it, and ends it. */
export async function recordResult(
  span: Span,
  {
    method,
    path,
    origin,
  }: { readonly method: string; readonly path: string; readonly origin: URL },
  sent: Promise<HttpResult>,
): Promise<HttpResult> {
  const result = await sent;
  span.set({
    'http.request.method': method,
    'url.path': path,
    'server.address': origin.hostname,
    'server.port': Number(origin.port),
  });
  if (result.kind !== 'answered') span.failed(result.reason);
  else {
    span.set({ 'http.response.status_code': result.statusCode });
    if (result.statusCode >= FIRST_FAILURE) span.failed(String(result.statusCode));
  }
  span.end();
  return result;
}
