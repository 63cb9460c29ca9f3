import { describe, expect, it } from '@jest/globals';
import { Form } from './form.js';
import { checkEntryQuery, checkQuery, queriesByIdThatRefuse } from './query-checks.js';

const entityId = 'aaaabbbbccccdddd0000111122223333';
const frame = { 'date.from': '2026-01-31 00:00:00', 'date.to': '2026-02-01 00:00:00' };

function check(parameters: Readonly<Record<string, string>>) {
  return checkQuery(formOf(parameters), 'INTERNAL');
}

function formOf(parameters: Readonly<Record<string, string>>): Form {
  return new Form(new Map(Object.entries({ entityId, ...parameters })));
}

describe('a query', () => {
  it("by the merchant's own id takes the defaults", () => {
    expect(check({ merchantTransactionId: 'order' })).toEqual({
      kind: 'query',
      query: { by: { merchantTransactionId: 'order' }, limit: 100, pageNo: 1 },
    });
  });

  it('by time takes the frame in UTC and every filter', () => {
    const filters = {
      ...{ paymentTypes: 'PA,DB,SD', paymentMethods: 'CC,DD', shortId: '1234.5678.9012' },
      ...{ limit: '500', pageNo: '2', includeLinkedTransactions: 'true' },
    };
    expect(check({ ...frame, ...filters })).toEqual({
      kind: 'query',
      query: {
        by: { fromMs: Date.UTC(2026, 0, 31), toMs: Date.UTC(2026, 1, 1) },
        operations: [
          ...['authorization', 'incrementalAuthorization', 'reauthorization', 'debit', 'schedule'],
        ],
        ...{ paymentMethods: ['CC', 'DD'], shortId: '1234.5678.9012', limit: 500, pageNo: 2 },
      },
    });
  });

  it.each(['date.from', 'date.to'] as const)(
    "by the merchant's own id ignores %s alone (wire contract 6)",
    (name) => {
      const { kind } = check({ merchantTransactionId: 'order', [name]: frame[name] });
      expect(kind).toBe('query');
    },
  );

  it.each([
    ['nothing to look for', {}, 'merchantTransactionId'],
    ['both', { merchantTransactionId: 'order', ...frame }, 'merchantTransactionId'],
    ['no start', { 'date.to': frame['date.to'] }, 'date.from'],
    ['no end', { 'date.from': frame['date.from'] }, 'date.to'],
    ['an empty frame', { ...frame, 'date.to': frame['date.from'] }, 'date.to'],
    ['a day that is none', { ...frame, 'date.from': '2026-02-30 00:00:00' }, 'date.from'],
    ['an hour that is none', { ...frame, 'date.from': '2026-01-31 24:00:00' }, 'date.from'],
    ['a date alone', { ...frame, 'date.from': '2026-01-31' }, 'date.from'],
    ['too small a limit', { ...frame, limit: '99' }, 'limit'],
    ['too large a limit', { ...frame, limit: '501' }, 'limit'],
    ['an unknown type', { ...frame, paymentTypes: 'PA,XX' }, 'paymentTypes'],
    ['an unknown method', { ...frame, paymentMethods: 'cc' }, 'paymentMethods'],
    [
      'a flag that is none',
      { ...frame, includeLinkedTransactions: '1' },
      'includeLinkedTransactions',
    ],
    ['too long a short id', { ...frame, shortId: '1234.5678.90123' }, 'shortId'],
    ['page 0', { ...frame, pageNo: '0' }, 'pageNo'],
    ['a page beyond what is paged through', { ...frame, limit: '500', pageNo: '101' }, 'pageNo'],
    ['a short id alone', { shortId: '1234.5678.9012' }, 'merchantTransactionId'],
    ['an unknown name', { ...frame, colour: 'red' }, 'colour'],
  ])('with %s is refused by name', (_, parameters: Record<string, string>, name) => {
    const checked = check(parameters);
    expect(checked).toMatchObject({ kind: 'refused', violations: [{ name }] });
  });
});

describe('a query by id', () => {
  const checkEntry = (answer: 'one' | 'list', parameters: Readonly<Record<string, string>>) =>
    checkEntryQuery(formOf(parameters), 'INTERNAL', answer);

  it('for a list says which of the payment and how many', () => {
    expect(checkEntry('list', {})).toEqual({
      kind: 'query',
      query: { includeLinked: false, limit: 100, pageNo: 1 },
    });
    const all = { paymentTypes: 'RF', paymentMethods: 'CC', limit: '200', pageNo: '2' };
    expect(checkEntry('list', { ...all, includeLinkedTransactions: 'true' })).toEqual({
      kind: 'query',
      query: {
        ...{ operations: ['refund'], paymentMethods: ['CC'], limit: 200, pageNo: 2 },
        includeLinked: true,
      },
    });
  });

  it.each([
    ['list', 'merchantTransactionId', 'order-4711'],
    ['list', 'date.from', '2026-01-31 00:00:00'],
    ['list', 'shortId', '1234.5678.9012'],
    ['one', 'merchantTransactionId', 'order-4711'],
    ['one', 'paymentTypes', 'DB'],
    ['one', 'includeLinkedTransactions', 'true'],
    ['one', 'limit', '100'],
  ] as const)('for a %s refuses %s, which would do nothing', (answer, name, value) => {
    expect(checkEntry(answer, { [name]: value })).toMatchObject({
      kind: 'refused',
      violations: [{ name, value, message: expect.stringContaining('no meaning') }],
    });
    const path = answer === 'one' ? '/v1/query/{id}' : '/v3/query/{id}';
    expect(queriesByIdThatRefuse(name)).toContain(path);
  });

  it('for a list takes what chooses among its entries, and the reference says which does not', () => {
    expect(queriesByIdThatRefuse('limit')).toEqual(['/v1/query/{id}']);
    expect(queriesByIdThatRefuse('entityId')).toEqual([]);
  });
});
