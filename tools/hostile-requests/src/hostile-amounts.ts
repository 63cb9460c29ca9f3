import type { MakeHostile } from './hostile-parameters.js';
import { encoded, formText, hostile, validDebit, validReference } from './request-text.js';

/** Amounts that are none: each is refused wherever an amount is read (R-MON-04). */
export const brokenAmounts = [
  '-1.00',
  '-0.01',
  '-0',
  '-9999999999.99',
  '0',
  '0.00',
  '00.00',
  '+1.00',
  '1e2',
  '1E2',
  '1e-2',
  '1.0e1',
  'NaN',
  '-NaN',
  'Infinity',
  '-Infinity',
  '1,00',
  '1.000,00',
  '1,000.00',
  '1.0',
  '1.000',
  '0.001',
  '.50',
  '1.',
  '.',
  '1..00',
  '1.00.00',
  '1.-1',
  '--1',
  '1.00-',
  '\u22121.00',
  '12345678901.00',
  '00000000001.00',
  '99999999999999999999',
  ' 1.00',
  '1.00 ',
  '1 000.00',
  '1_000.00',
  '0x10',
  '0b11',
  '\uff11.\uff10\uff10',
  '\u0967.\u0966\u0966',
  '1.00EUR',
  '\u20ac1.00',
  '',
  'null',
  'true',
  '[]',
  '{}',
  '1.00\n',
  '1.00\u0000',
  '1.00;2.00',
  'one',
  '9'.repeat(400),
  '1'.repeat(9_000),
  "1.00' OR '1'='1",
] as const;

/** Right in form, wrong for a capture or refund of 92.00 EUR. */
const wrongForReference = [
  ['92.01', 'EUR'],
  ['9999999999.99', 'EUR'],
  ['1.00', 'USD'],
  ['1', 'JPY'],
  ['1.00', 'eur'],
  ['1.00', 'XXXX'],
  ['1.00', ''],
] as const;

export const brokenAmount: MakeHostile = (context, random) => {
  const amount = encoded(random.pick(brokenAmounts));
  if (random.chance(0.4)) {
    const parameters = validDebit(context, random).filter(([name]) => name !== 'amount');
    const body = formText([...parameters, ['amount', amount]]);
    return hostile('amount of a debit', context, { body }, 'refused');
  }
  const paymentType = random.pick(['CP', 'RF', 'RB', 'RC', 'CB', 'CR']);
  const target = `/v1/payments/${random.pick(context.paymentIds)}`;
  const parameters = validReference(context, paymentType);
  if (random.chance(0.6)) {
    const broken = parameters.filter(([name]) => name !== 'amount');
    const body = formText([...broken, ['amount', amount]]);
    return hostile('amount of a reference', context, { target, body }, 'refused');
  }
  const [wrong, currency] = random.pick(wrongForReference);
  const kept = parameters.filter(([name]) => name === 'entityId');
  const body = formText([
    ...kept,
    ['paymentType', random.pick(['CP', 'RF'])],
    ['amount', wrong],
    ['currency', currency],
  ]);
  return hostile('excess or other currency', context, { target, body }, 'refused');
};

export const fractionOfYen: MakeHostile = (context, random) => {
  const parameters = validDebit(context, random).filter(
    ([name]) => name !== 'amount' && name !== 'currency',
  );
  const body = formText([...parameters, ['amount', '100.50'], ['currency', 'JPY']]);
  return hostile('fraction of a currency without one', context, { body }, 'refused');
};
