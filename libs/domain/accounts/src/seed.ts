import { isEntityId } from '@sluice/identifiers';
import { AccessToken } from '@sluice/secrets';
import { demoChannel } from './demo.js';
import {
  JsonSyntaxError,
  type LocatedMember,
  type LocatedValue,
  parseLocatedJson,
} from './located-json.js';
import type { SeedChannel } from './seed-channel.js';

/** What became of a seed file. */
export type SeedResult =
  | { readonly kind: 'seed'; readonly channels: readonly SeedChannel[] }
  /** `line` counts from 1; `reason` never repeats a token or password. */
  | { readonly kind: 'refused'; readonly line: number; readonly reason: string };

/** Enough for a thousand channels with twenty tokens each. */
export const SEED_CHARACTERS_MAX = 4 * 1024 * 1024;
/** A sandbox for a platform's test accounts; an installation's own are not seeded. */
export const SEED_CHANNELS_MAX = 1000;
/** Tokens of one channel, so that the two halves of a rotation and some tools have one each. */
export const SEED_CREDENTIALS_MAX = 20;
/** The channel's name ends the default `descriptor`, which has 127 characters in all. */
export const SEED_NAME_CHARACTERS_MAX = 100;
/** Shorter ones can be guessed, and a sandbox may stand where others reach it. */
export const ACCESS_TOKEN_CHARACTERS_MIN = 16;
/** Access tokens seen in the interface family have about 60. */
export const ACCESS_TOKEN_CHARACTERS_MAX = 512;
/** User ids and passwords seen in the interface family have 32 or fewer. */
export const LEGACY_CHARACTERS_MAX = 128;

/** What can stand in an `Authorization` header after the scheme: visible ASCII. */
const TOKEN = /^[!-~]+$/;
/** Anything but control characters; a name is printed in answers and logs. */
const PRINTABLE = /^[^\p{C}]+$/u;

const CHANNEL_MEMBERS = ['entityId', 'name', 'merchant', 'accessTokens', 'legacyCredentials'];

