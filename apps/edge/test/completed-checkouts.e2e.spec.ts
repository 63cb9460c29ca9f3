import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckoutReply, CheckoutToComplete, InitiatePayment } from '@sluice/contracts';
import { type CheckoutId, newCheckoutId, type TransactionId } from '@sluice/identifiers';
import { bearer, call, formText, type Parameters, post, type Received } from './http-client.js';
import {
  entityId,
  foreignEntityId,
  personalOf,
  registered,
  replying,
  ScriptedEdge,
  viewOf,
} from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start({ refusalsPerSecond: 0, checkoutReadsPerMinute: 0 });
});
afterAll(() => edge.close());

let id: CheckoutId;
beforeEach(() => {
  edge.reset();
  id = newCheckoutId('sluice');
  open();
});

const CARD = {
  ...{ 'card.number': '4200000000000000', 'card.holder': 'Jane Jones', 'card.cvv': '123' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', paymentBrand: 'VISA' },
} as const;
const SHOP = 'https://shop.example/result';
const BACK = `${SHOP}?id=`;
const UNKNOWN = '(opp) No payment session found for the requested id';

/** What the merchant has made, with these changes. */
function open(changes: Partial<CheckoutToComplete> = {}): void {
  const checkout: CheckoutToComplete = {
    ...{ purpose: 'payment', entityId, actor: entityId, mode: 'INTERNAL' },
    parameters: { amount: '92.00', currency: 'EUR', paymentType: 'DB' },
    personal: { shopperResultUrl: SHOP },
    ...changes,
  };
  edge.script.toComplete = ({ checkoutId }) => (checkoutId === id ? checkout : undefined);
}

/** From a browser, which has no credentials. */
async function submit(fields: Parameters = CARD, resource = 'payment', prefix = '/v1') {
  const url = `${edge.url}${prefix}/checkouts/${id}/${resource}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return call(url, { method: 'POST', headers, body: formText(fields) });
}

const read = (resource = 'payment'): Promise<Received> =>
  call(`${edge.url}/v1/checkouts/${id}/${resource}?${formText({ entityId })}`, {
    headers: bearer,
  });
const update = (fields: Parameters): Promise<Received> =>
  post(`${edge.url}/v1/checkouts/${id}`, { entityId, ...fields });
const namesOf = ({ body }: Received) => body.result.parameterErrors?.map(({ name }) => name);

function replies(reply: CheckoutReply): void {
  edge.script.checkOut = () => ({ kind: 'replied', reply });
}

describe("a shopper's form", () => {
  it.each(['/v1', ''])('at prefix "%s" is an attempt first, and then a payment', async (prefix) => {
    const { status, body } = await submit(CARD, 'payment', prefix);
    const { data } = edge.command as InitiatePayment;
    expect([status, body]).toEqual([
      200,
      {
        ...{ id: data.transactionId, ndc: id },
        ...{ buildNumber: expect.any(String), timestamp: expect.any(String) },
        result: { code: '000.100.110', description: expect.any(String) },
        redirect: {
          url: `${BACK}${id}&resourcePath=%2Fv1%2Fcheckouts%2F${id}%2Fpayment`,
          ...{ method: 'GET', parameters: [] },
        },
      },
    ]);
    expect(data).toMatchObject({
      ...{ operation: 'debit', amount: { minor: '9200', currency: 'EUR' } },
      instrument: { kind: 'card', bin: '420000', last4: '0000', brand: 'VISA' },
      context: { entityId, ndc: id, actor: entityId, mode: 'INTERNAL' },
    });
    expect(personalOf(edge.command)).toMatchObject({ shopperResultUrl: SHOP });
    const [attempt] = edge.checkouts;
    expect(attempt).toMatchObject({ type: 'SubmitAttempt' });
    expect(attempt?.data).toEqual({
      ...{ checkoutId: id, purpose: 'payment', transactionId: data.transactionId },
      ...{ context: data.context, personal: expect.any(Object), saved: 'nothing' },
    });
    expect(personalOf(attempt!)).toEqual({ shopperResultUrl: SHOP });
    expect(edge.forgotten).toEqual([]);
  });

  it('is told of a decline as a payment is', async () => {
    edge.script.reply = replying({ status: 'declined', resultCode: '800.100.152' });
    const { status, body } = await submit();
    expect([status, body.result.code]).toEqual([400, '800.100.152']);
    expect(body).not.toHaveProperty('amount');
  });

  it('is sent on to where the acquirer wants the shopper', async () => {
    const redirect = { url: 'https://bank.example', method: 'GET', parameters: {} } as const;
    const atBank = { ...redirect, preconditions: [] };
    edge.script.reply = replying({
      ...{ status: 'pending', resultCode: '000.200.000', redirect: atBank },
    });
    const { body } = await submit();
    expect(body['redirect']).toMatchObject({ url: `${edge.url}/redirects/${body.id}` });
  });

  it.each(['underWay', 'succeeded'] as const)(
    'that comes while another one is %s is answered with that one, and pays nothing',
    async (kind) => {
      const transactionId = 'f'.repeat(32) as TransactionId;
      const resultCode = kind === 'underWay' ? '000.200.000' : '000.100.110';
      replies({ kind, attempt: { transactionId, resultCode } });
      const { status, body } = await submit();
      expect([status, body.id, body.result.code]).toEqual([200, transactionId, resultCode]);
      expect(body['redirect']).toMatchObject({ url: expect.stringContaining(BACK) });
      expect(edge.commands).toEqual([]);
      expect(edge.forgotten).toEqual(['reference-1']);
    },
  );

  it.each([
    ['gone', { kind: 'replied', reply: { kind: 'gone' } }, 400, '200.300.404'],
    ['exhausted', { kind: 'replied', reply: { kind: 'exhausted' } }, 400, '800.120.100'],
    ['busy', { kind: 'replied', reply: { kind: 'busy' } }, 400, '800.600.100'],
    ['unanswered', { kind: 'unanswered' }, 503, '800.800.800'],
    ['uncertain', { kind: 'uncertain' }, 503, '800.800.800'],
    ['given up', { kind: 'failed' }, 503, '800.800.800'],
  ] as const)('pays nothing where its attempt is %s', async (_what, result, httpStatus, code) => {
    edge.script.checkOut = () => result;
    const { status, body } = await submit();
    expect([status, body.result.code]).toEqual([httpStatus, code]);
    expect(edge.commands).toEqual([]);
    expect(edge.forgotten).toEqual(['reference-1']);
  });

  it('is paid in the installments that the shopper has chosen', async () => {
    const asked = { ...CARD, 'recurring.numberOfInstallments': '3' };
    expect((await submit(asked)).status).toBe(200);
    const [command] = edge.commands;
    expect(command?.data.parameters).toMatchObject({ 'recurring.numberOfInstallments': '3' });
    const said = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
    open({ parameters: { ...said, 'recurring.numberOfInstallments': '6' } });
    expect(namesOf(await submit(asked))).toEqual(['recurring.numberOfInstallments']);
  });

  it('with installments stores nothing', async () => {
    open({ purpose: 'registration', parameters: { createRegistration: 'true' } });
    const asked = { ...CARD, 'recurring.numberOfInstallments': '3' };
    const { status, body } = await submit(asked, 'registration');
    expect([status, body.result.code]).toEqual([400, '600.200.500']);
    expect(body.result.description).toContain('only DB and PA by card are paid in installments');
    // The merchant finds it, and why; the shopper may send the form again.
    const [command] = edge.registrations;
    expect(command?.data).toMatchObject({ transactionId: body.id, rejection: '600.200.500' });
  });

  it('changes nothing that the merchant has said', async () => {
    const others = { amount: '0.01', currency: 'JPY', merchantTransactionId: 'other' };
    const refused = await submit({ ...CARD, ...others, shopperResultUrl: 'https://other.example' });
    expect(refused.status).toBe(400);
    expect(namesOf(refused)?.toSorted()).toEqual(
      [...Object.keys(others), 'shopperResultUrl'].toSorted(),
    );
    expect([edge.checkouts, edge.held]).toEqual([[], []]);
  });

  it.each([
    ['a name that is not for shoppers', { ...CARD, 'customParameters[note]': 'x' }],
    ['no card', { paymentBrand: 'VISA' }],
    ['the number of a device', { ...CARD, 'card.cvv': '', 'card.numberType': 'DPAN' }],
    [
      'a wallet that somebody has decrypted',
      { ...CARD, 'card.cvv': '', paymentBrand: 'APPLEPAY', 'applePay.source': 'web' },
    ],
    ['what somebody else has stored', { registrationId: 'f'.repeat(32) }],
    ['a name that nobody knows', { ...CARD, unheardOf: 'x' }],
  ])('with %s is refused before anything is held', async (_what, fields) => {
    const { status, body } = await submit(fields);
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    // Of an error, it names the entity (wire contract 2).
    expect(body.ndc).toMatch(new RegExp(`^${entityId}_[0-9a-f]{32}$`));
    expect([edge.checkouts, edge.held, edge.commands]).toEqual([[], [], []]);
  });

  it('of a checkout that there is not, or of the other purpose, is refused', async () => {
    for (const refused of [await submit(CARD, 'registration'), (open({}), await unknown())]) {
      expect(refused.status).toBe(400);
      expect(refused.body.result.description).toContain(UNKNOWN);
    }
    expect(edge.checkouts).toEqual([]);
  });

  it('of a channel that is no more is refused', async () => {
    open({ entityId: 'f'.repeat(32) as CheckoutToComplete['entityId'] });
    expect((await submit()).body.result.code).toBe('800.900.100');
  });

  it.each([
    ['bankAccount', '2034-12-01'],
    ['card', undefined],
  ] as const)('is collected on the day of the merchant by a stored %s: %s', async (kind, day) => {
    const registrationId = 'f'.repeat(32) as TransactionId;
    const parameters = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
    const personal = { shopperResultUrl: SHOP, transactionDueDate: '2034-12-01' };
    open({ parameters, personal, registrations: [registrationId] });
    const vaultReference = `kept.${registrationId}`;
    const paidBy = { paymentMethod: 'DD', brand: 'DIRECTDEBIT_SEPA' } as const;
    const stored = kind === 'card' ? {} : { instrument: { kind, vaultReference, ...paidBy } };
    edge.script.registered = (query) => registered(query, stored);
    const { body } = await submit({ registrationId });
    expect(body.result).toMatchObject({ code: '000.100.110' });
    expect(personalOf(edge.command)['transactionDueDate']).toBe(day);
  });

  it('stores where that is all that is asked for', async () => {
    open({ purpose: 'registration', parameters: { createRegistration: 'true' } });
    const { 'card.cvv': _, ...card } = CARD;
    const { status, body } = await submit(card, 'registration');
    expect([status, body.result.code]).toEqual([200, '000.100.110']);
    const [attempt] = edge.checkouts;
    const [registration] = edge.registrations;
    expect(attempt?.data).toMatchObject({ purpose: 'registration', transactionId: body.id });
    expect(registration?.data).toMatchObject({ transactionId: body.id, context: { ndc: id } });
    expect(edge.commands).toEqual([]);
  });
});

async function unknown(): Promise<Received> {
  id = newCheckoutId('other');
  open();
  edge.script.toComplete = () => undefined;
  return submit();
}

describe('whoever guesses checkouts', () => {
  const guarded = new ScriptedEdge();
  beforeAll(() => guarded.start({ refusalsPerSecond: 1 }));
  afterAll(() => guarded.close());

  it('is not listened to for a while', async () => {
    const guess = async () => {
      const url = `${guarded.url}/v1/checkouts/${newCheckoutId('sluice')}/payment`;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return call(url, { method: 'POST', headers, body: formText(CARD) });
    };
    const codes: string[] = [];
    for (let guesses = 0; guesses < 20; guesses += 1) {
      codes.push((await guess()).body.result.code);
    }
    expect(codes[0]).toBe('200.300.404');
    expect(codes.at(-1)).toBe('800.120.100');
  });
});

describe('the status of a checkout that is decided', () => {
  beforeEach(async () => {
    await submit();
  });
  const attempt = (resultCode = '000.100.110') => ({
    transactionId: edge.command.data.transactionId,
    resultCode,
  });

  it('is that of its payment, once it is recorded that it is told', async () => {
    edge.script.checkout = () => ({ status: 'succeeded', attempt: attempt() });
    const served: unknown[] = [];
    edge.script.serve = (query) => served.push(query) === 1;
    edge.script.find = () => viewOf(edge.command);
    const { status, body } = await read();
    expect([status, body]).toMatchObject([
      200,
      { id: attempt().transactionId, ndc: id, amount: '92.00', result: { code: '000.100.110' } },
    ]);
    expect(served).toEqual([{ checkoutId: id, entityId, purpose: 'payment' }]);
    const again = await read();
    expect([again.status, again.body.result.description]).toEqual([
      ...[400, expect.stringContaining(UNKNOWN)],
    ]);
  });

  it('is not used up while the payment cannot be read', async () => {
    edge.script.checkout = () => ({ status: 'succeeded', attempt: attempt() });
    edge.script.serve = () => {
      throw new Error('is not to be told');
    };
    expect((await read()).status).toBe(503);
  });

  it('is a decline as often as asked', async () => {
    edge.script.checkout = () => ({ status: 'failed', attempt: attempt('800.100.152') });
    edge.script.serve = () => {
      throw new Error('a decline uses nothing up');
    };
    edge.script.find = () =>
      viewOf(edge.command, { status: 'declined', resultCode: '800.100.152' });
    for (const _read of [1, 2]) {
      const { status, body } = await read();
      expect([status, body.result.code]).toEqual([200, '800.100.152']);
    }
  });

  it('says of an attempt that came to nothing that it was not performed', async () => {
    edge.script.checkout = () => ({ status: 'failed', attempt: attempt('900.100.310') });
    const { status, body } = await read();
    expect([status, body.id, body.result.code]).toEqual([
      ...[200, attempt().transactionId, '900.100.310'],
    ]);
  });

  it('is that of its registration', async () => {
    edge.script.checkout = () => ({ status: 'succeeded', attempt: attempt() });
    edge.script.registered = (query) => registered(query);
    const { body } = await read('registration');
    expect(body).toMatchObject({ id: attempt().transactionId, ndc: id, paymentBrand: 'VISA' });
  });
});

describe('POST /v1/checkouts/{id}', () => {
  it('changes what it names, and nothing else', async () => {
    const person = { 'customer.givenName': 'June', 'customer.surname': 'Jones' };
    const { status, body } = await update({ amount: '8.00', ...person });
    expect([status, body]).toMatchObject([
      200,
      {
        id,
        ndc: id,
        result: { code: '000.200.101', description: 'successfully updated checkout' },
      },
    ]);
    const [command] = edge.checkouts;
    expect(command).toMatchObject({
      type: 'UpdateCheckout',
      data: { checkoutId: id, parameters: { amount: '8.00' }, context: { ndc: id, entityId } },
    });
    expect(personalOf(command!)).toEqual(person);
  });

  it.each([
    ['is wrong by itself', { amount: '8.999' }, 'amount'],
    ['is taken only when it is made', { 'overridePaymentType[VISA]': 'PA' }, undefined],
    ['is due on a day that is over', { transactionDueDate: '2020-01-01' }, undefined],
    [
      'asks for installments of a credit',
      { 'recurring.numberOfInstallments': '3', paymentType: 'CD' },
      undefined,
    ],
    ['is of the shopper', { 'card.number': '4200000000000000' }, 'card.number'],
  ])('is refused where it %s', async (_what, fields, name) => {
    const refused = await update(fields);
    expect(refused.status).toBe(400);
    if (name !== undefined) expect(namesOf(refused)).toContain(name);
    expect(edge.checkouts).toEqual([]);
  });

  it('makes no payment of what only stores', async () => {
    open({ purpose: 'registration', parameters: { createRegistration: 'true' } });
    const refused = await update({ amount: '8.00', currency: 'EUR', paymentType: 'DB' });
    expect(namesOf(refused)).toEqual(['paymentType']);
  });

  it.each(['underWay', 'succeeded'] as const)('is refused where one is %s', async (kind) => {
    const transactionId = 'f'.repeat(32) as TransactionId;
    replies({ kind, attempt: { transactionId, resultCode: '000.200.000' } });
    const { status, body } = await update({ amount: '8.00' });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(body.result.description).toContain('completing this checkout');
  });

  it('of another channel is refused as one that is unknown', async () => {
    open({ entityId: foreignEntityId });
    const { body } = await update({ amount: '8.00' });
    expect(body.result.description).toContain(UNKNOWN);
    expect(edge.checkouts).toEqual([]);
  });

  it('needs a token', async () => {
    const url = `${edge.url}/v1/checkouts/${id}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = formText({ entityId, amount: '8.00' });
    expect((await call(url, { method: 'POST', headers, body })).status).toBe(401);
  });
});
