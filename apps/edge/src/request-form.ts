import {
  bodyOnly,
  emptyForm,
  type Form,
  mergeQueryAndBody,
  type ParameterError,
  parseForm,
  type ParsedForm,
} from '@sluice/parameters';
import type { FastifyRequest } from 'fastify';

/** Interface 1; the charset may be left out, bytes that are not UTF-8 are refused either way. */
const CHARSETS: readonly string[] = ['utf-8', 'utf8'];
const FORM_MEDIA_TYPE = 'application/x-www-form-urlencoded';

/** What a request brought, in query and body together. */
export type RequestForm =
  | { readonly kind: 'form'; readonly form: Form }
  /** The body is no form; `query` may still say who asks. */
  | { readonly kind: 'otherMediaType'; readonly query: Form }
  | { readonly kind: 'refused'; readonly problems: readonly ParameterError[] };

/** Reads query and body of a request into one flat form (S-INP-01, S-INP-03, S-INP-10). */
export function requestForm(request: FastifyRequest): RequestForm {
  const query = queryForm(request.url);
  if (query.kind === 'refused') {
    return query;
  }
  const misplaced = bodyOnly(query.form);
  if (misplaced.length > 0) {
    return { kind: 'refused', problems: misplaced };
  }
  const body = request.body;
  if (!(body instanceof Uint8Array) || body.length === 0) {
    return query;
  }
  const contentType = request.headers['content-type'];
  if (!isForm(contentType)) {
    return { kind: 'otherMediaType', query: query.form };
  }
  if (!isUtf8(contentType)) {
    return { kind: 'refused', problems: [OTHER_CHARSET] };
  }
  const parsed = parseForm(body);
  return parsed.kind === 'refused'
    ? parsed
    : mergeQueryAndBody(request.method, query.form, parsed.form);
}

/** The error for a body in another media type; JSON is never read as a form. */
export const OTHER_MEDIA_TYPE: ParameterError = {
  name: 'body',
  message: `must be sent as ${FORM_MEDIA_TYPE}`,
};

/**
 * The error for any other charset that a request names: read with the wrong one, a letter becomes
 * another letter.
 */
const OTHER_CHARSET: ParameterError = {
  name: 'body',
  message: 'must be in UTF-8, and its Content-Type names another charset',
};

/** The query of a request target as a form. */
export function queryForm(url: string): ParsedForm {
  const mark = url.indexOf('?');
  // Node gives the bytes of the target as they came, one per character; they must be UTF-8 too.
  return mark === -1
    ? { kind: 'form', form: emptyForm }
    : parseForm(Buffer.from(url.slice(mark + 1), 'latin1'));
}

function isForm(contentType: string | undefined): boolean {
  if (contentType === undefined) {
    return true;
  }
  const [mediaType = ''] = contentType.split(';', 1);
  return mediaType.trim().toLowerCase() === FORM_MEDIA_TYPE;
}

/** In quotes or not (RFC 9110, 8.3.1); without one it is UTF-8 (Interface 1). */
const CHARSET_PARAMETER = /;\s*charset\s*=\s*(?:"([^"]*)"|([^;\s]*))/giu;

function isUtf8(contentType: string | undefined): boolean {
  const named = (contentType ?? '').matchAll(CHARSET_PARAMETER);
  return Array.from(named).every(([, quoted, plain]) =>
    CHARSETS.includes((quoted ?? plain ?? '').trim().toLowerCase()),
  );
}
