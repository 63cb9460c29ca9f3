import { describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { APPROVED, MONEY, send } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS } from './shopper-fixture.js';
import { CARD, WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
/** Longer than a message of a frame takes. */
const MEANWHILE_MS = 400;
const NOWHERE = { x: 0, y: 0, width: 0, height: 0 };

/** Each message of a frame comes this much later, as on a machine that has much to do. */
const LATE = `<script>{
  const { set } = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
  Object.defineProperty(MessagePort.prototype, 'onmessage', { set(handler) {
    set.call(this, (event) => setTimeout(() => handler(event), ${MEANWHILE_MS}));
  } });
}</script>`;

/** Presses the pointer on something, and releases it once all has been told. */
async function press(target: Locator): Promise<void> {
  const { x, y, width, height } = (await target.boundingBox()) ?? NOWHERE;
  const { mouse } = visit.page;
  await mouse.move(x + width / 2, y + height - 2);
  await mouse.down();
  await visit.page.waitForTimeout(MEANWHILE_MS);
  expect(await visit.page.locator('.wpwl-hint').count()).toBe(0);
  await mouse.up();
}

describe('a button that is pressed', () => {
  it(
    'sooner than the frames have told what is typed, sends what is typed',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id, { head: LATE });
      await visit.number.fill(CARD.number);
      await visit.control('expiry').fill(CARD.expiry);
      await visit.code.fill(CARD.code);
      await visit.payButton.click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({ result: { code: APPROVED } });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'sooner than that tells what is wrong all the same',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id, { head: LATE });
      await visit.number.fill(CARD.number.slice(0, 8));
      await visit.payButton.click();
      await visit.hint('cardNumberError').waitFor();
      await visit.hint('cvvError').waitFor();
      expect(visit.returns).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'stays under the pointer while a field is left for it, and the form is sent',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id);
      await visit.number.pressSequentially('4200');
      await press(visit.payButton);
      await visit.hint('cardNumberError').waitFor();
      // Of a field that nobody has begun only a form says so that is sent.
      await visit.hint('cvvError').waitFor();
    },
    BROWSER_WITHIN_MS,
  );

  it.each(['card', 'directDebit'])(
    "stays under the pointer where it is the shop's own, beside a form for %s",
    async (kind) => {
      const { id } = await visit.create();
      const isCard = kind === 'card';
      await visit.open(id, { brands: isCard ? 'VISA' : 'DIRECTDEBIT_SEPA' });
      if (isCard) await visit.isReady();
      await visit.page.locator('.wpwl-button-pay').waitFor();
      await visit.host.evaluate(`document.body.insertAdjacentHTML('beforeend',
        '<button type="button" id="cart" style="height: 20px" onclick="this.textContent = \\'Gone\\'">Back to the cart</button>')`);
      if (isCard) await visit.control('expiry').fill('13');
      else await visit.control('accountIban').fill('DE00');
      await press(visit.page.locator('#cart'));
      expect(await visit.page.locator('#cart').textContent()).toBe('Gone');
      await visit.hint(isCard ? 'expiryMonthError' : 'accountIbanError').waitFor();
    },
    BROWSER_WITHIN_MS,
  );
});

describe('the amount that a form has shown', () => {
  it.each(['card', 'directDebit'])(
    'is paid, or nothing: a form for %s shows what it is by now, and the shopper decides',
    async (kind) => {
      const { id } = await visit.create();
      const isCard = kind === 'card';
      const brands = isCard ? 'VISA' : 'DIRECTDEBIT_SEPA';
      await visit.open(id, { options: '{total: true}', brands });
      if (isCard) await visit.isReady();
      await visit.payButton.getByText('Pay €92.00').waitFor();
      await send(visit.sandbox, ['POST', `/v1/checkouts/${id}`], { ...MONEY, amount: '93.00' });
      if (isCard) await visit.fill();
      else await visit.fillDebit();
      await visit.payButton.click();
      await visit.page.getByRole('alert').getByText('The amount has changed').waitFor();
      await visit.payButton.getByText('Pay €93.00').waitFor();
      expect(visit.returns).toEqual([]);
      const found = await send(visit.sandbox, ['GET', `/v1/checkouts/${id}/payment`]);
      expect(found.result.code).toBe('000.200.000');
      await visit.payButton.click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({ amount: '93.00', result: { code: APPROVED } });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is that of a summary as well, and a form that shows none says none',
    async () => {
      const bodies: string[] = [];
      visit.page.on('request', (request) => {
        if (request.url().endsWith('/payment')) bodies.push(request.postData() ?? '');
      });
      for (const options of ['{useSummaryPage: true}', '{}']) {
        const { id } = await visit.create();
        await visit.openForm(id, { options });
        await visit.fill();
        await visit.payButton.click();
        const summary = visit.page.locator('.wpwl-group-summary');
        if (options !== '{}') {
          await summary.getByText('€92.00').waitFor();
          await visit.payButton.click();
        }
        await visit.isBack();
        expect(await visit.read()).toMatchObject({ result: { code: APPROVED } });
      }
      expect(bodies.map((body) => new URLSearchParams(body).get('amount'))).toEqual([
        '92.00',
        null,
      ]);
    },
    BROWSER_WITHIN_MS,
  );
});
