import type {
  OfferedApplePay,
  OfferedClickToPay,
  OfferedGooglePay,
  OfferedWalletsAnswer,
  OfferedWalletsQuery,
} from '@sluice/contracts';
import type { ClickToPayMerchant, WalletMerchants } from './wallet-merchants.js';

/** The providers' own addresses; they change what is there as they like, so no hash can be given. */
const APPLE_PAY_SCRIPT = 'https://applepay.cdn-apple.com/jsapi/1.latest/apple-pay-sdk.js';
const GOOGLE_PAY_SCRIPT = 'https://pay.google.com/gp/p/js/pay.js';
/** Where the simulator's scripts are below its pages, and where it confirms pages. */
const SIMULATED_SCRIPTS = {
  applePay: '/wallets/apple-pay.js',
  googlePay: '/wallets/google-pay.js',
  clickToPay: '/wallets/click-to-pay.js',
};
/** Below the simulator's own address as below that of its pages. */
export const SIMULATED_SESSION = '/wallets/applePay/session';
/** Of a shop of tests; the simulator asks nobody about it. */
const SIMULATED_COUNTRY = 'DE';
/** The simulator's name as a gateway is its own affair: its tokens name it whatever a page says. */
const SIMULATED_GATEWAY = 'sluice-sandbox';
/** As whom it knows every shop, and where its script leaves its interface. */
const SIMULATED_SRC = {
  ...{ srcInitiatorId: 'sluice-sandbox', srciDpaId: 'sluice-sandbox' },
  global: 'SluiceSimulatedSrc',
};

/** A simulator that plays the wallets of a test installation. */
export interface SimulatedWallets {
  /** Where this service calls it, without a slash at the end. */
  readonly url: string;
  /** Where browsers find its pages: an address, or a path below the gateway's own. */
  readonly pages: string;
}

/** Who takes wallets on pages: merchants by themselves, or in tests a simulator for all. */
export interface WalletsInUse {
  readonly merchants: WalletMerchants;
  readonly simulated?: SimulatedWallets;
}

/** Where browsers find the simulator; nothing for what is paid with real money. */
export function simulatorFor(
  { simulated }: WalletsInUse,
  { mode, publicUrl }: OfferedWalletsQuery,
): { readonly url: string; readonly pages: string } | undefined {
  if (simulated === undefined || mode === 'LIVE') return undefined;
  const { url, pages } = simulated;
  return { url, pages: pages.startsWith('/') ? `${publicUrl}${pages}` : pages };
}

/** The wallets of a page, and what it needs for their buttons. */
export function offeredWallets(
  inUse: WalletsInUse,
  asked: OfferedWalletsQuery,
): OfferedWalletsAnswer {
  const { merchants, simulated } = inUse;
  if (simulated !== undefined) {
    const simulator = simulatorFor(inUse, asked);
    return simulator === undefined ? {} : simulatedWallets(simulator.pages, asked);
  }
  const { entityIds, mode } = asked;
  const apple = merchants.applePayOf(entityIds);
  const google = merchants.googlePayOf(entityIds);
  const applePay: OfferedApplePay | undefined = apple && {
    ...{ script: APPLE_PAY_SCRIPT, isSimulated: false },
    ...shownOf(apple),
  };
  const googlePay: OfferedGooglePay | undefined = google && {
    ...{ script: GOOGLE_PAY_SCRIPT, isSimulated: false },
    environment: mode === 'LIVE' ? 'PRODUCTION' : 'TEST',
    ...{ gateway: google.gateway, gatewayMerchantId: entityIds[0] },
    ...(google.merchantId !== undefined && { merchantId: google.merchantId }),
    ...shownOf(google),
  };
  const src = merchants.clickToPayOf(entityIds);
  const clickToPay: OfferedClickToPay | undefined = src && { isSimulated: false, ...namedOf(src) };
  return {
    ...(applePay && { applePay }),
    ...(googlePay && { googlePay }),
    ...(clickToPay && { clickToPay }),
  };
}

function simulatedWallets(pages: string, { entityIds }: OfferedWalletsQuery): OfferedWalletsAnswer {
  const simulated = { isSimulated: true, countryCode: SIMULATED_COUNTRY };
  return {
    applePay: { script: `${pages}${SIMULATED_SCRIPTS.applePay}`, ...simulated },
    googlePay: {
      ...{ script: `${pages}${SIMULATED_SCRIPTS.googlePay}`, ...simulated, environment: 'TEST' },
      ...{ gateway: SIMULATED_GATEWAY, gatewayMerchantId: entityIds[0] },
    },
    clickToPay: {
      isSimulated: true,
      systems: [{ script: `${pages}${SIMULATED_SCRIPTS.clickToPay}`, ...SIMULATED_SRC }],
    },
  };
}

/** Without whose it is. */
function namedOf({
  systems,
  displayName,
}: ClickToPayMerchant): Omit<OfferedClickToPay, 'isSimulated'> {
  return { systems, ...(displayName !== undefined && { displayName }) };
}

function shownOf({
  displayName,
  countryCode,
}: {
  readonly displayName?: string;
  readonly countryCode: string;
}): Pick<OfferedApplePay, 'displayName' | 'countryCode'> {
  return { countryCode, ...(displayName !== undefined && { displayName }) };
}
