import { describe, expect, it } from '@jest/globals';
import { testSandbox } from '@sluice/testing';
import { entityId, headers } from './demo-merchant-fixture.js';

const sandbox = testSandbox();

type Fields = Readonly<Record<string, string>>;

interface Body {
  readonly id: string;
  readonly result: { readonly code: string; readonly description: string };
  readonly standingInstruction?: Fields;
}

async function send(path: string, init: RequestInit = {}): Promise<Body> {
  return (await fetch(`${sandbox.url}${path}`, { headers, ...init }).then((response) =>
    response.json(),
  )) as Body;
}

const post = (path: string, form: Fields): Promise<Body> =>
  send(path, { method: 'POST', body: new URLSearchParams({ entityId, ...form }) });

const CARD = {
  ...{ amount: '92.00', currency: 'EUR', paymentType: 'DB', paymentBrand: 'VISA' },
  ...{ 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
} as const;
const CODE = { 'card.cvv': '123' } as const;

const agreed = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`standingInstruction.${name}`, value]),
  );

const FIRST = { type: 'INSTALLMENT', mode: 'INITIAL', source: 'CIT' };
const LATER = { type: 'INSTALLMENT', mode: 'REPEATED', source: 'MIT' };

const begin = (terms: Fields = {}): Promise<Body> =>
  post('/v1/payments', { ...CARD, ...CODE, ...agreed({ ...FIRST, ...terms }) });

const rebill = ({ id }: Body): Promise<Body> =>
  post(`/v1/payments/${id}`, { paymentType: 'RB', amount: '92.00', currency: 'EUR' });

const APPROVED = '000.100.110';
const BROKEN = '600.200.501';

describe('the sandbox', () => {
  it('gives the references with which the merchant pays again, without a security code', async () => {
    const first = await begin();
    const { initialTransactionId = '', agreementId = '' } = first.standingInstruction ?? {};
    expect(first.result.code).toBe(APPROVED);
    expect(agreementId).toBe(first.id);
    const named = { ...LATER, initialTransactionId, agreementId };
    const later = await post('/v1/payments', { ...CARD, ...agreed(named) });
    expect(later.result.code).toBe(APPROVED);
    expect(later.standingInstruction).toEqual(named);
    const read = await send(`/v1/payments/${first.id}?entityId=${entityId}`);
    expect(read.standingInstruction).toEqual(first.standingInstruction);
  });

  it('takes the rebills of an agreement up to their number', async () => {
    const first = await begin({ numberOfInstallments: '2' });
    expect((await rebill(first)).result.code).toBe(APPROVED);
    const third = await rebill(first);
    expect(third.result).toMatchObject({
      code: BROKEN,
      description: expect.stringContaining('numberOfInstallments of the first payment'),
    });
    const read = await send(`/v1/payments/${third.id}?entityId=${entityId}`);
    expect(read.result).toEqual(third.result);
  });

  it('takes one of many rebills at once where one is left', async () => {
    const first = await begin({ numberOfInstallments: '2' });
    const codes = await Promise.all(
      Array.from({ length: 8 }, async () => (await rebill(first)).result.code),
    );
    expect(codes.sort()).toEqual([APPROVED, ...Array.from({ length: 7 }, () => BROKEN)]);
  });

  it('takes no rebill before the days between are over', async () => {
    const first = await begin({ frequency: '0030' });
    expect((await rebill(first)).result.code).toBe(BROKEN);
    expect((await rebill(await begin())).result.code).toBe(APPROVED);
  });

  it('begins no agreement that is over, and says so', async () => {
    const { result, standingInstruction } = await begin({ expiry: '2020-12-31' });
    expect(result).toMatchObject({
      code: BROKEN,
      description: expect.stringContaining('expiry 2020-12-31 is over'),
    });
    expect(standingInstruction).not.toHaveProperty('agreementId');
  });

  it.each([{}, { type: 'RECURRING' }, { mode: 'REPEATED' }, { source: 'MIT' }])(
    'charges no more than was agreed for NO_SHOW, whatever else is said: %j',
    async (said) => {
      const terms = agreed({ ...FIRST, numberOfInstallments: '1' });
      const storing = { ...CARD, ...CODE, ...terms, createRegistration: 'true' };
      const first = (await post('/v1/payments', storing)) as Body & { registrationId: string };
      const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
      const charged = await post(`/v1/registrations/${first.registrationId}/payments`, {
        ...{ ...money, ...agreed({ ...said, industryPractice: 'NO_SHOW' }) },
      });
      expect(charged.result.code).toBe(BROKEN);
    },
  );

  it('finds what came with the legacy word', async () => {
    const first = await post('/v1/payments', { ...CARD, ...CODE, recurringType: 'INITIAL' });
    const later = await post('/v1/payments', { ...CARD, recurringType: 'REPEATED' });
    expect([first.result.code, later.result.code]).toEqual([APPROVED, APPROVED]);
    const found = await send(`/v1/query/${first.id}?entityId=${entityId}`);
    expect(found.standingInstruction).toMatchObject({
      ...{ type: 'RECURRING', mode: 'INITIAL', source: 'CIT', agreementId: first.id },
    });
  });
});
