import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  CheckoutReply,
  CheckoutToComplete,
  InitiatePayment,
  SavedForm,
  SaveForm,
  SubmitAttempt,
} from '@sluice/contracts';
import { type CheckoutId, newCheckoutId, type TransactionId } from '@sluice/identifiers';
import { call, formText, type Parameters } from './http-client.js';
import { personalOf, registered, replying, ScriptedEdge, viewOf } from './scripted-edge.js';
import { navigateTo, payingCheckout, SAVED_DETAILS, savingIn, SHOP } from './saved-form-fixture.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start({ refusalsPerSecond: 0 });
});
afterAll(() => edge.close());

let id: CheckoutId;
beforeEach(() => {
  edge.reset();
  id = newCheckoutId('sluice');
  open();
});

const DETAILS = SAVED_DETAILS;
const CARD = { ...DETAILS, 'card.holder': 'Jane Jones', paymentBrand: 'VISA' };
const SAVED = { ...CARD, saveTransactionData: 'true' };
const PAID_BEFORE = 'f'.repeat(32) as TransactionId;

const open = (changes: Partial<CheckoutToComplete> = {}) => payingCheckout(edge, id, changes);
const saving = (changes: Partial<SavedForm> = {}) => savingIn(edge, changes);

function submit(fields: Parameters, { headers = {}, resource = 'payment' } = {}) {
  const url = `${edge.url}/v1/checkouts/${id}/${resource}`;
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  return call(url, { method: 'POST', headers: { ...form, ...headers }, body: formText(fields) });
}

const NAVIGATES = { 'sec-fetch-mode': 'navigate' };
const navigate = (headers: Record<string, string> = NAVIGATES) =>
  navigateTo(`${edge.url}/v1/checkouts/${id}/payment`, { headers });

function replies(reply: CheckoutReply): void {
  edge.script.checkOut = () => ({ kind: 'replied', reply });
}

