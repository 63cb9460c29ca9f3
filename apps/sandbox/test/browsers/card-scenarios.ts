import { expect } from '@jest/globals';
import { APPROVED, MONEY } from '../demo-merchant-fixture.js';
import { CARD } from '../form-page.js';
import { CODE, HOLDER, NUMBER, PAY } from './browser-visit.js';
import { WayToGateway } from './way-to-gateway.js';
import type { Scenario } from './scenario.js';

const VISA = { paymentBrand: 'VISA', 'card.number': CARD.number } as const;
const AMEX = { paymentBrand: 'AMEX', 'card.number': '377777777777770' } as const;
const DECLINED_HOLDER = '800.100.152';
/** Of the life of a checkout, 30 minutes, a little more. */
const LIFE_MS = 31 * 60_000;

const paysByCard: Scenario = {
  rule: 'pays by card, whose number is shown as it is printed, and comes back to the shop',
  play: async (visit) => {
    const { id } = await visit.create();
    await visit.open(id);
    await visit.isReady();
    await visit.fill();
    expect(await visit.valueIn(NUMBER)).toBe('4200 0000 0000 0000');
    expect(await visit.valueIn('.wpwl-control-expiry')).toBe('05 / 34');
    await visit.browser.click(PAY);
    await visit.isBack();
    const path = encodeURIComponent(`/v1/checkouts/${id}/payment`);
    expect(visit.returns).toEqual([`/result?order=7&id=${id}&resourcePath=${path}`]);
    expect(await visit.read()).toMatchObject({
      ...{ ndc: id, ...MONEY, paymentBrand: 'VISA', result: { code: APPROVED } },
      card: { last4Digits: '0000', holder: CARD.holder, expiryMonth: '05', expiryYear: '2034' },
    });
  },
};

const corrects: Scenario = {
  rule: 'is told what is wrong, is declined, corrects that and has paid',
  play: async (visit) => {
    const { id } = await visit.create();
    await visit.open(id);
    await visit.isReady();
    await visit.browser.click(PAY);
    for (const field of ['cardNumber', 'expiryMonth', 'cvv'])
      await visit.waitFor(`.wpwl-hint-${field}Error`);
    // The first that is wrong has the focus, which nobody has given it.
    await visit.waitFor(`${NUMBER[0]}.wpwl-control-focused`);
    await visit.browser.type('37');
    await visit.until('document.querySelector("input").value === "37"', NUMBER[0]);
    await visit.fill({ number: '377777777777770', code: '1234', holder: DECLINED_HOLDER });
    await visit.until('document.querySelector(".wpwl-hint") === null');
    await visit.browser.click(PAY);
    await visit.waitForText('The payment was declined');
    expect(visit.returns).toEqual([]);
    await visit.typeInto(HOLDER, CARD.holder);
    await visit.browser.click(PAY);
    await visit.isBack();
    expect(await visit.read()).toMatchObject({ paymentBrand: 'AMEX', result: { code: APPROVED } });
  },
};

const paysByStoredCard: Scenario = {
  rule: 'pays by a stored card with its code alone, after looking at another one',
  play: async (visit) => {
    const [visa, amex] = [await visit.stored(VISA), await visit.stored(AMEX)];
    const offered = { 'registrations[0].id': visa, 'registrations[1].id': amex };
    const { id } = await visit.create({ ...MONEY, ...offered });
    await visit.open(id, { options: '{registrations: {requireCvv: true}}' });
    const code = [
      '.wpwl-form-registrations iframe.wpwl-control-cvv',
      'input[autocomplete]',
    ] as const;
    await visit.waitFor(code);
    await visit.typeCode(code, '123');
    await visit.browser.click(`.wpwl-form-registrations input[value="${amex}"]`);
    await visit.until('document.querySelector("input[autocomplete]")?.value === ""', code[0]);
    await visit.typeCode(code, '1234');
    await visit.browser.click('[data-action="submit-registration"]');
    await visit.isBack();
    expect(await visit.read()).toMatchObject({
      ...{ registrationId: amex, paymentBrand: 'AMEX', result: { code: APPROVED } },
    });
  },
};

const stores: Scenario = {
  rule: 'stores a card and pays nothing where the checkout is for that',
  play: async (visit) => {
    const { id } = await visit.create({ createRegistration: 'true' });
    await visit.open(id, { isRegistration: true });
    await visit.isReady();
    await visit.waitForText('Save card');
    await visit.fill();
    await visit.browser.click(PAY);
    await visit.isBack();
    expect(visit.returns[0]).toContain(encodeURIComponent(`/v1/checkouts/${id}/registration`));
    const stored = await visit.read();
    expect(stored).toMatchObject({ result: { code: APPROVED }, card: { last4Digits: '0000' } });
    expect(stored['amount']).toBeUndefined();
  },
};

