import {
  type PlacedRules,
  releaseAfterMinutes,
  type Rule,
  scorerOf,
  type ScorerUse,
} from '@sluice/domain-risk';
import type { NodeRules, RuleChange } from '@sluice/risk';
import type { Answer } from './answer.js';
import { failed, usage } from './exit-codes.js';
import { entityIdOf } from './routing-session.js';
import { type ExecuteFlag, RiskSession } from './risk-session.js';
import { ruleDifferences } from './rule-differences.js';
import { conditionText, minutesText } from './rule-text.js';
import {
  inOrder,
  readRulesFile,
  refuseEndedEntries,
  type RulesFile,
  writeRulesFile,
} from './rules-file.js';
import type { Session } from './session.js';
import { instantText, shown, textTable } from './text-table.js';

/** The flags of `risk rules show`. */
export interface ShowFlags {
  readonly node?: string;
  readonly save?: string;
}

/** The flags of `risk rules set`. */
export interface SetFlags extends ExecuteFlag {
  readonly node: string;
  readonly file: string;
  /** Which version the file may take the place of, where it says none itself. */
  readonly replace?: string;
}

/** `risk rules show`: who has rules, or which hold for a node. */
export async function showRules(session: Session, { node, save }: ShowFlags): Promise<Answer> {
  if (node !== undefined) return showNode(session, node, save);
  if (save !== undefined) throw usage('Whose rules are to be saved? Add --node.');
  const nodes = await new RiskSession(session).book.nodes();
  const data = nodes.map(nodeData);
  return { data, text: `${nodesTable(nodes)}${faultsText(nodes)}` };
}

async function showNode(session: Session, node: string, save?: string): Promise<Answer> {
  const risk = new RiskSession(session);
  const path = await risk.path(node);
  const nodes = await risk.nodes(path);
  const data = nodes.map(nodeData);
  if (save !== undefined) {
    const own = nodes.map(({ newest }) => newest).find(({ nodeId }) => nodeId === path[0]);
    if (own === undefined) throw failed(`The node ${node} has no rules of its own to save.`);
    writeRulesFile(save, { file: own.file as RulesFile, version: own.version });
    return { data, text: `Version ${own.version} of the rules of ${node} is in ${save}.` };
  }
  const placed = nodes.flatMap(({ newest: { nodeId }, held }) =>
    held === undefined ? [] : [{ nodeId, ...held }],
  );
  return { data, text: `${rulesTable(placed)}${thresholdsText(placed)}${faultsText(nodes)}` };
}

function nodesTable(nodes: readonly NodeRules[]): string {
  return textTable(
    nodes,
    [
      { title: 'NODE', cell: ({ newest }) => newest.nodeId },
      { title: 'RULES', cell: ({ held }) => String(held?.rules.length ?? '?'), alignRight: true },
      { title: 'VERSION', cell: ({ newest }) => String(newest.version), alignRight: true },
      { title: 'SINCE (UTC)', cell: ({ newest }) => instantText(newest.changedAt.getTime()) },
      { title: 'BY', cell: ({ newest }) => newest.actor },
    ],
    'No node has rules.',
  );
}

/** What another release has written, or somebody by hand. */
function faultsText(nodes: readonly NodeRules[]): string {
  return nodes
    .flatMap(({ newest: { nodeId, version }, held, fault }) => {
      if (fault === undefined) return [];
      const holds =
        held === undefined
          ? 'nor any before it, so its payments are not taken'
          : `so version ${held.version} holds`;
      return [
        `\nVersion ${version} of ${nodeId} cannot be read by this release, ${holds}: ${fault}`,
      ];
    })
    .join('');
}

interface ShownRule {
  readonly nodeId: string;
  readonly rule: Rule;
}

