import { describe, expect, it } from '@jest/globals';
import { templateOf, type RecordedPayment } from './store-fill-statements.js';

const id = '01a20771982f8e326b0d867a6c5a7a0e';
const ndc = `be01_${'c'.repeat(32)}`;
const metadata = (recordedAtMs: number): string =>
  JSON.stringify({ recordedAtMs, ndc, correlationId: ndc, causationId: 'command-1' });
const recorded: RecordedPayment = {
  ...{ streamId: id, entityId: 'be01', wrapped: Buffer.of(1), personal: 'c2VhbGVk' },
  first: JSON.stringify({
    ...{
      transactionId: id,
      parameters: { merchantTransactionId: 'order-1' },
      personal: 'c2VhbGVk',
    },
    request: { acquirerReference: id, deadlineMs: 1_795_421_236_776, note: '100 %' },
  }),
  firstMetadata: metadata(1_795_421_214_776),
  second: JSON.stringify({ connectorTxId: 'S1', transactionId: id }),
  secondMetadata: metadata(1_795_421_214_801),
};

describe('the template of a recorded payment', () => {
  it('has a place wherever something is its own', () => {
    const { first, firstMetadata, second, secondMetadata } = templateOf(recorded, 0);
    expect(first).toBe(
      '{"transactionId":"%1$s","parameters":{"merchantTransactionId":"%2$s"},"personal":"%3$s",' +
        '"request":{"acquirerReference":"%1$s","deadlineMs":%7$s,"note":"100 %%"}}',
    );
    expect(second).toBe('{"connectorTxId":"S1","transactionId":"%1$s"}');
    for (const text of [firstMetadata, secondMetadata]) {
      expect(text).toBe(
        '{"recordedAtMs":%4$s,"ndc":"%5$s","correlationId":"%5$s","causationId":"%6$s"}',
      );
    }
  });

  it('leaves out the id of the merchant for one in four', () => {
    const numbers = [0, 1, 2, 3, 4, 5, 6, 7];
    const without = numbers.filter(
      (number) => !templateOf(recorded, number).first.includes('%2$s'),
    );
    expect(without).toEqual([3, 7]);
    expect(templateOf(recorded, 3).first).toContain('"parameters":{}');
  });
});
