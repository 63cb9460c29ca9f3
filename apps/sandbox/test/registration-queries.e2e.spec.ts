import { describe, expect, it } from '@jest/globals';
import { testSandbox } from '@sluice/testing';
import {
  APPROVED,
  type Body,
  codeOf,
  type Fields,
  MONEY,
  send as sendTo,
} from './demo-merchant-fixture.js';

const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};
const PAID = { ...CARD, ...MONEY, 'card.cvv': '123' };

const sandbox = testSandbox();

const send = (method: string, path: string, fields: Fields = {}): Promise<Body> =>
  sendTo(sandbox, [method, path], fields);

let references = 0;
const newReference = () => `registration-${String((references += 1)).padStart(4, '0')}`;
const query = async (fields: Fields, version = 'v3'): Promise<readonly Body[]> => {
  const found = await send('GET', `/${version}/query`, fields);
  return (found[version === 'v3' ? 'records' : 'payments'] ?? []) as readonly Body[];
};
const typesOf = (entries: readonly Body[]) => entries.map((entry) => entry['paymentType']);

/** A card that was stored, changed and deleted under one reference of the merchant. */
async function lived() {
  const merchantTransactionId = newReference();
  const { id } = await send('POST', '/v1/registrations', { ...CARD, merchantTransactionId });
  const expiry = { 'card.expiryMonth': '07', 'card.expiryYear': '2036' };
  const changed = await send('POST', `/v1/registrations/${id}`, {
    ...{ ...expiry, 'card.holder': 'Jane Doe', merchantTransactionId },
  });
  return { id, merchantTransactionId, changed };
}

describe('a registration that is changed', () => {
  it('is read and paid with as it is then', async () => {
    const { id, changed } = await lived();
    expect(changed).toMatchObject({ id, paymentType: 'RR', result: { code: APPROVED } });
    const card = { holder: 'Jane Doe', expiryMonth: '07', expiryYear: '2036', last4Digits: '0000' };
    expect(await send('GET', `/v1/registrations/${id}`)).toMatchObject({ id, card });
    const paid = await send('POST', `/v1/registrations/${id}/payments`, MONEY);
    expect(paid).toMatchObject({ registrationId: id, card, result: { code: APPROVED } });
  });

  it('has the same number still, which cannot be changed', async () => {
    const { id } = await lived();
    const refused = await send('POST', `/v1/registrations/${id}`, {
      'card.number': '5454545454545454',
    });
    expect(refused.result.code).toBe('200.300.404');
  });
});

describe("a query by the merchant's own id", () => {
  it('finds what was done to a registration at once, newest first', async () => {
    const { id, merchantTransactionId } = await lived();
    const found = await query({ merchantTransactionId });
    expect(typesOf(found)).toEqual(['RR', 'RG']);
    expect(found[1]).toMatchObject({
      ...{ id, paymentBrand: 'VISA', paymentMethod: 'CC', merchantTransactionId },
      ...{ result: { code: APPROVED }, card: { last4Digits: '0000', holder: 'Jane Jones' } },
    });
    expect(found[0]).toMatchObject({ referencedId: id, result: { code: APPROVED } });
    expect(found[0]?.id).not.toBe(id);
    expect(typesOf(await query({ merchantTransactionId }, 'v1'))).toEqual(['RR', 'RG']);
    expect(await query({ merchantTransactionId, paymentTypes: 'RG' })).toHaveLength(1);
    expect(await query({ merchantTransactionId, paymentTypes: 'DB,RR' })).toHaveLength(1);
    expect(await query({ merchantTransactionId, paymentTypes: 'DB' })).toEqual([]);
    expect(typesOf(await query({ merchantTransactionId, paymentMethods: 'CC' }))).toEqual(['RG']);
  });

  it('brings the rest along where it is asked to', async () => {
    const { id, merchantTransactionId } = await lived();
    await send('DELETE', `/v1/registrations/${id}`);
    const linked = { merchantTransactionId, includeLinkedTransactions: 'true' };
    expect(typesOf(await query({ ...linked, paymentTypes: 'RG' }))).toEqual(['RG', 'RR', 'DR']);
  });

  it('finds a payment, and not what was stored with it in its place', async () => {
    const merchantTransactionId = newReference();
    const stored = { ...PAID, createRegistration: 'true', merchantTransactionId };
    const { id, registrationId } = await send('POST', '/v1/payments', stored);
    expect((await query({ merchantTransactionId })).map((each) => each.id)).toEqual([id]);
    const registration = await send('GET', `/v1/query/${String(registrationId)}`);
    expect(registration).toMatchObject({ paymentType: 'RG', referencedId: id });
  });

  it('finds both where a payment has the same one', async () => {
    const { merchantTransactionId } = await lived();
    await send('POST', '/v1/payments', { ...PAID, merchantTransactionId });
    expect(typesOf(await query({ merchantTransactionId }))).toEqual(['DB', 'RR', 'RG']);
  });
});

