import { expect } from '@jest/globals';
import { APPROVED } from '../demo-merchant-fixture.js';
import { CARD } from '../form-page.js';
import { PAY } from './browser-visit.js';
import type { Scenario } from './scenario.js';

const PAYPAL = '.wpwl-form-virtualAccount-PAYPAL .wpwl-button-pay';
const BOTH = { brands: 'PAYPAL VISA' } as const;
/** On the acquirer's page. */
const APPROVE = 'button[formaction$="/approve"]';

const goesAndComesBack: Scenario = {
  rule: 'is sent to a provider, pays there and comes back',
  play: async (visit) => {
    const { id } = await visit.create();
    await visit.open(id, { brands: 'PAYPAL' });
    await visit.typeInto('.wpwl-control-accountId', 'jane.jones@example.org');
    await visit.browser.click(PAYPAL);
    await visit.choose('approve');
    await visit.isBack();
    expect(await visit.read()).toMatchObject({
      ...{ ndc: id, paymentBrand: 'PAYPAL', result: { code: APPROVED } },
    });
  },
};

const goesBackByButton: Scenario = {
  rule: "goes back from a provider by the browser's button, and pays by card in the same checkout",
  play: async (visit) => {
    const { id } = await visit.create();
    await visit.open(id, BOTH);
    await visit.isReady();
    await visit.browser.click(PAYPAL);
    await visit.waitFor(APPROVE);
    await visit.browser.back();
    await visit.isReady();
    // Whether the page is the one that was left, or a new one: both ways can be used again.
    await visit.until(`!document.querySelector('${PAYPAL}').disabled`);
    await visit.fill();
    await visit.browser.click(PAY);
    await visit.isBack();
    expect(await visit.read()).toMatchObject({
      ...{ ndc: id, paymentBrand: 'VISA', result: { code: APPROVED } },
    });
  },
};

const goesBackAfterPaying: Scenario = {
  rule: 'has paid, goes back by the button, and cannot pay a second time',
  play: async (visit) => {
    const { id } = await visit.create();
    await visit.open(id);
    await visit.isReady();
    await visit.fill();
    await visit.browser.click(PAY);
    await visit.isBack();
    expect((await visit.read()).result.code).toBe(APPROVED);
    await visit.browser.back();
    await visit.isReady();
    const over = 'can no longer be completed';
    const isEnabled = `!document.querySelector('${PAY}').disabled`;
    await visit.until(`${isEnabled} || document.body.innerText.includes('${over}')`);
    // A page that the browser has kept as it was says so when it is sent, and any other at once.
    if ((await visit.browser.evaluate(isEnabled)) === true) {
      await visit.fill();
      await visit.browser.click(PAY);
    }
    await visit.waitForText(over);
    expect(visit.returns).toHaveLength(1);
  },
};

const closesPopup: Scenario = {
  rule: 'closes the window in which a provider was, and pays by another brand',
  play: async (visit) => {
    const { id } = await visit.create();
    visit.serveForm(id, BOTH);
    const opener = `<button onclick="open('/pay', '', 'width=600,height=700')">To payment</button>`;
    const shop = `<!doctype html><html lang="en"><title>Shop</title>${opener}<a href="/pay">Pay here</a>`;
    visit.otherPages.set('/basket', shop);
    await visit.browser.open(`${visit.shopUrl}/basket`);
    await visit.browser.click('button');
    await visit.browser.followPopup();
    await visit.isReady();
    await visit.browser.click(PAYPAL);
    await visit.waitFor(APPROVE);
    await visit.browser.closePopup();
    await visit.browser.click('a');
    await visit.isReady();
    await visit.fill();
    await visit.browser.click(PAY);
    await visit.isBack();
    expect(await visit.read()).toMatchObject({
      ...{ ndc: id, paymentBrand: 'VISA', result: { code: APPROVED } },
      card: { holder: CARD.holder },
    });
  },
};

/** With pages between the form and the shop. */
export const redirectScenarios: readonly Scenario[] = [
  ...[goesAndComesBack, goesBackByButton, goesBackAfterPaying, closesPopup],
];
