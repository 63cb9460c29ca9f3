import type { AssessedNodes } from '@sluice/contracts';
import {
  type AddressData,
  addressDataNeeded,
  type PlacedRules,
  readNewRuleSet,
  readRuleSet,
  refuseWithout,
  type RuleSet,
  RulesRefused,
} from '@sluice/domain-risk';
import type { EntityId } from '@sluice/identifiers';
import type { Pool } from 'pg';

/** A change of a node's rules, as it was made. */
export interface RuleChange {
  readonly nodeId: EntityId;
  /** From 1 on; the greatest holds. */
  readonly version: number;
  readonly changedAt: Date;
  readonly actor: string;
  /** As the file said it. */
  readonly file: unknown;
}

/** A node, and which of its versions holds: the newest that this release can read. */
export interface NodeRules {
  readonly newest: RuleChange;
  /** Absent where none can be read: then nobody knows its rules. */
  readonly held?: RuleSet & { readonly version: number };
  /** What is wrong with the newest one, in a sentence; absent where it is the one that holds. */
  readonly fault?: string;
}

interface RuleRow {
  readonly node_id: EntityId;
  readonly version: number;
  readonly changed_at: Date;
  readonly actor: string;
  readonly file: unknown;
}

const CHANGES = 'SELECT count(*)::int AS changes FROM rule_sets';
const NEWEST = `SELECT DISTINCT ON (node_id) node_id, version, changed_at, actor, file
  FROM rule_sets ORDER BY node_id, version DESC`;
const HISTORY = `SELECT node_id, version, changed_at, actor, file
  FROM rule_sets WHERE node_id = $1 ORDER BY version DESC`;
const BEFORE = `SELECT node_id, version, changed_at, actor, file
  FROM rule_sets WHERE node_id = $1 AND version < $2 ORDER BY version DESC LIMIT 1`;
const CHANGE = `INSERT INTO rule_sets (node_id, version, actor, file)
  SELECT $1, coalesce(max(version), 0) + 1, $2, $3 FROM rule_sets WHERE node_id = $1
  HAVING $4::int IS NULL OR coalesce(max(version), 0) = $4
  RETURNING version`;
const ADDRESS_DATA = 'SELECT kind FROM address_data';
/** In one statement: what the last process to start does not know is known no more. */
const NOTE_ADDRESS_DATA = `WITH known AS (
    SELECT * FROM unnest($1::text[], $2::timestamptz[]) AS known (kind, built_at)),
  gone AS (DELETE FROM address_data WHERE kind NOT IN (SELECT kind FROM known))
  INSERT INTO address_data (kind, built_at) SELECT * FROM known
  ON CONFLICT (kind) DO UPDATE SET built_at = excluded.built_at`;
const SCORERS = 'SELECT name FROM scorers ORDER BY name';
const NOTE_SCORERS = `WITH known AS (SELECT unnest($1::text[]) AS name),
  gone AS (DELETE FROM scorers WHERE name NOT IN (SELECT name FROM known))
  INSERT INTO scorers (name) SELECT name FROM known ON CONFLICT (name) DO NOTHING`;
/** SQLSTATE: the version was taken at the same moment. */
const UNIQUE_VIOLATION = '23505';

/** Thrown where somebody else has changed the rules since they were read: nothing was recorded. */
export class RulesChangedMeanwhile extends Error {
  override readonly name = 'RulesChangedMeanwhile';

  constructor(readonly nodeId: EntityId) {
    super(`The rules of ${nodeId} were changed by somebody else meanwhile.`);
  }
}

/** Thrown where a node has rules and none of its versions can be read, so that nobody knows what they decide. */
export class RulesUnreadable extends Error {
  override readonly name = 'RulesUnreadable';

  constructor(readonly nodeId: string) {
    super(`The rules of ${nodeId} cannot be read by this release, nor can any before them.`);
  }
}

/** The rules of all nodes: each change is a row that stays, and the newest of a node holds. */
export class RuleBook {
  #changes = -1;
  #nodes = new Map<EntityId, PlacedRules | undefined>();
  #unread: readonly NodeRules[] = [];

  constructor(private readonly pool: Pick<Pool, 'query'>) {}

  /**
   * Reads what has changed. A file that cannot be read, of another release say, leaves its node with the
   * version before it, and all others with their newest.
   * @returns the nodes whose newest rules cannot be read, where anything has changed
   */
  async refresh(): Promise<readonly NodeRules[]> {
    const { rows } = await this.pool.query<{ changes: number }>(CHANGES);
    const changes = rows[0]?.changes ?? 0;
    if (changes === this.#changes) return [];
    const all = await this.nodes();
    this.#nodes = new Map(
      all.map(({ newest: { nodeId }, held }) => [nodeId, held && { nodeId, ...held }]),
    );
    this.#unread = all.filter(({ fault }) => fault !== undefined);
    this.#changes = changes;
    return this.#unread;
  }