class SeedRefused extends Error {
  constructor(
    readonly line: number,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/**
 * Reads a seed file: `{"channels": [{"entityId", "name", "merchant", "accessTokens": […],
 * "legacyCredentials": [{"userId", "password"}]}]}`. A file that is not exactly that is refused
 * with the line and the reason, because a half-read one would be found out by 403s much later.
 */
export function parseSeed(text: string): SeedResult {
  if (text.length > SEED_CHARACTERS_MAX) {
    return {
      kind: 'refused',
      line: 1,
      reason: `the file has more than ${SEED_CHARACTERS_MAX} characters`,
    };
  }
  try {
    return { kind: 'seed', channels: channelsOf(parseLocatedJson(text)) };
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof SeedRefused) {
      return { kind: 'refused', line: error.line, reason: error.reason };
    }
    throw error;
  }
}

function channelsOf(file: LocatedValue): SeedChannel[] {
  const members = membersOf(file, 'the file', ['channels']);
  const list = itemsOf(members, file, 'channels', SEED_CHANNELS_MAX);
  const taken: Taken = {
    entityIds: new Set([demoChannel.entityId]),
    tokens: new Set(demoChannel.accessTokens.map((token) => token.reveal())),
    userIds: new Set(demoChannel.legacyCredentials.map(({ userId }) => userId)),
  };
  return list.map((item) => channelOf(item, taken));
}

/** What one channel has and no other may have again. */
interface Taken {
  readonly entityIds: Set<string>;
  readonly tokens: Set<string>;
  readonly userIds: Set<string>;
}

function channelOf(item: LocatedValue, taken: Taken): SeedChannel {
  const members = membersOf(item, 'a channel', CHANNEL_MEMBERS);
  const entityId = textOf(members, item, 'entityId', SEED_NAME_CHARACTERS_MAX);
  if (!isEntityId(entityId.text)) {
    throw new SeedRefused(entityId.line, '"entityId" must be 32 lowercase hexadecimal digits');
  }
  claim(taken.entityIds, entityId, 'this "entityId" is already taken by another channel');
  const channel = {
    entityId: entityId.text,
    name: textOf(members, item, 'name', SEED_NAME_CHARACTERS_MAX).text,
    merchant: textOf(members, item, 'merchant', SEED_NAME_CHARACTERS_MAX).text,
    accessTokens: accessTokensOf(members, item, taken),
    legacyCredentials: legacyCredentialsOf(members, item, taken),
  };
  if (channel.accessTokens.length + channel.legacyCredentials.length === 0) {
    throw new SeedRefused(item.line, 'a channel needs an access token or a legacy credential');
  }
  return channel;
}

function accessTokensOf(members: Members, item: LocatedValue, taken: Taken): AccessToken[] {
  if (!members.has('accessTokens')) {
    return [];
  }
  return itemsOf(members, item, 'accessTokens', SEED_CREDENTIALS_MAX).map((value) => {
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
    claim(taken.tokens, token, 'this access token is already taken by another channel');
    return new AccessToken(token.text);
  });
}

function legacyCredentialsOf(members: Members, item: LocatedValue, taken: Taken) {
  if (!members.has('legacyCredentials')) {
    return [];
  }
  return itemsOf(members, item, 'legacyCredentials', SEED_CREDENTIALS_MAX).map((value) => {
    const fields = membersOf(value, 'a legacy credential', ['userId', 'password']);
    const userId = textOf(fields, value, 'userId', LEGACY_CHARACTERS_MAX);
    const password = textOf(fields, value, 'password', LEGACY_CHARACTERS_MAX);
    claim(taken.userIds, userId, 'this "userId" is already taken by another channel');
    return { userId: userId.text, password: new AccessToken(password.text) };
  });
}

type Members = ReadonlyMap<string, LocatedMember>;

function membersOf(value: LocatedValue, what: string, allowed: readonly string[]): Members {
  if (value.kind !== 'object') {
    throw new SeedRefused(value.line, `${what} must be an object`);
  }
  for (const { name, line } of value.members) {
    if (!allowed.includes(name)) {
      const names = allowed.map((known) => `"${known}"`).join(', ');
      throw new SeedRefused(line, `${what} has no member ${quote(name)}; it may have ${names}`);
    }
  }
  return new Map(value.members.map((member) => [member.name, member]));
}

function itemsOf(members: Members, parent: LocatedValue, name: string, countMax: number) {
  const value = members.get(name)?.value;
  if (value?.kind !== 'array') {
    throw new SeedRefused(value?.line ?? parent.line, `"${name}" must be a list`);
  }
  if (value.items.length > countMax) {
    throw new SeedRefused(value.line, `"${name}" has more than ${countMax} entries`);
  }
  return value.items;
}

interface LocatedText {
  readonly text: string;
  readonly line: number;
}

function textOf(
  members: Members,
  parent: LocatedValue,
  name: string,
  charactersMax: number,
): LocatedText {
  const value = members.get(name)?.value;
  if (value === undefined) {
    throw new SeedRefused(parent.line, `"${name}" is missing`);
  }
  return located(value, `"${name}"`, charactersMax);
}

function located(value: LocatedValue, what: string, charactersMax: number): LocatedText {
  if (value.kind !== 'string' || !PRINTABLE.test(value.text) || value.text.length > charactersMax) {
    throw new SeedRefused(
      value.line,
      `${what} must be a text of 1 to ${charactersMax} printable characters`,
    );
  }
  return { text: value.text, line: value.line };
}

function claim(taken: Set<string>, { text, line }: LocatedText, reason: string): void {
  if (taken.has(text)) {
    throw new SeedRefused(line, reason);
  }
  taken.add(text);
}

/** A name from the file, short enough and safe enough for a message on a terminal. */
function quote(name: string): string {
  return JSON.stringify(name.slice(0, 40)).replaceAll(/[^ -~]/g, '?');
}
