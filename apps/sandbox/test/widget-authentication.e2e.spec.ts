import { describe, expect, it } from '@jest/globals';
import { APPROVED } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS } from './shopper-fixture.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();

/** What the issuer's page is on its own, and what it leads to, which the gateway answers. */
const METHOD = 'http://localhost/3ds/method';
const DONE = 'http://localhost/redirects/method';
const AFTER_MS = 400;

/** A payment that an issuer wants to look at the browser for, whose page ends so. */
async function openLookedAt(end: string): Promise<{ readonly asked: string[] }> {
  const { id } = await visit.create();
  await visit.openForm(id);
  await visit.fill();
  const parameters = [{ name: 'threeDSMethodData', value: 'eyJ9' }];
  const redirect = {
    ...{ url: `${visit.shopUrl}/result`, method: 'GET', parameters: [] },
    preconditions: [{ url: METHOD, method: 'POST', parameters }],
  };
  const html = (script: string) => ({
    ...{ contentType: 'text/html', body: `<p>x</p><script>${script}</script>` },
  });
  await visit.page.route(METHOD, (route) => route.fulfill(html(end)));
  await visit.page.route(DONE, (route) =>
    route.fulfill(html("parent.postMessage({ kind: 'prepared' }, '*')")),
  );
  await visit.page.route('**/v1/checkouts/**', (route) =>
    route.fulfill({ json: { id: 'x', result: { code: '000.200.000' }, redirect } }),
  );
  const asked: string[] = [];
  visit.page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(?:3ds|redirects|result)/.test(pathname)) {
      asked.push(`${request.method()} ${pathname} ${request.postData() ?? ''}`.trim());
    }
  });
  await visit.payButton.click();
  return { asked };
}

const looked = 'POST /3ds/method threeDSMethodData=eyJ9';

describe('a card whose issuer may want to know the browser', () => {
  it(
    'is paid with what the page and its requests say of it',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id);
      await visit.fill();
      const sent = visit.page.waitForRequest('**/v1/checkouts/*/payment');
      await visit.payButton.click();
      const told = new URLSearchParams((await sent).postData() ?? '');
      await visit.isBack();
      const { result, customer } = await visit.read();
      expect(result.code).toBe(APPROVED);
      const { width, height } = visit.page.viewportSize() ?? { width: 0, height: 0 };
      expect(customer).toEqual({
        browser: {
          ...{ language: 'en-US', screenWidth: String(width), screenHeight: String(height) },
          ...{ screenColorDepth: '24', timezone: '0', javaEnabled: 'false', acceptHeader: '*/*' },
          userAgent: await visit.page.evaluate('navigator.userAgent'),
        },
      });
      expect(told.has('customer.browser.userAgent')).toBe(false);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is as the shop has told of the browser itself',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id);
      await visit.host.evaluate(`document.querySelector('form.wpwl-form-card').insertAdjacentHTML(
        'beforeend', '<input type="hidden" name="customer.browser.language" value="de">')`);
      await visit.fill();
      await visit.payButton.click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({ customer: { browser: { language: 'de' } } });
    },
    BROWSER_WITHIN_MS,
  );
});

describe('an issuer that looks at the browser', () => {
  it(
    'has the time that it takes, until the gateway says that it is done',
    async () => {
      const leads = `setTimeout(() => location.replace('${DONE}'), ${String(AFTER_MS)})`;
      const { asked } = await openLookedAt(leads);
      await visit.page.waitForTimeout(AFTER_MS / 2);
      expect(asked).toEqual([looked]);
      await visit.isBack();
      expect(asked).toEqual([looked, 'GET /redirects/method', 'GET /result']);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'and never ends holds nobody up for longer than ten seconds',
    async () => {
      const { asked } = await openLookedAt('');
      await visit.isBack();
      expect(asked).toEqual([looked, 'GET /result']);
    },
    BROWSER_WITHIN_MS,
  );
});
