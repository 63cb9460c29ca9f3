import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  CheckoutToComplete,
  CreateCheckout,
  InitiatePayment,
  Instrument,
  RegistrationView,
  UpdateCheckout,
} from '@sluice/contracts';
import { type CheckoutId, newCheckoutId, type TransactionId } from '@sluice/identifiers';
import { call, formText, type Parameters, post, type Received } from './http-client.js';
import { buildNumber, entityId, registered, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start({ refusalsPerSecond: 0 });
});
afterAll(() => edge.close());

const [VISA, AMEX, GONE] = ['a', 'b', 'c'].map((digit) => digit.repeat(32)) as [
  TransactionId,
  TransactionId,
  TransactionId,
];
const amex: Instrument = {
  ...({ kind: 'card' } as const),
  ...{ vaultReference: 'kept.1', bin: '370000', last4: '0002' },
  ...{ brand: 'AMEX', expiryMonth: '11', expiryYear: '2031' },
};

/** What this channel has stored. */
let stored: Readonly<Record<string, Partial<RegistrationView>>>;
let id: CheckoutId;
beforeEach(() => {
  edge.reset();
  id = newCheckoutId('sluice');
  stored = { [VISA]: {}, [AMEX]: { instrument: amex, personal: {} }, [GONE]: { state: 'ended' } };
  edge.script.registered = (query) => {
    const changes = stored[query.registrationId];
    return query.entityId === entityId && changes ? registered(query, changes) : undefined;
  };
});

const money = { entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' } as const;
const create = (fields: Parameters): Promise<Received> =>
  post(`${edge.url}/v1/checkouts`, { ...money, ...fields });
const update = (fields: Parameters): Promise<Received> =>
  post(`${edge.url}/v1/checkouts/${id}`, { entityId, ...fields });
const errorsOf = ({ body }: Received) =>
  body.result.parameterErrors?.map(({ name, message }) => [name, message]);

const CARD = {
  ...{ 'card.number': '4200000000000000', 'card.cvv': '123', paymentBrand: 'VISA' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
} as const;
const NOT_STORED = 'names no registration of this channel that can be paid with';

/** What the merchant has made. */
function open(changes: Partial<CheckoutToComplete> = {}): void {
  const { amount, currency, paymentType } = money;
  const checkout: CheckoutToComplete = {
    ...{ purpose: 'payment', entityId, actor: entityId, mode: 'INTERNAL', personal: {} },
    ...{ parameters: { amount, currency, paymentType }, registrations: [VISA, AMEX] },
    ...changes,
  };
  edge.script.toComplete = ({ checkoutId }) => (checkoutId === id ? checkout : undefined);
}

/** From a browser, which has no credentials. */
const submit = (fields: Parameters): Promise<Received> =>
  call(`${edge.url}/v1/checkouts/${id}/payment`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: formText(fields),
  });
const form = (query = ''): Promise<Received> => call(`${edge.url}/v1/checkouts/${id}/form${query}`);

describe('POST /v1/checkouts with stored accounts', () => {
  it('keeps them by their index, each once', async () => {
    const { body } = await create({
      ...{ 'registrations[7].id': VISA, 'registrations[2].id': AMEX, 'registrations[9].id': AMEX },
    });
    expect(body.result.code).toBe('000.200.100');
    const { data } = edge.checkouts[0] as CreateCheckout;
    expect(data.registrations).toEqual([AMEX, VISA]);
    expect(Object.keys(data.parameters).toSorted()).toEqual(['amount', 'currency', 'paymentType']);
  });

  it('is refused by the name of each that is unknown, deleted or no id', async () => {
    const refused = await create({
      ...{ 'registrations[0].id': VISA, 'registrations[1].id': GONE },
      ...{ 'registrations[2].id': 'd'.repeat(32), 'registrations[3].id': 'x' },
    });
    expect(refused.body.result.code).toBe('200.300.404');
    expect(errorsOf(refused)).toEqual(
      [1, 2, 3].map((index) => [`registrations[${index}].id`, NOT_STORED]),
    );
    expect(edge.checkouts).toEqual([]);
  });

  it('is refused with more than anybody chooses among, and looks none of them up', async () => {
    const names = (count: number): Parameters =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`registrations[${at}].id`, VISA]),
      );
    edge.script.registered = () => {
      throw new Error('looked up');
    };
    expect(errorsOf(await create(names(31)))).toEqual([
      ['registrations[0].id', 'is one of more than 30, which nobody chooses among'],
    ]);
  });

  it('is refused where nothing is paid', async () => {
    const refused = await post(`${edge.url}/v1/checkouts`, {
      ...{ entityId, createRegistration: 'true', 'registrations[0].id': VISA },
    });
    expect(errorsOf(refused)).toEqual([
      ['registrations[0].id', 'is offered to pay with, and this checkout only stores'],
    ]);
  });

  it('is refused where one is named besides', async () => {
    const refused = await create({ registrationId: VISA, 'registrations[0].id': AMEX });
    expect(errorsOf(refused)?.map(([name]) => name)).toEqual(['registrations[0].id']);
  });

  it('has the mode of what it offers, and is refused in another one', async () => {
    stored = { [VISA]: { mode: 'EXTERNAL' }, [AMEX]: { instrument: amex } };
    const offered = { 'registrations[0].id': VISA };
    expect((await create(offered)).status).toBe(200);
    expect((edge.checkouts[0] as CreateCheckout).data.context.mode).toBe('EXTERNAL');
    const other = await create({ ...offered, testMode: 'INTERNAL' });
    expect(other.body.result.code).toBe('700.100.600');
    const both = await create({ ...offered, 'registrations[1].id': AMEX });
    expect(both.body.result.code).toBe('700.100.600');
  });
});

