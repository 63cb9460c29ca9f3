import { servedPaymentMethods } from '@sluice/contracts';
import { MERCHANT_ACCOUNTS_MAX, ROUTES_MAX, type RoutingRefusal } from './routing-decisions.js';

/** Why merchant accounts and routes are refused, for the person who wrote them; no value is repeated. */
export const routingSentences: Readonly<Record<RoutingRefusal, string>> = {
  unknownNode: 'there is no such node in the account tree',
  unknownMerchantAccount: 'neither the node nor one above it has this merchant account',
  unknownRoute: 'the node has no such route',
  idTaken: 'another node has a merchant account with this id',
  otherConnector:
    'a merchant account stays with its connector, because its payments are with that acquirer: make another account',
  otherMerchantId:
    'a merchant account keeps its "acquirerMerchantId" and the setting "acquirerId", because the acquirer has its payments under them: make another account, lead the routes there, and keep this one',
  endpointMissing: 'the merchant account has no endpoint for a mode of the route',
  inUse: 'a route leads to it in a mode that would go: change or remove the route first',
  tooManyMerchantAccounts: `a node has at most ${MERCHANT_ACCOUNTS_MAX} merchant accounts`,
  tooManyRoutes: `a node has at most ${ROUTES_MAX} routes`,
  malformedId: 'an id must be 32 lowercase hexadecimal digits',
  malformedName:
    'the name of a merchant account has 1 to 32 letters, digits, spaces, dots, dashes or underscores',
  malformedConnector:
    'a connector is named by 1 to 32 lowercase letters, digits and dashes, as in request events',
  noEndpoint: 'a merchant account needs an endpoint: LIVE, EXTERNAL or both',
  malformedAddress:
    'an address must be a URL with https, http, tls, tcp or sftp, or "installation:" and the connector',
  addressNotEncrypted: 'in the mode LIVE an address must be https, not http',
  secretInAddress: 'an address must be without user, password, query and fragment',
  settingsOfInstallation:
    "an endpoint at the installation's own acquirer has no settings or credentials of its own",
  malformedAcquirerMerchantId: '"acquirerMerchantId" must be 1 to 64 printable characters of ASCII',
  malformedSetting:
    'settings and credentials have names like "terminalId", and values of printable characters',
  secretInSettings: 'a setting with the name of a secret belongs among the credentials',
  secretInClear:
    'a credential must name a mounted secret, e.g. "secret:acquirer-a/key"; it is never said in clear',
  tooManySettings: 'an endpoint has too many settings or credentials',
  malformedCondition:
    'the values of a condition are not of its form, or there are none or too many of them',
  repeatedCondition: 'a condition has a value twice',
  unknownMethod: `no payment has a method of the route: the methods are ${servedPaymentMethods.join(', ')}`,
  unknownBrand:
    'no payment has a brand of the route: they are written as in "paymentBrand" ("MASTER" for Mastercard), and wallets are the method "WA"; other brands, which only tokens of other providers have, need "ET" among the methods',
  unknownCountry:
    'a country of the route is none of ISO 3166-1, which has two letters for each, as "GB" for the United Kingdom',
  malformedAmountRange: 'the amounts of a route must not be negative, nor the first above the last',
  amountRangeOfOtherCurrency: 'the amounts and currencies of a route must be of one currency',
  malformedPriority: 'a priority must be a whole number from 0 to 999',
  malformedWeight: 'a weight must be a whole number from 1 to 1000',
  declinedWithoutCards:
    '"takesDeclined" is about declined cards, and the methods of the route have no "CC"',
  declinedWithoutAdvice:
    '"takesDeclined" is about cards whose issuers advise, those of Visa and Mastercard, and no brand of the route is one',
};
