import type { FieldRow } from './field-row.js';
import { fields1987 } from './fields-1987.js';
import { fields1993 } from './fields-1993.js';

/** The versions of the standard that a host may speak. */
export const versions = ['1987', '1993'] as const;

/** Of the standard, by the year in which it was published. */
export type Version = (typeof versions)[number];

/** A field by its name, which is the same in both versions where it means the same. */
export type FieldName = (typeof fields1987)[number][1] | (typeof fields1993)[number][1];

/** All fields of each version, because one that cannot be read hides those behind it. */
export const fieldRows = {
  '1987': fields1987,
  '1993': fields1993,
} as const satisfies Readonly<Record<Version, readonly FieldRow[]>>;

/** The first digit of a message's type, which says its version. */
export const versionDigits: Readonly<Record<Version, string>> = { '1987': '0', '1993': '1' };