const paysOnceByTwoClicks: Scenario = {
  rule: 'clicks twice and pays once',
  play: async (visit) => {
    const merchantTransactionId = 'browser clicked twice';
    const { id } = await visit.create({ ...MONEY, merchantTransactionId });
    await visit.open(id);
    await visit.isReady();
    await visit.fill();
    await visit.browser.doubleClick(PAY);
    await visit.isBack();
    expect((await visit.read()).result.code).toBe(APPROVED);
    expect(await visit.paymentsOf(merchantTransactionId)).toHaveLength(1);
  },
};

const paysOnceWithoutNetwork: Scenario = {
  rule: 'loses the network while it is sent, sends it again and pays once',
  play: async (visit) => {
    const merchantTransactionId = 'browser without network';
    const { id } = await visit.create({ ...MONEY, merchantTransactionId });
    const way = await WayToGateway.before(visit.sandbox.url);
    try {
      await visit.open(id, {}, way.url);
      await visit.isReady();
      await visit.fill();
      way.losesAnswers = true;
      await visit.browser.click(PAY);
      await visit.waitForText('you will not be charged twice');
      way.losesAnswers = false;
      await visit.browser.click(PAY);
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
      expect(await visit.paymentsOf(merchantTransactionId)).toHaveLength(1);
    } finally {
      way.close();
    }
  },
};

const paysByKeyboard: Scenario = {
  rule: 'pays by the keyboard alone',
  play: async (visit) => {
    const { id } = await visit.create();
    const counting = 'window.ready = (window.ready ?? 0) + 1;';
    await visit.open(id, { options: `{onReadyIframeCommunication() { ${counting} }}` });
    // Not by a look into the frames, by which WebKit's driver gives them the focus.
    await visit.until('window.ready === 2');
    const { browser } = visit;
    const isAt = (selector: string) =>
      visit.until(`document.activeElement.matches(${JSON.stringify(selector)})`);
    await browser.press('Tab');
    await isAt('select.wpwl-control-brand');
    await browser.press('Tab');
    await isAt(NUMBER[0]);
    await browser.type(CARD.number);
    await browser.press('Tab');
    await isAt('.wpwl-control-expiry');
    await browser.type(CARD.expiry);
    await browser.press('Tab');
    await isAt(HOLDER);
    await browser.type(CARD.holder);
    await browser.press('Tab');
    await isAt(CODE[0]);
    await browser.type('12');
    await browser.press('Tab');
    await isAt(PAY);
    await browser.press('Enter');
    // It is sent back to what is wrong, and Enter sends the form from there, too.
    await isAt(CODE[0]);
    await visit.waitFor('.wpwl-hint-cvvError');
    await browser.selectAll();
    await browser.type(CARD.code);
    await browser.press('Enter');
    await visit.isBack();
    expect(await visit.read()).toMatchObject({ ndc: id, result: { code: APPROVED } });
  },
};

/** The last one: all that follows would be as late. */
const comesTooLate: Scenario = {
  rule: 'comes too late, is told so, and cannot send it again',
  play: async (visit) => {
    const { id } = await visit.create();
    const way = await WayToGateway.before(visit.sandbox.url);
    try {
      await visit.open(
        id,
        { options: '{onError(error) { window.failed = error.name; }}' },
        way.url,
      );
      await visit.isReady();
      await visit.fill();
      await visit.letPass(LIFE_MS);
      way.gateway = visit.sandbox.url;
      await visit.browser.click(PAY);
      await visit.waitForText('can no longer be completed');
      expect(await visit.browser.evaluate('window.failed')).toBe('InvalidCheckoutIdError');
      expect(await visit.browser.evaluate(`document.querySelector('${PAY}').disabled`)).toBe(true);
      expect(visit.returns).toEqual([]);
    } finally {
      way.close();
    }
  },
};

/** With a card, on the simplest of pages. */
export const cardScenarios: readonly Scenario[] = [
  ...[paysByCard, corrects, paysByStoredCard, stores, paysOnceByTwoClicks],
  ...[paysOnceWithoutNetwork, paysByKeyboard],
];

/** What is true only later. */
export const lateScenarios: readonly Scenario[] = [comesTooLate];
