import {
  authenticationDemands,
  authenticationNetworks,
  type AuthenticationRequestor,
  type AuthenticationSettings,
  endStatuses,
} from '@sluice/contracts';
import { isCountry } from '@sluice/parameters';
import type { LocatedValue } from './located-json.js';
import { itemsOf, type Members, membersOf, quoted, SeedRefused, textOf } from './seed-values.js';

/** EMV 3-D Secure: `merchantName` and `threeDSRequestorName`. */
const NAME_CHARACTERS_MAX = 40;
/** The same: `threeDSRequestorID` and `acquirerMerchantID`. */
const ID_CHARACTERS_MAX = 35;
/** The same: `threeDSRequestorURL`. */
const URL_CHARACTERS_MAX = 2_048;
/** What is no longer than this is of no form that is asked for, or of one of the few words. */
const WORD_CHARACTERS_MAX = 100;

const SETTINGS_MEMBERS = [
  ...['authenticates', 'goesOnWith', 'merchantName', 'merchantCountry', 'merchantCategoryCode'],
  ...['merchantUrl', 'requestors'],
];
const REQUESTOR_MEMBERS = ['requestorId', 'requestorName', 'acquirerBin', 'acquirerMerchantId'];

const CATEGORY_CODE = /^[0-9]{4}$/;
const ACQUIRER_BIN = /^[0-9]{6,11}$/;
/** Other characters are written as URLs write them, because issuers compare. */
const SECURE_URL = /^https:\/\/[!-~]+$/;

type EndStatus = (typeof endStatuses)[number];

/** Authenticated, or at least attempted: the issuer bears a fraud. */
const GOES_ON_UNLESS_SAID: readonly EndStatus[] = ['Y', 'A'];

/** Reads what a node says of 3-D Secure. @throws SeedRefused */
export function readThreeDSecure(value: LocatedValue): AuthenticationSettings {
  const members = membersOf(value, '"threeDSecure"', SETTINGS_MEMBERS);
  return {
    authenticates: demandOf(members),
    goesOnWith: statusesOf(members, value),
    merchantName: textOf(members, value, 'merchantName', NAME_CHARACTERS_MAX).text,
    merchantCountry: formed(members, value, {
      name: 'merchantCountry',
      isFormed: isCountry,
      form: 'a country of ISO 3166-1 in two letters, as "DE"',
    }),
    merchantCategoryCode: formed(members, value, {
      name: 'merchantCategoryCode',
      isFormed: (text) => CATEGORY_CODE.test(text),
      form: 'four digits of ISO 18245, as "5942" for books',
    }),
    merchantUrl: formed(members, value, {
      name: 'merchantUrl',
      isFormed: isSecureUrl,
      form: 'a URL with https, without a user and a password, as "https://shop.example"',
      charactersMax: URL_CHARACTERS_MAX,
    }),
    requestors: requestorsOf(members, value),
  };
}

function demandOf(members: Members): AuthenticationSettings['authenticates'] {
  const value = members.get('authenticates')?.value;
  if (value === undefined) return 'onDemand';
  const demand = authenticationDemands.find((each) => isText(value, each));
  if (demand !== undefined) return demand;
  const demands = authenticationDemands.map(quoted).join(' or ');
  throw new SeedRefused(value.line, `"authenticates" must be ${demands}`);
}

/** In one order, so that the same ones are the same whatever their order in the file. */
function statusesOf(members: Members, parent: LocatedValue): readonly EndStatus[] {
  const member = members.get('goesOnWith');
  if (member === undefined) return GOES_ON_UNLESS_SAID;
  const said = new Set<EndStatus>();
  for (const item of itemsOf(members, parent, 'goesOnWith', endStatuses.length)) {
    const status = endStatuses.find((each) => isText(item, each));
    if (status === 'R') {
      const reason = '"goesOnWith" cannot have "R": the issuer forbids to go on';
      throw new SeedRefused(item.line, reason);
    }
    if (status === undefined) {
      const statuses = endStatuses
        .filter((each) => each !== 'R')
        .map(quoted)
        .join(', ');
      throw new SeedRefused(item.line, `a value of "goesOnWith" must be one of ${statuses}`);
    }
    if (said.has(status)) throw new SeedRefused(item.line, 'this status is given twice here');
    said.add(status);
  }
  if (said.size === 0) {
    const reason = '"goesOnWith" must have a status: with none of them no payment would go on';
    throw new SeedRefused(member.value.line, reason);
  }
  return endStatuses.filter((status) => said.has(status));
}

function requestorsOf(
  members: Members,
  parent: LocatedValue,
): AuthenticationSettings['requestors'] {
  const value = members.get('requestors')?.value;
  if (value === undefined) throw new SeedRefused(parent.line, '"requestors" is missing');
  const networks = membersOf(value, '"requestors"', authenticationNetworks);
  if (networks.size === 0) {
    const known = authenticationNetworks.map(quoted).join(', ');
    const reason = `"requestors" must have a network, or nobody is authenticated: ${known}`;
    throw new SeedRefused(value.line, reason);
  }
  return Object.fromEntries(
    [...networks].map(([network, { value: said }]) => [network, requestorOf(network, said)]),
  );
}

function requestorOf(network: string, value: LocatedValue): AuthenticationRequestor {
  const members = membersOf(value, `the requestor of ${quoted(network)}`, REQUESTOR_MEMBERS);
  const idAt = (name: string): string => textOf(members, value, name, ID_CHARACTERS_MAX).text;
  return {
    requestorId: idAt('requestorId'),
    requestorName: textOf(members, value, 'requestorName', NAME_CHARACTERS_MAX).text,
    acquirerBin: formed(members, value, {
      name: 'acquirerBin',
      isFormed: (text) => ACQUIRER_BIN.test(text),
      form: '6 to 11 digits',
    }),
    acquirerMerchantId: idAt('acquirerMerchantId'),
  };
}

interface Form {
  readonly name: string;
  readonly isFormed: (text: string) => boolean;
  /** In words that follow "must be". */
  readonly form: string;
  readonly charactersMax?: number;
}

function formed(
  members: Members,
  parent: LocatedValue,
  { name, isFormed, form, charactersMax = WORD_CHARACTERS_MAX }: Form,
): string {
  const { text, line } = textOf(members, parent, name, charactersMax);
  if (isFormed(text)) return text;
  throw new SeedRefused(line, `"${name}" must be ${form}`);
}

function isSecureUrl(text: string): boolean {
  if (!SECURE_URL.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return `${username}${password}` === '';
}

function isText(value: LocatedValue, text: string): boolean {
  return value.kind === 'string' && value.text === text;
}
