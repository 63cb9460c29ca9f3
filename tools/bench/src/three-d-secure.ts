import { runningPostgres } from '@sluice/embedded-postgres';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { ComparedPayments, type Kind } from './compared-payments.js';
import { InstallationWork } from './end-of-work.js';
import { benchChannels, startUnderTest } from './installation-under-test.js';
import { offer } from './ladder.js';
import type { PreparedRequest } from './open-loop.js';
import { request } from './payment-requests.js';
import type { RiskWish } from './risk.js';

/*
 * `npm run bench -- --three-d-secure`: what a payment takes whose shopper is authenticated without being asked,
 * beside the same one without 3-D Secure, in a cluster. There the simulator, which plays directory servers and
 * issuers as it plays acquirers, is a process of its own, and its time is taken off. Both are offered in turn.
 */

/** A payment that is authenticated may take so much of one that is not. */
export const COST_BAR = 2.2;
/** What the table calls them. */
export const TITLES = {
  plain: 'payment without 3-D Secure',
  other: 'payment with frictionless 3-D Secure',
} as const;
const DATABASE = 'sluice';

/** As a merchant sets it up; each payment by card is authenticated. */
const SETTINGS = {
  ...{ authenticates: 'always', goesOnWith: ['Y', 'A'], merchantName: 'Bench merchant' },
  ...{ merchantCountry: 'DE', merchantCategoryCode: '5942', merchantUrl: 'https://shop.example' },
  requestors: {
    visa: {
      ...{ requestorId: 'BENCH', requestorName: 'Bench merchant' },
      ...{ acquirerBin: '400000', acquirerMerchantId: 'BENCH' },
    },
  },
};
/** The second one is an issuer's who says yes without a page to load and without a question. */
const PAYING: Readonly<
  Record<Kind, { readonly channel: (typeof benchChannels)[number]; readonly card: string }>
> = {
  plain: { channel: benchChannels[0], card: '4200000000000000' },
  other: { channel: benchChannels[1], card: '4200000000000026' },
};

/** Measures all rates; what there is to say is said as it comes. */
export async function threeDSecure(
  wish: RiskWish,
  warmUp: { readonly rate: number; readonly seconds: number },
  say: (line: string) => void,
): Promise<void> {
  say(`cluster: start, ${warmUp.seconds} s of warm-up …`);
  const installation = await startUnderTest('cluster', {
    arguments: ['--log-level', 'warn', '--throttle', '0', '--throttle-reads', '0'],
    ofSecondChannel: { threeDSecure: SETTINGS },
  });
  try {
    await offer(installation, warmUp.rate, warmUp.seconds);
    const work = await InstallationWork.of(installation);
    const url = new URL((await runningPostgres(installation.dataFolder)) ?? '');
    url.pathname = `/${DATABASE}`;
    const database = new pg.Client({ connectionString: url.href });
    await database.connect();
    const payments = new ComparedPayments(installation, work, {
      ...{ titles: TITLES, preparing, bar: COST_BAR },
      count: async () =>
        (await database.query<{ count: number }>(FRICTIONLESS)).rows[0]?.count ?? 0,
    });
    for (const rate of wish.rates) {
      const lines = await payments.lines({ rate, seconds: wish.seconds }, wish.rounds);
      for (const line of lines) say(line);
    }
    await database.end();
    await work.close();
  } finally {
    await installation.stop();
  }
}

/** Payments that went on because an issuer had said yes. */
const FRICTIONLESS = `SELECT count(*)::int FROM payments.events WHERE type = 'AuthenticationCompleted'`;

/** Payments of both kinds say the same of their shopper. */
export function preparing(kind: Kind): (index: number) => PreparedRequest {
  const { channel, card } = PAYING[kind];
  return () => {
    const form = new URLSearchParams({
      ...{ entityId: channel.entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' },
      merchantTransactionId: `bench-${randomBytes(8).toString('hex')}`,
      ...{ paymentBrand: 'VISA', 'card.number': card, 'card.cvv': '123' },
      ...{ 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
      ...{ 'customer.givenName': 'Jane', 'customer.surname': 'Jones' },
      ...{ 'customer.email': 'jane@shop.example', 'customer.ip': '192.0.2.1' },
      ...{ 'billing.street1': 'Main Street 7', 'billing.city': 'Munich' },
      ...{ 'billing.postcode': '80331', 'billing.country': 'DE' },
      ...{ 'customer.browser.acceptHeader': 'text/html', 'customer.browser.language': 'de-DE' },
      ...{ 'customer.browser.screenHeight': '900', 'customer.browser.screenWidth': '1440' },
      ...{ 'customer.browser.timezone': '-60', 'customer.browser.userAgent': 'Mozilla/5.0' },
      ...{
        'customer.browser.javaEnabled': 'false',
        shopperResultUrl: 'https://shop.example/result',
      },
    });
    return request('/v1/payments', channel, form.toString());
  };
}
