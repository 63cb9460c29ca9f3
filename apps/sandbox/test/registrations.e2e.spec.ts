import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SandboxProcess } from '@sluice/testing';
import {
  APPROVED,
  type Body,
  codeOf,
  entityId,
  type Fields,
  headers,
  MONEY,
  send as sendTo,
} from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};

const folder = newFolder();
let sandbox: SandboxProcess;
beforeAll(async () => {
  sandbox = await start(folder);
}, START_WITHIN_MS);
afterAll(endSandboxes, START_WITHIN_MS);

const send = (method: string, path: string, fields: Fields = {}): Promise<Body> =>
  sendTo(sandbox, [method, path], fields);
const stored = async (): Promise<string> => (await send('POST', '/v1/registrations', CARD)).id;
const pay = (id: string, more: Fields = {}): Promise<Body> =>
  send('POST', `/v1/registrations/${id}/payments`, { ...MONEY, ...more });

describe('a card that is stored', () => {
  it('pays again and again, and each payment is refunded, captured and reversed like any other', async () => {
    const id = await stored();
    const debit = await pay(id);
    expect(debit).toMatchObject({ registrationId: id, result: { code: APPROVED } });
    expect(await send('GET', `/v1/payments/${debit.id}`)).toMatchObject({ registrationId: id });
    const refund = { amount: '10.00', currency: 'EUR', paymentType: 'RF' };
    expect(await codeOf(send('POST', `/v1/payments/${debit.id}`, refund))).toBe(APPROVED);
    const authorization = await pay(id, { paymentType: 'PA' });
    const capture = { ...MONEY, paymentType: 'CP' };
    expect(await codeOf(send('POST', `/v1/payments/${authorization.id}`, capture))).toBe(APPROVED);
    const other = await pay(id, { paymentType: 'PA' });
    const reversal = { paymentType: 'RV' };
    expect(await codeOf(send('POST', `/v1/payments/${other.id}`, reversal))).toBe(APPROVED);
    const first = await send('POST', `/v1/payments/${id}`, MONEY);
    expect(first).toMatchObject({ registrationId: id, result: { code: APPROVED } });
    const rebill = { amount: '5.00', currency: 'EUR', paymentType: 'RB' };
    expect(await codeOf(send('POST', `/v1/payments/${debit.id}`, rebill))).toBe(APPROVED);
  });

  it('is refused as a test says, and then pays nothing', async () => {
    const refused = { 'customParameters[forceResultCode]': '800.100.152' };
    const { id, result } = await send('POST', '/v1/registrations', { ...CARD, ...refused });
    expect(result.code).toBe('800.100.152');
    expect(await send('GET', `/v1/query/${id}`)).toMatchObject({
      ...{ paymentType: 'RG', result: { code: '800.100.152' } },
    });
    expect(await codeOf(pay(id))).not.toBe(APPROVED);
    const approved = { ...CARD, 'customParameters[forceResultCode]': '000.100.110' };
    expect(await codeOf(send('POST', '/v1/registrations', approved))).toBe(APPROVED);
    // What a payment stores is what becomes of the payment.
    const declined = {
      ...CARD,
      ...MONEY,
      ...refused,
      'card.cvv': '123',
      createRegistration: 'true',
    };
    expect(await codeOf(send('POST', '/v1/payments', declined))).toBe('800.100.152');
  });

  it('has begun no agreement elsewhere that is to come', async () => {
    const name = 'recurringMigration.requestTimestamp';
    const migrated = { ...CARD, 'recurringMigration.paymentType': 'DB' };
    const past = { ...migrated, [name]: '2024-06-01 09:30:00' };
    expect(await codeOf(send('POST', '/v1/registrations', past))).toBe(APPROVED);
    const future = { ...migrated, [name]: '2099-01-01 00:00:00' };
    expect((await send('POST', '/v1/registrations', future)).result).toMatchObject({
      ...{ code: '200.300.404', parameterErrors: [{ name }] },
    });
  });

  it('has its security code checked when it is sent, and not asked for', async () => {
    const id = await stored();
    expect((await pay(id)).result).not.toHaveProperty('cvvResponse');
    expect((await pay(id, { 'card.cvv': '123' })).result).toMatchObject({ cvvResponse: 'M' });
  });

  it('is declined by the acquirer like any other', async () => {
    const declined = { 'customParameters[forceResultCode]': '800.100.155' };
    expect(await codeOf(pay(await stored(), declined))).toBe('800.100.155');
  });

  it('pays fifty times at once', async () => {
    const id = await stored();
    const codes = await Promise.all(Array.from({ length: 50 }, () => codeOf(pay(id))));
    expect(new Set(codes)).toEqual(new Set([APPROVED]));
  });

  it('ends payments cleanly that are under way while it is deleted', async () => {
    const id = await stored();
    const paying = Array.from({ length: 20 }, () => codeOf(pay(id)));
    const deleted = codeOf(send('DELETE', `/v1/registrations/${id}`));
    const codes = new Set(await Promise.all(paying));
    expect(await deleted).toBe(APPROVED);
    // In time, or too late: also where edge had found it, and the vault does not have it any more.
    for (const code of codes) expect([APPROVED, '100.150.203']).toContain(code);
    expect(await codeOf(pay(id))).toBe('100.150.203');
  });
});

