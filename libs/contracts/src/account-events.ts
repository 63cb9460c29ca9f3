import type { EntityId } from '@sluice/identifiers';
import {
  authenticationDemands,
  type AuthenticationNetwork,
  type AuthenticationSettings,
  endStatuses,
} from './authentications.js';
import type { SwitchSettings } from './compatibility.js';
import type { Currency } from '@sluice/money';
import { amount } from './event-codec.js';
import { type EventsOf, eventTable } from './event-table.js';
import {
  type MerchantAccountId,
  modes,
  type RouteId,
  secretKinds,
  type StoredSecret,
} from './routing.js';
import { missedRunChoices, type ScheduleSettings } from './scheduling.js';
import {
  byName,
  closed,
  described,
  flag,
  formed,
  integer,
  listOf,
  oneOf,
  type Schema,
  text,
  texts,
} from './schema.js';

/** Who changed the account tree, and when. */
export interface AccountEventMetadata {
  /** When it was decided, milliseconds since the epoch, by the clock of the deciding process. */
  readonly recordedAtMs: number;
  /** `seed` for what an installation reads from its seed file at its start. */
  readonly actor: string;
  readonly correlationId: string;
  readonly causationId: string;
}

/** The levels of the tree PSP > division > merchant > channel. */
export const nodeKinds = ['psp', 'division', 'merchant', 'channel'] as const;

/** What gives access to a node: the keyed hash of a token, or of a user and a password. */
export const credentialKinds = ['accessToken', 'legacy'] as const;

/** What storing an account again makes: always a new registration, or none where one exists. */
export const registrationChoices = ['new', 'existing'] as const;

/** One of them. */
export type RegistrationChoice = (typeof registrationChoices)[number];

/** The scheme of an app's URLs as the directory has it: in small letters (RFC 3986, 3.1). */
export const APP_SCHEME = /^[a-z][a-z0-9+.-]{1,60}$/;

const nodeId = formed<EntityId>('^[0-9a-f]{32}$');
const compatibility: Schema<SwitchSettings> = { type: 'object', additionalProperties: flag };
const terms = {
  name: text,
  manualChargebacks: described(flag, 'Chargebacks may be recorded over HTTP; channels only.'),
  compatibility: described(compatibility, 'Compatibility switches that are on or off, by name.'),
};
const requestor = closed({
  requestorId: described(text, 'Who the merchant is to the directory server of this network.'),
  requestorName: text,
  acquirerBin: formed('^[0-9]{6,11}$', "The acquirer's number there."),
  acquirerMerchantId: described(text, 'What the acquirer calls the merchant.'),
});
const requestors = {
  ...{ visa: requestor, mastercard: requestor, amex: requestor, diners: requestor },
  ...{ jcb: requestor, cartebancaire: requestor, unionpay: requestor },
} satisfies Record<AuthenticationNetwork, typeof requestor>;
const threeDSecure: Schema<AuthenticationSettings> = closed({
  authenticates: oneOf(authenticationDemands, 'Which payments of shoppers by card: all, or some.'),
  goesOnWith: listOf(oneOf(endStatuses), 'The results with which a payment goes on.'),
  merchantName: described(text, 'As on the statement of the shopper.'),
  merchantCountry: formed('^[A-Z]{2}$', 'ISO 3166-1.'),
  merchantCategoryCode: formed('^[0-9]{4}$', 'ISO 18245.'),
  merchantUrl: described(text, 'Of the shop.'),
  requestors: described(closed({}, requestors), 'By network; others authenticate nobody.'),
});
const schedules: Schema<ScheduleSettings> = closed({
  timeZone: described(text, 'IANA name of the zone in which they are read.'),
  missedRuns: oneOf(
    missedRunChoices,
    'What becomes of times that nobody was there at: one run for all of them, or none.',
  ),
});
const ofSome = {
  parentId: described(nodeId, 'Absent for a PSP only.'),
  registrations: described(
    oneOf(registrationChoices),
    'What storing the same account again makes: a new registration, or none where one exists.',
  ),
  appSchemes: described(
    listOf(formed(APP_SCHEME.source)),
    'URL schemes of apps that shoppers may be sent back to, beside http and https.',
  ),
  shoppersMayDelete: described(
    flag,
    'Whether shoppers may delete the stored accounts that a checkout offers them.',
  ),
  threeDSecure: described(threeDSecure, 'How shoppers are authenticated by 3-D Secure.'),
  schedules: described(schedules, 'When schedules run.'),
};
const credential = closed({
  kind: oneOf(credentialKinds),
  hash: formed('^[0-9a-f]{64}$', 'By the key of the installation, which is in no database.'),
});

