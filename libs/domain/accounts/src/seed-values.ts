import type { LocatedMember, LocatedValue } from './located-json.js';

/**
 * The length of nodes' names; the default `descriptor` ends with a channel's and has 127 characters
 * in all.
 */
export const SEED_NAME_CHARACTERS_MAX = 100;

/** Anything but control characters; a name is printed in answers and logs. */
const PRINTABLE = /^[^\p{C}]+$/u;
const QUOTED_CHARACTERS_MAX = 40;

/** Thrown for a mistake in a seed file; `line` counts from 1. */
export class SeedRefused extends Error {
  constructor(
    readonly line: number,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** The members of an object by name. */
export type Members = ReadonlyMap<string, LocatedMember>;

/** A text with its line. */
export interface LocatedText {
  readonly text: string;
  readonly line: number;
}

/** The members of an object, which may have only these. */
export function membersOf(value: LocatedValue, what: string, allowed: readonly string[]): Members {
  if (value.kind !== 'object') throw new SeedRefused(value.line, `${what} must be an object`);
  for (const { name, line } of value.members) {
    if (!allowed.includes(name)) {
      const names = allowed.map((known) => `"${known}"`).join(', ');
      throw new SeedRefused(line, `${what} has no member ${quoted(name)}; it may have ${names}`);
    }
  }
  return new Map(value.members.map((member) => [member.name, member]));
}

/** The items of a list. */
export function itemsOf(
  members: Members,
  parent: LocatedValue,
  name: string,
  countMax: number,
): readonly LocatedValue[] {
  const value = members.get(name)?.value;
  if (value?.kind !== 'array') {
    throw new SeedRefused(value?.line ?? parent.line, `"${name}" must be a list`);
  }
  if (value.items.length > countMax) {
    throw new SeedRefused(value.line, `"${name}" has more than ${countMax} entries`);
  }
  return value.items;
}

/** The same for a list that may be left out. */
export function itemsIfAny(
  members: Members,
  parent: LocatedValue,
  name: string,
  countMax: number,
): readonly LocatedValue[] {
  return members.has(name) ? itemsOf(members, parent, name, countMax) : [];
}

/** A text that must be there. */
export function textOf(
  members: Members,
  parent: LocatedValue,
  name: string,
  charactersMax: number,
): LocatedText {
  const value = members.get(name)?.value;
  if (value === undefined) throw new SeedRefused(parent.line, `"${name}" is missing`);
  return located(value, `"${name}"`, charactersMax);
}

/** A value as a text that can be printed. */
export function located(value: LocatedValue, what: string, charactersMax: number): LocatedText {
  if (value.kind !== 'string' || !PRINTABLE.test(value.text) || value.text.length > charactersMax) {
    throw new SeedRefused(
      value.line,
      `${what} must be a text of 1 to ${charactersMax} printable characters`,
    );
  }
  return { text: value.text, line: value.line };
}

/** A name from the file, short enough and safe enough for a message on a terminal. */
export function quoted(name: string): string {
  return JSON.stringify(name.slice(0, QUOTED_CHARACTERS_MAX)).replaceAll(/[^ -~]/g, '?');
}
