import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from '@jest/globals';
import { type Authenticated, type IssuerNote, SHOPPER } from './authentication-fixture.js';
import { APPROVED, type Fields, MONEY } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS, PHONE } from './shopper-fixture.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
const FRICTIONLESS = '4200000000000091';
const CHALLENGED = '4200000000000042';
const CHALLENGED_WITHOUT_METHOD = '4200000000000018';
const RIGHT_CODE = '123456';

/** What of a shopper the shop's server tells with a checkout; the form tells of the browser. */
const TOLD = Object.fromEntries(
  Object.entries(SHOPPER).filter(([name]) => !name.startsWith('customer.browser.')),
);
/** How large each window is, without what the whole window has of its own. */
const SIZES = [
  [1, 250, 400],
  [2, 390, 400],
  [3, 500, 600],
  [4, 600, 400],
] as const;

async function issuersOf(last4: string): Promise<readonly IssuerNote[]> {
  const book = await (await fetch(`${visit.sandbox.url}/simulator/3ds/book`)).text();
  const notes = book.trim().split('\n');
  return notes
    .map((line) => JSON.parse(line) as IssuerNote)
    .filter((noted) => noted.last4 === last4);
}

const lastOf = async (number: string): Promise<IssuerNote> => {
  const noted = (await issuersOf(number.slice(-4))).at(-1);
  if (noted === undefined) throw new Error('No issuer was asked.');
  return noted;
};

/** The form, filled with a card of a shopper whom the shop knows, and sent. */
async function openPaid(number: string, options = '{}'): Promise<void> {
  const { id } = await visit.create({ ...MONEY, ...TOLD });
  await visit.openForm(id, { options });
  await visit.fill({ number });
  await visit.payButton.click();
}

const frame = () => visit.page.locator('.wpwl-popover > iframe.wpwl-target');
const inFrame = () => visit.page.frameLocator('iframe.wpwl-target');
const code = () => inFrame().getByRole('textbox', { name: 'Code from your text message' });
const read = async (): Promise<Authenticated> => await visit.read();