const merchantAccountId = formed<MerchantAccountId>('^[0-9a-f]{32}$');
const routeId = formed<RouteId>('^[0-9a-f]{32}$');
const storedSecret: Schema<StoredSecret> = closed({
  kind: oneOf(secretKinds),
  reference: formed(
    '^secret:[a-z0-9][a-z0-9-]{0,62}(?:/[a-z0-9][a-z0-9-]{0,62}){0,3}$',
    'Names a secret that the installation mounts.',
  ),
});
const endpoint = closed({
  address: described(text, 'A URL without user and password.'),
  acquirerMerchantId: described(text, 'Who the merchant is to the acquirer.'),
  settings: described(texts, "By the connector's own names; nothing secret."),
  credentials: byName(storedSecret, "By the connector's own names; never in clear."),
});
const merchantAccount = {
  name: text,
  connector: described(text, 'As request events of payments name it.'),
  endpoints: described(
    closed({}, { EXTERNAL: endpoint, LIVE: endpoint }),
    'By mode; in the mode INTERNAL the simulator plays the acquirer.',
  ),
};
const route = {
  merchantAccountId,
  modes: listOf(oneOf(modes)),
  priority: described(integer, 'The lowest comes first.'),
  weight: described(integer, 'Its share among routes of the same priority.'),
};
const conditions = {
  methods: listOf(formed('^[A-Z]{2}$'), 'Interface 2.19 `paymentMethods`.'),
  brands: listOf(text, '`paymentBrand`.'),
  currencies: listOf(formed<Currency>('^[A-Z]{3}$')),
  binCountries: listOf(formed('^[A-Z]{2}$'), "Of the card's issuer, ISO 3166-1."),
  amountFrom: described(amount, 'Inclusive.'),
  amountTo: described(amount, 'Inclusive, of the same currency.'),
  takesDeclined: described(
    flag,
    'Whether it takes what another account has declined; absent: it does not.',
  ),
};

/** Everything that can have happened to a node of the account tree; its id is the stream's. */
export const accountEvents = eventTable({
  NodeAdded: {
    version: 1,
    description: 'A PSP, division, merchant or channel was added to the tree.',
    data: closed({ nodeId, kind: oneOf(nodeKinds), ...terms }, ofSome),
  },
  NodeChanged: {
    version: 1,
    description: 'It has another name, place or other switches than before; all of them are said.',
    data: closed({ nodeId, ...terms }, ofSome),
  },
  CredentialGranted: {
    version: 1,
    description: 'A credential is good for this node and all below.',
    data: closed({ nodeId, credential }),
  },
  CredentialRevoked: {
    version: 1,
    description: 'A credential is good for this node no more.',
    data: closed({ nodeId, credential }),
  },
  MerchantAccountConfigured: {
    version: 1,
    description:
      'The node, and all below, can have payments on this account with an acquirer; all of it is said.',
    data: closed({ nodeId, merchantAccountId, ...merchantAccount }),
  },
  MerchantAccountRemoved: {
    version: 1,
    description: 'It takes no payments any more.',
    data: closed({ nodeId, merchantAccountId }),
  },
  RouteConfigured: {
    version: 1,
    description:
      'Payments of the node and of all below may go to a merchant account if all of this holds.',
    data: closed({ nodeId, routeId, ...route }, conditions),
  },
  RouteRemoved: {
    version: 1,
    description: 'No new payment goes this way any more.',
    data: closed({ nodeId, routeId }),
  },
});

/** The data of each event of a node, by its name. */
export type AccountEvents = EventsOf<typeof accountEvents>;
