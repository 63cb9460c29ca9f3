import { describe, expect, it } from '@jest/globals';
import type { RequestParameters } from '../connector.js';
import { circumstancesOf } from './payment-circumstances.js';

const of = (standingInstruction: Readonly<Record<string, string>>) =>
  circumstancesOf({ standingInstruction });

describe('what a host is told of how a payment came about', () => {
  it.each<readonly [string, RequestParameters | undefined, string, string]>([
    ['nothing said', undefined, '812', '59'],
    ['INITIAL', { standingInstruction: { mode: 'INITIAL', source: 'CIT' } }, '812', '59'],
    ['REPEATED, CIT', { standingInstruction: { mode: 'REPEATED', source: 'CIT' } }, '102', '59'],
    ['REPEATED, MIT', { standingInstruction: { mode: 'REPEATED', source: 'MIT' } }, '102', '08'],
    ['MIT alone', { standingInstruction: { source: 'MIT' } }, '102', '08'],
    ['e-commerce', { transactionCategory: 'EC' }, '812', '59'],
    ['a mail order', { transactionCategory: 'MO' }, '012', '08'],
    ['a telephone order', { transactionCategory: 'TO' }, '012', '08'],
  ])('is by its entry mode and condition: %s', (_, parameters, entryMode, conditionCode) => {
    expect(circumstancesOf(parameters)).toEqual({ entryMode, conditionCode });
  });

  it('names the first payment of a later one, and of no first one', () => {
    const initialTransactionId = 'S000000000079';
    expect(of({ source: 'MIT', initialTransactionId })).toMatchObject({
      initialTransaction: initialTransactionId,
    });
    expect(of({ mode: 'INITIAL', initialTransactionId })).not.toHaveProperty('initialTransaction');
  });

  it.each(['x'.repeat(100), 'Zahlung über', ''])(
    'is not said of a name that has no place: %s',
    (name) => {
      expect(of({ source: 'MIT', initialTransactionId: name })).toBeUndefined();
    },
  );
});
