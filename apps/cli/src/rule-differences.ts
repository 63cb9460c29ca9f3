import { isDeepStrictEqual } from 'node:util';
import { counted } from './progress.js';
import {
  type FileEntry,
  type FileList,
  type FileRule,
  inOrder,
  type RulesFile,
} from './rules-file.js';
import { shown } from './text-table.js';

const TEXT_CHARACTERS_MAX = 80;
const VALUES_NAMED_MAX = 10;
/** Whose values are about persons: how many came and went is said, not which. */
const PERSONAL_LISTS: ReadonlySet<string> = new Set([
  'email',
  'ip',
  'ipRange',
  'device',
  'customer',
]);

/** What a change of rules changes, a line for each; none where they are the same. */
export function ruleDifferences(before: RulesFile, after: RulesFile): readonly string[] {
  const [old, young] = [before.rules ?? [], after.rules ?? []];
  const oldById = new Map(old.map((rule) => [rule.id, rule]));
  const youngIds = new Set(young.map(({ id }) => id));
  const kept = (rules: readonly FileRule[]) =>
    rules.map(({ id }) => id).filter((id) => oldById.has(id) && youngIds.has(id));
  const { rules: _, ...oldOthers } = before;
  const { rules: __, ...youngOthers } = after;
  return [
    ...old.filter(({ id }) => !youngIds.has(id)).map(({ id, name }) => `- ${id}: ${shown(name)}`),
    ...young.flatMap((rule) => {
      const was = oldById.get(rule.id);
      if (was === undefined) return [`+ ${rule.id}: ${shown(rule.name)}`];
      return ruleDifference(was, rule).map((line) => `~ ${rule.id}: ${line}`);
    }),
    ...(isDeepStrictEqual(kept(old), kept(young)) ? [] : ['~ the order of the rules']),
    ...memberDifferences(oldOthers, youngOthers).map((line) => `~ ${line}`),
  ];
}

function ruleDifference(before: FileRule, after: FileRule): readonly string[] {
  const [old, young] = [before.when.list, after.when.list];
  if (old === undefined || old.by !== young?.by) {
    return memberDifferences(before, after);
  }
  const others = memberDifferences({ ...before, when: '' }, { ...after, when: '' });
  return [...others, ...listDifference(old, young)];
}

function listDifference(before: FileList, after: FileList): readonly string[] {
  const [old, young] = [before, after].map(
    ({ values }) => new Map(values.map((entry) => [valueOf(entry), untilOf(entry)])),
  ) as [Map<string, string>, Map<string, string>];
  const added = [...young.keys()].filter((value) => !old.has(value));
  const removed = [...old.keys()].filter((value) => !young.has(value));
  const changed = [...young].filter(([value, until]) => (old.get(value) ?? until) !== until);
  const said = (verb: string, values: readonly string[]): readonly string[] => {
    if (values.length === 0) return [];
    const isNamed = !PERSONAL_LISTS.has(after.by) && values.length <= VALUES_NAMED_MAX;
    const names = isNamed ? `: ${values.map(shown).join(', ')}` : '';
    return [`${counted(values.length, 'value')} ${verb}${names}`];
  };
  return [
    ...said('added', added),
    ...said('removed', removed),
    ...said(
      'with another end',
      changed.map(([value]) => value),
    ),
  ];
}

/** The value of an entry, with or without an end. */
export function valueOf(entry: FileEntry): string {
  return typeof entry === 'string' ? entry : entry.value;
}

/** Until when an entry holds, as it was written; empty: for ever. */
export function untilOf(entry: FileEntry): string {
  return typeof entry === 'string' ? '' : (entry.until ?? '');
}

type Members = Readonly<Record<string, unknown>>;

function memberDifferences(before: Members, after: Members): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((name) => `${name}: ${memberText(before[name])} → ${memberText(after[name])}`);
}

function memberText(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = shown(
    typeof value === 'string' ? value : JSON.stringify(inOrder(withoutValues(value))),
  );
  return text.length <= TEXT_CHARACTERS_MAX ? text : `${text.slice(0, TEXT_CHARACTERS_MAX)}…`;
}

/** Where a list takes the place of another condition, its length is enough. */
function withoutValues(value: unknown): unknown {
  const list = (value as { list?: FileList } | null)?.list;
  return list === undefined ? value : { list: { by: list.by, values: list.values.length } };
}
