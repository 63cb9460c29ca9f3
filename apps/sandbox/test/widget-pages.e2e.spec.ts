import { describe, expect, it } from '@jest/globals';
import { APPROVED, codeOf, MONEY } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS } from './shopper-fixture.js';
import { CARD, WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();

describe('the page that has the form', () => {
  it(
    'is called, may say no, and may put inputs into the form, which are sent',
    async () => {
      const { id } = await visit.create();
      const options = `{
        onReady() {
          document.querySelector('form.wpwl-form-card .wpwl-button').insertAdjacentHTML('beforebegin',
            '<input type="checkbox" name="createRegistration" value="true" checked>' +
            '<input name="customParameters[SHOPPER_note]" value="a gift">' +
            '<input name="customParameters[note]" value="no">');
        },
        onReadyIframeCommunication() { (window.frames_ ??= []).push(this.$iframe[0].className); },
        onBeforeSubmitCard(event) { window.asked = event.type; return window.allowed === true; },
        onAfterSubmit() { sessionStorage.setItem('sent', 'yes'); },
      }`;
      await visit.openForm(id, { options });
      await visit.fill();
      const frames = await visit.host.evaluate<string[]>('window.frames_');
      expect(frames.sort()).toEqual([
        expect.stringContaining('wpwl-control-cardNumber'),
        expect.stringContaining('wpwl-control-cvv'),
      ]);
      await visit.payButton.click();
      expect(await visit.host.evaluate('window.asked')).toBe('submit');
      expect(await visit.host.evaluate('sessionStorage.getItem("sent")')).toBeNull();
      await visit.host.evaluate('window.allowed = true');
      const [container] = await visit.page.locator('.wpwl-container-card').all();
      const name = await container!.getAttribute('id');
      await visit.host.evaluate(`wpwl.executePayment(${JSON.stringify(name)})`);
      await visit.isBack();
      expect(await visit.host.evaluate('sessionStorage.getItem("sent")')).toBe('yes');
      const paid = await visit.read();
      expect(paid).toMatchObject({
        registrationId: expect.any(String),
        customParameters: { SHOPPER_note: 'a gift' },
      });
      expect(visit.said).toEqual([expect.stringContaining('customParameters[note] is not sent')]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is told of what has no effect',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id, {
        options: '{style: "logo", clickToPay: {}, maskCVV: true}',
        form: '',
        formText: 'VISA SAMSUNGPAY',
      });
      expect(visit.said).toEqual([
        expect.stringContaining('wpwlOptions.style is one of card, plain, logos, none'),
        expect.stringContaining('maskCVV is no option of this form; maskCvv is one'),
        expect.stringContaining('the brand SAMSUNGPAY is not served yet'),
        expect.stringContaining('wpwlOptions.clickToPay has no effect'),
      ]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'may say other texts, which are texts and never HTML',
    async () => {
      const { id } = await visit.create();
      const text = '<img src=x onerror="window.ran = true">';
      const own = JSON.stringify({ cvv: text, cardNumber: text, submit: text, cvvError: text });
      await visit.openForm(id, { options: `{labels: ${own}, errorMessages: ${own}}` });
      await visit.payButton.click();
      await visit.hint('cvvError').waitFor();
      const shown = ['.wpwl-label-cvv', '.wpwl-hint-cvvError', '.wpwl-button-pay'];
      for (const selector of shown) {
        expect(await visit.page.locator(selector).innerText()).toContain(text);
      }
      expect(await visit.code.getAttribute('placeholder')).toBe(text);
      expect(await visit.host.evaluate('[document.images.length, window.ran]')).toEqual([
        ...[0, undefined],
      ]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'unloads the form, has its own back, and loads the form again',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id);
      await visit.host.evaluate('wpwl.unload()');
      expect(await visit.page.locator('.wpwl-container').count()).toBe(0);
      expect(await visit.page.locator('form.paymentWidgets').count()).toBe(1);
      expect(
        await visit.host.evaluate('[typeof wpwl, document.adoptedStyleSheets.length]'),
      ).toEqual(['undefined', 0]);
      const load = `{
        const script = document.createElement('script');
        script.src = document.querySelector('script[src*="paymentWidgets"]').src;
        document.body.append(script);
      }`;
      // Twice at once, as frameworks do that mount everything twice: the second one counts.
      await visit.host.evaluate(load + load);
      await visit.page.locator('iframe.wpwl-control-cvv').waitFor();
      await visit.frameOf('cvv').locator('input[autocomplete="cc-csc"]').waitFor();
      expect(await visit.page.locator('.wpwl-container').count()).toBe(1);
      await visit.fill();
      await visit.payButton.click();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'may have the browser check the script by the hash that came with the checkout',
    async () => {
      const { id, integrity } = await visit.create({ ...MONEY, integrity: 'true' });
      const checked = (hash: unknown) => ({
        attributes: `integrity="${String(hash)}" crossorigin="anonymous"`,
      });
      await visit.openForm(id, checked(integrity));
      await visit.fill();
      await visit.payButton.click();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
      // The same script would be another checkout's.
      const other = await visit.create();
      await visit.open(other.id, checked(integrity));
      expect(await visit.host.evaluate('typeof wpwl')).toBe('undefined');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'may have a strict policy: no inline style, and scripts of the gateway or with a nonce alone',
    async () => {
      const { id } = await visit.create();
      const gateway = visit.sandbox.url;
      const nonce = 'ZnJlc2g';
      const policy = [
        "default-src 'none'",
        "img-src 'self'", // the shop's icon
        `script-src 'nonce-${nonce}' ${gateway}`,
        `frame-src ${gateway}`,
        `connect-src ${gateway}`,
      ].join('; ');
      await visit.open(id, {
        head: `<meta http-equiv="content-security-policy" content="${policy}">`,
        attributes: `nonce="${nonce}" crossorigin="anonymous"`,
        options: "{locale: 'de'}",
      });
      await visit.frameOf('cvv').locator('input[autocomplete="cc-csc"]').waitFor();
      expect(await visit.payButton.innerText()).toBe('Jetzt bezahlen');
      const color = "getComputedStyle(document.querySelector('.wpwl-button-pay')).color";
      expect(await visit.host.evaluate(color)).toBe('rgb(255, 255, 255)');
      await visit.fill();
      await visit.payButton.click();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'may be isolated: it takes no frame that does not say the same of itself',
    async () => {
      const { id } = await visit.create();
      visit.pageHeaders.set('cross-origin-embedder-policy', 'require-corp');
      visit.pageHeaders.set('cross-origin-opener-policy', 'same-origin');
      await visit.openForm(id);
      await visit.fill();
      await visit.payButton.click();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it.each(['', 'BAD', `${'0'.repeat(32)}_x`])(
    'is told by onError that %j is the id of no checkout',
    async (id) => {
      await visit.open(id, { options: '{onError(error) { window.told = error.name; }}' });
      await visit.page.waitForFunction('window.told !== undefined');
      expect(await visit.host.evaluate('window.told')).toBe('InvalidCheckoutIdError');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is told where the form does not come as the gateway made it',
    async () => {
      const { id } = await visit.create();
      await visit.page.route('**/widget.js', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: `${await response.text()};` });
      });
      await visit.open(id, { options: '{onError({ name }) { document.title = name; }}' });
      await visit.page.waitForFunction("document.title === 'WidgetError'");
      expect(await visit.page.locator('.wpwl-container').count()).toBe(0);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is told where a frame does not answer',
    async () => {
      const { id } = await visit.create();
      await visit.page.clock.install();
      await visit.page.route('**/field.html', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<p>something else</p>' }),
      );
      await visit.open(id, { options: '{onError({ name }) { document.title = name; }}' });
      await visit.frameOf('cvv').getByText('something else').waitFor();
      expect(await visit.page.title()).toBe('Shop');
      await visit.page.clock.runFor(20_000);
      expect(await visit.page.title()).toBe('PciIframeCommunicationError');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'reads no digit of number or code: not in its document, its events, its messages or its frames',
    async () => {
      const { id } = await visit.create();
      // The page listens to whatever it can, before the widget is there.
      const head = `<script>
        window.heard = [];
        for (const type of ['keydown', 'keyup', 'keypress', 'input', 'beforeinput', 'change', 'paste', 'focusin', 'message']) {
          addEventListener(type, (event) => heard.push([type, event.key, event.data, event.target?.value]), true);
        }
        const listen = MessagePort.prototype.postMessage;
        const { set } = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
        Object.defineProperty(MessagePort.prototype, 'onmessage', { set(handler) {
          set.call(this, (event) => { heard.push(['port', event.data]); handler(event); });
        } });
        MessagePort.prototype.postMessage = function (...words) { heard.push(['told', words]); listen.apply(this, words); };
      </script>`;
      await visit.openForm(id, { head });
      // It begins a channel of its own with the frames: all that is typed later would be told there.
      await visit.host.evaluate(`{
        window.told = [];
        for (const frame of document.querySelectorAll('iframe')) {
          const { port1, port2 } = new MessageChannel();
          set.call(port1, ({ data }) => told.push(data));
          const look = { kind: 'number', brands: [], brandPriority: [], style: {}, placeholderStyle: {} };
          frame.contentWindow.postMessage({ kind: 'begin', look }, '*', [port2]);
        }
      }`);
      await visit.number.pressSequentially('4111111111111111');
      await visit.code.pressSequentially('739');
      await visit.page.locator('.wpwl-control-expiry').pressSequentially('0534');
      const seen = await visit.host.evaluate(`({
        heard: heard.length,
        text: JSON.stringify(heard) + document.documentElement.outerHTML +
          Array.from(document.querySelectorAll('input, select'), (one) => one.value).join(),
        frames: Array.from(document.querySelectorAll('iframe'), (frame) => {
          try { return [frame.contentDocument, frame.contentWindow.sluiceCode?.(), frame.contentWindow.document.body.innerHTML]; }
          catch (error) { return error.name; }
        }),
      })`);
      const { heard, text, frames } = seen as { heard: number; text: string; frames: unknown };
      expect(heard).toBeGreaterThan(5);
      expect(frames).toEqual(['SecurityError', 'SecurityError']);
      expect(text).toContain('05 / 34');
      // Ids, hashes and ports have any digits, by chance these.
      const said = text.replaceAll(/[0-9a-f]{24,}|sha384-[\w+/=]+|:\d+\//gi, '');
      expect(said).not.toMatch(/4111|1111 1111|739/);
      expect(await visit.host.evaluate('window.told')).toEqual([]);
      await visit.page.locator('.wpwl-control-cardHolder').fill(CARD.holder);
      await visit.payButton.click();
      await visit.isBack();
      expect(await codeOf(visit.read())).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );
});