describe('a request that comes again under its key after the registration was deleted', () => {
  it('is answered as at first, a change without the card', async () => {
    const id = await stored();
    const keyed = async (path: string, fields: Fields): Promise<Body> => {
      const body = new URLSearchParams({ entityId, ...fields });
      const target = `${sandbox.url}/v1/registrations/${id}${path}`;
      const ofKey = { ...headers, 'Idempotency-Key': 'again' };
      return (await (await fetch(target, { method: 'POST', headers: ofKey, body })).json()) as Body;
    };
    const change = { 'card.expiryMonth': '07', 'card.expiryYear': '2036' };
    const ask = async () =>
      [
        await keyed('/payments', { ...MONEY, 'card.cvv': '123' }),
        await keyed('/extendlife', {}),
        await keyed('', change),
      ] as const;
    const [paid, extended, changed] = await ask();
    expect(await codeOf(send('DELETE', `/v1/registrations/${id}`))).toBe(APPROVED);
    const { card, paymentBrand: _, ...withoutCard } = changed;
    expect(card).toMatchObject({ expiryYear: '2036', last4Digits: '0000' });
    expect(await ask()).toEqual([paid, extended, withoutCard]);
    expect(paid).toMatchObject({ card: { holder: 'Jane Jones', last4Digits: '0000' } });
  });
});

