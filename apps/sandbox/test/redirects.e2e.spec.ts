import { describe, expect, it } from '@jest/globals';
import { accessibilityFaults } from './chromium.js';
import { APPROVED, codeOf, MONEY, send } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS, PHONE, ShopperVisit } from './shopper-fixture.js';

const PAYPAL = { paymentBrand: 'PAYPAL' } as const;
const GIROPAY = { paymentBrand: 'GIROPAY', 'bankAccount.country': 'DE' } as const;
const visit = new ShopperVisit({ SLUICE_SIMULATOR_PENDING_MS: '1500' });

describe.each([
  ['provider', PAYPAL, 'VA'],
  ['bank', GIROPAY, 'OT'],
] as const)('a payment at a %s', (_, brand, paymentMethod) => {
  it(
    'waits for its shopper, who pays and comes back; it is refunded later',
    async () => {
      const merchantTransactionId = `order-${paymentMethod}`;
      const pending = await visit.begin({ ...brand, merchantTransactionId });
      expect(pending).toMatchObject({
        ...{ paymentMethod, paymentBrand: brand.paymentBrand, amount: '92.00' },
        result: { code: '000.200.000' },
        redirect: { method: 'GET', parameters: [] },
      });
      const { id } = pending;
      expect(await visit.page.getByRole('definition').first().innerText()).toBe('92.00 EUR');
      expect(await accessibilityFaults(visit.page)).toEqual([]);
      await visit.choose('Pay');
      await visit.isBack();
      const resourcePath = encodeURIComponent(`/v1/payments/${id}`);
      expect(visit.returns).toEqual([`/result?order=7&id=${id}&resourcePath=${resourcePath}`]);
      const paid = await visit.read();
      expect(paid).toMatchObject({ id, paymentMethod, result: { code: APPROVED } });
      expect(paid).not.toHaveProperty('redirect');
      const query = { merchantTransactionId, paymentMethods: paymentMethod };
      expect(await send(visit.sandbox, ['GET', '/v1/query'], query)).toMatchObject({
        payments: [{ id, paymentMethod, result: { code: APPROVED } }],
      });
      const refund = { paymentType: 'RF', amount: '92.00', currency: 'EUR' };
      expect(await codeOf(send(visit.sandbox, ['POST', `/v1/payments/${id}`], refund))).toBe(
        APPROVED,
      );
    },
    BROWSER_WITHIN_MS,
  );

  it.each([
    ['declined', 'Let it be declined', '800.100.152'],
    ['cancelled', 'Cancel', '100.396.101'],
  ])(
    'is %s by the shopper',
    async (_word, button, code) => {
      await visit.begin(brand);
      await visit.choose(button);
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(code);
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a shopper', () => {
  it(
    'who comes back before the bank has decided finds it pending, and it is approved later',
    async () => {
      const { id } = await visit.begin(GIROPAY);
      await visit.choose('Pay, to be confirmed later');
      await visit.isBack();
      expect((await visit.read()).result.code).toBe('000.200.000');
      expect(await visit.decided(id)).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'who pays and never comes back has paid',
    async () => {
      const { id } = await visit.begin(PAYPAL);
      await visit.choose('Pay, and lose the way back to the shop');
      await visit.page.getByText('The shop has not been told').waitFor();
      expect(await visit.decided(id)).toBe(APPROVED);
      expect(visit.returns).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'who clicks twice pays once',
    async () => {
      const { id } = await visit.begin(PAYPAL);
      await visit.page.getByRole('button', { name: 'Pay', exact: true }).dblclick();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
      await visit.page.goBack();
      await visit.page.reload();
      await visit.page.getByText('This payment is made.').waitFor();
      expect(await accessibilityFaults(visit.page)).toEqual([]);
      await visit.page.getByRole('link', { name: 'Back to the shop' }).click();
      await visit.isBack();
      const found = { paymentType: 'RF', amount: '92.01', currency: 'EUR' };
      expect(await codeOf(send(visit.sandbox, ['POST', `/v1/payments/${id}`], found))).toBe(
        '700.400.200',
      );
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'who cancels, goes back and pays after all gets the money back, and it stays cancelled',
    async () => {
      const { id } = await visit.begin(PAYPAL);
      await visit.choose('Cancel');
      await visit.isBack();
      expect((await visit.read()).result.code).toBe('100.396.101');
      await visit.page.goBack();
      await visit.choose('Pay');
      await visit.isBack();
      expect(await visit.decided(id)).toBe('100.396.101');
      await visit.page.goBack();
      await visit.shows('made and taken back');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'who follows the first address again after paying goes straight to the shop',
    async () => {
      const { redirect } = await visit.begin(PAYPAL);
      await visit.choose('Pay');
      await visit.isBack();
      await visit.page.goto(redirect.url);
      await visit.isBack();
      expect(visit.returns).toHaveLength(2);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'pays after the page of the shop has loaded what it was told to',
    async () => {
      const asked = { 'customParameters[simulator.precondition]': 'hidden-frame' };
      const { id, redirect } = await visit.pay({ ...PAYPAL, ...asked });
      expect(await send(visit.sandbox, ['GET', `/v1/payments/${id}`])).toMatchObject({ redirect });
      const [{ url, parameters } = { url: '', parameters: [] }, more] =
        redirect.preconditions ?? [];
      expect(more).toBeUndefined();
      const fields = parameters.map(({ name, value }) => `<input name="${name}" value="${value}">`);
      await visit.page.setContent(
        `<iframe name="before" hidden></iframe>
        <form method="post" action="${url}" target="before">${fields.join('')}<button>Go</button></form>`,
      );
      const loaded = visit.page.waitForResponse(url);
      await visit.page.getByRole('button', { name: 'Go' }).click();
      expect((await loaded).status()).toBe(200);
      await visit.page.frameLocator('iframe').getByText('may send the shopper on').waitFor({
        state: 'attached',
      });
      await visit.page.goto(redirect.url);
      await visit.choose('Pay');
      await visit.isBack();
      expect(await visit.read()).not.toHaveProperty('redirect');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'pays without JavaScript, on a phone, and sent by a form',
    async () => {
      await visit.openBrowser({ ...PHONE, javaScriptEnabled: false });
      const { redirect } = await visit.pay(GIROPAY);
      await visit.page.setContent(
        `<form method="post" action="${redirect.url}"><button>Go</button></form>`,
      );
      await visit.page.getByRole('button', { name: 'Go' }).click();
      await visit.page.getByText('Your payment goes on at').waitFor();
      await visit.page.getByRole('button', { name: 'Continue' }).click();
      const pay = visit.page.getByRole('button', { name: 'Pay', exact: true });
      const { width } = (await pay.boundingBox()) ?? { width: 0 };
      expect(width).toBeLessThanOrEqual(PHONE.viewport.width);
      await pay.click();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'of a payment that nobody knows reads so',
    async () => {
      for (const path of [
        'redirects/none',
        `redirects/${'0'.repeat(32)}/return`,
        'simulator/pages/S0',
      ]) {
        const answer = await visit.page.goto(`${visit.sandbox.url}/${path}`);
        expect(answer?.status()).toBe(404);
        await visit.page.getByRole('heading', { name: 'There is no such payment' }).waitFor();
        expect(await accessibilityFaults(visit.page)).toEqual([]);
      }
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a payment at a provider or bank', () => {
  it('needs to know where its shopper comes back to, unless it pays out', async () => {
    const { shopperResultUrl: _, ...refused } = { shopperResultUrl: '', ...PAYPAL };
    const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
    const debit = await send(visit.sandbox, ['POST', '/v1/payments'], { ...money, ...refused });
    expect(debit.result).toMatchObject({
      code: '200.300.404',
      parameterErrors: [{ name: 'shopperResultUrl' }],
    });
    const credit = { ...money, ...refused, paymentType: 'CD' };
    expect(await codeOf(send(visit.sandbox, ['POST', '/v1/payments'], credit))).toBe(APPROVED);
  });

  it('is not stored without its account, and a brand that nobody knows cannot pay', async () => {
    const stored = await visit.pay({ ...PAYPAL, createRegistration: 'true' });
    expect(stored.result.code).toBe('600.200.500');
    expect(stored.result.description).toContain(
      'storing what is paid by virtual account needs virtualAccount.accountId',
    );
    const unknown = await visit.pay({ paymentBrand: 'PAYFOOL' });
    expect(unknown.result.code).toBe('600.200.500');
    const registration = ['POST', '/v1/registrations'] as const;
    expect(await codeOf(send(visit.sandbox, registration, GIROPAY))).toBe('600.200.500');
  });

  it.each([
    ['paid', 'Pay', APPROVED],
    ['cancelled', 'Cancel', '100.150.203'],
  ])(
    'is stored once it is %s: until then nobody can charge it',
    async (_, button, code) => {
      const account = { ...PAYPAL, 'virtualAccount.accountId': 'jane.jones@example.org' };
      const { registrationId } = await visit.begin({ ...account, createRegistration: 'true' });
      const charge = () => {
        const byMerchant = { ...MONEY, 'standingInstruction.source': 'MIT' };
        const path = `/v1/registrations/${String(registrationId)}/payments`;
        return send(visit.sandbox, ['POST', path], byMerchant);
      };
      expect(await codeOf(charge())).toBe('100.150.201');
      await visit.choose(button);
      await visit.isBack();
      const { result, ...charged } = await charge();
      expect(result.code).toBe(code);
      expect(charged).not.toHaveProperty('redirect');
    },
    BROWSER_WITHIN_MS,
  );

  it('is decided at once where a test forces its code', async () => {
    const forced = { ...PAYPAL, 'customParameters[forceResultCode]': '800.100.151' };
    const { result, redirect } = await visit.pay(forced);
    expect([result.code, redirect]).toEqual(['800.100.151', undefined]);
  });
});
