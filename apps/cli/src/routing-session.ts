import {
  AccountNodes,
  type NodeState,
  pathOf,
  type RoutingChange,
  RoutingChanges,
} from '@sluice/accounts';
import { type ReadResult, routingSentences, SEED_CHARACTERS_MAX } from '@sluice/domain-accounts';
import { EventStore } from '@sluice/event-store';
import { type EntityId, isEntityId } from '@sluice/identifiers';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Answer } from './answer.js';
import { failed, refused, usage } from './exit-codes.js';
import type { Session } from './session.js';

/** The flags of what changes merchant accounts and routes. */
export interface RoutingFlags {
  readonly execute?: true;
}

/** A change, and the words for what it does. */
export interface WantedChange {
  readonly nodeId: EntityId;
  readonly change: RoutingChange;
  /** What was done, e.g. `Route … is set.`. */
  readonly done: string;
  /** The same before it is done, e.g. `Route … would be set.`. */
  readonly planned: string;
  /** What whoever does it should know besides. */
  readonly note?: string;
  readonly data: object;
}

/** The account tree, as one command line works with it. */
export class RoutingSession {
  readonly nodes: AccountNodes;
  readonly #changes: RoutingChanges;

  constructor(session: Session) {
    const schema = session.schema('accounts');
    const store = new EventStore(session.database('accounts'), { schema });
    this.nodes = new AccountNodes({ store, clock: { now: () => session.now() } });
    this.#changes = new RoutingChanges(this.nodes, `operator ${userInfo().username}`);
  }

  /** Every node, or one with those above it, from below. @throws CommandEnded for an unknown one */
  async nodesFrom(node: string | undefined): Promise<readonly NodeState[]> {
    const { nodes } = await this.nodes.now();
    if (node === undefined) return [...nodes.values()];
    const path = pathOf(entityIdOf(node), nodes);
    if (path.length === 0) throw failed(`There is no node ${node} in the account tree.`);
    return path;
  }

  /** Makes a change, or says what it would do. @throws CommandEnded with the refusal */
  async make(wanted: WantedChange, { execute }: RoutingFlags): Promise<Answer> {
    const { nodeId, change, done, planned, note, data } = wanted;
    const refusal = await this.#changes.refusal(nodeId, change);
    if (refusal !== undefined) throw refused(`${capital(routingSentences[refusal])}.`);
    if (execute === true) await this.#changes.make(nodeId, change);
    const lines =
      execute === true ? [done] : [planned, 'Nothing was done. Add --execute to do it.'];
    const text = [...lines, ...(note === undefined ? [] : [note])].join('\n');
    return { data: { executed: execute === true, ...data }, text };
  }
}

/** Throws CommandEnded for a word that can be no node's id. */
export function entityIdOf(word: string): EntityId {
  if (isEntityId(word)) return word;
  throw usage(`"${word}" is no entity id: one has 32 lowercase hexadecimal digits.`);
}

/** What a file says. @throws CommandEnded with the line of a mistake */
export function readRoutingFile<Read>(
  path: string,
  read: (text: string) => ReadResult<Read>,
): Read {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw failed(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'}).`);
  }
  if (text.length > SEED_CHARACTERS_MAX) {
    throw usage(`${path} has more than ${SEED_CHARACTERS_MAX} characters.`);
  }
  const result = read(text);
  if (result.kind === 'read') return result.value;
  throw usage(`${path} is refused, line ${result.line}: ${result.reason}.`);
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