describe('a card that is stored with a payment', () => {
  const storing = { ...CARD, ...MONEY, 'card.cvv': '123', createRegistration: 'true' };
  const payAndStore = (more: Fields = {}): Promise<Body> =>
    send('POST', '/v1/payments', { ...storing, ...more });

  it('pays as soon as the first payment is approved, and is read and deleted', async () => {
    const first = await payAndStore();
    expect(first.result.code).toBe(APPROVED);
    const id = String(first['registrationId']);
    expect(await send('GET', `/v1/payments/${first.id}`)).toMatchObject({ registrationId: id });
    expect(await pay(id)).toMatchObject({ registrationId: id, result: { code: APPROVED } });
    expect(await send('GET', `/v1/registrations/${id}`)).toMatchObject({
      ...{ id, paymentBrand: 'VISA', card: { holder: 'Jane Jones' }, result: { code: APPROVED } },
    });
    expect(await codeOf(send('DELETE', `/v1/registrations/${id}`))).toBe(APPROVED);
    expect(await codeOf(pay(id))).toBe('100.150.203');
  });

  it('begins an agreement that the merchant goes on with', async () => {
    const agreement = { 'standingInstruction.type': 'RECURRING' };
    const first = await payAndStore({
      ...{ ...agreement, 'standingInstruction.mode': 'INITIAL' },
      ...{ 'standingInstruction.source': 'CIT' },
    });
    const { initialTransactionId = '' } = first['standingInstruction'] as Fields;
    const later = await pay(String(first['registrationId']), {
      ...{ ...agreement, 'standingInstruction.mode': 'REPEATED' },
      ...{ 'standingInstruction.source': 'MIT' },
      'standingInstruction.initialTransactionId': initialTransactionId,
    });
    expect(later.result.code).toBe(APPROVED);
  });

  it('is deleted while the payment waits for its shopper, who pays all the same', async () => {
    const { id, registrationId, redirect } = (await send('POST', '/v1/payments', {
      ...{ ...MONEY, paymentBrand: 'PAYPAL', createRegistration: 'true' },
      'virtualAccount.accountId': 'jane.jones@example.org',
      shopperResultUrl: 'https://shop.example/result',
    })) as Body & { readonly redirect: { readonly url: string } };
    const path = `/v1/registrations/${String(registrationId)}`;
    expect(await codeOf(send('DELETE', path))).toBe(APPROVED);
    const { url: page } = await fetch(redirect.url);
    const chosen = await fetch(`${page}/approve`, { method: 'POST', redirect: 'manual' });
    const back = await fetch(chosen.headers.get('location') ?? '', { redirect: 'manual' });
    expect(back.headers.get('location')).toMatch(/^https:\/\/shop\.example\/result\?id=/);
    expect(await codeOf(send('GET', `/v1/payments/${id}`))).toBe(APPROVED);
    expect(await codeOf(send('GET', path))).toBe('200.300.404');
    const byMerchant = { 'standingInstruction.source': 'MIT' };
    expect(await codeOf(pay(String(registrationId), byMerchant))).toBe('100.150.203');
    expect(await codeOf(send('DELETE', path))).toBe('100.350.101');
  });

  it('is not kept when the payment is declined', async () => {
    const declined = await payAndStore({ 'customParameters[forceResultCode]': '800.100.155' });
    expect(declined.result.code).toBe('800.100.155');
    expect(declined).not.toHaveProperty('registrationId');
    expect(await send('GET', `/v1/payments/${declined.id}`)).not.toHaveProperty('registrationId');
  });

  it('is stored once, however often the request is repeated under its key', async () => {
    const body = new URLSearchParams({ entityId, ...storing });
    const keyed = { ...headers, 'Idempotency-Key': 'store-once' };
    const target = `${sandbox.url}/v1/payments`;
    const ask = async () =>
      (await (await fetch(target, { method: 'POST', headers: keyed, body })).json()) as Body;
    const answers = [await ask(), await ask(), ...(await Promise.all([ask(), ask(), ask()]))];
    expect(new Set(answers.map((answer) => answer['registrationId'])).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
    expect(await codeOf(pay(String(answers[0]?.['registrationId'])))).toBe(APPROVED);
  });
});

describe('the terms of what is stored', () => {
  const said = (fields: Fields): Fields =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [`standingInstruction.${name}`, value]),
    );
  const first = { type: 'INSTALLMENT', mode: 'INITIAL', source: 'CIT' };
  const once = said({ ...first, numberOfInstallments: '1' });
  const byMerchant = { type: 'INSTALLMENT', mode: 'REPEATED', source: 'MIT' };
  const charge = (id: string, more: Fields = {}): Promise<string> =>
    codeOf(pay(id, said({ ...byMerchant, ...more })));
  const BROKEN = '600.200.501';

  it('are those of the latest first payment by it, whatever a later one names', async () => {
    const id = await stored();
    const agreed = said({ ...first, numberOfInstallments: '2' });
    expect(await codeOf(pay(id, agreed))).toBe(APPROVED);
    expect(await charge(id)).toBe(APPROVED);
    expect(await charge(id)).toBe(BROKEN);
    expect(await charge(id, { agreementId: 'bogus' })).toBe(BROKEN);
    expect(await codeOf(pay(id))).toBe(APPROVED);
  });

  it('are those that were given when it was stored, if nothing was paid first', async () => {
    const { id } = await send('POST', '/v1/registrations', { ...CARD, ...once });
    expect(await charge(id)).toBe(APPROVED);
    expect(await charge(id)).toBe(BROKEN);
    expect(await charge(await stored())).toBe(APPROVED);
  });

  it('are not those of the payment that stored it, once another one has agreed nothing', async () => {
    const storing = { ...CARD, ...MONEY, 'card.cvv': '123', createRegistration: 'true' };
    const { registrationId } = await send('POST', '/v1/payments', { ...storing, ...once });
    const id = String(registrationId);
    expect(await charge(id)).toBe(BROKEN);
    const recurring = said({ ...first, type: 'RECURRING' });
    expect(await codeOf(pay(id, recurring))).toBe(APPROVED);
    expect(await charge(id, { type: 'RECURRING' })).toBe(APPROVED);
  });
});

describe('what was stored and deleted', () => {
  it(
    'is so after the sandbox was killed and has started again',
    async () => {
      const [kept, deleted] = [await stored(), await stored()];
      expect(await codeOf(send('DELETE', `/v1/registrations/${deleted}`))).toBe(APPROVED);
      await sandbox.kill();
      sandbox = await start(folder);
      expect(await codeOf(pay(kept))).toBe(APPROVED);
      expect(await codeOf(pay(deleted))).toBe('100.150.203');
      expect(await codeOf(send('GET', `/v1/registrations/${deleted}`))).toBe('200.300.404');
      expect(await codeOf(send('DELETE', `/v1/registrations/${deleted}`))).toBe('100.350.101');
    },
    START_WITHIN_MS,
  );
});
