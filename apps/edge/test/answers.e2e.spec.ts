import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TransactionOutcome, TransactionView } from '@sluice/contracts';
import { newTransactionId } from '@sluice/identifiers';
import {
  bearer,
  call,
  debit,
  formText,
  type Parameters,
  post,
  type Received,
} from './http-client.js';
import { missedByOldClient, pathsOf, type RecordedAnswer } from './old-client.js';
import {
  entityId,
  foreignEntityId,
  replying,
  ScriptedEdge,
  startMs,
  viewOf,
} from './scripted-edge.js';

/** Bodies that clients were written for. Whoever changes one by more than an addition breaks them. */
const FOLDER = fileURLToPath(new URL('./recorded-answers/', import.meta.url));
const recordings: readonly (readonly [string, RecordedAnswer])[] = readdirSync(FOLDER)
  .map((file) => file.replace('.json', ''))
  .sort()
  .map((name) => [
    name,
    JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as RecordedAnswer,
  ]);

const edge = new ScriptedEdge();
const throttled = new ScriptedEdge();
beforeAll(async () => {
  await edge.start();
  await throttled.start({ throttlePerSecond: 1, throttleBurst: 1 });
});
afterAll(async () => {
  await edge.close();
  await throttled.close();
});

const payments = () => `${edge.url}/v1/payments`;
const pay = (parameters: Parameters = {}) => post(payments(), { ...debit, ...parameters });
const paidWith = (outcome: Partial<TransactionOutcome>, parameters: Parameters = {}) => {
  edge.script.reply = replying(outcome);
  return pay(parameters);
};
const refer = async (parameters: Parameters, outcome: Partial<TransactionOutcome> = {}) => {
  const { body } = await paidWith({}, { paymentType: 'PA' });
  edge.script.reply = replying(outcome);
  return post(`${payments()}/${body.id}`, { entityId, ...parameters });
};
const get = (path: string, headers: Record<string, string> = bearer) =>
  call(`${edge.url}${path}`, { headers });

const approval = {
  connectorTxId: 'S000000000042',
  resultDetails: {
    AcquirerResponse: '00',
    AuthCode: '000042',
    ReferenceNbr: '000000000042',
    clearingInstituteName: 'Sluice Simulator',
  },
  avsResponse: 'F',
  cvvResponse: 'M',
} as const;
const decline: Partial<TransactionOutcome> = {
  status: 'declined',
  resultCode: '800.100.152',
  connectorTxId: 'S000000000043',
  resultDetails: { AcquirerResponse: '05' },
  cvvResponse: 'N',
};

/** All that a payment may say of itself, and is answered with. */
const talkative: Parameters = {
  merchantTransactionId: 'order-4711',
  merchantInvoiceId: 'invoice-1',
  descriptor: 'Books & more',
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'customer.email': 'jane@shop.example',
  'billing.street1': 'High Street 1',
  'billing.city': 'London',
  'billing.postcode': 'SW1A 1AA',
  'billing.country': 'GB',
  'cart.items[0].name': 'A book',
  'cart.items[0].quantity': '1',
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.type': 'UNSCHEDULED',
  'standingInstruction.source': 'CIT',
  'customParameters[branch_id]': 'Nord 1',
};

/** Amounts beside the one that is paid, without the decimals that a request may leave out. */
const whole: Parameters = {
  amount: '92',
  taxAmount: '1',
  discountAmount: '2',
  'forex.amount': '3',
  'forex.currency': 'GBP',
  'forex.tax': '0',
  'cart.items[0].name': 'A book',
  'cart.items[0].shipping': '4',
  'cart.items[0].totalDiscountAmount': '5',
  'cart.items[0].price': '6.50',
  'cart.items[0].originalPrice': '7',
  'cart.payments[0].amount': '8',
};

/** A payment, its refusal and its capture, as reporting would find them. */
async function search(path: string): Promise<Received> {
  const views: TransactionView[] = [];
  await paidWith(approval, { merchantTransactionId: 'order-4711' });
  views.push(viewOf(edge.command, approval));
  await paidWith(decline, { merchantTransactionId: 'order-4711' });
  views.push(viewOf(edge.command, decline));
  await refer({ paymentType: 'CP', amount: '10.00', currency: 'EUR' });
  views.push(viewOf(edge.command));
  edge.script.search = () => ({ transactions: views, total: 301 });
  return get(`${path}?${formText({ entityId, merchantTransactionId: 'order-4711' })}`);
}