describe('a form that is only saved', () => {
  it('is paid with by nobody, and is with the vault and with checkouts', async () => {
    const { status, body } = await submit(SAVED);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, ndc: id, result: { code: '000.200.101' } });
    const [command] = edge.checkouts as SaveForm[];
    expect(command?.type).toBe('SaveForm');
    expect(command?.data).toMatchObject({ checkoutId: id, saved: 'nothing' });
    const { vaultReference = '', details } = command!.data;
    expect([...details].toSorted()).toEqual(Object.keys(DETAILS).toSorted());
    const held = edge.savings.held.get(vaultReference) ?? {};
    expect(held['card.cvv']?.reveal()).toBe('123');
    expect(personalOf(command!)).toEqual({ paymentBrand: 'VISA', 'card.holder': 'Jane Jones' });
    expect(JSON.stringify(edge.checkouts)).not.toContain(CARD['card.number']);
    expect([edge.commands, edge.held]).toEqual([[], []]);
  });

  it('tells the page its brand, and no digit', async () => {
    const { body, text: said } = await submit(SAVED);
    expect(body['saved']).toEqual({
      ...{ id, resourcePath: `/v1/checkouts/${id}/payment`, paymentBrand: 'VISA' },
      saved: edge.checkouts[0]?.data.transactionId,
      card: { holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' },
    });
    expect(said).not.toContain('420000');
    expect(said).not.toContain('"0000"');
  });

  it('is held no longer than the checkout lives', async () => {
    await submit(SAVED);
    expect(edge.savings.lives).toEqual([10 * 60_000]);
    open({ endsAtMs: edge.clock.now() });
    expect((await submit(SAVED)).status).toBe(400);
    expect(edge.savings.lives).toHaveLength(1);
  });

  it('is in the place of what was saved, which the vault forgets then', async () => {
    const saved = saving();
    open({ saved });
    edge.script.checkOut = () => {
      expect(edge.savings.forgotten).toEqual([]);
      return { kind: 'replied', reply: { kind: 'recorded' } };
    };
    expect((await submit(SAVED)).status).toBe(200);
    const { data } = edge.checkouts[0] as SaveForm;
    expect(data.saved).toBe(saved.id);
    expect(edge.savings.forgotten).toEqual([saved.vaultReference]);
    expect([...edge.savings.held.keys()]).toEqual([data.vaultReference]);
  });

  it('has the faults of one that is paid with', async () => {
    const { body } = await submit({ ...SAVED, 'card.expiryMonth': '13', amount: '1.00' });
    const names = body.result.parameterErrors?.map(({ name }) => name);
    expect(names).toEqual(['amount', 'card.expiryMonth']);
    expect([edge.checkouts, edge.savings.lives]).toEqual([[], []]);
  });

  it.each([
    [{ 'card.number': '4200000000000001' }, '100.100.101'],
    [{ 'card.expiryYear': '2024' }, '100.100.303'],
    [{ 'recurring.numberOfInstallments': '100' }, '200.300.404'],
  ])('is refused with %j as its payment would be, and nothing is held', async (fields, code) => {
    const { status, body } = await submit({ ...SAVED, ...fields });
    expect([status, body.result.code]).toEqual([400, code]);
    expect([edge.checkouts, edge.savings.lives]).toEqual([[], []]);
  });

  it('says true, and is of what is paid', async () => {
    const no = await submit({ ...CARD, saveTransactionData: 'false' });
    expect(no.body.result.parameterErrors).toEqual([
      { name: 'saveTransactionData', message: 'must be true, or absent' },
    ]);
    open({ purpose: 'registration', parameters: { createRegistration: 'true' } });
    const stores = await submit(SAVED, { resource: 'registration' });
    expect(stores.body.result.parameterErrors).toEqual([
      {
        name: 'saveTransactionData',
        message: 'is of what is paid, and this checkout only stores',
      },
    ]);
  });

  it('is no token of a wallet, which is paid with at once', async () => {
    const { body } = await submit({
      ...{ paymentBrand: 'GOOGLEPAY', 'googlePay.paymentToken': '{"a":"b"}' },
      saveTransactionData: 'true',
    });
    expect(body.result.parameterErrors).toEqual([
      {
        name: 'saveTransactionData',
        message: 'is not for wallets: their token is paid with at once',
      },
    ]);
    expect([edge.tokens, edge.savings.lives]).toEqual([[], []]);
  });

  it('may choose what is stored, whose account stays where it is', async () => {
    const registrationId = 'a'.repeat(32) as TransactionId;
    open({ registrations: [registrationId] });
    edge.script.registered = (query) => registered(query);
    const asked = { registrationId, 'card.cvv': '123', saveTransactionData: 'true' };
    const { body } = await submit(asked);
    expect(body['saved']).toMatchObject({ registrationId, paymentBrand: 'VISA' });
    expect((edge.checkouts[0] as SaveForm).data.details).toEqual(['card.cvv']);
  });

  it.each([
    ['savedOtherwise', { kind: 'savedOtherwise' }, 400, '800.600.100'],
    ['exhausted', { kind: 'exhausted' }, 400, '800.120.100'],
    ['underWay', { kind: 'underWay', attempt: ATTEMPT() }, 200, '000.200.000'],
  ] as const)('leaves what was saved, and nothing else, where it is %s', async (...row) => {
    const [, reply, http, code] = row;
    const saved = saving();
    open({ saved });
    replies(reply);
    const { status, body } = await submit(SAVED);
    expect([status, body.result.code]).toEqual([http, code]);
    expect([...edge.savings.held.keys()]).toEqual([saved.vaultReference]);
  });

  it('is not saved while the vault is away', async () => {
    edge.savings.isAway = true;
    expect((await submit(SAVED)).status).toBe(503);
    expect(edge.checkouts).toEqual([]);
  });

  it('leaves both where nobody says whether it is saved', async () => {
    open({ saved: saving() });
    edge.script.checkOut = () => ({ kind: 'uncertain' });
    expect((await submit(SAVED)).status).toBe(503);
    expect(edge.savings.held.size).toBe(1);
  });

  it('is saved over a code that the vault does not forget, which expires', async () => {
    open({ saved: saving() });
    edge.savings.isForgetful = false;
    expect((await submit(SAVED)).status).toBe(200);
    expect(edge.savings.held.size).toBe(2);
  });
});