describe('a query by time', () => {
  it('finds registrations among payments, each in its place, page by page', async () => {
    const from = new Date(Date.now() - 1_000).toISOString().replace('T', ' ').slice(0, 19);
    const { id } = await lived();
    const paid = await send('POST', `/v1/registrations/${id}/payments`, MONEY);
    await send('DELETE', `/v1/registrations/${id}`);
    const frame = { 'date.from': from, 'date.to': '2099-01-01 00:00:00' };
    const found = await query(frame);
    expect(typesOf(found).slice(0, 4)).toEqual(['DR', 'DB', 'RR', 'RG']);
    expect(found[1]?.id).toBe(paid.id);
    const ofRegistrations = await query({ ...frame, paymentTypes: 'RG,RR,TE,DR' });
    expect(typesOf(ofRegistrations).slice(0, 3)).toEqual(['DR', 'RR', 'RG']);
  });
});

describe('a payment with createRegistration that was sent again under its key', () => {
  it('has stored the card once, however many came at once, and names it in every answer', async () => {
    const from = new Date(Date.now() - 1_000).toISOString().replace('T', ' ').slice(0, 19);
    const key = newReference();
    const order = { 'customParameters[order]': key };
    const sent = { ...PAID, ...order, createRegistration: 'true' };
    const pay = () => sendTo(sandbox, ['POST', '/v1/payments'], sent, key);
    const [first, ...others] = await Promise.all([pay(), pay(), pay()]);
    const answers = [first, ...others, await pay()];
    for (const answer of answers) expect(answer).toEqual(first);
    const { id, registrationId } = first;
    const frame = { 'date.from': from, 'date.to': '2099-01-01 00:00:00' };
    const found = (await query(frame)).filter(
      (each) => (each['customParameters'] as Fields | undefined)?.['order'] === key,
    );
    expect(found.map((each) => each.id).sort()).toEqual([id, registrationId].sort());
    expect(typesOf(found)).toContain('RG');
    const paid = await send('POST', `/v1/registrations/${String(registrationId)}/payments`, MONEY);
    expect(paid.result.code).toBe(APPROVED);
  });
});

describe('a query by id', () => {
  it('finds each of them, with the others on demand', async () => {
    const { id, merchantTransactionId } = await lived();
    const [update] = await query({ merchantTransactionId, paymentTypes: 'RR' });
    expect(await send('GET', `/v1/query/${id}`)).toMatchObject({ id, paymentType: 'RG' });
    const one = await send('GET', `/v1/query/${String(update?.id)}`);
    expect(one).toMatchObject({ id: update?.id, paymentType: 'RR', referencedId: id });
    const linked = await send('GET', `/v3/query/${String(update?.id)}`, {
      includeLinkedTransactions: 'true',
    });
    expect(typesOf(linked['records'] as readonly Body[])).toEqual(['RR', 'RG']);
    expect(await codeOf(send('GET', `/v1/query/${'0'.repeat(32)}`))).toBe('700.400.580');
  });

  it('finds an extension, also of what is kept for longer anyway', async () => {
    const { id } = await lived();
    const extended = await send('POST', `/v1/registrations/${id}/extendlife`);
    expect(await send('GET', `/v1/query/${extended.id}`)).toMatchObject({
      ...{ id: extended.id, paymentType: 'TE', referencedId: id, result: { code: APPROVED } },
    });
  });

  it('tells nothing of what was deleted, but that it was', async () => {
    const { id } = await lived();
    await send('DELETE', `/v1/registrations/${id}`);
    const found = await send('GET', `/v1/query/${id}`);
    expect(found).toMatchObject({ id, paymentType: 'RG' });
    expect(found).not.toHaveProperty('card');
    expect(JSON.stringify(found)).not.toMatch(/Jane|last4/);
  });
});