/** As they are applied: the highest node first. */
function rulesTable(placed: readonly PlacedRules[]): string {
  const rows = placed
    .toReversed()
    .flatMap(({ nodeId, rules }) => rules.map((rule): ShownRule => ({ nodeId, rule })));
  return textTable(
    rows,
    [
      { title: 'NODE', cell: ({ nodeId }) => nodeId },
      { title: 'ID', cell: ({ rule }) => rule.id },
      { title: 'WHEN', cell: ({ rule }) => conditionText(rule.when) },
      { title: 'THEN', cell: ({ rule }) => rule.decision ?? '' },
      { title: 'CODE', cell: ({ rule }) => rule.resultCode ?? '' },
      { title: 'SCORE', cell: ({ rule }) => String(rule.score ?? ''), alignRight: true },
      { title: 'NAME', cell: ({ rule }) => rule.name },
    ],
    'No rule holds for this node.',
  );
}

/** What scores lead to, and how long a review may last: as the nearest node says that says it. */
function thresholdsText(placed: readonly PlacedRules[]): string {
  const reviewFrom = placed.find((node) => node.reviewFrom !== undefined)?.reviewFrom;
  const rejectFrom = placed.find((node) => node.rejectFrom !== undefined)?.rejectFrom;
  const release = releaseAfterMinutes(placed);
  const scorer = scorerOf(placed);
  return [
    ...(scorer === undefined ? [] : [scorerText(scorer)]),
    ...(reviewFrom === undefined ? [] : [`Under review from a score of ${reviewFrom}.`]),
    ...(rejectFrom === undefined ? [] : [`Rejected from a score of ${rejectFrom}.`]),
    ...(release === undefined ? [] : [`Reviews end by themselves after ${minutesText(release)}.`]),
  ]
    .map((line) => `\n${line}`)
    .join('');
}

function scorerText({ name, whenAway }: ScorerUse): string {
  return `The scorer ${shown(name)} is asked; while it is away: ${whenAway}.`;
}

/** `risk rules set`: as a file says; dry run unless told. */
export async function setRules(session: Session, flags: SetFlags): Promise<Answer> {
  const { file, version } = readRulesFile(flags.file);
  const replaced = flags.replace === undefined ? undefined : versionOf(flags.replace);
  if (replaced !== undefined && version !== undefined && replaced !== version) {
    throw usage(`The file is of version ${version}, and --replace says ${replaced}: which is it?`);
  }
  const risk = new RiskSession(session);
  const before = await risk.rulesOf(flags.node);
  refuseEndedEntries({ path: flags.file, file }, before.file, session.now());
  return risk.change(before, file, { ...flags, basedOn: version ?? replaced });
}

function versionOf(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) {
    throw usage(`--replace ${text}: it is the version that "risk rules show" says, such as 3.`);
  }
  return Number(text);
}

/** `risk rules history`: every change of a node, the newest first, with what it changed. */
export async function rulesHistory(session: Session, node: string): Promise<Answer> {
  const risk = new RiskSession(session);
  const [nodeId = entityIdOf(node)] = await risk.path(node);
  const changes = await risk.book.history(nodeId);
  const listed = changes.map((change, at) => ({
    ...changeData(change),
    differences: ruleDifferences(
      (changes[at + 1]?.file ?? {}) as RulesFile,
      change.file as RulesFile,
    ),
  }));
  const text = changes.map(({ version, changedAt, actor }, at) => {
    const head = `Version ${version}, ${instantText(changedAt.getTime())} UTC, ${actor}`;
    const lines = listed[at]?.differences ?? [];
    return [head, ...lines.map((line) => `  ${line}`)].join('\n');
  });
  return { data: listed, text: text.join('\n') || `The node ${node} never had rules.` };
}

function nodeData({ newest, held, fault }: NodeRules) {
  const { version: heldVersion } = held ?? {};
  return { ...changeData(newest), ...(fault !== undefined && { fault, heldVersion }) };
}

function changeData({ nodeId, version, changedAt, actor, file }: RuleChange) {
  return { nodeId, version, changedAt: changedAt.toISOString(), actor, file: inOrder(file) };
}
