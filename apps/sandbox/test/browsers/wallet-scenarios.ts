import { expect } from '@jest/globals';
import { APPROVED } from '../demo-merchant-fixture.js';
import type { Scenario } from './scenario.js';

/** The sheet, in its shadow. */
const SHEET = '[...document.body.children].find((one) => one.shadowRoot)?.shadowRoot';
const BUTTON = '.wpwl-click-to-pay-button';
/** What the simulator sends to everybody. */
const CODE = '123456';

const paysByClickToPay: Scenario = {
  rule: 'pays by Click to Pay, whose sheet is gone through by keyboard alone',
  play: async (visit) => {
    const { id } = await visit.create();
    await visit.open(id, { brands: 'CLICK_TO_PAY' });
    await visit.until(`document.querySelector('${BUTTON}:enabled') !== null`);
    await visit.browser.click(BUTTON);
    const isFocused = (selector: string): Promise<void> =>
      visit.until(`${SHEET}?.activeElement?.matches('${selector}') === true`);
    await isFocused('input[type="email"]');
    await visit.browser.type('jane@example.org');
    await visit.browser.press('Enter');
    await isFocused('input[inputmode="numeric"]');
    await visit.browser.type(CODE);
    await visit.browser.press('Enter');
    await isFocused('button');
    await visit.browser.press('Enter');
    // The card's own system has filled the frame, and put the focus into it.
    await visit.until(
      `${SHEET}?.querySelector('iframe')?.contentDocument?.activeElement?.localName === 'button'`,
    );
    await visit.browser.press('Enter');
    await visit.isBack();
    expect(await visit.read()).toMatchObject({
      ...{ paymentBrand: 'CLICK_TO_PAY', brandResult: 'VISA', result: { code: APPROVED } },
    });
  },
};

/** With the sheets of wallets. */
export const walletScenarios: readonly Scenario[] = [paysByClickToPay];
