import { beforeAll, describe, expect, it } from '@jest/globals';
import { testSandbox } from '@sluice/testing';
import {
  APPROVED,
  type Body,
  type Fields,
  MONEY,
  send as sendTo,
} from './demo-merchant-fixture.js';

const SCHEDULES = '/scheduling/v1/schedules';
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};
const DEBIT = {
  ...{ amount: '10.00', currency: 'EUR', paymentType: 'DB', paymentBrand: 'DIRECTDEBIT_SEPA' },
  ...{ 'bankAccount.holder': 'Jane Jones', 'bankAccount.iban': 'DE23100000001234567890' },
  ...{ 'bankAccount.country': 'DE', 'bankAccount.bic': 'MARKDEF1100' },
};
const BROWSER = {
  ...{ 'customer.browser.acceptHeader': 'text/html', 'customer.browser.language': 'en-GB' },
  ...{ 'customer.browser.screenHeight': '1080', 'customer.browser.screenWidth': '1920' },
  ...{ 'customer.browser.timezone': '-60', 'customer.browser.javaEnabled': 'false' },
  ...{ 'customer.browser.userAgent': 'Mozilla/5.0', shopperResultUrl: 'http://127.0.0.1:9/result' },
};
/** On a day that no spec lives to see. */
const LATER = { 'job.expression': '0 0 8 1 1 ? 2099' };
const PLAN = 'plan-of-all-kinds';
const EVERY_TYPE = [
  '3D',
  'CB',
  'CP',
  'CR',
  'DB',
  'DR',
  'DS',
  'PA',
  'RF',
  'RG',
  'RI',
  'RR',
  'RS',
  'RV',
  'SD',
];

const sandbox = testSandbox();
const from = new Date(Date.now() - 1_000).toISOString().replace('T', ' ').slice(0, 19);
const FRAME = { 'date.from': from, 'date.to': '2099-01-01 00:00:00', limit: '500' };

const send = (method: string, path: string, fields: Fields = {}): Promise<Body> =>
  sendTo(sandbox, [method, path], fields);
/** The same where it has to be recorded, whatever becomes of it. */
async function recorded(path: string, fields: Fields = {}): Promise<Body> {
  const answer = await send('POST', path, fields);
  if (!answer.id) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer;
}
const records = async (fields: Fields): Promise<readonly Body[]> =>
  ((await send('GET', '/v3/query', fields))['records'] ?? []) as readonly Body[];
const typesOf = (entries: readonly Body[]): readonly unknown[] =>
  entries.map((entry) => entry['paymentType']);

/** What the streams say of one, by its id alone. */
async function byId(id: string): Promise<Body> {
  const found = await send('GET', `/v3/query/${id}`);
  const [entry, ...others] = found['records'] as readonly Body[];
  expect(others).toEqual([]);
  if (entry === undefined) throw new Error(`${id} is not found.`);
  return entry;
}

/** What this spec has made: others have the same sandbox. */
const own = async (fields: Fields): Promise<readonly Body[]> =>
  (await records(fields)).filter(({ id }) => id >= firstId);

let firstId: string;
let scheduleId: string;
let registrationId: string;

/** One of each type. */
beforeAll(async () => {
  const refer = (id: string, paymentType: string, fields: Fields = MONEY): Promise<Body> =>
    recorded(`/v1/payments/${id}`, { ...fields, paymentType });
  const paid = { ...CARD, ...MONEY, 'card.cvv': '123' };
  const authorized = await recorded('/v1/payments', { ...paid, paymentType: 'PA' });
  firstId = authorized.id;
  const captured = await refer(authorized.id, 'CP');
  await refer(captured.id, 'RF', { amount: '1.00', currency: 'EUR' });
  const debited = await recorded('/v1/payments', paid);
  await refer(debited.id, 'RV');
  const disputed = await recorded('/v1/payments', paid);
  const chargedBack = await refer(disputed.id, 'CB');
  await refer(chargedBack.id, 'CR');
  await recorded('/v1/payments', DEBIT);
  await recorded('/v1/risk', { ...CARD, amount: '5.00', currency: 'EUR' });
  await recorded('/v1/threeDSecure', { ...CARD, ...BROWSER, amount: '5.00', currency: 'EUR' });
  registrationId = (await recorded('/v1/registrations', CARD)).id;
  await recorded(`/v1/registrations/${registrationId}`, {
    'card.expiryYear': '2036',
    'card.expiryMonth': '05',
  });
  const planned = { registrationId, amount: '9.90', currency: 'EUR', paymentType: 'SD' };
  const named = {
    merchantTransactionId: PLAN,
    'customer.merchantCustomerId': 'customer-1',
    'customer.givenName': 'Jane',
    'customer.surname': 'Jones',
  };
  scheduleId = (await recorded(SCHEDULES, { ...planned, ...LATER, ...named })).id;
  await recorded(`${SCHEDULES}/${scheduleId}/reschedule`, { amount: '12.90', currency: 'EUR' });
  await recorded(`${SCHEDULES}/${scheduleId}/deschedule`);
  const { id } = await recorded('/v1/registrations', CARD);
  await send('DELETE', `/v1/registrations/${id}`);
}, 60_000);

describe('a query by time', () => {
  it('finds every type of transaction, and says of each what its stream says', async () => {
    const found = await own(FRAME);
    expect([...new Set(typesOf(found))].sort()).toEqual(EVERY_TYPE);
    for (const entry of found) expect(entry).toEqual(await byId(entry.id));
  });

  it.each(EVERY_TYPE)('finds those of %s alone where they are asked for', async (paymentTypes) => {
    const all = await own(FRAME);
    const wanted = all.filter((entry) => entry['paymentType'] === paymentTypes);
    expect(wanted.length).toBeGreaterThan(0);
    expect(await own({ ...FRAME, paymentTypes })).toEqual(wanted);
  });
});

describe('a query for a schedule', () => {
  it("by the merchant's own id finds it, and what was asked of it on demand", async () => {
    const search = { merchantTransactionId: PLAN };
    const found = await records(search);
    // A change keeps the name that it does not say.
    expect(typesOf(found)).toEqual(['RS', 'SD']);
    expect(found[1]).toMatchObject({
      ...{ id: scheduleId, registrationId, amount: '9.90', currency: 'EUR' },
      ...{ customer: { givenName: 'Jane' }, result: { code: APPROVED } },
    });
    const linked = await records({ ...search, includeLinkedTransactions: 'true' });
    expect(typesOf(linked)).toEqual(['RS', 'SD', 'RG', 'DS']);
  });

  it('by its id answers it alone, and with all else on demand', async () => {
    expect(await send('GET', `/v1/query/${scheduleId}`)).toMatchObject({
      ...{ id: scheduleId, paymentType: 'SD' },
    });
    const all = await send('GET', `/v3/query/${scheduleId}`, { includeLinkedTransactions: 'true' });
    expect(typesOf(all['records'] as readonly Body[])).toEqual(['SD', 'RS', 'DS', 'RG']);
  });

  it('is found beside what is stored', async () => {
    const all = await send('GET', `/v3/query/${registrationId}`, {
      includeLinkedTransactions: 'true',
    });
    expect(typesOf(all['records'] as readonly Body[])).toEqual(['RG', 'RR', 'SD']);
  });
});
