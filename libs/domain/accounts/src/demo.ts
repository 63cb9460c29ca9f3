import {
  authenticationNetworks,
  type AuthenticationSettings,
  installationAddress,
  type MerchantAccount,
  type Route,
} from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import { AccessToken } from '@sluice/secrets';
import { channelAccounts, derivedEntityId } from './account-tree.js';
import { derivedAccountId, derivedRouteId } from './routing-ids.js';
import type { SeedAccount, SeedChannel, SeedTerms } from './seed-account.js';

/** The demo channel's entity id, the same in every sandbox, and in the family's public examples. */
export const DEMO_ENTITY_ID = '8a8294174b7ecb28014b9699220015ca' as EntityId;
/** The demo channel's access token: public on purpose, and valid only in sandboxes. */
export const DEMO_ACCESS_TOKEN = 'sluice-demo-access-token-for-sandboxes-only';
/** The demo channel's legacy `authentication.userId`, also in the family's public examples. */
export const DEMO_USER_ID = '8a8294174b7ecb28014b9699220015cc';
/** The demo channel's legacy `authentication.password`: public on purpose as well. */
export const DEMO_PASSWORD = 'sluice-demo';
/**
 * The credentials that the public documentation of the interface family prints for that entity, so
 * that a published example runs once its host is changed (D-68).
 */
export const PUBLISHED_PASSWORD = 'sy6KJsT8';
/** The same as an access token: `user|password` in base64. */
export const PUBLISHED_ACCESS_TOKEN = 'OGE4Mjk0MTc0YjdlY2IyODAxNGI5Njk5MjIwMDE1Y2N8c3k2S0pzVDg=';

/** The entity of the older public examples, which have the same user. */
export const OLDER_ENTITY_ID = '8a8294174b7ecb28014b9699a3cf15d1' as EntityId;

const DEMO_MERCHANT = 'Sluice Demo Merchant';

/** On demand, so that a test card is paid with as ever, and with 3-D Secure where a test wants it. */
const demoThreeDSecure: AuthenticationSettings = {
  ...({ authenticates: 'onDemand', goesOnWith: ['Y', 'A'] } as const),
  ...{ merchantName: 'Sluice Demo Shop', merchantCountry: 'DE', merchantCategoryCode: '5999' },
  merchantUrl: 'https://shop.example',
  requestors: Object.fromEntries(
    authenticationNetworks.map((network) => [
      network,
      {
        ...{ requestorId: 'SLUICE-DEMO', requestorName: 'Sluice Demo Shop' },
        ...{ acquirerBin: '400000', acquirerMerchantId: 'SLUICE-DEMO' },
      },
    ]),
  ),
};

const published: Omit<SeedTerms, 'compatibility'> = {
  accessTokens: [new AccessToken(PUBLISHED_ACCESS_TOKEN)],
  legacyCredentials: [{ userId: DEMO_USER_ID, password: new AccessToken(PUBLISHED_PASSWORD) }],
};

/** The channel that every sandbox has, so that an example works as printed. */
export const demoChannel: SeedChannel = {
  entityId: DEMO_ENTITY_ID,
  name: 'Sluice Demo Shop',
  merchant: DEMO_MERCHANT,
  accessTokens: [new AccessToken(DEMO_ACCESS_TOKEN), ...published.accessTokens],
  legacyCredentials: [
    { userId: DEMO_USER_ID, password: new AccessToken(DEMO_PASSWORD) },
    ...published.legacyCredentials,
  ],
  compatibility: {},
  threeDSecure: demoThreeDSecure,
};

const olderChannel: SeedChannel = {
  entityId: OLDER_ENTITY_ID,
  name: 'Sluice Demo Shop of older examples',
  merchant: DEMO_MERCHANT,
  ...published,
  compatibility: {},
  threeDSecure: demoThreeDSecure,
};

const DEMO_MERCHANT_ID = derivedEntityId('merchant', DEMO_MERCHANT);
const SIMULATOR = 'simulator';

/** The simulator as an acquirer's test system, which test suites reach with `testMode=EXTERNAL`. */
export const demoMerchantAccount: MerchantAccount = {
  ...{ id: derivedAccountId(DEMO_MERCHANT_ID, 'Simulator'), name: 'Simulator' },
  connector: SIMULATOR,
  endpoints: {
    EXTERNAL: {
      ...{ address: installationAddress(SIMULATOR), acquirerMerchantId: 'SLUICE-DEMO' },
      ...{ settings: {}, credentials: {} },
    },
  },
};

/** From every channel of the demo merchant to it. */
export const demoRoute: Route = {
  id: derivedRouteId(DEMO_MERCHANT_ID, 0),
  merchantAccountId: demoMerchantAccount.id,
  ...{ modes: ['EXTERNAL'], priority: 0, weight: 1 },
};

/** Both with the nodes above them: what every sandbox has. */
export const demoAccounts: readonly SeedAccount[] = [
  ...channelAccounts(demoChannel).map((account) =>
    account.id === DEMO_MERCHANT_ID
      ? { ...account, merchantAccounts: [demoMerchantAccount], routes: [demoRoute] }
      : account,
  ),
  ...channelAccounts(olderChannel).filter(({ kind }) => kind === 'channel'),
];

/** The channels of `demoAccounts`, which no seed may have. */
export const demoEntityIds: ReadonlySet<string> = new Set(
  demoAccounts.filter(({ kind }) => kind === 'channel').map(({ id }) => id),
);
