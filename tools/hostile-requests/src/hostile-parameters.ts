import type { SeededRandom } from '@sluice/testing';
import { knownParameters, prototypeNames } from './known-parameters.js';
import {
  encoded,
  formText,
  hostile,
  validDebit,
  validReference,
  type HostileRequest,
  type RequestContext,
  type WireParameter,
} from './request-text.js';

/** Makes one request of a class. */
export type MakeHostile = (context: RequestContext, random: SeededRandom) => HostileRequest;

/** Text that is broken or forbidden as UTF-8 in a form (S-INP-05), as it stands on the wire. */
export const brokenEncodings = [
  '%zz',
  '%',
  '%4',
  'a%',
  '%G0',
  '%00',
  'a%00b',
  '\x00',
  '%C0%AF',
  '%C1%81',
  '%E0%80%AF',
  '%F0%80%80%AF',
  '%ED%A0%80',
  '%ED%BF%BF',
  '%ED%A0%BD%ED%B8%80',
  '%F4%90%80%80',
  '%F8%88%80%80%80',
  '%FF',
  '%FE%FF',
  '%80',
  '%E2%82',
  '%E2%28%A1',
  '\xff\xfe',
  '\xc3(',
  '\xe2\x82',
  '\xed\xa0\x80',
  '%u0041',
  '%uD83D%uDE00',
  '%uXXXX',
] as const;

/** Indexes that are none (S-INP-02). */
export const brokenIndexes = [
  '[999999999]',
  '[1000]',
  '[4294967296]',
  '[-1]',
  '[1e3]',
  '[0x1]',
  '[01]',
  '[00]',
  '[]',
  '[0][0]',
  '[ 0]',
  '[0 ]',
  '[+1]',
  '[1.0]',
  '[%EF%BC%91]',
  '[%D9%A1]',
  '[n]',
  '[__proto__]',
  '[length]',
  '[NaN]',
  '[0',
  '0]',
  '[[0]]',
  '[0]]',
] as const;

/** Values that hope to be executed, shown or logged by somebody. */
export const injections = [
  "' OR '1'='1",
  "'; DROP TABLE events; --",
  '1; SELECT pg_sleep(10)',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '${jndi:ldap://127.0.0.1/a}',
  '{{7*7}}',
  '#{7*7}',
  '%s%s%s%n',
  '../../../../etc/passwd',
  'file:///etc/passwd',
  '=cmd|calc!A0',
  '\r\nX-Injected: 1',
  '\r\n\r\nHTTP/1.1 200 OK\r\nX-Injected: 1\r\n\r\n',
  '\nlevel=error forged line',
  '\u001b[2J\u001b[31mred',
  '\u001b]0;title\u0007',
  '\u202egnp.exe',
  '\u2066isolated\u2069',
  '\u2028line\u2029paragraph',
  '\u0085next',
  '\u200bzero\ufeffwidth',
  '\u0000',
  '\u007f\b\b\b',
  '{"$gt":""}',
  '[object Object]',
  'undefined',
  'a'.repeat(5_000),
  '\u{1f600}'.repeat(300),
  'e\u0301'.repeat(500),
] as const;

function withParameter(
  parameters: readonly WireParameter[],
  [name, value]: WireParameter,
): readonly WireParameter[] {
  return [...parameters.filter(([known]) => known !== name), [name, value]];
}

export const unknownParameter: MakeHostile = (context, random) => {
  const word = random.bytes(random.integer(1, 12)).toString('hex');
  const name = random.pick([
    `x${word}`,
    `card.${word}x`,
    `Amount`,
    `amount.${word}`,
    `card[number]`,
    `card.number.${word}`,
    `CARD.NUMBER`,
    `.amount`,
    `amount.`,
    `a..b`,
    ``,
    `customParameters`,
    `customParameters.${word}`,
    `customParameters[a][b]`,
    `customParameters[`,
    `%F0%9F%92%B3`,
  ]);
  const body = formText([...validDebit(context, random), [name, '1']]);
  // An empty name with a value is still a name that nobody knows.
  return hostile('unknown parameter', context, { body }, 'refused');
};

