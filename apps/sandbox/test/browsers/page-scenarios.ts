import { expect } from '@jest/globals';
import { APPROVED } from '../demo-merchant-fixture.js';
import { PHONE } from '../shop-visit-fixture.js';
import type { BrowserVisit } from './browser-visit.js';
import { NUMBER, PAY } from './browser-visit.js';
import type { Scenario } from './scenario.js';

/** Pays by the form that is there, by the button of this selector. */
/** @param later the button of the page's own summary, where it has one */
async function pay(visit: BrowserVisit, button = PAY, later?: string): Promise<void> {
  await visit.isReady();
  await visit.fill();
  await visit.browser.click(button);
  if (later !== undefined) {
    await visit.until(`document.querySelector(${JSON.stringify(later)}) !== null`);
    await visit.browser.click(later);
  }
  await visit.isBack();
  expect((await visit.read()).result.code).toBe(APPROVED);
}

const containers = (visit: BrowserVisit) =>
  visit.browser.evaluate("document.querySelectorAll('.wpwl-container').length");

const reloadsForm: Scenario = {
  rule: 'meets a page that unloads the form and loads it again, twice at once',
  play: async (visit) => {
    const { id } = await visit.create();
    await visit.open(id);
    await visit.isReady();
    await visit.browser.evaluate('wpwl.unload()');
    expect(await containers(visit)).toBe(0);
    const state = '[typeof wpwl, document.adoptedStyleSheets.length]';
    expect(await visit.browser.evaluate(state)).toEqual(['undefined', 0]);
    const load = `[1, 2].forEach(() => {
      const script = document.createElement('script');
      script.src = document.querySelector('script[src*="paymentWidgets"]').src;
      document.body.append(script);
    })`;
    await visit.browser.evaluate(load);
    await visit.isReady();
    expect(await containers(visit)).toBe(1);
    await pay(visit);
  },
};

const paysOnReactPage: Scenario = {
  rule: "pays on a page by React in its strict mode, which mounts everything twice, by the page's own button and summary",
  play: async (visit) => {
    await visit.openShopPage('single-page-react');
    await visit.browser.click('button');
    await visit.isReady();
    const first = await visit.browser.evaluate<string>(
      "document.querySelector('.wpwl-container').id",
    );
    // Begins another checkout.
    await visit.browser.click('button.pay + button');
    await visit.until(`document.getElementById('${first}') === null`);
    await visit.isReady();
    expect(await containers(visit)).toBe(1);
    await pay(visit, 'button.pay', 'input.pay');
  },
};

const paysOnVuePage: Scenario = {
  rule: 'leaves the form on a page by Vue, comes back to it and pays',
  play: async (visit) => {
    await visit.openShopPage('single-page-vue');
    await visit.browser.click('section > button');
    await visit.isReady();
    // A whole number: what is said of a part of one when it is left moves the button under the pointer.
    await visit.typeInto(NUMBER, '5454545454545454');
    await visit.until("document.getElementById('brand').textContent === 'MASTER'");
    await visit.browser.click('section > button');
    await visit.waitForText('Cart');
    expect(await visit.browser.evaluate('typeof wpwl')).toBe('undefined');
    await visit.browser.click('section > button');
    await visit.isReady();
    expect(await containers(visit)).toBe(1);
    await pay(visit);
  },
};

const paysUnderPolicy: Scenario = {
  rule: 'pays on a page whose policy allows no inline style and no script but those it names',
  play: async (visit) => {
    const { id } = await visit.create();
    const gateway = visit.sandbox.url;
    const nonce = 'ZnJlc2g';
    const policy = [
      "default-src 'none'",
      "img-src 'self'", // the shop's icon, and what has failed
      `script-src 'nonce-${nonce}' ${gateway}`,
      `frame-src ${gateway}`,
      `connect-src ${gateway}`,
    ].join('; ');
    await visit.open(id, {
      head: `<meta http-equiv="content-security-policy" content="${policy}">`,
      attributes: `nonce="${nonce}" crossorigin="anonymous"`,
      options: "{locale: 'de'}",
    });
    await visit.waitForText('Jetzt bezahlen');
    const color = `getComputedStyle(document.querySelector('${PAY}')).color`;
    expect(await visit.browser.evaluate(color)).toBe('rgb(255, 255, 255)');
    await pay(visit);
  },
};

const paysInArabic: Scenario = {
  rule: 'pays in Arabic, from right to left, with the number from left to right and in Arabic digits',
  play: async (visit) => {
    const { id } = await visit.create();
    await visit.open(id, { options: '{locale: "ar"}' });
    await visit.waitForText('ادفع الآن');
    await visit.isReady();
    const directions = `[getComputedStyle(document.querySelector('.wpwl-form')).direction,
      getComputedStyle(document.querySelector('.wpwl-control-expiry')).direction]`;
    expect(await visit.browser.evaluate(directions)).toEqual(['rtl', 'ltr']);
    const ofNumber = "getComputedStyle(document.querySelector('input')).direction";
    expect(await visit.browser.evaluate(ofNumber, NUMBER[0])).toBe('ltr');
    await visit.fill({ number: `\u0664\u0662\u0660\u0660${'\u0660'.repeat(12)}` });
    expect(await visit.valueIn(NUMBER)).toBe('4200 0000 0000 0000');
    await visit.browser.click(PAY);
    await visit.isBack();
    expect((await visit.read()).result.code).toBe(APPROVED);
  },
};

const paysOnPhone: Scenario = {
  rule: 'pays on a phone, where nothing is wider than it',
  play: async (visit) => {
    const { id } = await visit.create();
    const head = '<meta name="viewport" content="width=device-width, initial-scale=1">';
    visit.serveForm(id, { head });
    await visit.browser.openOnPhone(`${visit.shopUrl}/pay`, PHONE.viewport);
    await visit.isReady();
    const widths = '[window.innerWidth, document.documentElement.scrollWidth]';
    const { width } = PHONE.viewport;
    expect(await visit.browser.evaluate(widths)).toEqual([width, width]);
    // Whoever taps is not zoomed in on: text of less than 16 pixels would be.
    const size = "parseFloat(getComputedStyle(document.querySelector('input')).fontSize) >= 16";
    expect(await visit.browser.evaluate(size, NUMBER[0])).toBe(true);
    await pay(visit);
  },
};

/** On pages of other kinds, and in other surroundings. */
export const pageScenarios: readonly Scenario[] = [
  ...[reloadsForm, paysOnReactPage, paysOnVuePage, paysUnderPolicy, paysInArabic, paysOnPhone],
];
