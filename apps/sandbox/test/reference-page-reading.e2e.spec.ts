import { describe, expect, it } from '@jest/globals';
import { BROWSER_WITHIN_MS, ReferencePageVisit } from './reference-page-fixture.js';

const visit = new ReferencePageVisit({ isOpened: false });

describe('the reference page', () => {
  it.each(
    (['light', 'dark'] as const).flatMap((colorScheme) =>
      [
        ...['/docs?q=card.number', '/docs/interface', '/docs/wire-contract'],
        ...['/docs/result-codes?q=800.100.15', '/docs/operations'],
      ].map((path) => [colorScheme, path] as const),
    ),
  )(
    'is read by everybody in the %s: %s',
    async (colorScheme, path) => {
      const { page } = visit;
      await page.emulateMedia({ colorScheme });
      await page.goto(`${visit.url}${path}`);
      if (path === '/docs/operations') {
        await page.getByText('/v1/payments', { exact: true }).waitFor();
      }
      expect(await visit.accessibilityFaults()).toEqual([]);
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        colorScheme === 'dark' ? 'rgb(18, 24, 30)' : 'rgb(255, 255, 255)',
      );
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'fits on a telephone',
    async () => {
      const { page } = visit;
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto(`${visit.url}/docs`);
      await page.getByLabel('Search a parameter').fill('customParameters');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'shows every operation with its answers',
    async () => {
      const { page } = visit;
      await page.goto(`${visit.url}/docs`);
      await page.getByRole('link', { name: 'Operations and answers' }).click();
      await page.getByText('/v3/query/{id}').waitFor();
      expect(await visit.accessibilityFaults()).toEqual([]);
      await page
        .getByRole('button', { name: /GET \/v1\/resultcodes/i })
        .first()
        .click();
      await page.getByText('The table.').waitFor();
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'draws the hundreds of parameters of a payment by structure, when one is opened',
    async () => {
      const { page } = visit;
      await page.goto(`${visit.url}/docs/operations`);
      await page.getByText('A new payment, or an increment').click();
      const rows = page.locator('tr.parameters');
      await rows.filter({ hasText: 'paymentBrand' }).first().waitFor();
      expect(await rows.count()).toBeLessThan(60);
      await page.locator('summary', { hasText: /^card\.\*$/ }).click();
      await rows.filter({ hasText: 'card.number' }).first().waitFor();
      expect(await rows.filter({ hasText: 'customer.givenName' }).count()).toBe(0);
      expect(await visit.accessibilityFaults()).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );
});