describe('POST /v1/checkouts with registrationId', () => {
  it('keeps the account that is paid with', async () => {
    await create({ registrationId: VISA });
    const { data } = edge.checkouts[0] as CreateCheckout;
    expect(data.parameters).toMatchObject({ registrationId: VISA });
    expect(data).not.toHaveProperty('registrations');
  });

  it('is refused with one that was deleted', async () => {
    const refused = await create({ registrationId: GONE });
    expect(errorsOf(refused)).toEqual([['registrationId', NOT_STORED]]);
  });
});

describe('a change of what a checkout offers', () => {
  beforeEach(() => open());

  it('names all of it anew', async () => {
    expect((await update({ 'registrations[0].id': AMEX })).status).toBe(200);
    expect((edge.checkouts[0] as UpdateCheckout).data.registrations).toEqual([AMEX]);
  });

  it('leaves it as it is where it says nothing of it', async () => {
    expect((await update({ amount: '8.00' })).status).toBe(200);
    expect((edge.checkouts[0] as UpdateCheckout).data).not.toHaveProperty('registrations');
  });

  it('is refused like a new checkout', async () => {
    expect(errorsOf(await update({ 'registrations[0].id': GONE }))).toEqual([
      ['registrations[0].id', NOT_STORED],
    ]);
    expect(errorsOf(await update({ registrationId: VISA }))?.map(([name]) => name)).toEqual([
      'registrations[0].id',
    ]);
    stored = { [VISA]: { mode: 'EXTERNAL' } };
    const other = await update({ 'registrations[0].id': VISA });
    expect(other.body.result.code).toBe('700.100.600');
  });
});

