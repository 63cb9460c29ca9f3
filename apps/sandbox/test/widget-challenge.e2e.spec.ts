import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from '@jest/globals';
import { APPROVED } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS, PHONE } from './shopper-fixture.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
const frame = () => visit.page.locator('.wpwl-popover > iframe.wpwl-target');
const inFrame = () => visit.page.frameLocator('iframe.wpwl-target');

async function openAsked(size: unknown, more = ''): Promise<{ readonly bodies: string[] }> {
  const { id } = await visit.create();
  await visit.openForm(id, {
    options: `{browser: {threeDChallengeWindow: ${String(size)}}${more}}`,
  });
  const bodies = await visit.haveBankAsk();
  await visit.fill();
  await visit.payButton.click();
  await inFrame().getByRole('button', { name: 'Pay', exact: true }).waitFor();
  return { bodies };
}

describe('a bank that asks while a card is paid with', () => {
  it(
    'is in a frame of the page, of the size that the shop has set, and leads back out of it',
    async () => {
      const { bodies } = await openAsked(2);
      const { width, height } = (await frame().boundingBox()) ?? { width: 0, height: 0 };
      expect([width, height]).toEqual([390, 400]);
      expect(await visit.form.isVisible()).toBe(false);
      expect(new URLSearchParams(bodies[0]).get('customer.browser.challengeWindow')).toBe('2');
      const dialog = visit.page.getByRole('dialog', { name: 'Confirm your payment' });
      expect(await dialog.count()).toBe(1);
      await inFrame().getByRole('button', { name: 'Pay', exact: true }).click();
      await visit.isBack();
      // In the window, and once: what is paid is read once.
      expect(visit.page.url()).toContain('/result?order=7');
      expect(visit.returns).toHaveLength(1);
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is not asked for where nobody asks: the window goes back to the shop',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id, { options: '{browser: {threeDChallengeWindow: 5}}' });
      await visit.fill();
      await visit.payButton.click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({
        ...{ result: { code: APPROVED }, customer: { browser: { challengeWindow: '5' } } },
      });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'can be closed, and the form is as it was',
    async () => {
      const { bodies } = await openAsked(4);
      await visit.page.getByRole('button', { name: 'Cancel' }).click();
      expect(await frame().count()).toBe(0);
      await visit.page.locator('.wpwl-button-pay:focus').waitFor();
      expect(await visit.number.inputValue()).toBe('4200 0000 0000 0000');
      await visit.payButton.click();
      await frame().waitFor();
      expect(bodies).toHaveLength(2);
      await visit.host.evaluate('wpwl.unload()');
      expect(await visit.page.locator('.wpwl-popover').count()).toBe(0);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is believed where to go on only from its own frame, by the gateway',
    async () => {
      await openAsked(1);
      await visit.host.evaluate(`{
        const told = { kind: 'returned', url: location.origin + '/result?forged' };
        window.postMessage(told, '*');
        document.querySelector('iframe.wpwl-target').contentWindow.parent.postMessage(told, '*');
        const other = document.createElement('iframe');
        other.srcdoc = '<script>parent.postMessage(' + JSON.stringify(told) + ', "*")</' + 'script>';
        document.body.append(other);
      }`);
      await visit.page.waitForTimeout(200);
      expect(await frame().count()).toBe(1);
      expect(visit.returns).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'has the whole window where the shop says so, on a phone too, and no fault of accessibility',
    async () => {
      await visit.openBrowser(PHONE);
      await openAsked("'05'", ", style: 'none', locale: 'ar'");
      const { viewport } = PHONE;
      const around = await visit.page.locator('.wpwl-popover').boundingBox();
      expect(around).toEqual({ x: 0, y: 0, ...viewport });
      const { width = 0, height = 0 } = (await frame().boundingBox()) ?? {};
      expect([width > viewport.width * 0.9, height > viewport.height * 0.8]).toEqual([true, true]);
      const { violations } = await new AxeBuilder({ page: visit.page })
        .options({ resultTypes: ['violations'] })
        .disableRules(['landmark-one-main', 'region']) // of the shop's page
        .analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );
});
