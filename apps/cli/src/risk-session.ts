import { RulesRefused } from '@sluice/domain-risk';
import type { EntityId } from '@sluice/identifiers';
import { type NodeRules, RuleBook, type RuleChange, RulesChangedMeanwhile } from '@sluice/risk';
import { userInfo } from 'node:os';
import type { Answer } from './answer.js';
import { refused, usage } from './exit-codes.js';
import { entityIdOf, RoutingSession } from './routing-session.js';
import { ruleDifferences } from './rule-differences.js';
import { checkedRules, type RulesFile } from './rules-file.js';
import type { Session } from './session.js';

/** The flag of what changes rules. */
export interface ExecuteFlag {
  readonly execute?: true;
}

/** How rules are changed. */
export interface ChangeFlags extends ExecuteFlag {
  /** The version that whoever made the file has seen; undefined: he may have seen none. */
  readonly basedOn: number | undefined;
}

/** Rules of a node as they are now; without any, those of version 0. */
export interface OwnRules {
  readonly nodeId: EntityId;
  readonly version: number;
  readonly file: RulesFile;
}

/** The rules of nodes, as one command line works with them. */
export class RiskSession {
  readonly book: RuleBook;

  constructor(private readonly session: Session) {
    this.book = new RuleBook(session.database('risk'));
  }

  /** A node that is there, with those above it, from below. @throws CommandEnded for an unknown one */
  async path(node: string): Promise<readonly EntityId[]> {
    entityIdOf(node);
    const states = await new RoutingSession(this.session).nodesFrom(node);
    return states.map(({ node: { id } }) => id);
  }

  /** The newest rules of each of these nodes, in their order; of those that ever had some. */
  async newest(nodes: readonly EntityId[]): Promise<readonly RuleChange[]> {
    const changes = await this.book.newest();
    return nodes.flatMap((id) => changes.find(({ nodeId }) => nodeId === id) ?? []);
  }

  /** The rules that hold of each of these nodes, in their order; of those that ever had some. */
  async nodes(nodes: readonly EntityId[]): Promise<readonly NodeRules[]> {
    const all = await this.book.nodes();
    return nodes.flatMap((id) => all.find(({ newest }) => newest.nodeId === id) ?? []);
  }

  /** @throws CommandEnded for an unknown node */
  async rulesOf(node: string): Promise<OwnRules> {
    const [nodeId = entityIdOf(node)] = await this.path(node);
    const [change] = await this.newest([nodeId]);
    return { nodeId, version: change?.version ?? 0, file: (change?.file ?? {}) as RulesFile };
  }

  /** Records other rules, or says what that would change. @throws CommandEnded with the refusal */
  async change(before: OwnRules, file: RulesFile, flags: ChangeFlags): Promise<Answer> {
    const { nodeId } = before;
    const { execute, basedOn } = flags;
    const differences = ruleDifferences(before.file, file);
    if (differences.length === 0) {
      const text = `The rules of ${nodeId} are so already; nothing was done.`;
      return { data: { executed: false, nodeId, version: before.version, differences }, text };
    }
    if (basedOn !== undefined && basedOn !== before.version) throw outdated(before, basedOn);
    await this.#check(file);
    // Where there is nothing, nothing can be lost.
    const isBlind = basedOn === undefined && ruleDifferences({}, before.file).length > 0;
    if (execute !== true) {
      const ways = isBlind ? `--replace ${before.version} --execute` : '--execute';
      const planned = `The rules of ${nodeId} would be version ${before.version + 1}:`;
      const lines = [planned, ...differences, `Nothing was done. Add ${ways} to do it.`];
      const data = { executed: false, nodeId, version: before.version, differences };
      return { data, text: lines.join('\n') };
    }
    if (isBlind) throw blind(before);
    const version = await this.#record(before, file);
    const done = `The rules of ${nodeId} are version ${version}:`;
    return {
      data: { executed: true, nodeId, version, differences },
      text: [done, ...differences].join('\n'),
    };
  }

  async #check(file: RulesFile): Promise<void> {
    try {
      await this.book.check(file);
    } catch (error) {
      if (error instanceof RulesRefused) throw refused(`${error.message}. Nothing was done.`);
      throw error;
    }
  }

  async #record({ nodeId, version }: OwnRules, file: RulesFile): Promise<number> {
    try {
      return await this.book.change(nodeId, file, operator(), version);
    } catch (error) {
      if (!(error instanceof RulesChangedMeanwhile)) throw error;
      throw refused(`${error.message} Nothing was done: look at them and try again.`);
    }
  }
}

/** Somebody has set others since: what he set would be gone. */
function outdated({ nodeId, version }: OwnRules, basedOn: number): Error {
  return refused(
    `The rules of ${nodeId} are version ${version}, and these are made from version ${basedOn}, so they would undo what somebody has set meanwhile. Nothing was done: "risk rules history --node ${nodeId}" says what that is; save the rules anew by "risk rules show --save" and make your change there.`,
  );
}

/** Nobody knows whether whoever made the file has seen what it takes the place of. */
function blind({ nodeId, version }: OwnRules): Error {
  return refused(
    `The rules of ${nodeId} are version ${version}, and the file does not say that it was made from these. Nothing was done: look at what would change without --execute, and add --replace ${version}; or change what "risk rules show --save" writes.`,
  );
}

/** Who types. */
export function operator(): string {
  return `operator ${userInfo().username}`;
}

/** What a change by the command line makes of a file. @throws CommandEnded where it is none */
export function changedRules(file: RulesFile): RulesFile {
  try {
    return checkedRules(file);
  } catch (error) {
    if (!(error instanceof RulesRefused)) throw error;
    throw usage(`That cannot be: ${error.path} ${error.reason}.`);
  }
}
