import { type Mode, modes } from '@sluice/contracts';
import {
  type Mark,
  pastOutcome,
  type PastPayment,
  type PaymentOutcome,
  type PlacedRules,
  readRuleSet,
  replayableRules,
  startReplay,
  type WhatIf,
} from '@sluice/domain-risk';
import type { EntityId } from '@sluice/identifiers';
import {
  type NodeRules,
  type PastAssessment,
  PastAssessments,
  PayerHashes,
  type Stretch,
} from '@sluice/risk';
import { FileKeyProvider } from '@sluice/service';
import { writeFileSync } from 'node:fs';
import type { Answer } from './answer.js';
import { parseInstant } from './durations.js';
import { failed, usage } from './exit-codes.js';
import { PaymentOutcomes } from './payment-outcomes.js';
import { RiskSession } from './risk-session.js';
import { readRulesFile } from './rules-file.js';
import type { Session } from './session.js';
import { whatIfData, whatIfText } from './what-if-text.js';
import { whatIfPicture } from './what-if-picture.js';

/** The flags of `risk what-if`. */
export interface WhatIfFlags {
  readonly rules: string;
  readonly node?: string;
  readonly from: string;
  readonly to?: string;
  readonly mode?: string;
  readonly picture?: string;
}

/** What was replayed: the result, and which rules could not be. */
export interface Replayed extends Stretch {
  readonly found: WhatIf;
  readonly leftOut: readonly {
    readonly nodeId: string;
    readonly id: string;
    readonly reason: string;
  }[];
}

const MINUTE_MS = 60_000;
/** What stands for the top of every payment's tree. */
const TOP = '';

/** `risk what-if`: applies other rules to the payments of a time, and changes nothing. */
export async function whatIf(session: Session, flags: WhatIfFlags): Promise<Answer> {
  const { picture } = flags;
  if (picture !== undefined && !picture.endsWith('.svg')) {
    throw usage(`${picture} would be an SVG file; name it so.`);
  }
  const fromMs = parseInstant(flags.from);
  const toMs = flags.to === undefined ? session.now() : parseInstant(flags.to);
  if (toMs <= fromMs) throw usage('The end is not after the beginning.');
  const mode = flags.mode === undefined ? undefined : modeOf(flags.mode);
  // Of whichever version it is: nothing is set.
  const { file } = readRulesFile(flags.rules);
  const risk = new RiskSession(session);
  const [nodeId = TOP as EntityId] = flags.node === undefined ? [] : await risk.path(flags.node);
  const nodes = await risk.book.nodes();
  const others = nodes.filter(({ newest }) => newest.nodeId !== nodeId).map(placedRules);
  const all = [...others, { nodeId, ...readRuleSet(file) }];
  const mark = await markOf(session);
  const placed = all.map((each) => {
    const { rules, leftOut } = replayableRules(each, mark);
    const shown = each.nodeId === TOP ? 'the top' : each.nodeId;
    return { node: { nodeId: each.nodeId, ...rules }, leftOut, shown };
  });
  const found = await replayAll(session, {
    ...{ nodeId, fromMs, toMs, mode },
    rules: placed.map(({ node }) => node),
  });
  const leftOut = placed.flatMap(({ shown, leftOut: rules }) =>
    rules.map((rule) => ({ nodeId: shown, ...rule })),
  );
  const replayed = { found, leftOut, fromMs, toMs };
  const drawn = picture === undefined ? '' : draw(picture, replayed);
  return { data: whatIfData(replayed), text: `${whatIfText(replayed)}${drawn}` };
}

function modeOf(text: string): Mode {
  const mode = modes.find((each) => each === text);
  if (mode === undefined) throw usage(`--mode ${text}: it is one of ${modes.join(', ')}.`);
  return mode;
}

function placedRules({ newest: { nodeId }, held, fault }: NodeRules): PlacedRules {
  if (held === undefined) throw failed(`The rules of ${nodeId} cannot be read: ${fault ?? ''}.`);
  return { nodeId, ...held };
}

interface ToReplay extends Stretch {
  readonly nodeId: string;
  /** Undefined: live payments and tests. */
  readonly mode: Mode | undefined;
  readonly rules: readonly PlacedRules[];
}

