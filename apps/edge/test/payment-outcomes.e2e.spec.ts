import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TransactionView } from '@sluice/contracts';
import { QueryUnavailable } from '@sluice/messaging';
import { debit, type Parameters, post } from './http-client.js';
import { entityId, replying, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start();
});
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const pay = (parameters: Parameters = {}, headers: Readonly<Record<string, string>> = {}) =>
  post(`${edge.url}/v1/payments`, { ...debit, ...parameters }, headers);

describe('the outcome of a payment', () => {
  it.each([
    ['declined', '800.100.152', 400],
    ['declined', '100.100.303', 400],
    ['notPerformed', '900.100.310', 400],
    ['reversedAfterUnknown', '900.100.301', 400],
    ['rejected', '700.400.200', 400],
    ['pending', '000.200.000', 200],
    ['approved', '000.100.112', 200],
    ['approved', '000.400.000', 200],
  ] as const)('%s with %s is HTTP %s', async (outcomeStatus, resultCode, expected) => {
    edge.script.reply = replying({ status: outcomeStatus, resultCode });
    const { status, body } = await pay();
    expect(status).toBe(expected);
    expect(body).toMatchObject({ result: { code: resultCode }, card: { bin: '420000' } });
  });

  it.each(['unknown', 'requested'] as const)('%s is shown as pending', async (outcomeStatus) => {
    edge.script.reply = replying({ status: outcomeStatus, resultCode: '900.100.300' });
    const { status, body } = await pay();
    expect(status).toBe(200);
    expect(body.result.code).toBe('000.200.000');
  });

  it('without a reply by the deadline is pending, with the id', async () => {
    edge.script.reply = () => ({ kind: 'unanswered' });
    const { status, body } = await pay();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: edge.command.data.transactionId,
      amount: '92.00',
      result: { code: '000.200.000' },
    });
    expect(edge.forgotten).toEqual([]);
  });

  it('with a command that may have left is uncertain, with the id', async () => {
    edge.script.reply = () => ({ kind: 'uncertain' });
    const { status, body } = await pay();
    expect(status).toBe(400);
    expect(body).toMatchObject({
      id: edge.command.data.transactionId,
      result: { code: '900.100.300' },
    });
    expect(edge.forgotten).toEqual([]);
  });

  it('given up by payments is pending when it was recorded, and not performed when not', async () => {
    edge.script.reply = () => ({ kind: 'failed' });
    edge.script.find = ({ transactionId }) => ({ id: transactionId }) as TransactionView;
    const recorded = await pay();
    expect(recorded.status).toBe(200);
    expect(recorded.body).toMatchObject({
      id: edge.command.data.transactionId,
      result: { code: '000.200.000' },
    });
    expect(edge.queries).toMatchObject([{ transactionId: edge.command.data.transactionId }]);
    expect(edge.forgotten).toEqual([]);

    edge.script.find = () => undefined;
    const unrecorded = await pay();
    expect(unrecorded.status).toBe(400);
    expect(unrecorded.body).toMatchObject({
      id: edge.command.data.transactionId,
      result: { code: '900.100.310' },
    });
    expect(edge.forgotten).toEqual(['reference-2']);
  });

  it('given up by payments, with a key that nothing was recorded for, is 503 without an id', async () => {
    edge.script.reply = () => ({ kind: 'failed' });
    const { status, body } = await pay({}, { 'Idempotency-Key': 'order-1' });
    expect(status).toBe(503);
    expect(body.result.code).toBe('800.800.800');
    expect(body.id).toBeUndefined();
    expect(edge.forgotten).toEqual(['reference-1']);
  });

  it('given up by payments, which nobody can ask any more, is uncertain', async () => {
    edge.script.reply = () => ({ kind: 'failed' });
    edge.script.find = () => {
      throw new QueryUnavailable('payments.transaction', 'noService');
    };
    const { status, body } = await pay();
    expect(status).toBe(400);
    expect(body.result.code).toBe('900.100.300');
    expect(edge.forgotten).toEqual([]);
  });

  it('with a command that certainly did not leave is 503, and the card is forgotten', async () => {
    edge.script.reply = () => ({ kind: 'notSent', reason: 'unavailable' });
    const { status, body } = await pay();
    expect(status).toBe(503);
    expect(body.result.code).toBe('800.800.800');
    expect(body.ndc).toMatch(new RegExp(`^${entityId}_`));
    expect(edge.forgotten).toEqual(['reference-1']);
  });

  it.each([
    { kind: 'replied', reply: { kind: 'busy' } } as const,
    { kind: 'notSent', reason: 'full' } as const,
  ])('busy is 400 800.600.100, and the card is forgotten: %j', async (result) => {
    edge.script.reply = () => result;
    const { status, body } = await pay();
    expect(status).toBe(400);
    expect(body.result.code).toBe('800.600.100');
    expect(edge.forgotten).toEqual(['reference-1']);
  });

  it('with a service whose database is away is 503, and the card is forgotten', async () => {
    edge.script.reply = () => ({ kind: 'replied', reply: { kind: 'unavailable' } });
    const { status, body } = await pay();
    expect(status).toBe(503);
    expect(body.result.code).toBe('800.800.800');
    expect(edge.forgotten).toEqual(['reference-1']);
  });

  it('with a vault that is away is 503 and sends nothing', async () => {
    edge.script.hold = () => {
      throw new Error('connect ECONNREFUSED');
    };
    const { status, body, text: answer } = await pay();
    expect(status).toBe(503);
    expect(body.result.code).toBe('800.800.800');
    expect(answer).not.toContain('ECONNREFUSED');
    expect(edge.commands).toHaveLength(0);
  });

  it('with a defect behind us is 500 999.999.999, which shows nothing of it', async () => {
    edge.script.reply = () => {
      const detail = 'Failing row contains (canary).';
      throw Object.assign(new Error('column "secret" does not exist'), { code: '42703', detail });
    };
    const { status, body, text: answer } = await pay();
    expect(status).toBe(500);
    expect(body.result.code).toBe('999.999.999');
    expect(body.ndc).toMatch(new RegExp(`^${entityId}_`));
    expect(answer).not.toContain('secret');
    const line = edge.logged.find((each) => each.includes('defect')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ ndc: body.ndc });
    // The allowlist of D-46: no stack, no detail of a database.
    expect((JSON.parse(line) as { err: unknown }).err).toEqual({
      name: 'Error',
      code: '42703',
      message: 'column "secret" does not exist',
    });
  });
});
