import type { SeededRandom } from '@sluice/testing';
import { brokenEncodings, injections, type MakeHostile } from './hostile-parameters.js';
import { prototypeNames } from './known-parameters.js';
import { encoded, formText, hostile, validDebit, type RequestContext } from './request-text.js';

/** Text that a header may hold as bytes: no line break and no zero byte, which would end it. */
function headerText(text: string): string {
  return Buffer.from(text.replace(/[\r\n\0]/g, ' '), 'utf8').toString('latin1');
}

export const contentType: MakeHostile = (context, random) => {
  const type = random.pick([
    'application/json',
    'application/json; charset=utf-8',
    'application/xml',
    'text/plain',
    'text/xml',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'application/octet-stream',
    'application/x-www-form-urlencodedx',
    'form',
    '/',
    ';',
    '*/*',
    'application/x-www-form-urlencoded, application/json',
    '__proto__',
    'a'.repeat(4_000),
  ]);
  const body = random.pick([
    formText(validDebit(context, random)),
    '{"amount":"1.00"',
    '{"__proto__":{"amount":"1.00"}}',
    '[[[[[[[[[[',
    '[1,2,3]',
    'null',
    '{"a":1e999}',
    '"\\ud800"',
    '{"amount":1.00,"amount":2.00}',
    `{${'"a":{'.repeat(5_000)}`,
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    '--x\r\nContent-Disposition: form-data; name="amount"\r\n\r\n1.00\r\n--x--',
  ]);
  const headers = usualHeaders(context, body, type);
  return hostile('content type', context, { headers, body }, 'refused');
};

