import { JsonSyntaxError, parseLocatedJson } from '@sluice/domain-accounts';
import {
  readNewRuleSet,
  readRuleSet,
  refuseEnded,
  type RuleSet,
  RulesRefused,
} from '@sluice/domain-risk';
import { readFileSync, writeFileSync } from 'node:fs';
import { failed, usage } from './exit-codes.js';

/** A value of a list, as a file says it. */
export type FileEntry = string | { readonly value: string; readonly until?: string };

/** A list, as a file says it. */
export interface FileList {
  readonly by: string;
  readonly values: readonly FileEntry[];
}

/** A rule, as a file says it. */
export interface FileRule {
  readonly id: string;
  readonly name: string;
  readonly when: { readonly list?: FileList } & Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** The rules of a node, as a file says them: what `readNewRuleSet` has taken. */
export interface RulesFile {
  readonly rules?: readonly FileRule[];
  readonly [member: string]: unknown;
}

/** Room for several long lists; more is a mistake. */
const CHARACTERS_MAX = 8_000_000;

/** In the order in which people read them; a database has them in another. */
const MEMBERS_IN_ORDER: readonly string[] = [
  ...['version', 'rules', 'scorer', 'reviewFrom', 'rejectFrom', 'releaseAfter'],
  ...['id', 'name', 'when', 'then', 'resultCode', 'score'],
  ...[
    'by',
    'counts',
    'had',
    'within',
    'atLeast',
    'atMost',
    'atMostSum',
    'above',
    'below',
    'currency',
  ],
  ...['values', 'value', 'from', 'until', 'timeZone', 'avs', 'cvv'],
];

/** What a file of a person says: rules, and of which version of a node's they are, where they were saved. */
export interface SavedRules {
  readonly file: RulesFile;
  readonly version?: number;
}

/** Reads a file of rules. @throws CommandEnded with the place of the first mistake */
export function readRulesFile(path: string): SavedRules {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw failed(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'}).`);
  }
  if (text.length > CHARACTERS_MAX) {
    throw usage(`${path} has more than ${CHARACTERS_MAX} characters.`);
  }
  try {
    // JSON.parse would take the second of two members with one name, and say nothing.
    parseLocatedJson(text);
    return savedRules(JSON.parse(text));
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw usage(`${path} is refused, ${error.message}.`);
    if (error instanceof RulesRefused) throw usage(`${path} is refused: ${error.message}.`);
    throw error;
  }
}

/** The version is of the file alone: what a node has been given has one already. */
function savedRules(value: unknown): SavedRules {
  if (typeof value !== 'object' || value === null || !('version' in value)) {
    return { file: checkedRules(value) };
  }
  const { version, ...file } = value;
  if (!Number.isSafeInteger(version) || (version as number) < 1) {
    const reason = 'must be the whole number that "risk rules show --save" has written';
    throw new RulesRefused('version', reason);
  }
  return { file: checkedRules(file), version: version as number };
}

/** What is a file of rules. @throws RulesRefused */
export function checkedRules(value: unknown): RulesFile {
  readNewRuleSet(value);
  return value as RulesFile;
}

/**
 * Refuses what is on a list of the file and has ended, unless the node has it already.
 * @throws CommandEnded with the place of the first one
 */
export function refuseEndedEntries(
  { path, file }: { readonly path: string; readonly file: RulesFile },
  before: RulesFile,
  nowMs: number,
): void {
  try {
    refuseEnded(readNewRuleSet(file), readable(before), nowMs);
  } catch (error) {
    if (error instanceof RulesRefused) throw usage(`${path} is refused: ${error.message}.`);
    throw error;
  }
}

/** Of what another release has written, nothing is known. */
function readable(file: RulesFile): RuleSet {
  try {
    return readRuleSet(file);
  } catch (error) {
    if (error instanceof RulesRefused) return { rules: [] };
    throw error;
  }
}

/** Writes rules so that a person can change them. @throws CommandEnded if the file is there, say */
export function writeRulesFile(path: string, { file, version }: SavedRules): void {
  const saved = inOrder({ version, ...file });
  try {
    writeFileSync(path, `${JSON.stringify(saved, undefined, 2)}\n`, { flag: 'wx' });
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException;
    const reason = code === 'EEXIST' ? 'it is there already; name another file' : code;
    throw failed(`${path} cannot be written: ${reason}.`);
  }
}

/** The same value, with its members as people read them. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, inOrder(inner)] as const);
  return Object.fromEntries(members.toSorted(([one], [other]) => placeOf(one) - placeOf(other)));
}

function placeOf(name: string): number {
  const place = MEMBERS_IN_ORDER.indexOf(name);
  return place < 0 ? MEMBERS_IN_ORDER.length : place;
}
