import type { TestSandbox } from '@sluice/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { eciOf, type PublicCard } from './authentication-cards.js';
import { type Body, type Fields, MONEY, send } from './demo-merchant-fixture.js';
import { PlainBrowser, type PlainForm, type PlainPage } from './plain-browser.js';

/** Where shops of these specs are: nobody listens there, so browsers stop before it. */
export const SHOP = 'https://shop.example/result';
/** The code that a simulated issuer takes. */
export const RIGHT_CODE = '123456';

/** What issuers want to know of a shopper and his browser. */
export const SHOPPER: Fields = {
  ...{ 'customer.givenName': 'Jane', 'customer.surname': 'Jones', 'customer.ip': '192.0.2.1' },
  ...{ 'customer.email': 'jane.jones@shop.example', 'billing.street1': 'Main Street 7' },
  ...{ 'billing.city': 'Munich', 'billing.postcode': '80331', 'billing.country': 'DE' },
  ...{ 'customer.browser.acceptHeader': 'text/html', 'customer.browser.language': 'de-DE' },
  ...{ 'customer.browser.screenHeight': '900', 'customer.browser.screenWidth': '1440' },
  ...{ 'customer.browser.timezone': '-60', 'customer.browser.userAgent': 'Mozilla/5.0' },
  ...{ 'customer.browser.javaEnabled': 'false', 'customer.browser.screenColorDepth': '24' },
};

/** A payment as it is read, with what came of its authentication. */
export interface Authenticated extends Body {
  readonly threeDSecure?: Fields & { readonly liabilityShifts?: unknown };
  readonly redirect?: {
    readonly url: string;
    readonly preconditions?: readonly {
      readonly url: string;
      readonly parameters: readonly { readonly name: string; readonly value: string }[];
    }[];
  };
}

const PENDING = '000.200.000';
const DECIDED_WITHIN_MS = 15_000;
const LOOK_AGAIN_MS = 100;

/** The payment once it is decided: on a busy machine a shopper may be back before his issuer has spoken. */
export async function untilDecided(
  payment: Authenticated,
  readAgain: () => Promise<Authenticated>,
): Promise<Authenticated> {
  const endMs = Date.now() + DECIDED_WITHIN_MS;
  let read = payment;
  while (read.result.code === PENDING && Date.now() < endMs) {
    await pause(LOOK_AGAIN_MS);
    read = await readAgain();
  }
  return read;
}

/** What a simulated issuer has noted of an authentication. */
export interface IssuerNote {
  readonly threeDSServerTransID: string;
  readonly acsTransID: string;
  readonly bin: string;
  readonly last4: string;
  readonly status: string;
  readonly isDelivered: boolean;
  readonly windowSize?: string;
  readonly ending?: { readonly status: string; readonly challengeCancel?: string };
  readonly notes: readonly string[];
}

/** What a shopper does where he is asked. */
export type Act = 'cancel' | 'code' | 'leave' | 'wrong three times';

/** A merchant's server with a shopper whose browser has no scripts, at a sandbox. */
export class PlainShopper {
  readonly browser = new PlainBrowser((url) => url.startsWith(SHOP));

  constructor(private readonly sandbox: () => Pick<TestSandbox, 'url'>) {}

  pay(card: Pick<PublicCard, 'brand' | 'number'>, fields: Fields = {}): Promise<Authenticated> {
    const told = {
      ...{ ...MONEY, ...SHOPPER, paymentBrand: card.brand, shopperResultUrl: SHOP },
      ...{ 'card.number': card.number, 'card.holder': 'Jane Jones' },
      ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
      'card.cvv': card.brand === 'AMEX' ? '1234' : '123',
      ...fields,
    };
    return send(this.sandbox(), ['POST', '/v1/payments'], told);
  }

  read(id: string): Promise<Authenticated> {
    return send(this.sandbox(), ['GET', `/v1/payments/${id}`]);
  }

  /** Loads what comes before, as a hidden frame does that ends with the gateway's word. */
  async prepare({ redirect }: Authenticated): Promise<void> {
    for (const { url, parameters } of redirect?.preconditions ?? []) {
      const fields = Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
      const [done] = (await this.browser.submit({ url, fields })).forms;
      if (done === undefined) throw new Error('The page of the 3DS method leads nowhere.');
      const end = await this.browser.submit(done);
      if (end.status !== 200) throw new Error(`The end of the 3DS method is ${end.text}.`);
    }
  }

  /** To the issuer, over pages of the gateway that come again by themselves. */
  async go({ redirect }: Authenticated): Promise<PlainPage> {
    if (redirect === undefined) throw new Error('The payment has no redirect.');
    let page = await this.browser.open(redirect.url);
    for (;;) {
      const [form] = page.forms;
      if (page.url.startsWith(SHOP) || page.url.includes('/challenge')) return page;
      const next = page.refresh?.replace(/^[^=]*url=/u, '') ?? continueIn(page);
      if (next !== undefined) page = await this.browser.open(new URL(next, page.url).href);
      else if (form === undefined) throw new Error(`Nothing leads on: ${page.text}`);
      else page = await this.browser.submit(form);
    }
  }

  /** What he says on the issuer's page; the page after it. */
  async act(page: PlainPage, act: Act): Promise<PlainPage> {
    const [form] = page.forms;
    if (form === undefined) throw new Error(`Nobody asks: ${page.text}`);
    switch (act) {
      case 'leave':
        return page;
      case 'cancel':
        return this.#sentOn(await this.browser.submit(form, { action: 'cancel' }));
      case 'code':
        return this.#sentOn(await this.browser.submit(form, { answer: RIGHT_CODE }));
      case 'wrong three times': {
        const wrong = { answer: '654321' };
        await this.browser.submit(form, wrong);
        await this.browser.submit(form, wrong);
        return this.#sentOn(await this.browser.submit(form, wrong));
      }
    }
  }

  /** The issuers' book. */
  async issuers(): Promise<readonly IssuerNote[]> {
    const response = await fetch(`${this.sandbox().url}/simulator/3ds/book`);
    const lines = (await response.text()).trim().split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as IssuerNote);
  }

  /** What the issuer has noted of a payment, by the id of its authentication there. */
  async noted({ threeDSecure }: Authenticated): Promise<IssuerNote | undefined> {
    const id = threeDSecure?.['acsTransactionId'];
    return (await this.issuers()).find(({ acsTransID }) => acsTransID === id);
  }

  /** The issuer's last page sends CRes back. */
  async #sentOn(page: PlainPage): Promise<PlainPage> {
    const form = returnIn(page);
    return form === undefined ? page : this.browser.submit(form);
  }
}

/** The form with CRes. */
export function returnIn({ forms }: PlainPage): PlainForm | undefined {
  return forms.find(({ fields }) => fields['cres'] !== undefined);
}

/** Where the gateway's page goes on. */
function continueIn({ text }: PlainPage): string | undefined {
  return /<a class="button main" href="([^"]*)"/u.exec(text)?.[1];
}

/** What an answer says of an authentication that ended so. */
export function outcome(
  { brand }: Pick<PublicCard, 'brand'>,
  status: 'A' | 'N' | 'U' | 'Y',
  flow: 'challenge' | 'frictionless',
) {
  return { authenticationStatus: status, flow, eci: eciOf(brand, status) };
}
