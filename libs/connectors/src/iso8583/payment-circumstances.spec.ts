import { describe, expect, it } from '@jest/globals';
import type { RequestParameters } from '../connector.js';
import { circumstancesOf } from './payment-circumstances.js';
import { standards } from './standards.js';

const of = (standingInstruction: Readonly<Record<string, string>>) =>
  circumstancesOf({ standingInstruction });

describe('what a host is told of how a payment came about', () => {
  it.each<readonly [string, RequestParameters | undefined, readonly [string, string, string]]>([
    ['nothing said', undefined, ['812', '59', '100050100110']],
    [
      'INITIAL',
      { standingInstruction: { mode: 'INITIAL', source: 'CIT' } },
      ['812', '59', '100050100110'],
    ],
    [
      'REPEATED, CIT',
      { standingInstruction: { mode: 'REPEATED', source: 'CIT' } },
      ['102', '59', '100050000110'],
    ],
    [
      'REPEATED, MIT',
      { standingInstruction: { mode: 'REPEATED', source: 'MIT' } },
      ['102', '08', '100040000110'],
    ],
    ['MIT alone', { standingInstruction: { source: 'MIT' } }, ['102', '08', '100040000110']],
    ['e-commerce', { transactionCategory: 'EC' }, ['812', '59', '100050100110']],
    ['a mail order', { transactionCategory: 'MO' }, ['012', '08', '100020100110']],
    ['a telephone order', { transactionCategory: 'TO' }, ['012', '08', '100030100110']],
    ['one or the other', { transactionCategory: 'MOTO' }, ['012', '08', '100010100110']],
  ])(
    'is by its entry mode and condition, or its point of service: %s',
    (_, parameters, [entryMode, conditionCode, pointOfService]) => {
      const circumstances = circumstancesOf(parameters)!;
      const said = Object.values(standards).map((each) => each.circumstanceFields(circumstances));
      expect(said).toEqual([{ entryMode, conditionCode }, { pointOfService }]);
    },
  );

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
