import {
  APP_SCHEME,
  type CompatibilitySwitchName,
  compatibilitySwitches,
  type LegacyCredential,
  type RegistrationChoice,
  registrationChoices,
  type SwitchSettings,
} from '@sluice/contracts';
import { AccessToken } from '@sluice/secrets';
import leven from 'leven';
import { demoChannel } from './demo.js';
import type { LocatedMember, LocatedValue } from './located-json.js';
import type { SeedTerms } from './seed-account.js';
import { readSchedules } from './seed-schedules.js';
import { readThreeDSecure } from './seed-three-d-secure.js';
import {
  itemsIfAny,
  located,
  type LocatedText,
  type Members,
  membersOf,
  quoted,
  SeedRefused,
  textOf,
} from './seed-values.js';

/** Tokens of one node, so that the two halves of a rotation and some tools have one each. */
export const SEED_CREDENTIALS_MAX = 20;
/** Shorter ones can be guessed, and others may be able to reach a sandbox. */
export const ACCESS_TOKEN_CHARACTERS_MIN = 16;
/** Access tokens seen in the interface family have about 60. */
export const ACCESS_TOKEN_CHARACTERS_MAX = 512;
/** User ids and passwords seen in the interface family have 32 or fewer. */
export const LEGACY_CHARACTERS_MAX = 128;

/** The members that state the terms of a node. */
export const TERMS_MEMBERS = [
  ...(['accessTokens', 'legacyCredentials', 'compatibility', 'registrations'] as const),
  ...(['appSchemes', 'shoppersMayDelete', 'threeDSecure', 'schedules'] as const),
] as const;

/** A merchant has an app or two, each with a scheme for tests. */
export const APP_SCHEMES_MAX = 20;
/** A letter and up to sixty more characters. */
const APP_SCHEME_CHARACTERS_MAX = 61;
/** They need no registering, or are none of an app: browsers run, read or show something in place. */
const NO_APP: ReadonlySet<string> = new Set([
  ...['http', 'https', 'ws', 'wss', 'ftp', 'javascript', 'vbscript', 'data', 'blob', 'file'],
  ...['about', 'view-source', 'filesystem', 'content', 'resource', 'chrome', 'jar'],
]);

/** What can stand in an `Authorization` header after the scheme: visible ASCII. */
const TOKEN = /^[!-~]+$/;

const publicTokens = new Set(demoChannel.accessTokens.map((token) => token.reveal()));
const publicUserIds = new Set(demoChannel.legacyCredentials.map(({ userId }) => userId));
const switchNames = new Set<string>(compatibilitySwitches.map(({ name }) => name));

/**
 * Reads the credentials of the nodes of one file; a user has the same password everywhere in it.
 */
export class TermsReader {
  readonly #passwords = new Map<string, string>();

  read(members: Members, item: LocatedValue): SeedTerms {
    const registrations = registrationsOf(members);
    const appSchemes = appSchemesOf(members, item);
    const shoppersMayDelete = flagOf(members, 'shoppersMayDelete');
    const threeDSecure = members.get('threeDSecure')?.value;
    const schedules = members.get('schedules')?.value;
    return {
      ...(registrations !== undefined && { registrations }),
      ...(appSchemes !== undefined && { appSchemes }),
      ...(shoppersMayDelete !== undefined && { shoppersMayDelete }),
      ...(threeDSecure !== undefined && { threeDSecure: readThreeDSecure(threeDSecure) }),
      ...(schedules !== undefined && { schedules: readSchedules(schedules) }),
      accessTokens: accessTokensOf(members, item),
      legacyCredentials: this.#legacyCredentialsOf(members, item),
      compatibility: compatibilityOf(members),
    };
  }

  #legacyCredentialsOf(members: Members, item: LocatedValue): LegacyCredential[] {
    const userIds = new Set<string>();
    return itemsIfAny(members, item, 'legacyCredentials', SEED_CREDENTIALS_MAX).map((value) => {
      const fields = membersOf(value, 'a legacy credential', ['userId', 'password']);
      const userId = textOf(fields, value, 'userId', LEGACY_CHARACTERS_MAX);
      const password = textOf(fields, value, 'password', LEGACY_CHARACTERS_MAX);
      claim(userIds, userId, 'this "userId" is given twice here');
      refuseIfPublic(publicUserIds, userId, 'this "userId"');
      const other = this.#passwords.get(userId.text) ?? password.text;
      if (other !== password.text) {
        throw new SeedRefused(userId.line, 'this "userId" has another password above');
      }
      this.#passwords.set(userId.text, password.text);
      return { userId: userId.text, password: new AccessToken(password.text) };
    });
  }
}