describe('a card without friction, whose issuer looks at the browser', () => {
  it(
    'is paid with in the form, and the issuer has seen the browser',
    async () => {
      await openPaid(FRICTIONLESS);
      await visit.isBack();
      const { result, threeDSecure } = await read();
      expect(result.code).toBe(APPROVED);
      expect(threeDSecure).toMatchObject({ flow: 'frictionless', eci: '05' });
      expect((await lastOf(FRICTIONLESS)).notes).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is paid with from a server whose page loads nothing before: ours does',
    async () => {
      const fields: Fields = { ...SHOPPER, ...CARD, 'card.number': FRICTIONLESS };
      const { redirect } = await visit.pay(fields);
      await visit.page.goto(redirect.url);
      await visit.isBack();
      expect((await read()).result.code).toBe(APPROVED);
      expect((await lastOf(FRICTIONLESS)).notes).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );
});

const CARD: Fields = {
  ...{ paymentBrand: 'VISA', 'card.holder': 'Jane Jones', 'card.cvv': '123' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};

describe('a card whose issuer asks', () => {
  it(
    'is paid with from a server, with the keyboard alone, and the page can be read by all',
    async () => {
      const { redirect } = await visit.pay({ ...SHOPPER, ...CARD, 'card.number': CHALLENGED });
      await visit.page.goto(redirect.url);
      const field = visit.page.getByRole('textbox', { name: 'Code from your text message' });
      await field.waitFor();
      expect((await lastOf(CHALLENGED)).notes).toEqual([]);
      const { violations } = await new AxeBuilder({ page: visit.page }).analyze();
      expect(violations.map(({ id }) => id)).toEqual([]);
      await visit.page.keyboard.type('654321');
      await visit.page.keyboard.press('Enter');
      await visit.page.getByRole('alert').waitFor();
      await visit.page.keyboard.type(RIGHT_CODE);
      await visit.page.keyboard.press('Tab');
      await visit.page.keyboard.press('Space');
      await visit.isBack();
      const { result, threeDSecure } = await read();
      expect(result.code).toBe(APPROVED);
      expect(threeDSecure).toMatchObject({ flow: 'challenge', eci: '05' });
      // Whoever goes to the first address again is led back.
      await visit.page.goto(redirect.url);
      await visit.isBack();
      expect(visit.returns).toHaveLength(2);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is paid with in a window that the shop has opened for it',
    async () => {
      const { id, redirect } = await visit.pay({
        ...{ ...SHOPPER, ...CARD, 'card.number': CHALLENGED },
      });
      visit.shopPage = undefined;
      await visit.page.goto(visit.shopUrl);
      const opened = visit.page.waitForEvent('popup');
      await visit.host.evaluate(
        `void window.open(${JSON.stringify(redirect.url)}, 'bank', 'popup,width=500,height=600')`,
      );
      const popup = await opened;
      const field = popup.getByRole('textbox', { name: 'Code from your text message' });
      await field.fill(RIGHT_CODE);
      await popup.getByRole('button', { name: 'Confirm' }).click();
      await popup.getByText('Thank you').waitFor();
      expect(await visit.decided(id)).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it.each(SIZES)(
    'is paid with in a frame of size %i, which the issuer knows, and what is asked for is seen without scrolling',
    async (size, width, height) => {
      await openPaid(CHALLENGED, `{browser: {threeDChallengeWindow: ${size}}}`);
      await code().waitFor();
      const box = await frame().boundingBox();
      expect([box?.width, box?.height]).toEqual([width, height]);
      const noted = await lastOf(CHALLENGED);
      expect([noted.windowSize, noted.notes]).toEqual([`0${size}`, []]);
      const root = inFrame().locator('html');
      expect(await root.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
        width,
      );
      const confirm = await inFrame().getByRole('button', { name: 'Confirm' }).boundingBox();
      const endOf = (place: typeof confirm) => (place?.y ?? NaN) + (place?.height ?? NaN);
      expect(endOf(confirm)).toBeLessThanOrEqual(endOf(box));
      await code().fill(RIGHT_CODE);
      await code().press('Enter');
      await visit.isBack();
      // In the window of the shop, not in the frame.
      expect(visit.page.url()).toContain('/result?order=7');
      expect((await read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is paid with in a frame of the whole window, on a phone',
    async () => {
      await visit.openBrowser(PHONE);
      await openPaid(CHALLENGED_WITHOUT_METHOD, `{browser: {threeDChallengeWindow: 5}}`);
      await code().waitFor();
      expect((await lastOf(CHALLENGED_WITHOUT_METHOD)).windowSize).toBe('05');
      await code().fill(RIGHT_CODE);
      await inFrame().getByRole('button', { name: 'Confirm' }).click();
      await visit.isBack();
      expect((await read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is not paid with by a shopper who cancels on the issuer’s page, who is told in the shop',
    async () => {
      await openPaid(CHALLENGED, `{browser: {threeDChallengeWindow: 3}}`);
      await code().waitFor();
      await inFrame().getByRole('button', { name: 'Cancel' }).click();
      await visit.isBack();
      const { result, threeDSecure } = await read();
      expect(result.code).toBe('100.396.101');
      expect(threeDSecure).toMatchObject({ flow: 'challenge', challengeCancel: '01' });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is paid with in the window, where the shop has no frame for it',
    async () => {
      await openPaid(CHALLENGED);
      await visit.page.getByRole('textbox', { name: 'Code from your text message' }).waitFor();
      expect((await lastOf(CHALLENGED)).windowSize).toBe('05');
      await visit.page.keyboard.type(RIGHT_CODE);
      await visit.page.keyboard.press('Enter');
      await visit.isBack();
      expect((await read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );
});
