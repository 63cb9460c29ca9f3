import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { testKafka } from '@sluice/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '../src/free-ports.js';
import { HeldDirectory, type Hold } from './held-directory.js';
import { Services } from './services-fixture.js';

jest.setTimeout(120_000);

/** The demo channel, as the greeting of the sandbox prints it. */
const headers = { authorization: 'Bearer sluice-demo-access-token-for-sandboxes-only' };
const entityId = '8a8294174b7ecb28014b9699220015ca';
const APPROVED = '000.100.110';
const PENDING = '000.200.000';
const POLL_INTERVAL_MS = 500;
/** Risk asks again where nobody has heard an answer for this long, and a bit more. */
const ENDS_WITHIN_MS = 60_000;
const FRICTIONLESS = '4200000000000026';
const CHALLENGED = '4200000000000018';
const SHOP = 'https://shop.example/result';

interface Answer {
  readonly id: string;
  readonly result: { readonly code: string };
  readonly redirect?: { readonly url: string };
  readonly threeDSecure?: object;
}

const kafka = testKafka();
let directory: HeldDirectory;
let services: Services;
beforeAll(async () => {
  const [directoryPort, resultsPort] = await freePorts(2);
  directory = new HeldDirectory(`http://127.0.0.1:${directoryPort}`);
  await directory.listen();
  services = new Services(kafka, {
    SIMULATOR_DIRECTORY_PORT: String(directoryPort),
    RISK_TEST_DIRECTORY_URL: directory.url,
    RISK_RESULTS_PORT: String(resultsPort),
  });
  await services.start();
  await rangesAreKnown();
}, 180_000);
afterAll(async () => {
  await services.remove();
  await directory.close();
}, 60_000);

/** Risk fetches them once it has started. */
async function rangesAreKnown(): Promise<void> {
  const risk = services.processes.get('risk');
  await risk?.logged('The card ranges of a directory server are fresh.');
  await pause(POLL_INTERVAL_MS);
}

async function pay(number: string): Promise<Answer> {
  const body = new URLSearchParams({
    ...{ entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB', paymentBrand: 'VISA' },
    ...{ 'card.number': number, 'card.holder': 'Jane Jones', 'card.cvv': '123' },
    ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', shopperResultUrl: SHOP },
    ...{ 'customer.browser.acceptHeader': 'text/html', 'customer.browser.language': 'de' },
    ...{ 'customer.browser.screenHeight': '900', 'customer.browser.screenWidth': '1440' },
    ...{ 'customer.browser.timezone': '-60', 'customer.browser.userAgent': 'Mozilla/5.0' },
    'customer.browser.javaEnabled': 'false',
  });
  const paid = await fetch(`${services.url}/v1/payments`, { method: 'POST', headers, body });
  return (await paid.json()) as Answer;
}

async function read(id: string): Promise<Answer> {
  const url = `${services.url}/v1/payments/${id}?entityId=${entityId}`;
  return (await (await fetch(url, { headers })).json()) as Answer;
}

/** The shopper's browser comes again and again, as the page has it. */
async function decided({ id, redirect }: Answer): Promise<Answer> {
  const giveUpAtMs = Date.now() + ENDS_WITHIN_MS;
  for (;;) {
    await fetch(`${redirect?.url ?? ''}?waits=1`, { redirect: 'manual' });
    const now = await read(id);
    if (now.result.code !== PENDING || Date.now() > giveUpAtMs) return now;
    await pause(POLL_INTERVAL_MS);
  }
}

/** How often the acquirer has booked a payment. */
async function booked({ id }: Answer): Promise<number> {
  const started = services.processes.get('simulator');
  const line = await started?.logged('The simulator takes transactions.');
  const book = await (await fetch(`${String(line?.['url'])}/book`)).text();
  return book.split(`"reference":"${id}"`).length - 1;
}

async function killRisk(): Promise<void> {
  const risk = services.processes.get('risk');
  await risk?.kill();
  expect((await risk?.ended)?.signal).toBe('SIGKILL');
}

describe('a payment whose risk is killed', () => {
  it.each<[Hold, string]>([
    ['request', 'before the issuer has heard of it'],
    ['answer', 'after the issuer has answered'],
  ])('while it asks (the %s is lost), %s, is authenticated and made once', async (hold) => {
    directory.hold = hold;
    const before = directory.held;
    const payment = await pay(FRICTIONLESS);
    expect(payment.result.code).toBe(PENDING);
    expect(directory.held).toBe(before + 1);
    await killRisk();
    directory.hold = undefined;
    await services.startRisk();
    const { result, threeDSecure } = await decided(payment);
    expect(result.code).toBe(APPROVED);
    expect(threeDSecure).toMatchObject({ authenticationStatus: 'Y', flow: 'frictionless' });
    expect(await booked(payment)).toBe(1);
  });

  it('while the issuer asks the shopper is made once he has answered', async () => {
    const payment = await pay(CHALLENGED);
    const onward = await (await fetch(payment.redirect?.url ?? '')).text();
    const [, address = ''] = /action="([^"]*)"/u.exec(onward) ?? [];
    const [, creq = ''] = /name="creq" value="([^"]*)"/u.exec(onward) ?? [];
    const page = await fetch(address, { method: 'POST', body: new URLSearchParams({ creq }) });
    expect(await page.text()).toContain('Code from your text message');
    await killRisk();
    await services.startRisk();
    const answer = new URLSearchParams({ answer: '123456' });
    const last = await (await fetch(page.url, { method: 'POST', body: answer })).text();
    const [, cres = ''] = /name="cres" value="([^"]*)"/u.exec(last) ?? [];
    const back = await fetch(`${payment.redirect?.url ?? ''}/return`, {
      ...{ method: 'POST', body: new URLSearchParams({ cres }), redirect: 'manual' },
    });
    expect(back.headers.get('location')).toContain(`${SHOP}?id=${payment.id}`);
    const { result, threeDSecure } = await read(payment.id);
    expect(result.code).toBe(APPROVED);
    expect(threeDSecure).toMatchObject({ authenticationStatus: 'Y', flow: 'challenge' });
    expect(await booked(payment)).toBe(1);
  });
});