function accessTokensOf(members: Members, item: LocatedValue): AccessToken[] {
  const tokens = new Set<string>();
  return itemsIfAny(members, item, 'accessTokens', SEED_CREDENTIALS_MAX).map((value) => {
    const token = located(value, 'an access token', ACCESS_TOKEN_CHARACTERS_MAX);
    if (!TOKEN.test(token.text)) {
      throw new SeedRefused(token.line, 'an access token must be visible ASCII without spaces');
    }
    if (token.text.length < ACCESS_TOKEN_CHARACTERS_MIN) {
      throw new SeedRefused(
        token.line,
        `an access token must have at least ${ACCESS_TOKEN_CHARACTERS_MIN} characters`,
      );
    }
    claim(tokens, token, 'this access token is given twice here');
    refuseIfPublic(publicTokens, token, 'this access token');
    return new AccessToken(token.text);
  });
}

function compatibilityOf(members: Members): SwitchSettings {
  const value = members.get('compatibility')?.value;
  if (value === undefined) return {};
  if (value.kind !== 'object') {
    throw new SeedRefused(value.line, '"compatibility" must be an object of switches');
  }
  return Object.fromEntries(value.members.map(settingOf));
}

function registrationsOf(members: Members): RegistrationChoice | undefined {
  const value = members.get('registrations')?.value;
  if (value === undefined) return undefined;
  const choice = registrationChoices.find((each) => value.kind === 'string' && value.text === each);
  if (choice !== undefined) return choice;
  const choices = registrationChoices.map(quoted).join(' or ');
  throw new SeedRefused(value.line, `"registrations" must be ${choices}`);
}

function flagOf(members: Members, name: string): boolean | undefined {
  const value = members.get(name)?.value;
  if (value === undefined) return undefined;
  if (value.kind !== 'boolean')
    throw new SeedRefused(value.line, `"${name}" must be true or false`);
  return value.isTrue;
}

/** In order, so that the same ones are the same whatever their order in the file. */
function appSchemesOf(members: Members, item: LocatedValue): readonly string[] | undefined {
  if (!members.has('appSchemes')) return undefined;
  const schemes = new Set<string>();
  for (const value of itemsIfAny(members, item, 'appSchemes', APP_SCHEMES_MAX)) {
    const scheme = located(value, 'the scheme of an app', APP_SCHEME_CHARACTERS_MAX);
    if (!APP_SCHEME.test(scheme.text) || NO_APP.has(scheme.text)) {
      throw new SeedRefused(
        scheme.line,
        `${quoted(scheme.text)} is no scheme of an app, as "com.shop.app" is: small letters, digits, + . and -`,
      );
    }
    claim(schemes, scheme, 'this scheme is given twice here');
  }
  return [...schemes].sort();
}

function settingOf({ name, line, value }: LocatedMember): [CompatibilitySwitchName, boolean] {
  if (!isSwitch(name)) {
    throw new SeedRefused(line, `there is no switch ${quoted(name)}; ${suggestionFor(name)}`);
  }
  if (value.kind !== 'boolean')
    throw new SeedRefused(value.line, `"${name}" must be true or false`);
  return [name, value.isTrue];
}

function isSwitch(name: string): name is CompatibilitySwitchName {
  return switchNames.has(name);
}

/** If more than half of a name is wrong no other name is near it; then all are listed. */
function suggestionFor(name: string): string {
  const written = name.toLowerCase();
  const distances = compatibilitySwitches
    .map((each) => ({ name: each.name, apart: leven(written, each.name.toLowerCase()) }))
    .sort((left, right) => left.apart - right.apart);
  const [nearest] = distances;
  return nearest !== undefined && nearest.apart <= nearest.name.length / 2
    ? `did you mean "${nearest.name}"?`
    : `there are ${[...switchNames].join(', ')}`;
}

/** These are public: credentials of sandboxes must never be valid anywhere else. */
function refuseIfPublic(known: ReadonlySet<string>, { text, line }: LocatedText, what: string) {
  if (known.has(text)) {
    throw new SeedRefused(line, `${what} is public and already taken by the demo channel`);
  }
}

function claim(taken: Set<string>, { text, line }: LocatedText, reason: string): void {
  if (taken.has(text)) throw new SeedRefused(line, reason);
  taken.add(text);
}
