import { wholeNumberOf } from './whole-number.js';

/** Thrown for a mistake in a file of rules; `path` is where, as in `rules[2].when.amount.above`. */
export class RulesRefused extends Error {
  override readonly name = 'RulesRefused';

  constructor(
    readonly path: string,
    readonly reason: string,
  ) {
    super(`${path} ${reason}`);
  }
}

/** A value of a file, and where it stands. */
export interface Placed {
  readonly path: string;
  readonly value: unknown;
}

/** The members of an object. */
export type Members = Readonly<Record<string, unknown>>;

/** The members of an object, which may have only these. */
export function membersOf({ path, value }: Placed, allowed: readonly string[]): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RulesRefused(path, 'must be an object');
  }
  const unknown = Object.keys(value).find((name) => !allowed.includes(name));
  if (unknown !== undefined) {
    const names = allowed.join(', ');
    throw new RulesRefused(path, `has no member ${JSON.stringify(unknown)}; it may have ${names}`);
  }
  return value as Members;
}

/** A member that may be absent. */
export function member({ path }: Placed, members: Members, name: string): Placed | undefined {
  const value = members[name];
  return value === undefined ? undefined : { path: `${path}.${name}`, value };
}

/** A member that must be there. */
export function needed(parent: Placed, members: Members, name: string): Placed {
  const found = member(parent, members, name);
  if (found === undefined) throw new RulesRefused(parent.path, `needs ${JSON.stringify(name)}`);
  return found;
}

/** The items of a list, at least one. */
export function itemsOf({ path, value }: Placed, countMax: number): readonly Placed[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > countMax) {
    throw new RulesRefused(path, `must be a list of 1 to ${String(countMax)} entries`);
  }
  return value.map((each: unknown, index) => ({ path: `${path}[${String(index)}]`, value: each }));
}

/** Anything but control characters. */
const PRINTABLE = /^[^\p{C}]+$/u;

/** A text of a limited length. */
export function textOf({ path, value }: Placed, charactersMax: number): string {
  if (typeof value !== 'string' || value.length > charactersMax || !PRINTABLE.test(value)) {
    const reason = `must be a text of 1 to ${String(charactersMax)} printable characters`;
    throw new RulesRefused(path, reason);
  }
  return value;
}

/** One of some words. */
export function wordOf<Word extends string>({ path, value }: Placed, words: readonly Word[]): Word {
  const word = words.find((each) => each === value);
  if (word === undefined) throw new RulesRefused(path, `must be one of ${words.join(', ')}`);
  return word;
}

/** A whole number within limits. */
export function wholeOf({ path, value }: Placed, least: number, most: number): number {
  if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most) {
    const reason = `must be a whole number from ${String(least)} to ${String(most)}`;
    throw new RulesRefused(path, reason);
  }
  return value as number;
}

const UNIT_MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 24 * 60 };
const TIME = /^([1-9][0-9]{0,5})([mhd])$/;

/** A time such as `30m`, `1h` or `7d`, in minutes. */
export function minutesOf({ path, value }: Placed, most: number): number {
  const [, count = '0', unit = ''] = (typeof value === 'string' ? TIME.exec(value) : null) ?? [];
  const minutes = wholeNumberOf(count) * (UNIT_MINUTES[unit] ?? 0);
  if (minutes === 0 || minutes > most) {
    const days = String(most / (24 * 60));
    throw new RulesRefused(path, `must be a time such as 30m, 1h or 7d, of at most ${days}d`);
  }
  return minutes;
}