async function replayAll(session: Session, asked: ToReplay): Promise<WhatIf> {
  const { nodeId, fromMs, toMs, mode, rules } = asked;
  const isBelow = (nodes: readonly string[]) => nodeId === TOP || nodes.includes(nodeId);
  const replay = startReplay({
    rulesOf: rulesByPath(rules),
    isTold: ({ facts, nodes }: PastPayment) =>
      facts.atMs >= fromMs && isBelow(nodes) && (mode ?? facts.mode) === facts.mode,
  });
  // What the windows of the first payments have had before.
  const stretch = { fromMs: fromMs - longestMinutes(rules) * MINUTE_MS, toMs };
  const past = new PastAssessments(session.database('risk'));
  const outcomes = new PaymentOutcomes(session);
  const total = await past.count(stretch);
  await session.counting({ unit: 'payments', total }, async (passed) => {
    let done = 0;
    for await (const page of withOutcomes(past.read(stretch), outcomes)) {
      replay.take(page);
      done += page.length;
      passed(done);
    }
  });
  return replay.result();
}

/** Of each page what became of it, asked for while somebody looks at the page before. */
async function* withOutcomes(
  pages: AsyncIterable<readonly PastAssessment[]>,
  outcomes: PaymentOutcomes,
): AsyncGenerator<readonly PastPayment[], void> {
  let before: Promise<readonly PastPayment[]> | undefined;
  for await (const page of pages) {
    const asked = outcomes
      .of(page.map(({ id }) => id))
      .then((outcomeOf) => page.map((each) => withOutcome(each, outcomeOf(each.id))));
    // Whoever looks at the page before may fail, and then nobody hears of this one.
    asked.catch(() => undefined);
    if (before !== undefined) yield await before;
    before = asked;
  }
  if (before !== undefined) yield await before;
}

function withOutcome(past: PastAssessment, found: PaymentOutcome): PastPayment {
  const decidedAfterwards = found.assessment?.decision;
  return {
    ...{ ...past, outcome: pastOutcome(found) },
    ...(decidedAfterwards !== undefined && { decidedAfterwards }),
  };
}

interface Path {
  readonly nodes: readonly string[];
  readonly rules: readonly PlacedRules[];
}

/** The rules of a path, made once for each: a payment asks for them by its nodes. */
function rulesByPath(rules: readonly PlacedRules[]) {
  const byNode = new Map(rules.map((each) => [each.nodeId, each]));
  const top = byNode.get(TOP);
  // By channel: it has one path, unless it was moved in the tree.
  const known = new Map<string, Path[]>();
  return (nodes: readonly string[]): readonly PlacedRules[] => {
    const [channel = ''] = nodes;
    const paths = known.get(channel) ?? [];
    const path = paths.find((each) => isSame(each.nodes, nodes));
    if (path !== undefined) return path.rules;
    const last = nodes.length - 1;
    const found = nodes.flatMap((nodeId, at) => {
      if (at === last && top !== undefined) return { ...top, nodeId };
      return byNode.get(nodeId) ?? [];
    });
    known.set(channel, [...paths, { nodes, rules: found }]);
    return found;
  };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((nodeId, at) => nodeId === other[at]);
}

function longestMinutes(rules: readonly PlacedRules[]): number {
  const minutes = rules.flatMap((node) =>
    node.rules.map(({ when }) => (when.kind === 'velocity' ? when.withinMinutes : 0)),
  );
  return minutes.reduce((longest, each) => Math.max(longest, each), 0);
}

/** Undefined where nobody has named the key file: then lists of persons are left out. */
async function markOf(session: Session): Promise<Mark | undefined> {
  const { riskKeyFile } = session.settings;
  if (riskKeyFile === undefined) return undefined;
  let keys: FileKeyProvider;
  try {
    keys = await FileKeyProvider.open(riskKeyFile);
  } catch (error) {
    throw failed(`RISK_KEY_FILE cannot be used: ${(error as Error).message}`);
  }
  session.closeLater(() => Promise.resolve(keys.close()));
  const hashes = new PayerHashes(session.database('risk'), keys);
  await hashes.open();
  return hashes.mark;
}

function draw(path: string, replayed: Replayed): string {
  try {
    writeFileSync(path, whatIfPicture(replayed));
    return `\nIt is drawn in ${path}.`;
  } catch (error) {
    throw failed(
      `${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'error'}).`,
    );
  }
}