export const duplicateParameter: MakeHostile = (context, random) => {
  const parameters = validDebit(context, random);
  const [name, value] = random.pick(parameters);
  const at = random.integer(0, name.length - 1);
  const escaped = `%${name.charCodeAt(at).toString(16)}`;
  const again = random.pick([name, name.slice(0, at) + escaped + name.slice(at + 1)]);
  const other = random.chance(0.5) ? value : `${value}1`;
  const body = formText([...parameters, [again, other]]);
  if (random.chance(0.8)) return hostile('duplicate parameter', context, { body }, 'refused');
  const target = `/v1/payments?${again}=${other}`;
  const twice = formText(parameters);
  const kind = 'duplicate in query';
  // Who asks may be said in both places, in the same words.
  if (name === 'entityId' && other === value) {
    return hostile(kind, context, { target, body: twice });
  }
  return hostile(kind, context, { target, body: twice }, 'refused');
};

export const brokenEncoding: MakeHostile = (context, random) => {
  const broken = random.pick(brokenEncodings);
  const place = random.integer(0, 3);
  const parameters = validDebit(context, random);
  if (place === 0) {
    const name = `customParameters[a${broken}]`;
    const body = formText([...parameters, [name, 'x']]);
    return hostile('broken encoding in a name', context, { body }, 'refused');
  }
  if (place === 1) {
    const body = `\xef\xbb\xbf${formText(parameters)}`;
    return hostile('byte order mark', context, { body }, 'refused');
  }
  const name = random.pick(['customParameters[note]', 'card.holder', 'merchantMemo', 'amount']);
  const body = formText(withParameter(parameters, [name, `before${broken}-after`]));
  return hostile('broken encoding in a value', context, { body }, 'refused');
};

export const prototypeName: MakeHostile = (context, random) => {
  const name = random.pick(prototypeNames);
  const parameters = validDebit(context, random);
  const mark = `mark-${random.bytes(4).toString('hex')}`;
  if (random.chance(0.4)) {
    const body = formText([...parameters, [`customParameters[${name}]`, mark]]);
    const request = hostile('prototype name as a key', context, { body });
    return { ...request, echo: mark };
  }
  const whole = random.pick([
    name,
    `${name}.amount`,
    `card.${name}`,
    `constructor.prototype.${mark}`,
    `__proto__[${mark}]`,
    `customParameters.${name}`,
    `customParameters[${name}][${mark}]`,
    `cart.items[0].${name}`,
    `cart.items[${name}].name`,
    `risk.parameters[${name}].x`,
  ]);
  const body = formText([...parameters, [whole, mark]]);
  return hostile('prototype name as a path', context, { body }, 'refused');
};

export const brokenIndex: MakeHostile = (context, random) => {
  const index = random.pick(brokenIndexes);
  const name = random.pick([
    `cart.items${index}.name`,
    `registrations${index}.id`,
    `airline.passengers${index}.name`,
    `airline.legs${index}.carrier`,
  ]);
  const body = formText([...validDebit(context, random), [name, 'x']]);
  return hostile('index abuse', context, { body }, 'refused');
};

export const injection: MakeHostile = (context, random) => {
  const value = encoded(random.pick(injections));
  const name = random.pick(knownParameters);
  const parameters = random.chance(0.7)
    ? validDebit(context, random)
    : validReference(context, random.pick(['CP', 'RF', 'RV', 'XX']));
  const isReference = parameters.length < 5;
  const target = isReference ? `/v1/payments/${random.pick(context.paymentIds)}` : undefined;
  // The known payments must stay as they are for the requests that have nothing wrong.
  const amount: WireParameter = isReference ? ['amount', '9999999999.99'] : ['amount', '92.00'];
  const body = formText(withParameter(withParameter(parameters, amount), [name, value]));
  return hostile('injection', context, { body, ...(target === undefined ? {} : { target }) });
};
