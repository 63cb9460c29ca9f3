import { describe, expect, it } from '@jest/globals';
import { testSandbox } from '@sluice/testing';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entityId, headers } from './demo-merchant-fixture.js';

const sandbox = testSandbox();

interface Answer {
  readonly status: number;
  readonly id: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly code: string;
}

async function post(path: string, form: Readonly<Record<string, string>>): Promise<Answer> {
  const body = new URLSearchParams({ entityId, ...form });
  const response = await fetch(`${sandbox.url}${path}`, { method: 'POST', headers, body });
  return answerOf(response);
}

async function answerOf(response: Response): Promise<Answer> {
  const { result, ...rest } = (await response.json()) as Omit<Answer, 'code' | 'status'> & {
    readonly result: { readonly code: string };
  };
  return { ...rest, status: response.status, code: result.code };
}

const card = {
  ...{ 'card.number': '4200000000000000', 'card.holder': 'Jane Jones', 'card.cvv': '123' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', paymentBrand: 'VISA' },
};

const pay = (currency: string, amount: string, paymentType = 'PA'): Promise<Answer> =>
  post('/v1/payments', { ...card, paymentType, amount, currency });

const refer = (id: string, paymentType: string, currency: string, amount?: string) =>
  post(`/v1/payments/${id}`, { paymentType, currency, ...(amount !== undefined && { amount }) });

/** What the acquirer has booked in a currency, in order, as it was told. */
function booked(currency: string): string[] {
  const book = join(sandbox.dataFolder, 'simulator', 'book.jsonl');
  // There is none before the first booking.
  const lines = existsSync(book) ? readFileSync(book, 'utf8').trim().split('\n') : [];
  return lines.flatMap((line) => {
    const text = JSON.stringify(JSON.parse(line));
    const amount = /"amount":"([0-9.]+)"/.exec(text)?.[1];
    return text.includes(`"${currency}"`) && amount !== undefined ? [amount] : [];
  });
}

/** An authorization, a part of it captured, a part of that refunded, and the rest released. */
const chains = [
  {
    ...{ decimals: 'no decimals', currency: 'JPY', amount: '1000', answered: '1000.00' },
    ...{ capture: '600.00', refund: '1.00', rest: '400.00' },
    atAcquirer: ['1000', '600', '1', '400'],
  },
  {
    ...{ decimals: 'no decimals', currency: 'CLP', amount: '990.00', answered: '990.00' },
    ...{ capture: '90', refund: '9.00', rest: '900.00' },
    atAcquirer: ['990', '90', '9', '900'],
  },
  {
    ...{ decimals: 'three decimals', currency: 'KWD', amount: '12.34', answered: '12.34' },
    ...{ capture: '10.01', refund: '0.01', rest: '2.33' },
    atAcquirer: ['12.340', '10.010', '0.010', '2.330'],
  },
  {
    ...{ decimals: 'two decimals', currency: 'EUR', amount: '92', answered: '92.00' },
    ...{ capture: '2.50', refund: '0.01', rest: '89.50' },
    atAcquirer: ['92.00', '2.50', '0.01', '89.50'],
  },
];

describe('a payment in a currency with', () => {
  it.each(chains)('$decimals, $currency, is exact on both sides', async (chain) => {
    const { currency, amount, answered, capture, refund, rest, atAcquirer } = chain;
    const before = booked(currency);
    const paid = await pay(currency, amount);
    expect(paid).toMatchObject({ status: 200, amount: answered, currency });
    const captured = await refer(paid.id, 'CP', currency, capture);
    expect(captured).toMatchObject({ status: 200, currency });
    const refunded = await refer(captured.id, 'RF', currency, refund);
    expect(refunded).toMatchObject({ status: 200, amount: refund, currency });
    const reversed = await refer(paid.id, 'RV', currency);
    expect(reversed).toMatchObject({ status: 200, amount: rest, currency });
    expect(booked(currency)).toEqual([...before, ...atAcquirer]);
    const url = `${sandbox.url}/v1/payments/${paid.id}?entityId=${entityId}`;
    expect(await answerOf(await fetch(url, { headers }))).toMatchObject({ amount: answered });
  });

  it.each([
    ['JPY', '100.50'],
    ['JPY', '0.99'],
    ['CLP', '990.10'],
  ])('no decimals, %s, has no %s', async (currency, amount) => {
    const before = booked(currency);
    expect(await pay(currency, amount)).toMatchObject({ status: 400, code: '100.550.303' });
    const paid = await pay(currency, '1000.00');
    const capture = await refer(paid.id, 'CP', currency, amount);
    expect(capture).toMatchObject({ status: 400, code: '100.550.303' });
    expect(booked(currency)).toEqual([...before, '1000']);
  });

  it.each(['JPY', 'CLP', 'KWD'])(
    'other decimals than two, %s, is never over-captured',
    async (currency) => {
      const paid = await pay(currency, '100.00');
      expect(await refer(paid.id, 'CP', currency, '99.00')).toMatchObject({ status: 200 });
      const over = await refer(paid.id, 'CP', currency, '2.00');
      expect(over).toMatchObject({ status: 400, code: '700.400.100' });
      expect(await refer(paid.id, 'CP', currency, '1.00')).toMatchObject({ status: 200 });
    },
  );

  it('three decimals, KWD, takes two of them', async () => {
    expect(await pay('KWD', '1.001')).toMatchObject({ status: 400, code: '200.300.404' });
  });
});
