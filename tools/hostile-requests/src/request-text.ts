import { type RawRequest, requestBytes, type SeededRandom } from '@sluice/testing';

/** What the bytes of one request are made of. */
export interface RequestContext {
  readonly entityId: string;
  readonly accessToken: string;
  /** Ids of payments that exist: card debits and authorizations of 92.00 EUR. */
  readonly paymentIds: readonly string[];
}

/** What must come back; always without 5xx, in time, as JSON with a result code. */
export type Expectation =
  /** Any such answer. */
  | 'answered'
  /** A 4xx. */
  | 'refused'
  /** HTTP 200 and 000.100.110: a request with nothing wrong. */
  | 'approved'
  /** HTTP 200: a read with nothing wrong. */
  | 'found';

/** One generated request. */
export interface HostileRequest extends RawRequest {
  /** Which class of hostility, for the report. */
  readonly kind: string;
  readonly expectation: Expectation;
  /** Bytes that must stand in the body if the answer is a 200: data is echoed exactly or refused. */
  readonly echo?: string;
}

/** A parameter as it goes over the wire: both sides are already encoded, or broken on purpose. */
export type WireParameter = readonly [name: string, value: string];

/** What a request consists of; every part may be nonsense. Texts are latin1: one character, one byte. */
export interface HostileParts {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  /** Whole header lines in place of the usual `Host`, `Authorization` and `Content-Type`. */
  readonly headers?: readonly string[];
  /** Header lines beside the usual ones. */
  readonly moreHeaders?: readonly string[];
  readonly body?: string | Buffer;
}

const FORM = 'application/x-www-form-urlencoded; charset=UTF-8';
const AMOUNT = '92.00';

/** Encoded for a form, as a well-behaved client does it. */
export function encoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

/** The parameters of a card debit that is approved. */
export function validDebit(
  context: RequestContext,
  random: SeededRandom,
): readonly WireParameter[] {
  return [
    ['entityId', context.entityId],
    ['amount', AMOUNT],
    ['currency', 'EUR'],
    ['paymentBrand', 'VISA'],
    ['paymentType', 'DB'],
    ['merchantTransactionId', `hostile-${random.bytes(8).toString('hex')}`],
    ['card.number', '4200000000000000'],
    ['card.holder', 'Jane+Jones'],
    ['card.expiryMonth', '05'],
    ['card.expiryYear', '2034'],
    ['card.cvv', '123'],
  ];
}

/** The parameters of a capture or refund of one of the known payments. */
export function validReference(
  context: RequestContext,
  paymentType: string,
): readonly WireParameter[] {
  return [
    ['entityId', context.entityId],
    ['amount', '1.00'],
    ['currency', 'EUR'],
    ['paymentType', paymentType],
  ];
}

/** `a=b&c=d`. */
export function formText(parameters: readonly WireParameter[]): string {
  return parameters.map(([name, value]) => `${name}=${value}`).join('&');
}

/** The bytes of a request; without parts it is a form POST to `/v1/payments`. */
export function hostileBytes(
  { accessToken }: RequestContext,
  { method = 'POST', target = '/v1/payments', moreHeaders = [], body = '', ...parts }: HostileParts,
): Buffer {
  const content = Buffer.isBuffer(body) ? body : Buffer.from(body, 'latin1');
  const hasLength = content.length > 0 || method === 'POST';
  const usual = [
    'Host: sluice.test',
    `Authorization: Bearer ${accessToken}`,
    `Content-Type: ${FORM}`,
    ...(hasLength ? [`Content-Length: ${content.length}`] : []),
  ];
  const headers = [...(parts.headers ?? usual), ...moreHeaders];
  return requestBytes({ ...parts, method, target, headers, body: content });
}

/** A request of one class, with one answer expected. */
export function hostile(
  kind: string,
  context: RequestContext,
  parts: HostileParts,
  expectation: Expectation = 'answered',
): HostileRequest {
  return {
    kind,
    bytes: hostileBytes(context, parts),
    expectation,
    answers: 1,
    isHead: parts.method === 'HEAD',
  };
}