/** How each recorded answer is asked for. */
const requests: Readonly<Record<string, () => Promise<Received>>> = {
  'payment-approved': () => paidWith(approval, talkative),
  'payment-brand-detected': () => paidWith(approval, { paymentBrand: undefined }),
  'payment-declined': () => paidWith(decline),
  'payment-pending': () => paidWith({ status: 'pending', resultCode: '000.200.000' }),
  'payment-recorded-refusal': () =>
    paidWith(
      { status: 'rejected', resultCode: '100.100.101' },
      { 'card.number': '4200000000000001' },
    ),
  'payment-amounts': () => paidWith(approval, whole),
  'payment-read-amounts': async () => {
    await paidWith(approval, whole);
    const view = viewOf(edge.command, approval);
    edge.script.find = () => view;
    return get(`/v1/payments/${view.id}?entityId=${entityId}`);
  },
  'query-amounts': async () => {
    await paidWith(approval, whole);
    const view = viewOf(edge.command, approval);
    edge.script.find = () => view;
    return get(`/v1/query/${view.id}?entityId=${entityId}`);
  },
  'payment-read': async () => {
    await paidWith(approval, talkative);
    const view = viewOf(edge.command, approval);
    edge.script.find = () => view;
    return get(`/v1/payments/${view.id}?entityId=${entityId}`);
  },
  'payment-read-young': () => {
    edge.script.find = () => undefined;
    return get(`/v1/payments/${newTransactionId(startMs)}?entityId=${entityId}`);
  },
  authorization: () => paidWith(approval, { paymentType: 'PA' }),
  capture: () => refer({ paymentType: 'CP', amount: '60.00', currency: 'EUR' }),
  refund: () => refer({ paymentType: 'RF', amount: '10', currency: 'EUR' }),
  reversal: () => refer({ paymentType: 'RV' }, { amount: { minor: '9200', currency: 'EUR' } }),
  'refund-refused': () =>
    refer(
      { paymentType: 'RF', amount: '99.00', currency: 'EUR' },
      { status: 'rejected', resultCode: '700.400.200' },
    ),
  'parameters-refused': () => pay({ amount: 'x', currency: 'eur', 'card.cvv': 'secret' }),
  unauthenticated: () => get(`/v1/payments/${newTransactionId(startMs)}`, {}),
  'token-refused': () => post(payments(), debit, { Authorization: 'Bearer nobody' }),
  'entity-refused': () => pay({ entityId: foreignEntityId }),
  'payment-not-found': () => {
    edge.script.find = () => undefined;
    return get(`/v1/payments/${'0'.repeat(32)}?entityId=${entityId}`);
  },
  'url-unknown': () => get('/v1/nothing'),
  'version-unknown': () => post(`${edge.url}/v2/payments`, debit),
  throttled: async () => {
    await post(`${throttled.url}/v1/payments`, debit);
    return post(`${throttled.url}/v1/payments`, debit);
  },
  'query-v1': () => search('/v1/query'),
  'query-v3': () => search('/v3/query'),
};

describe('a client of old', () => {
  it('has every recorded answer asked for, and every answer recorded', () => {
    expect(Object.keys(requests).sort()).toEqual(recordings.map(([name]) => name));
  });

  it.each(recordings)('finds in %s all that it knows', async (name, recorded) => {
    const answered = await requests[name]!();
    expect(missedByOldClient(recorded.body, answered.body)).toEqual([]);
    expect(answered.status).toBe(recorded.status);
    expect(answered.headers.get('content-type')).toBe('application/json;charset=UTF-8');
  });

  it.each(recordings)('never finds a card number in %s', async (name) => {
    const { text } = await requests[name]!();
    expect(text).not.toMatch(/4200000000000000|4200000000000001|"123"|secret/);
  });
});

describe('a recorded body', () => {
  it.each(recordings)('of %s has the fields that no answer may lack', (_name, { body }) => {
    expect(body).toMatchObject({
      result: { code: expect.any(String), description: expect.any(String) },
      buildNumber: expect.any(String),
      timestamp: expect.any(String),
      ndc: expect.any(String),
    });
  });

  it.each(recordings)('of %s is missed by any field that changes', (_name, { body }) => {
    expect(missedByOldClient(body, structuredClone(body))).toEqual([]);
    for (const path of pathsOf(body)) {
      for (const change of [removed, renamed, retyped]) {
        const today = structuredClone(body);
        change(today, path);
        expect(missedByOldClient(body, today)).not.toEqual([]);
      }
      const today = structuredClone(body);
      addedBeside(today, path);
      expect(missedByOldClient(body, today)).toEqual([]);
    }
  });
});

type Fields = Record<string, unknown>;

function parentOf(body: unknown, path: readonly string[]): readonly [Fields, string] {
  const parent = path.slice(0, -1).reduce((at, name) => at[name] as Fields, body as Fields);
  return [parent, path.at(-1) ?? ''];
}

function removed(body: unknown, path: readonly string[]): void {
  const [parent, name] = parentOf(body, path);
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else Reflect.deleteProperty(parent, name);
}

function renamed(body: unknown, path: readonly string[]): void {
  const [parent, name] = parentOf(body, path);
  const value = parent[name];
  removed(body, path);
  parent[`${name}New`] = value;
}

function retyped(body: unknown, path: readonly string[]): void {
  const [parent, name] = parentOf(body, path);
  parent[name] = typeof parent[name] === 'string' ? 7 : 'text';
}

function addedBeside(body: unknown, path: readonly string[]): void {
  const [parent] = parentOf(body, path);
  if (!Array.isArray(parent)) parent['newField'] = { of: 'tomorrow' };
}
