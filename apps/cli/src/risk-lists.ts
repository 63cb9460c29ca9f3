import { canonicalValue, type ListedBy } from '@sluice/domain-risk';
import type { Answer } from './answer.js';
import { parseInstant } from './durations.js';
import { failed, usage } from './exit-codes.js';
import { changedRules, type ExecuteFlag, type OwnRules, RiskSession } from './risk-session.js';
import { untilOf, valueOf } from './rule-differences.js';
import type { FileEntry, FileList, RulesFile } from './rules-file.js';
import type { Session } from './session.js';
import { textTable } from './text-table.js';

/** Which list. */
export interface ListFlags {
  readonly node: string;
  readonly rule: string;
}

/** The flags of `risk lists add` and `remove`. */
export interface ListChangeFlags extends ListFlags, ExecuteFlag {
  readonly value: string;
  readonly until?: string;
}

/** `risk lists show`: every value, with its end if it has one. */
export async function showList(session: Session, { node, rule }: ListFlags): Promise<Answer> {
  const { by, values } = listOf(await new RiskSession(session).rulesOf(node), rule);
  const text = textTable(
    values,
    [
      { title: by.toUpperCase(), cell: valueOf },
      { title: 'UNTIL', cell: untilOf },
    ],
    'The list is empty.',
  );
  return { data: { by, values }, text };
}

/** `risk lists add`: one more value, or another end of one; dry run unless told. */
export async function addToList(session: Session, flags: ListChangeFlags): Promise<Answer> {
  const { value, until } = flags;
  const untilMs = until === undefined ? undefined : parseInstant(until);
  if (untilMs !== undefined && untilMs <= session.now()) {
    throw usage(`${until} is over: the value would be on the list, and no payment found there.`);
  }
  const entry: FileEntry =
    untilMs === undefined ? value : { value, until: wholeSecondText(untilMs) };
  return changeList(session, flags, ({ by, values }) => {
    const place = values.findIndex(isSame(by, value));
    return place < 0 ? [...values, entry] : values.with(place, entry);
  });
}

/** `risk lists remove`: one value less; dry run unless told. */
export async function removeFromList(session: Session, flags: ListChangeFlags): Promise<Answer> {
  const { value, rule } = flags;
  return changeList(session, flags, ({ by, values }) => {
    const isGone = isSame(by, value);
    const kept = values.filter((each) => !isGone(each));
    if (kept.length === values.length) {
      throw failed(`${value} is not on the list of ${rule}; "risk lists show" says what is.`);
    }
    if (kept.length === 0) {
      throw usage(
        `${value} is the only value of ${rule}, and a list has at least one: take the rule away with "risk rules set".`,
      );
    }
    return kept;
  });
}

/** However it is spelt: two spellings are one value to whoever looks it up. */
function isSame(by: string, value: string): (entry: FileEntry) => boolean {
  const canonical = (text: string) => canonicalValue(by as ListedBy, text);
  const sought = canonical(value);
  return (entry) => canonical(valueOf(entry)) === sought;
}

async function changeList(
  session: Session,
  flags: ListChangeFlags,
  changed: (list: FileList) => readonly FileEntry[],
): Promise<Answer> {
  const risk = new RiskSession(session);
  const before = await risk.rulesOf(flags.node);
  const list = listOf(before, flags.rule);
  const values = changed(list);
  const file: RulesFile = {
    ...before.file,
    rules: (before.file.rules ?? []).map((rule) =>
      rule.id === flags.rule ? { ...rule, when: { list: { ...list, values } } } : rule,
    ),
  };
  return risk.change(before, changedRules(file), { ...flags, basedOn: before.version });
}

function listOf({ nodeId, file }: OwnRules, id: string): FileList {
  const rules = file.rules ?? [];
  const rule = rules.find((each) => each.id === id);
  const list = rule?.when.list;
  if (list !== undefined) return list;
  const lists = rules.filter(({ when }) => when.list !== undefined).map((each) => each.id);
  const there =
    lists.length === 0 ? 'It has no rule with a list.' : `There are: ${lists.join(', ')}.`;
  const missing = rule === undefined ? 'has no rule' : 'has no list in the rule';
  throw failed(`The node ${nodeId} ${missing} ${id}. ${there}`);
}

/** An instant as files of rules have it. */
function wholeSecondText(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`;
}
