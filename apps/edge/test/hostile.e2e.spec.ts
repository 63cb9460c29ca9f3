import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newTransactionId } from '@sluice/identifiers';
import { call, bearer, debit, formText, type Parameters, post } from './http-client.js';
import { ScriptedEdge, startMs, viewOf } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start();
});
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const payWith = (raw: string) => post(`${edge.url}/v1/payments`, `${formText(debit)}&${raw}`);
const nameOf = (answer: Awaited<ReturnType<typeof post>>) =>
  answer.body.result.parameterErrors?.[0]?.name;

describe('a parameter sent twice', () => {
  it.each(['amount=92.00', 'amount=1.00', '%61mount=92.00', 'card.number=4200000000000000'])(
    '%s is refused',
    async (again) => {
      const answer = await payWith(again);
      expect(answer.status).toBe(400);
      expect(answer.body.result.code).toBe('200.300.404');
      expect(edge.commands).toHaveLength(0);
    },
  );

  it('in query and body of a POST is refused, also with the same value', async () => {
    const answer = await post(`${edge.url}/v1/payments?amount=92.00`, debit);
    expect(answer.status).toBe(400);
    expect(nameOf(answer)).toBe('amount');
  });
});

describe('names that reach for JavaScript objects', () => {
  const prototype = Object.getOwnPropertyNames(Object.prototype).sort();

  it.each([
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'customParameters.__proto__',
    '__proto__.polluted',
    'card.__proto__',
    'customParameters[a][__proto__]',
    'constructor[prototype][polluted]',
  ])('%s is refused', async (name) => {
    const answer = await payWith(`${encodeURIComponent(name)}=1`);
    expect(answer.status).toBe(400);
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(prototype);
    expect((await post(`${edge.url}/v1/payments`, debit)).status).toBe(200);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'])(
    'customParameters[%s] is data and echoed as such',
    async (name) => {
      const answer = await payWith(`customParameters%5B${name}%5D=polluted`);
      expect(answer.status).toBe(200);
      expect(answer.text).toContain(`"customParameters":{"${name}":"polluted"}`);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    },
  );
});

describe('indexes', () => {
  it.each(['999999999', '-1', '1e3', '0x1', '01', '', '1000', '0][0'])(
    'cart.items[%s] is refused',
    async (index) => {
      expect((await payWith(`cart.items[${index}].name=x`)).status).toBe(400);
    },
  );

  it('cart.items[999] is known', async () => {
    expect((await payWith('cart.items[999].name=x')).status).toBe(200);
  });
});

describe('broken texts', () => {
  it.each([
    'customParameters[aaa]=%ff',
    'customParameters[aaa]=%c0%af',
    'customParameters[aaa]=%ed%a0%80',
    'customParameters[aaa]=%00',
    'customParameters[aaa]=%u0041',
    'customParameters[aaa]=%',
    'customParameters[aaa]=%ef%bb%bf',
    '%ff=1',
    '=1',
  ])('%s is refused', async (raw) => {
    const answer = await payWith(raw);
    expect(answer.status).toBe(400);
    expect(answer.body.result.code).toBe('200.300.404');
  });

  it('in the query are refused as well', async () => {
    const id = newTransactionId(startMs);
    const answer = await call(`${edge.url}/v1/payments/${id}?entityId=%ff`, { headers: bearer });
    expect(answer.status).toBe(400);
  });
});

describe('amounts', () => {
  it.each([
    '-1.00',
    '+1.00',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '1,00',
    '1.0',
    '1.000',
    '',
    ' 1.00',
  ])('%j is refused', async (amount) => {
    const answer = await post(`${edge.url}/v1/payments`, { ...debit, amount });
    expect(answer.status).toBe(400);
    expect(nameOf(answer)).toBe('amount');
  });

  it('of 11 digits or in Arabic digits are refused', async () => {
    for (const amount of ['12345678901.00', '١٢.٠٠']) {
      expect((await post(`${edge.url}/v1/payments`, { ...debit, amount })).status).toBe(400);
    }
  });
});

describe('sizes', () => {
  it.each([
    ['a name of 257 bytes', `${'n'.repeat(257)}=1`],
    ['a value of 8193 bytes', `customParameters[aaa]=${'v'.repeat(8_193)}`],
    ['a megabyte in one value', `customParameters[aaa]=${'v'.repeat(1_000_000)}`],
    ['a deep name', `${'a.'.repeat(100)}a=1`],
  ])('%s is refused quickly', async (_, raw) => {
    expect((await payWith(raw)).status).toBe(400);
  });
});

describe('card numbers where none belong', () => {
  it.each([
    ['customParameters[note]', '4200 0000 0000 0000'],
    ['merchantMemo', 'card 4200000000000000'],
    ['descriptor', '４２００００００００００００００'],
  ])('in %s are masked before anything is kept', async (name, value) => {
    const answer = await post(`${edge.url}/v1/payments`, { ...debit, [name]: value });
    expect(answer.status).toBe(200);
    const kept = JSON.stringify(edge.command.data.parameters).normalize('NFKC');
    expect(kept.replaceAll(/[^0-9]/g, '')).not.toContain('42000000000');
  });

  it('in merchantTransactionId are refused when they are the card of the request', async () => {
    const answer = await post(`${edge.url}/v1/payments`, {
      ...debit,
      merchantTransactionId: debit['card.number'],
    });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('42000000');
  });
});

/** Whether two texts share a run of seven digits; shorter ones say nothing about a card. */
function shareSevenDigits(text: string, number: string): boolean {
  for (let start = 0; start + 7 <= number.length; start += 1) {
    if (text.includes(number.slice(start, start + 7))) {
      return true;
    }
  }
  return false;
}

const luhnNumber = fc
  .tuple(fc.constantFrom('4', '51', '34', '36', '6011'), fc.stringMatching(/^[0-9]{15}$/))
  .map(([prefix, digits]) => {
    const body = `${prefix}${digits}`.slice(0, prefix === '34' ? 14 : 15);
    const sum = [...body].reverse().reduce((total, digit, index) => {
      const doubled = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
    return body + String((10 - (sum % 10)) % 10);
  });

/** Fields into which a shopper, a till or a broken shop may put a card number. */
const places = [
  'customParameters[note]',
  'merchantMemo',
  'descriptor',
  'merchantTransactionId',
  'merchantInvoiceId',
  'card.holder',
  'card.cvv',
  'amount',
  'paymentBrand',
  'currency',
  'unknown.parameter',
  'standingInstruction.agreementId',
  'Idempotency-Key',
] as const;

describe('S-PCI-05: no answer shows seven digits of a card number that was sent', () => {
  it('whatever else is in the request, in the answer and when it is read', async () => {
    await fc.assert(
      fc.asyncProperty(
        luhnNumber,
        fc.subarray([...places], { maxLength: 4 }),
        fc.constantFrom('', 'order-', 'a b '),
        async (number, used, before) => {
          edge.reset();
          const values: Parameters = Object.fromEntries(
            used.map((name) => [name, `${before}${number}`]),
          );
          const sent = { ...debit, paymentBrand: undefined, 'card.number': number, ...values };
          const answer = await post(`${edge.url}/v1/payments`, sent);
          const [command] = edge.commands;
          edge.script.find = () => command && viewOf(command);
          const id = command?.data.transactionId ?? newTransactionId(startMs);
          const read = await call(`${edge.url}/v1/payments/${id}`, { headers: bearer });
          const shown = withoutOurOwnNumbers(answer.text) + withoutOurOwnNumbers(read.text);
          expect(shareSevenDigits(shown, number)).toBe(false);
          expect(JSON.stringify(edge.commands)).not.toContain(number);
          expect(edge.logged.join('')).not.toContain(number);
        },
      ),
      { numRuns: 150, seed: 20_260_102 },
    );
  });
});

/** Ids and short ids are random; seven digits of them may be equal to anything. */
function withoutOurOwnNumbers(text: string): string {
  const body = JSON.parse(text) as Record<string, unknown>;
  const { id: _id, ndc: _ndc, buildNumber: _build, ...rest } = body;
  return JSON.stringify(rest).replaceAll(/[0-9]{4}\.[0-9]{4}\.[0-9]{4} /g, '');
}