describe('what payments and registrations have to do with each other', () => {
  const linkedWith = async (id: string, more: Fields = {}) => {
    const asked = { includeLinkedTransactions: 'true', ...more };
    const { records = [] } = await send('GET', `/v3/query/${id}`, asked);
    return (records as readonly Body[]).map((each) => each.id);
  };

  it('is found from each of them: a payment, what it stored, what was stored of it, what that pays', async () => {
    const merchantTransactionId = newReference();
    const first = { ...PAID, createRegistration: 'true', merchantTransactionId };
    const { id: paid, registrationId } = await send('POST', '/v1/payments', first);
    const stored = String(registrationId);
    const again = await send('POST', `/v1/payments/${paid}`, { paymentType: 'RG' });
    const byId = await send('POST', `/v1/payments/${stored}`, MONEY);
    const byPath = await send('POST', `/v1/registrations/${stored}/payments`, MONEY);
    const refund = await send('POST', `/v1/payments/${byPath.id}`, { ...MONEY, paymentType: 'RF' });
    expect(byId).toMatchObject({ registrationId: stored, result: { code: APPROVED } });

    expect(await linkedWith(paid)).toEqual([paid, stored, again.id]);
    expect(await linkedWith(stored)).toEqual([stored, paid, byId.id, byPath.id]);
    expect(await linkedWith(again.id)).toEqual([again.id, paid]);
    expect(await linkedWith(byPath.id)).toEqual([byPath.id, refund.id, stored]);
    expect(await linkedWith(refund.id)).toEqual([refund.id, byPath.id, stored]);
    expect(await linkedWith(stored, { paymentTypes: 'DB' })).toEqual([paid, byId.id, byPath.id]);

    // Found by the merchant's own id, it brings the same along.
    const found = await query({ merchantTransactionId, includeLinkedTransactions: 'true' });
    expect(found.map(({ id }) => id)).toEqual([paid, stored, again.id]);
    expect(await query({ merchantTransactionId })).toHaveLength(1);
  });

  it('is nothing of a payment that names a registration which there is not', async () => {
    const { id } = await lived();
    const other = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
    const refused = await send('POST', `/v1/registrations/${other}/payments`, MONEY);
    expect(await linkedWith(refused.id)).toEqual([refused.id]);
  });
});

describe('RG on a payment', () => {
  const RG = { paymentType: 'RG' };

  it('stores what a payment by registration was made with, under an id of its own', async () => {
    const { id } = await lived();
    const paid = await send('POST', `/v1/registrations/${id}/payments`, MONEY);
    const again = await send('POST', `/v1/payments/${paid.id}`, RG);
    expect(again).toMatchObject({ result: { code: APPROVED }, card: { last4Digits: '0000' } });
    expect(again.id).not.toBe(id);
    await send('DELETE', `/v1/registrations/${id}`);
    const later = await send('POST', `/v1/registrations/${again.id}/payments`, MONEY);
    expect(later).toMatchObject({ registrationId: again.id, result: { code: APPROVED } });
    const found = await send('GET', `/v1/query/${again.id}`);
    expect(found).toMatchObject({ paymentType: 'RG', referencedId: paid.id });
  });

  it('stores nothing of what failed, nor of what is deleted, and no unknown payment', async () => {
    const declined = { ...PAID, 'customParameters[forceResultCode]': '800.100.152' };
    const failed = await send('POST', '/v1/payments', declined);
    expect(await codeOf(send('POST', `/v1/payments/${failed.id}`, RG))).toBe('100.150.203');
    const { id } = await lived();
    const paid = await send('POST', `/v1/registrations/${id}/payments`, MONEY);
    await send('DELETE', `/v1/registrations/${id}`);
    const gone = await send('POST', `/v1/payments/${paid.id}`, RG);
    expect(gone.result).toMatchObject({
      ...{ code: '100.150.206', description: expect.stringContaining('createRegistration=true') },
    });
    const unknown = send('POST', `/v1/payments/${'0'.repeat(12)}${id.slice(12)}`, RG);
    expect(await codeOf(unknown)).toBe('700.400.580');
  });
});