  /** Which nodes have rules; undefined until they have been read for the first time. */
  get assessedNodes(): AssessedNodes | undefined {
    if (this.#changes < 0) return undefined;
    const assessed = [...this.#nodes].flatMap(([id, rules]) =>
      rules === undefined || rules.rules.length > 0 || rules.scorer ? [id] : [],
    );
    // Two releases that read different files know different nodes, and an asker may go from one to the other.
    const unread = this.#unread.map(({ newest }) => `${newest.nodeId}:${newest.version}`);
    return { version: [this.#changes, ...unread].join(' '), assessed };
  }

  /** How many nodes have newest rules that this release cannot read. */
  get unreadCount(): number {
    return this.#unread.length;
  }

  /**
   * The rules of these nodes, in this order; of those that have some.
   * @throws RulesUnreadable where one has rules, and nobody knows which
   */
  of(nodes: readonly EntityId[]): readonly PlacedRules[] {
    return nodes.flatMap((id) => {
      const placed = this.#nodes.get(id);
      if (placed === undefined && this.#nodes.has(id)) throw new RulesUnreadable(id);
      return placed ?? [];
    });
  }

  /** Every node that ever had rules, with those that hold. */
  async nodes(): Promise<readonly NodeRules[]> {
    const all: NodeRules[] = [];
    for (const newest of await this.newest()) {
      const read = readable(newest);
      all.push(
        read.kind === 'read'
          ? { newest, held: read.held }
          : { newest, fault: read.fault, ...(await this.#heldBefore(newest)) },
      );
    }
    return all;
  }

  /** The newest of the older versions that can be read, one after the other: files may be large. */
  async #heldBefore({ nodeId, version }: RuleChange): Promise<Pick<NodeRules, 'held'>> {
    const { rows } = await this.pool.query<RuleRow>(BEFORE, [nodeId, version]);
    const [row] = rows;
    if (row === undefined) return {};
    const read = readable(changeOf(row));
    return read.kind === 'read' ? { held: read.held } : this.#heldBefore(changeOf(row));
  }

  /** The newest change of each node. */
  async newest(): Promise<readonly RuleChange[]> {
    const { rows } = await this.pool.query<RuleRow>(NEWEST);
    return rows.map(changeOf);
  }

  /** Every change of a node, the newest first. */
  async history(nodeId: EntityId): Promise<readonly RuleChange[]> {
    const { rows } = await this.pool.query<RuleRow>(HISTORY, [nodeId]);
    return rows.map(changeOf);
  }

  /**
   * Whether a file could be recorded.
   * @throws RulesRefused with the place of the first mistake, also where no instance knows what a rule looks at
   */
  async check(file: unknown): Promise<void> {
    const rules = readNewRuleSet(file);
    if (rules.scorer !== undefined) await this.#refuseUnknownScorer(rules.scorer.name);
    if (addressDataNeeded(rules).size === 0) return;
    const { rows } = await this.pool.query<{ kind: AddressData }>(ADDRESS_DATA);
    refuseWithout(new Set(rows.map(({ kind }) => kind)), rules);
  }

  async #refuseUnknownScorer(name: string): Promise<void> {
    const { rows } = await this.pool.query<{ name: string }>(SCORERS);
    const names = rows.map((row) => row.name);
    if (names.includes(name)) return;
    const known = names.length === 0 ? 'there is none' : `there are ${names.join(', ')}`;
    const reason = `is no scorer of RISK_SCORERS_FILE (${known}): name it there for every instance of risk, start it, and set the rules then`;
    throw new RulesRefused('scorer.name', reason);
  }

  /** Notes which scorers this process knows, for whoever sets rules that use one. */
  async noteScorers(names: readonly string[]): Promise<void> {
    await this.pool.query(NOTE_SCORERS, [names]);
  }

  /** Notes what this process knows of addresses, for whoever sets rules about them. */
  async noteAddressData(
    known: ReadonlyMap<AddressData, { readonly builtAtMs: number }>,
  ): Promise<void> {
    await this.pool.query(NOTE_ADDRESS_DATA, [
      [...known.keys()],
      [...known.values()].map(({ builtAtMs }) => new Date(builtAtMs)),
    ]);
  }

  /** Nodes whose rules look at what this process does not know: such rules never hold. */
  without(known: ReadonlyMap<AddressData, unknown>): readonly string[] {
    return [...this.#nodes].flatMap(([id, rules]) => {
      const needed = rules === undefined ? [] : [...addressDataNeeded(rules)];
      return needed.some((each) => !known.has(each)) ? [id] : [];
    });
  }

  /**
   * Records a change.
   * @param file as `JSON.parse` gives it
   * @param basedOn the version that was read before, 0 for none; absent: whatever there is by now
   * @returns its version
   * @throws RulesRefused with the place of the first mistake
   * @throws RulesChangedMeanwhile if there is another version by now
   */
  async change(nodeId: EntityId, file: unknown, actor: string, basedOn?: number): Promise<number> {
    await this.check(file);
    const values = [nodeId, actor, JSON.stringify(file), basedOn ?? null];
    let rows: readonly { readonly version: number }[];
    try {
      ({ rows } = await this.pool.query<{ version: number }>(CHANGE, values));
    } catch (error) {
      if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
      throw new RulesChangedMeanwhile(nodeId);
    }
    const [made] = rows;
    if (made === undefined) throw new RulesChangedMeanwhile(nodeId);
    return made.version;
  }
}

function changeOf({ node_id: nodeId, changed_at: changedAt, ...row }: RuleRow): RuleChange {
  return { nodeId, changedAt, ...row };
}

type Readable =
  | { readonly kind: 'read'; readonly held: NonNullable<NodeRules['held']> }
  | { readonly kind: 'unread'; readonly fault: string };

function readable({ version, file }: RuleChange): Readable {
  try {
    return { kind: 'read', held: { version, ...readRuleSet(file) } };
  } catch (error) {
    if (!(error instanceof RulesRefused)) throw error;
    return { kind: 'unread', fault: error.message };
  }
}
