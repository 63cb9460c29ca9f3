import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckoutReply, CheckoutToComplete, SavedForm } from '@sluice/contracts';
import { type CheckoutId, newCheckoutId, type TransactionId } from '@sluice/identifiers';
import { bearer, call, formText, type Parameters, post } from './http-client.js';
import { payingCheckout, SAVED_DETAILS, savingIn } from './saved-form-fixture.js';
import { entityId, registered, ScriptedEdge, viewOf } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(() => edge.start({ refusalsPerSecond: 0, checkoutReadsPerMinute: 0 }));
afterAll(() => edge.close());

const PAID = { transactionId: 'f'.repeat(32) as TransactionId, resultCode: '000.100.110' };
const [VISA, AMEX] = ['a', 'b'].map((digit) => digit.repeat(32)) as [TransactionId, TransactionId];
const CARD = { ...SAVED_DETAILS, 'card.holder': 'Jane Jones', paymentBrand: 'VISA' };

let id: CheckoutId;
let saved: SavedForm;
beforeEach(() => {
  edge.reset();
  id = newCheckoutId('sluice');
  saved = savingIn(edge);
  open({ saved });
  edge.script.registered = (query) => registered(query);
});

const open = (changes: Partial<CheckoutToComplete>) => payingCheckout(edge, id, changes);
const url = (resource = '') => `${edge.url}/v1/checkouts/${id}${resource}`;
const submit = (fields: Parameters) =>
  call(url('/payment'), {
    ...{ method: 'POST', body: formText(fields) },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const read = () => call(`${url('/payment')}?${formText({ entityId })}`, { headers: bearer });

describe('what is left of a form that was saved, where the checkout was paid otherwise', () => {
  it.each([true, false])(
    'is forgotten once that is read: the vault is there: %s',
    async (isThere) => {
      open({});
      await submit(CARD);
      const { transactionId } = edge.command.data;
      const { vaultReference = '' } = saved;
      edge.script.find = () => viewOf(edge.command);
      edge.script.checkout = () => ({
        ...{ status: 'succeeded', attempt: { ...PAID, transactionId }, vaultReference },
      });
      edge.savings.isAway = !isThere;
      expect((await read()).body.result.code).toBe('000.100.110');
      expect(edge.savings.forgotten).toEqual(isThere ? [vaultReference] : []);
    },
  );

  it.each([
    ['pays', {}, 'succeeded', 1],
    ['pays', {}, 'underWay', 0],
    ['saves', { ...CARD, saveTransactionData: 'true' }, 'succeeded', 1],
    ['saves', { ...CARD, saveTransactionData: 'true' }, 'underWay', 0],
  ] as const)('is forgotten where the shopper %s %j and is told: %s', async (...row) => {
    const [, fields, kind, times] = row;
    const reply: CheckoutReply = { kind, attempt: PAID };
    edge.script.checkOut = () => ({ kind: 'replied', reply });
    expect((await submit(fields)).body.id).toBe(PAID.transactionId);
    const forgotten = edge.savings.forgotten.filter((each) => each === saved.vaultReference);
    expect(forgotten).toHaveLength(times);
  });

  it('is asked for again, and who asks is told of what was paid otherwise', async () => {
    open({ saved, isBegun: true });
    edge.savings.held.clear();
    const replies: CheckoutReply[] = [
      { kind: 'succeeded', attempt: PAID },
      { kind: 'savedOtherwise', attempt: PAID },
    ];
    edge.script.checkOut = () => ({ kind: 'replied', reply: replies.shift()! });
    const { body } = await submit({});
    expect([body.id, body.result.code]).toEqual([PAID.transactionId, PAID.resultCode]);
    const other = await submit({});
    expect(other.body.result.description).toContain('has to be typed again');
    expect(edge.commands).toEqual([]);
  });
});

describe('what was saved of a stored account', () => {
  const change = (fields: Parameters) => post(url(), { entityId, ...fields });
  beforeEach(() => {
    saved = savingIn(edge, { fields: { registrationId: VISA }, details: ['card.cvv'] });
  });

  /** What checkouts has once it is changed. */
  function changedTo(changes: Partial<CheckoutToComplete>): void {
    const before = open({ saved, registrations: [VISA, AMEX] });
    const after = open({ saved, ...changes });
    edge.script.toComplete = () => (edge.checkouts.length > 0 ? after : before);
  }

  it.each([
    ['another one is offered alone', [AMEX], 1],
    ['it is still offered', [AMEX, VISA], 0],
  ] as const)('is forgotten by a change as far as it must: %s', async (_, registrations, times) => {
    changedTo({ registrations });
    const named = registrations.map((each, index) => [`registrations[${index}].id`, each]);
    const { body } = await change(Object.fromEntries(named) as Parameters);
    expect(body.result.code).toBe('000.200.101');
    expect(edge.savings.forgotten).toHaveLength(times);
  });

  it('stays where a change says nothing of it, or is not made', async () => {
    changedTo({ registrations: [VISA] });
    expect((await change({ amount: '8.00' })).status).toBe(200);
    changedTo({ registrations: [AMEX] });
    edge.script.checkOut = () => ({
      ...{ kind: 'replied', reply: { kind: 'underWay', attempt: PAID } },
    });
    expect((await change({ 'registrations[0].id': AMEX })).status).toBe(400);
    expect(edge.savings.forgotten).toEqual([]);
  });

  it('is changed all the same where nobody can say what is saved, or the vault is away', async () => {
    changedTo({ registrations: [AMEX] });
    edge.savings.isAway = true;
    expect((await change({ 'registrations[0].id': AMEX })).status).toBe(200);
    const before = open({ saved, registrations: [VISA] });
    edge.script.toComplete = () => (edge.checkouts.length > 1 ? undefined : before);
    expect((await change({ 'registrations[0].id': AMEX })).status).toBe(200);
  });
});
