import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  IdempotencyClaim,
  PaymentCommandMessage,
  TransactionOutcome,
} from '@sluice/contracts';
import { newTransactionId } from '@sluice/identifiers';
import { systemClock } from '@sluice/service';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { bearer, debit, formText, legacyQuery, type Parameters, post } from './http-client.js';
import {
  entityId,
  merchantToken,
  outcomeOf,
  ScriptedEdge,
  type Script,
  siblingEntityId,
  startMs,
  viewOf,
} from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  // Waiting is measured with a clock that moves; the time of day stands still.
  const clock = { now: () => startMs, monotonicMs: () => systemClock.monotonicMs() };
  await edge.start({ duplicateWaitMs: 300 }, clock);
});
afterAll(() => edge.close());
beforeEach(() => edge.reset());

/** Duplicates at the same time. */
const WAITING = 30;
const key = { 'Idempotency-Key': 'order-1' };
const pay = (parameters: Parameters = {}, headers: Readonly<Record<string, string>> = key) =>
  post(`${edge.url}/v1/payments`, { ...debit, ...parameters }, headers);
const claimOf = ({ data }: PaymentCommandMessage): IdempotencyClaim => {
  if (!data.idempotency) {
    throw new Error('the command claims no key');
  }
  return data.idempotency;
};

/** Sends each key as a header line of its own, which `fetch` cannot do. */
async function payWithKeys(
  keys: readonly string[],
): Promise<{ status: number | undefined; body: unknown }> {
  const outgoing = request(`${edge.url}/v1/payments`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Idempotency-Key': [...keys],
      ...bearer,
    },
  });
  outgoing.end(formText(debit));
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: incoming.statusCode, body: JSON.parse(await text(incoming)) as unknown };
}

/** Payments that remembers the first command under each key, as its database does. */
function remembering(outcome: Partial<TransactionOutcome> = {}) {
  const first = new Map<string, PaymentCommandMessage>();
  const reply: Script['reply'] = (command) => {
    const claim = command.data.idempotency;
    const owner = claim && first.get(claim.key);
    if (owner === undefined) {
      if (claim) {
        first.set(claim.key, command);
      }
      const made = outcomeOf(command, outcome);
      return { kind: 'replied', reply: { kind: 'transaction', outcome: made } };
    }
    const { fingerprint, answer } = claimOf(owner);
    const current = outcomeOf(owner, outcome);
    return { kind: 'replied', reply: { kind: 'keyTaken', fingerprint, answer, outcome: current } };
  };
  return reply;
}