function ATTEMPT(resultCode = '000.200.000') {
  return { transactionId: PAID_BEFORE, resultCode };
}

describe('what was saved', () => {
  it('is paid by a request without fields, as if it was sent then', async () => {
    const saved = saving();
    open({ saved });
    const { status, body } = await submit({});
    expect([status, body.result.code]).toEqual([200, '000.100.110']);
    const { data } = edge.command as InitiatePayment;
    expect(data).toMatchObject({
      ...{ operation: 'debit', amount: { minor: '9200', currency: 'EUR' } },
      instrument: { kind: 'card', bin: '420000', last4: '0000', brand: 'VISA' },
    });
    const revealed = edge.held[0]?.details ?? {};
    expect(revealed['card.number']?.reveal()).toBe(CARD['card.number']);
    expect(edge.held[0]?.inMemory?.['card.cvv']?.reveal()).toBe('123');
    expect(body['redirect']).toMatchObject({ url: expect.stringContaining(`${SHOP}?id=${id}`) });
  });

  it('is recorded as an attempt of it, and then forgotten, before anything is asked for', async () => {
    const saved = saving();
    open({ saved });
    edge.script.reply = (command) => {
      expect(edge.savings.forgotten).toEqual([saved.vaultReference]);
      return replying({})(command);
    };
    await submit({});
    const [attempt] = edge.checkouts as SubmitAttempt[];
    expect(attempt).toMatchObject({
      ...{ type: 'SubmitAttempt', data: { saved: saved.id, isOfSaved: true } },
    });
  });

  it('pays the amount that the checkout has by then', async () => {
    const changed = { amount: '40.00', currency: 'EUR', paymentType: 'DB' };
    open({ saved: saving(), parameters: changed });
    await submit({});
    expect((edge.command as InitiatePayment).data.amount).toMatchObject({ minor: '4000' });
  });

  it('is paid by nobody while its code cannot be forgotten, and the attempt has come to nothing', async () => {
    const heard: string[] = [];
    edge.script.neverAsked = ({ transactionId }) => heard.push(transactionId);
    open({ saved: saving() });
    edge.savings.isForgetful = false;
    expect((await submit({})).status).toBe(503);
    expect(edge.commands).toEqual([]);
    expect(heard).toEqual([edge.checkouts[0]?.data.transactionId]);
  });

  it('is forgotten as well where the shopper pays with something else', async () => {
    const saved = saving();
    open({ saved });
    await submit(CARD);
    expect(edge.checkouts[0]?.data).toMatchObject({ saved: saved.id });
    expect(edge.checkouts[0]?.data).not.toHaveProperty('isOfSaved');
    expect(edge.savings.forgotten).toEqual([saved.vaultReference]);
  });

  it.each(['number', 'cvv'])('is not paid where its %s is gone', async (gone) => {
    const saved = saving();
    open({ saved });
    const held = edge.savings.held.get(saved.vaultReference!)!;
    const left = Object.entries(held).filter(([name]) => !name.endsWith(gone));
    edge.savings.held.set(saved.vaultReference!, Object.fromEntries(left));
    const { status, body } = await submit({});
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(body.result.description).toContain('has to be typed again');
    expect([edge.checkouts, edge.commands]).toEqual([[], []]);
  });

  it('is paid once: who comes second is told of the first', async () => {
    open({ saved: saving() });
    for (const kind of ['underWay', 'savedOtherwise', 'succeeded'] as const) {
      replies({ kind, attempt: ATTEMPT('000.100.110') });
      const { body } = await submit({});
      expect([body.id, body.result.code]).toEqual([PAID_BEFORE, '000.100.110']);
    }
    open({ spent: { id: 'e'.repeat(32) as TransactionId, shopperResultUrl: SHOP } });
    const { body } = await submit({});
    expect([body.id, body.result.code]).toEqual([PAID_BEFORE, '000.100.110']);
    expect(body['redirect']).toMatchObject({ url: expect.stringContaining(SHOP) });
    expect(edge.commands).toEqual([]);
  });

  it('is paid once, also where it was forgotten between two looks of who comes second', async () => {
    const saved = saving({ vaultReference: 'vault-0.s' });
    const looked = [{ saved }, { spent: { id: saved.id } }];
    const looks: object[] = [];
    for (const each of looked) {
      open(each);
      looks.push(edge.script.toComplete({ checkoutId: id })!);
    }
    edge.script.toComplete = () => looks.shift() as CheckoutToComplete;
    replies({ kind: 'underWay', attempt: ATTEMPT() });
    const { body } = await submit({});
    expect([body.id, body.result.code]).toEqual([PAID_BEFORE, '000.200.000']);
  });

  it('is nothing where nothing was saved, as ever', async () => {
    const { status, body } = await submit({});
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(body.result.parameterErrors?.length).toBeGreaterThan(0);
  });
});