export const method: MakeHostile = (context, random) => {
  const target = random.pick(['/v1/payments', `/v1/payments/${random.pick(context.paymentIds)}`]);
  const verb = random.pick([
    ...['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'MKCOL', 'PURGE', 'SEARCH'],
    ...['post', 'GARBAGE', 'G T', 'GET\t', '\x00GET', 'M-SEARCH', 'LINK', 'QUERY'],
  ]);
  return { ...hostile('method', context, { method: verb, target }, 'refused'), isLast: true };
};

export const head: MakeHostile = (context, random) => {
  const target = `/v1/payments/${random.pick(context.paymentIds)}?entityId=${context.entityId}`;
  return hostile('head', context, { method: 'HEAD', target });
};

export const path: MakeHostile = (context, random) => {
  const id = random.pick(context.paymentIds);
  // Not `/` itself: it leads to the reference.
  const target = random.pick([
    '/docs/elsewhere',
    '//v1',
    '/v1',
    '/v2/payments',
    '/V1/PAYMENTS',
    '/v1/payments/../payments',
    '/v1/payments/%2e%2e/%2e%2e/etc/passwd',
    '/v1/payments/%00',
    `/v1/payments/${id}%00`,
    `/v1/payments/${id}%0d%0aX-Injected:%201`,
    `/v1/payments/${id}/x`,
    `/v1/payments/${id};jsessionid=1`,
    `/v1/payments/${id.toUpperCase()}`,
    `/v1/payments/${id.slice(1)}`,
    `/v1/payments/${'f'.repeat(32)}`,
    `/v1/payments/${'a'.repeat(random.pick([33, 99, 100, 101, 5_000]))}`,
    `/v1/payments/${encoded(random.pick(injections)).slice(0, 3_000)}`,
    `/v1/payments/${random.pick(brokenEncodings).replace('\x00', '%00')}`,
    `/v1/payments/${random.pick(prototypeNames)}`,
    `/${random.pick(prototypeNames)}`,
    '/v1/payments/\xff\xfe',
    '/%',
    '/%zz',
    '/v1/payments?',
    '/v1/payments?entityId=%zz',
    'http://elsewhere.test/v1/payments',
    'v1/payments',
    '*',
    '/v1?',
    `/${'a/'.repeat(3_000)}`,
    '/v1/checkouts',
    '/v1/resultcodes/../payments',
    '/internal/streams/heads',
    '/metrics',
    '/.env',
    '/.git/config',
  ]);
  const isRead = random.chance(0.7);
  const body = isRead ? '' : formText(validDebit(context, random));
  const verb = isRead ? 'GET' : 'POST';
  // An absolute target or an empty query is unusual, not wrong: a payment there may be taken.
  const expectation = isRead ? 'refused' : 'answered';
  return hostile('path', context, { method: verb, target, body }, expectation);
};

export const query: MakeHostile = (context, random) => {
  const id = random.pick(context.paymentIds);
  const strange = random.pick([
    `entityId=${context.entityId}&entityId=${context.entityId}x`,
    `entityId=${context.entityId}&${random.pick(prototypeNames)}=1`,
    `entityId=${context.entityId}&${encoded(random.pick(injections)).slice(0, 4_000)}`,
    `entityId=${context.entityId}&x=${random.pick(brokenEncodings).replace('\x00', '%00')}`,
    `entityId[]=${context.entityId}`,
    `entityId=${'f'.repeat(32)}`,
    `entityId=`,
    `%65ntityId=${context.entityId}&entityId=${context.entityId}1`,
    `entityId=${context.entityId}&testMode=ELSEWHERE`,
    `entityId=${context.entityId}&amount=1.00`,
    '&&&=&=&',
    'a'.repeat(8_000),
  ]);
  return hostile('query', context, { method: 'GET', target: `/v1/payments/${id}?${strange}` });
};

export const header: MakeHostile = (context, random) => {
  const body = formText(validDebit(context, random));
  const strange = random.pick([
    [`X-Long: ${'h'.repeat(random.pick([8_000, 15_000, 17_000, 60_000]))}`],
    Array.from({ length: random.pick([100, 500, 1_500]) }, (_, index) => `X-${index}: 1`),
    [`User-Agent: ${headerText(random.pick(injections))}`],
    [`X-Forwarded-For: ${headerText(random.pick(injections))}`],
    [`Accept: ${headerText(random.pick(injections)).slice(0, 500)}`],
    ['Accept-Encoding: gzip, br, evil'],
    ['Cookie: __proto__=1; a=b; a'],
    ['Range: bytes=0-0,-1'],
    ['If-None-Match: *'],
    ['X-HTTP-Method-Override: DELETE'],
    ['traceparent: 00-zz-zz-zz'],
    [`traceparent: 00-${'0'.repeat(32)}-${'0'.repeat(16)}-00`],
    ['Content-Encoding: gzip'],
    ['Connection: Upgrade', 'Upgrade: websocket'],
    ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
    ['Expect: 100-continue'],
    ['Expect: 200-maybe'],
    ['Host: other.test'],
    ['__proto__: 1', 'constructor: 1', 'hasOwnProperty: 1'],
  ]);
  return { ...hostile('header', context, { body, moreHeaders: strange }), isLast: true };
};

/** Not HTTP as the standard has it; each could end in a request that nobody meant (S-INP-09). */
export const framing: MakeHostile = (context, random) => {
  const body = formText(validDebit(context, random));
  const usual = usualHeaders(context, '', FORM).filter((line) => !line.startsWith('Content-L'));
  const [lines, text] = random.pick<readonly [readonly string[], string]>([
    [['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    [['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], '0\r\n\r\n'],
    [['Transfer-Encoding: xchunked'], '0\r\n\r\n'],
    [['Transfer-Encoding: chunked'], 'zz\r\nhello\r\n0\r\n\r\n'],
    [['Transfer-Encoding: chunked'], 'fffffffffffffffff\r\n'],
    [['Transfer-Encoding: chunked'], '-1\r\n\r\n'],
    [[`Content-Length: ${body.length}`, `Content-Length: ${body.length + 1}`], body],
    [['Content-Length: -1'], body],
    [['Content-Length: 1e3'], body],
    [['Content-Length: 0x10'], body],
    [['Content-Length: 99999999999999999999'], body],
    [['Content-Length: 1048577'], ''],
    [['Content Length: 5'], body],
    [['X-A : 1'], ''],
    [['X-\x00: 1'], ''],
    [['X-A: \x00'], ''],
    [['X-A: 1\r\n folded'], ''],
    [[': 1'], ''],
    [['no colon'], ''],
  ]);
  const parts = { headers: [...usual, ...lines], body: text };
  return { ...hostile('framing', context, parts, 'refused'), isLast: true };
};

export const requestLine: MakeHostile = (context, random) => {
  const [line, lines] = random.pick<readonly [string, readonly string[]]>([
    ['GET /v1/payments HTTP/9.9', ['Host: sluice.test']],
    ['GET /v1/payments HTTP/1.1', []],
    ['GET  /v1/payments  HTTP/1.1', ['Host: sluice.test']],
    ['GET /v1/payments', []],
    ['GET /v1/payments XTTP/1.1', ['Host: sluice.test']],
    ['PRI * HTTP/2.0', ['', 'SM']],
    ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', []],
    ['{"amount":"1.00"}', []],
    ['SSH-2.0-OpenSSH_9.9', []],
    ['GET /v1/payments HTTP/1.1', ['Host: a', 'Host: b']],
  ]);
  const [verb = '', target = '', version = ''] = line.split(' ');
  const bytes = Buffer.from(`${[line, ...lines].join('\r\n')}\r\n\r\n`, 'latin1');
  const request = hostile('request line', context, { method: verb, target, version });
  return { ...request, bytes, expectation: 'refused', isLast: true };
};

export const access: MakeHostile = (context, random) => {
  const body = formText(validDebit(context, random));
  const token = context.accessToken;
  const authorization = random.pick<readonly string[]>([
    [],
    ['Authorization:'],
    ['Authorization: Bearer'],
    ['Authorization: Bearer '],
    [`Authorization: ${token}`],
    [`Authorization: Basic ${Buffer.from(`a:${token}`).toString('base64')}`],
    [`Authorization: Bearer ${token}x`],
    [`Authorization: Bearer ${token.toUpperCase()}`],
    [`Authorization: Bearer ${token} ${token}`],
    [`Authorization: Bearer ${'x'.repeat(10_000)}`],
    [`Authorization: Bearer \xff\xfe`],
    [`Authorization: Bearer ${headerText(random.pick(injections)).slice(0, 4_000)}`],
    [`Authorization: Bearer __proto__`],
    [`Authorization: Bearer x`, `Authorization: Bearer ${token}`],
  ]);
  const [host = '', , ...rest] = usualHeaders(context, body, FORM);
  return hostile(
    'access',
    context,
    { headers: [host, ...authorization, ...rest], body },
    'refused',
  );
};

export const legacyAccess: MakeHostile = (context, random) => {
  const parameters = validDebit(context, random);
  const body = formText([
    ...parameters,
    ['authentication.userId', encoded(random.pick(injections)).slice(0, 2_000)],
    ['authentication.password', encoded(random.pick(injections)).slice(0, 2_000)],
    ['authentication.entityId', context.entityId],
  ]);
  const [host = '', , ...rest] = usualHeaders(context, body, FORM);
  return hostile('legacy access', context, { headers: [host, ...rest], body }, 'refused');
};

export const idempotencyKey: MakeHostile = (context, random) => {
  const key = random.pick([
    '',
    ' ',
    'k'.repeat(255),
    'k'.repeat(256),
    'k'.repeat(5_000),
    '\xff\xfe',
    random.pick(prototypeNames),
    headerText(random.pick(injections)).slice(0, 1_000),
    'the same key for everybody',
  ]);
  const body = formText(validDebit(context, random));
  return hostile('idempotency key', context, {
    body,
    moreHeaders: [`Idempotency-Key: ${key}`],
  });
};

const FORM = 'application/x-www-form-urlencoded; charset=UTF-8';

function usualHeaders(context: RequestContext, body: string, type: string): string[] {
  return [
    'Host: sluice.test',
    `Authorization: Bearer ${context.accessToken}`,
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body, 'latin1')}`,
  ];
}

/** Requests with nothing wrong; they must succeed in the middle of all the others. */
export const valid: MakeHostile = (context, random) => {
  const choice = random.integer(0, 3);
  if (choice === 0) {
    const id = random.pick(context.paymentIds);
    const target = `/v1/payments/${id}?entityId=${context.entityId}`;
    return hostile('valid read', context, { method: 'GET', target }, 'found');
  }
  const body = formText(withNote(context, random, choice));
  return hostile('valid debit', context, { body }, 'approved');
};

function withNote(
  context: RequestContext,
  random: SeededRandom,
  choice: number,
): ReturnType<typeof validDebit> {
  const parameters = validDebit(context, random);
  if (choice === 1) return parameters;
  return [...parameters, ['customParameters%5Bnote%5D', encoded('Zo\u00eb \u{1f600} & = + %')]];
}