describe('the Idempotency-Key', () => {
  it('travels as a hash with a keyed fingerprint and the fixed parts of the answer', async () => {
    const { body } = await pay();
    const claim = claimOf(edge.command);
    expect(claim.key).toMatch(/^[0-9a-f]{64}$/);
    expect(claim.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(claim.answer).toEqual({
      id: body.id,
      ndc: body.ndc,
      timestamp: body.timestamp,
      buildNumber: body.buildNumber,
    });
  });

  it('is not needed', async () => {
    await pay({}, {});
    expect(edge.command.data).not.toHaveProperty('idempotency');
  });

  it.each(['', 'k'.repeat(256), 'tab\there', 'caf\u00e9'])('%j is refused', async (value) => {
    const { status, body } = await pay({}, { 'Idempotency-Key': value });
    expect(status).toBe(400);
    expect(body.result).toMatchObject({
      code: '200.300.404',
      parameterErrors: [{ name: 'Idempotency-Key' }],
    });
    expect(edge.held).toHaveLength(0);
  });

  it.each([
    ['order-1', 'order-2'],
    ['order-1', ''],
    ['order-1', 'ORDER-1'],
  ])('twice with different values (%j, %j) is refused', async (...keys) => {
    const { status, body } = await payWithKeys(keys);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      result: {
        code: '200.300.404',
        parameterErrors: [
          { name: 'Idempotency-Key', message: 'must not be sent with more than one value' },
        ],
      },
    });
    expect(edge.held).toHaveLength(0);
    expect(edge.commands).toHaveLength(0);
  });

  it('twice with the same value is that one key', async () => {
    expect((await payWithKeys(['order-1', 'order-1'])).status).toBe(200);
    await pay();
    const [repeated, single] = edge.commands.map(claimOf);
    expect(repeated?.key).toBe(single?.key);
  });

  it('may have a comma, and is one key then', async () => {
    expect((await payWithKeys(['order-1, order-2'])).status).toBe(200);
  });

  it('may have 255 characters', async () => {
    expect((await pay({}, { 'Idempotency-Key': 'k'.repeat(255) })).status).toBe(200);
  });

  it('is another one for another entity, owner, path or key', async () => {
    await pay();
    const both = { ...key, Authorization: `Bearer ${merchantToken}` };
    await pay({ entityId: siblingEntityId }, both);
    await pay({}, both);
    await pay({}, { 'Idempotency-Key': 'order-2' });
    const path = `${edge.url}/v1/payments/${newTransactionId(startMs)}`;
    await post(path, { entityId, paymentType: 'RV' }, key);
    expect(new Set(edge.commands.map((command) => claimOf(command).key)).size).toBe(5);
  });

  it.each(['/v1/payments/', '//v1//payments', '/v1/payments?testMode=INTERNAL', '/v1/p%61yments'])(
    'is the same for %s',
    async (target) => {
      await pay();
      expect((await post(`${edge.url}${target}`, debit, key)).status).toBe(200);
      const [plain, other] = edge.commands.map(claimOf);
      expect(other?.key).toBe(plain?.key);
    },
  );

  it('is the same however the target of a reference is written', async () => {
    const id = newTransactionId(startMs);
    const escaped = `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
    for (const path of [id, `${id}/`, `/${id}`, escaped]) {
      const reversal = { entityId, paymentType: 'RV' };
      expect((await post(`${edge.url}/v1/payments/${path}`, reversal, key)).status).toBe(200);
    }
    expect(edge.commands).toHaveLength(4);
    expect(new Set(edge.commands.map((command) => claimOf(command).key)).size).toBe(1);
  });

  it('is the same for two credentials of one owner', async () => {
    await pay();
    const response = await fetch(`${edge.url}/v1/payments${legacyQuery}`, {
      method: 'POST',
      body: new URLSearchParams(Object.entries(debit).filter(([name]) => name !== 'entityId')),
      headers: key,
    });
    expect(response.status).toBe(200);
    const [first, second] = edge.commands.map(claimOf);
    expect(second?.key).toBe(first?.key);
    expect(second?.fingerprint).toBe(first?.fingerprint);
  });
});

describe('the fingerprint', () => {
  const fingerprint = async (parameters: Parameters | string) => {
    const url = `${edge.url}/v1/payments`;
    const sent = typeof parameters === 'string' ? parameters : { ...debit, ...parameters };
    expect((await post(url, sent, key)).status).toBe(200);
    return claimOf(edge.command).fingerprint;
  };

  it.each([
    ['the security code', { 'card.cvv': '999' }],
    ['nothing', {}],
  ])('does not change with %s', async (_, parameters) => {
    expect(await fingerprint(parameters)).toBe(await fingerprint({}));
  });

  it('does not change with order or encoding', async () => {
    const backwards = Object.entries(debit).reverse();
    const encoded = backwards.map(
      ([name, value]) => `${name.replace('.', '%2E')}=${value.replaceAll(' ', '%20')}`,
    );
    expect(await fingerprint(encoded.join('&'))).toBe(await fingerprint({}));
  });

  it.each([
    ['amount', { amount: '92.01' }],
    ['holder', { 'card.holder': 'Jane Jonas' }],
    ['expiry', { 'card.expiryYear': '2035' }],
    ['number', { 'card.number': '4111111111111111' }],
    ['one more parameter', { merchantMemo: 'eight chars' }],
    ['a personal parameter', { 'customer.givenName': 'Jane', 'customer.surname': 'Jones' }],
    ['test mode', { testMode: 'EXTERNAL' }],
  ])('changes with the %s', async (_, parameters) => {
    expect(await fingerprint(parameters)).not.toBe(await fingerprint({}));
  });
});

describe('a duplicate', () => {
  it.each([
    ['an approval', {}, 200],
    ['a decline', { status: 'declined', resultCode: '800.100.152' }, 400],
    ['an outcome that is still pending', { status: 'pending', resultCode: '000.200.000' }, 200],
    ['an unknown outcome', { status: 'unknown', resultCode: '900.100.300' }, 200],
  ] as [string, Partial<TransactionOutcome>, number][])(
    'of %s gets the same bytes',
    async (_, outcome, expected) => {
      edge.script.reply = remembering({
        ...outcome,
        resultDetails: { AuthCode: 'A', AcquirerResponse: '00' },
      });
      const parameters = { 'customParameters[till]': '7', merchantTransactionId: 'order-0001' };
      const first = await pay(parameters);
      const again = await pay(parameters);
      expect(first.status).toBe(expected);
      expect(again.status).toBe(first.status);
      expect(again.text).toBe(first.text);
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
      // The second card is of no use to anybody.
      expect(edge.forgotten).toEqual(['reference-2']);
    },
  );

  it('of a referencing request gets the same bytes', async () => {
    edge.script.reply = remembering({ amount: { minor: '100', currency: 'EUR' } });
    const url = `${edge.url}/v1/payments/${newTransactionId(startMs)}`;
    const first = await post(url, { entityId, paymentType: 'RV' }, key);
    const again = await post(url, { entityId, paymentType: 'RV' }, key);
    expect(again.text).toBe(first.text);
  });

  it('with other input is refused and leaves the first alone', async () => {
    edge.script.reply = remembering();
    await pay();
    const { status, body } = await pay({ amount: '93.00' });
    expect(status).toBe(400);
    expect(body.result).toMatchObject({
      code: '200.300.405',
      parameterErrors: [{ name: 'Idempotency-Key' }],
    });
    expect(body).not.toHaveProperty('id');
    expect(edge.forgotten).toEqual(['reference-2']);
  });

  it('of a running request waits for its outcome', async () => {
    const reply = remembering({ status: 'requested' });
    edge.script.reply = reply;
    const first = await pay();
    const [owner] = edge.commands;
    let looks = 0;
    edge.script.find = ({ transactionId }) => {
      expect(transactionId).toBe(owner?.data.transactionId);
      looks += 1;
      return owner && viewOf(owner, looks < 3 ? { status: 'requested' } : {});
    };
    const again = await pay();
    expect(looks).toBe(3);
    expect(again.body).toMatchObject({
      id: first.body.id,
      ndc: first.body.ndc,
      result: { code: '000.100.110' },
    });
  });

  it('waits together with any number of others', async () => {
    const reply = remembering({ status: 'requested' });
    edge.script.reply = reply;
    const first = await pay();
    const [owner] = edge.commands;
    let looks = 0;
    // Each of them has looked in vain, and so waits, before the first one ends.
    edge.script.find = () => {
      looks += 1;
      return owner && viewOf(owner, looks <= WAITING ? { status: 'requested' } : {});
    };
    const others = await Promise.all(Array.from({ length: WAITING }, () => pay()));
    expect(new Set(others.map(({ body }) => body.id))).toEqual(new Set([first.body.id]));
  });

  it('of a request that still runs after the wait is pending with its id', async () => {
    edge.script.reply = remembering({ status: 'requested' });
    const first = await pay();
    const [owner] = edge.commands;
    edge.script.find = () => owner && viewOf(owner, { status: 'requested' });
    const again = await pay();
    expect(again.status).toBe(200);
    expect(again.body.result.code).toBe('000.200.000');
    expect(again.text).toBe(first.text);
  });

  it('whose first request nobody can find is pending too', async () => {
    edge.script.reply = remembering({ status: 'requested' });
    const first = await pay();
    edge.script.find = () => {
      throw new Error('payments is away');
    };
    expect((await pay()).text).toBe(first.text);
  });
});

describe('a request that is refused before it is executed', () => {
  it.each([
    ['for its form', { amount: 'x' }, {}],
    ['for its access', {}, { Authorization: 'Bearer nobody' }],
  ])('%s does not burn the key', async (_, parameters, headers) => {
    edge.script.reply = remembering();
    expect((await pay(parameters, { ...key, ...headers })).status).toBeGreaterThanOrEqual(400);
    expect(edge.commands).toHaveLength(0);
    expect((await pay()).status).toBe(200);
  });
});
