import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckoutReply, CheckoutToComplete, InitiatePayment } from '@sluice/contracts';
import { type CheckoutId, newCheckoutId } from '@sluice/identifiers';
import { call, formText, type Parameters, type Received } from './http-client.js';
import { entityId, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(() => edge.start({ refusalsPerSecond: 0, checkoutReadsPerMinute: 0 }));
afterAll(() => edge.close());

const CARD = {
  ...{ 'card.number': '4200000000000000', 'card.holder': 'Jane Jones', 'card.cvv': '123' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', paymentBrand: 'VISA' },
} as const;

let id: CheckoutId;
/** What the merchant has said, by revision. */
let amounts: string[];
beforeEach(() => {
  edge.reset();
  id = newCheckoutId('sluice');
  amounts = ['92.00'];
  edge.script.toComplete = (): CheckoutToComplete => ({
    ...{ purpose: 'payment', entityId, actor: entityId, mode: 'INTERNAL', personal: {} },
    parameters: { amount: amounts.at(-1) ?? '', currency: 'EUR', paymentType: 'DB' },
    revision: amounts.length - 1,
  });
});

/** The merchant changes it behind each of the first readings. */
function changesBehind(next: (readings: number) => string | undefined): void {
  edge.script.checkOut = (command) => {
    if (command.type !== 'SubmitAttempt') throw new Error(`a ${command.type} of a shopper`);
    const changed = next(edge.checkouts.length);
    if (changed !== undefined) amounts.push(changed);
    const isCurrent = command.data.revision === amounts.length - 1;
    const reply: CheckoutReply = { kind: isCurrent ? 'recorded' : 'changed' };
    return { kind: 'replied', reply };
  };
}

async function submit(fields: Parameters = CARD): Promise<Received> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const url = `${edge.url}/v1/checkouts/${id}/payment`;
  return call(url, { method: 'POST', headers, body: formText(fields) });
}

const namesOf = ({ body }: Received) => body.result.parameterErrors?.map(({ name }) => name);

describe('a form that is sent while the merchant changes the checkout', () => {
  it('pays what the merchant has said last, once', async () => {
    changesBehind((readings) => (readings === 1 ? '10.00' : undefined));
    const { status, body } = await submit();
    expect([status, body.result.code]).toEqual([200, '000.100.110']);
    expect(edge.commands).toHaveLength(1);
    const { data } = edge.command as InitiatePayment;
    expect(data.amount).toEqual({ minor: '1000', currency: 'EUR' });
    const revisions = edge.checkouts.map(
      (command) => (command.data as { revision?: number }).revision,
    );
    expect(revisions).toEqual([0, 1]);
    expect(edge.forgotten).toEqual(['reference-1']);
  });

  it('pays nothing where it has shown another amount', async () => {
    changesBehind((readings) => (readings === 1 ? '10.00' : undefined));
    const refused = await submit({ ...CARD, amount: '92.00', currency: 'EUR' });
    expect([refused.status, namesOf(refused)]).toEqual([400, ['amount']]);
    expect(edge.commands).toEqual([]);
  });

  it('can be sent again where the merchant does not stop', async () => {
    changesBehind((readings) => `${readings}.00`);
    const { status, body } = await submit();
    expect([status, body.result.code]).toEqual([400, '800.600.100']);
    expect(body.ndc).toMatch(new RegExp(`^${entityId}_`));
    expect([edge.commands, edge.checkouts.length]).toEqual([[], 4]);
  });
});
