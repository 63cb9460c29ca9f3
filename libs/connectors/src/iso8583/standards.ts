import { type Version, versionDigits } from './message-fields.js';
import { standard1987 } from './standard-1987.js';
import { standard1993 } from './standard-1993.js';
import type { Standard } from './standard.js';

/** Every version that a host may speak. */
export const standards: Readonly<Record<Version, Standard>> = {
  '1987': standard1987,
  '1993': standard1993,
};

const byDigit: ReadonlyMap<string, Standard> = new Map(
  Object.values(standards).map((standard) => [versionDigits[standard.version], standard]),
);

/** The version of a message, by the first digit of its type. */
export function standardOf(type: string): Standard | undefined {
  return byDigit.get(type.charAt(0));
}
