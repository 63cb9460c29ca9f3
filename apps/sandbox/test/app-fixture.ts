import { AppSdk, type AppSdkWish, type TestSandbox, type ToldToApp } from '@sluice/testing';
import type { PublicCard } from './authentication-cards.js';
import { type Authenticated, SHOPPER, untilDecided } from './authentication-fixture.js';
import { type Fields, MONEY, send } from './demo-merchant-fixture.js';

/** What issuers want to know of a shopper in an app: there is no browser. */
const WITHOUT_BROWSER: Fields = Object.fromEntries(
  Object.entries(SHOPPER).filter(([name]) => !name.startsWith('customer.browser.')),
);

/** A payment in an app, and the SDK that has made what was sent with it. */
export interface PaidInApp {
  readonly sdk: AppSdk;
  readonly asked: Authenticated;
}

/** A merchant's server with an app, at a sandbox. */
export class AppShopper {
  constructor(private readonly sandbox: () => Pick<TestSandbox, 'url'>) {}

  /** Pays, or has the shopper authenticated alone. */
  async pay(
    card: Pick<PublicCard, 'brand' | 'number'>,
    fields: Fields = {},
    wish: AppSdkWish & { readonly path?: string } = {},
  ): Promise<PaidInApp> {
    const { path = '/v1/payments', ...ofSdk } = wish;
    const sdk = await AppSdk.create(ofSdk);
    const { paymentType, ...money } = MONEY;
    const told: Fields = {
      ...{ ...money, ...(path === '/v1/payments' && { paymentType }), ...WITHOUT_BROWSER },
      ...{ paymentBrand: card.brand, 'card.number': card.number, 'card.holder': 'Jane Jones' },
      ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
      'card.cvv': card.brand === 'AMEX' ? '1234' : '123',
      'threeDSecure.deviceInfo': await sdk.deviceInfo(),
      ...fields,
    };
    return { sdk, asked: await send(this.sandbox(), ['POST', path], told) };
  }

  /** Reads until it is decided. */
  async decided(id: string): Promise<Authenticated> {
    return untilDecided(await this.read(id), () => this.read(id));
  }

  read(id: string): Promise<Authenticated> {
    return send(this.sandbox(), ['GET', `/v1/payments/${id}`]);
  }
}

/** What the merchant's server gives to its app. */
export function toldToApp({ threeDSecure }: Authenticated): ToldToApp {
  const { version, threeDSServerTransID, acsTransactionId, acsSignedContent } = threeDSecure ?? {};
  if (typeof acsSignedContent !== 'string') throw new Error('The app is told nothing.');
  return {
    ...{ version: String(version), threeDSServerTransID: String(threeDSServerTransID) },
    ...{ acsTransactionId: String(acsTransactionId), acsSignedContent },
  };
}