function shopless(): void {
  open({ saved: saving(), personal: {} });
}

function declined(): void {
  shopless();
  edge.script.reply = replying({ status: 'declined', resultCode: '800.100.152' });
}

function away(): void {
  open({ saved: saving() });
  edge.savings.isAway = true;
}

describe("a browser's window", () => {
  it.each([
    ['says so', NAVIGATES],
    ['is older, and would rather have a page', { accept: 'text/html,*/*' }],
  ])('that %s is sent on to the shop', async (_, headers) => {
    open({ saved: saving() });
    const response = await navigate(headers);
    expect(response.status).toBe(303);
    expect(response.location).toBe(
      `${SHOP}?id=${id}&resourcePath=%2Fv1%2Fcheckouts%2F${id}%2Fpayment`,
    );
    expect(edge.done.at(-1)).toMatchObject({ status: 303, resultCode: '000.100.110' });
  });

  it('is sent on to the shop with a decline, too', async () => {
    edge.script.reply = replying({ status: 'declined', resultCode: '800.100.152' });
    open({ saved: saving() });
    expect((await navigate()).location).toContain(SHOP);
  });

  it('is sent on to the bank, by whichever of two presses it shows the answer', async () => {
    const redirect = { url: 'https://bank.example', method: 'POST', parameters: {} } as const;
    const pending = { status: 'pending', resultCode: '000.200.000' } as const;
    const atBank = { ...pending, redirect: { ...redirect, preconditions: [] } };
    edge.script.reply = replying(atBank);
    open({ saved: saving() });
    const first = await navigate();
    const { transactionId } = edge.command.data;
    const toBank = `${edge.url}/redirects/${transactionId}`;
    expect(first.location).toBe(toBank);
    // The other one came while the payment was just being asked for.
    open({ saved: saving() });
    const { command } = edge;
    let looks = 0;
    edge.script.find = () => {
      looks += 1;
      return viewOf(command, looks < 3 ? { status: 'requested' } : atBank);
    };
    replies({ kind: 'underWay', attempt: { transactionId, resultCode: '000.200.000' } });
    expect((await navigate()).location).toBe(toBank);
    expect(looks).toBe(3);
    expect(edge.commands).toHaveLength(1);
  });

  it.each([
    ['nothing saved', undefined, 400, 'We do not know what you pay with'],
    [
      'no checkout',
      () => (edge.script.toComplete = () => undefined),
      400,
      'Nothing is left to pay',
    ],
    ['a vault that is away', away, 503, 'Please try again in a moment'],
    ['a decline, and no shop to go back to', declined, 400, 'was not made'],
    ['an approval, and no shop to go back to', shopless, 200, 'done here'],
  ] as const)('with %s shows what is to be done', async (_, prepare, status, words) => {
    prepare?.();
    const response = await navigate();
    expect(response.status).toBe(status);
    expect(response.type).toContain('text/html');
    expect(response.text).toContain(words);
  });

  it('of a script is no such window', async () => {
    open({ saved: saving() });
    const headers = { 'sec-fetch-mode': 'cors', accept: 'text/html' };
    expect((await submit({}, { headers })).body.result.code).toBe('000.100.110');
  });
});