describe('what the form of a checkout shows', () => {
  it('is of each stored account what tells it apart, and nothing else', async () => {
    open();
    const { status, body, headers } = await form();
    expect(status).toBe(200);
    expect(body).toEqual({
      registrations: [
        {
          ...{ id: VISA, paymentBrand: 'VISA' },
          card: {
            last4Digits: '0000',
            expiryMonth: '05',
            expiryYear: '2034',
            holder: 'Jane Jones',
          },
        },
        {
          ...{ id: AMEX, paymentBrand: 'AMEX' },
          card: { last4Digits: '0002', expiryMonth: '11', expiryYear: '2031' },
        },
      ],
      ...{ amount: '92.00', currency: 'EUR' },
      result: { code: '000.000.100', description: expect.any(String) },
      ...{ ndc: id, buildNumber, timestamp: expect.any(String) },
    });
    // Pages of every origin read it.
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it('is not what was deleted since', async () => {
    open({ registrations: [GONE, AMEX] });
    expect((await form()).body['registrations']).toEqual([expect.objectContaining({ id: AMEX })]);
  });

  it('is the one that the merchant has named', async () => {
    open({ parameters: { ...money, registrationId: VISA }, registrations: [] });
    const { body } = await form();
    expect(body).toMatchObject({ registrationId: VISA, registrations: [{ id: VISA }] });
  });

  it('is nothing where nothing is offered', async () => {
    open({ registrations: [] });
    expect((await form()).body['registrations']).toEqual([]);
  });

  it('is refused where there is no such checkout, and with what it does not take', async () => {
    const unknown = await form();
    expect([unknown.status, unknown.body.result.code]).toEqual([400, '200.300.404']);
    open();
    expect((await form('?amount=1.00')).status).toBe(200);
    expect((await form('?nothing=1')).status).toBe(400);
  });
});

describe('a form that pays with what is stored', () => {
  beforeEach(() => open());

  it('is a payment with it', async () => {
    const { status } = await submit({ registrationId: AMEX, 'card.cvv': '1234' });
    const { data } = edge.command as InitiatePayment;
    expect([status, data.instrument]).toMatchObject([200, { kind: 'card', last4: '0002' }]);
    expect(data.parameters).toMatchObject({ registrationId: AMEX });
    expect(JSON.stringify(data.parameters)).not.toContain('registrations[');
    expect(edge.checkouts[0]).toMatchObject({ type: 'SubmitAttempt' });
  });

  it("is the holder's next use of a stored card, unless the merchant says what it is", async () => {
    const saidBy = async (told: Parameters, changes: Partial<CheckoutToComplete> = {}) => {
      open(changes);
      await submit(told);
      const { parameters } = (edge.command as InitiatePayment).data;
      return ['type', 'mode', 'source'].map((part) => parameters[`standingInstruction.${part}`]);
    };
    const oneClick = ['UNSCHEDULED', 'REPEATED', 'CIT'];
    expect(await saidBy({ registrationId: AMEX })).toEqual(oneClick);
    const plan = { 'standingInstruction.type': 'RECURRING', 'standingInstruction.mode': 'INITIAL' };
    const ofPlan = { parameters: { ...money, ...plan } };
    expect(await saidBy({ registrationId: AMEX }, ofPlan)).toEqual([
      ...['RECURRING', 'INITIAL', undefined],
    ]);
    const nothing = [undefined, undefined, undefined];
    expect(await saidBy(CARD)).toEqual(nothing);
    const named = { parameters: { ...money, registrationId: VISA }, registrations: [] };
    expect(await saidBy({}, named)).toEqual(nothing);
    // Of a plan it is perhaps none, and would be held to its terms.
    stored = { [AMEX]: { parameters: { 'standingInstruction.frequency': '0030' } } };
    expect(await saidBy({ registrationId: AMEX })).toEqual(nothing);
  });

  it('stores nothing again', async () => {
    open({ parameters: { ...money, createRegistration: 'true' } });
    await submit({ registrationId: VISA });
    expect(edge.registrations).toEqual([]);
    expect((edge.command as InitiatePayment).data.parameters).not.toHaveProperty(
      'createRegistration',
    );
  });

  it('may be paid by another card all the same', async () => {
    expect((await submit(CARD)).status).toBe(200);
    expect((edge.command as InitiatePayment).data.parameters).not.toHaveProperty('registrationId');
  });

  it('is refused with what the checkout does not offer, although the channel has it', async () => {
    open({ registrations: [VISA] });
    const refused = await submit({ registrationId: AMEX });
    expect(errorsOf(refused)).toEqual([
      ['registrationId', 'names nothing that this checkout offers'],
    ]);
    expect(edge.checkouts).toEqual([]);
  });

  it('is told where it was deleted meanwhile', async () => {
    open({ registrations: [GONE] });
    const { status, body } = await submit({ registrationId: GONE });
    expect([status, body.result.code]).toEqual([400, '100.150.203']);
  });
});
