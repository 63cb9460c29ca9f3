import { describe, expect, it } from '@jest/globals';
import { APPROVED } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS } from './shopper-fixture.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
const WITH_METHOD = '4200000000000042';
const CODE = 'Code from your text message';

/** The form, sent with a card whose issuer asks; and which pages of the method it has led to. */
async function sendCard(number: string, options: string): Promise<readonly string[]> {
  const { id } = await visit.create();
  await visit.openForm(id, { options });
  const methods: string[] = [];
  visit.page.on('request', (request) => {
    if (request.url().endsWith('/method')) methods.push(request.method());
  });
  await visit.fill({ number });
  await visit.payButton.click();
  return methods;
}

describe('a checkout that is paid by a card whose issuer asks', () => {
  it(
    'has the question in the window, and is paid with the right code',
    async () => {
      const methods = await sendCard(WITH_METHOD, '{}');
      await visit.page.getByLabel(CODE).fill('123456');
      await visit.choose('Confirm');
      await visit.isBack();
      expect(await visit.read()).toMatchObject({
        result: { code: APPROVED },
        threeDSecure: { authenticationStatus: 'Y', flow: 'challenge', eci: '05' },
      });
      // The issuer's, and ours that it leads to; the form has waited for both.
      expect(methods).toEqual(['POST', 'POST']);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'has it in a frame of the page, in the size that the shop has set',
    async () => {
      await sendCard(WITH_METHOD, '{browser: {threeDChallengeWindow: 2}}');
      const frame = visit.page.frameLocator('iframe.wpwl-target');
      await frame.getByLabel(CODE).fill('123456');
      await frame.getByRole('button', { name: 'Confirm', exact: true }).click();
      await visit.isBack();
      expect(visit.returns).toHaveLength(1);
      expect(await visit.read()).toMatchObject({
        ...{ result: { code: APPROVED }, customer: { browser: { challengeWindow: '2' } } },
        threeDSecure: { authenticationStatus: 'Y', flow: 'challenge' },
      });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is not paid where the shopper cancels there',
    async () => {
      await sendCard('4200000000000018', '{}');
      await visit.page.getByLabel(CODE).waitFor();
      await visit.choose('Cancel');
      await visit.isBack();
      expect((await visit.read()).result.code).toBe('100.396.101');
    },
    BROWSER_WITHIN_MS,
  );
});
