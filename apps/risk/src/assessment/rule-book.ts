import type { AssessedNodes } from '@sluice/contracts';
import { type PlacedRules, readRuleSet } from '@sluice/domain-risk';
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
const CHANGE = `INSERT INTO rule_sets (node_id, version, actor, file)
  SELECT $1, coalesce(max(version), 0) + 1, $2, $3 FROM rule_sets WHERE node_id = $1
  HAVING $4::int IS NULL OR coalesce(max(version), 0) = $4
  RETURNING version`;
/** SQLSTATE: the version was taken at the same moment. */
const UNIQUE_VIOLATION = '23505';

/** Thrown where somebody else has changed the rules since they were read: nothing was recorded. */
export class RulesChangedMeanwhile extends Error {
  override readonly name = 'RulesChangedMeanwhile';

  constructor(readonly nodeId: EntityId) {
    super(`The rules of ${nodeId} were changed by somebody else meanwhile.`);
  }
}

/** The rules of all nodes: each change is a row that stays, and the newest of a node holds. */
export class RuleBook {
  #changes = -1;
  #nodes = new Map<EntityId, PlacedRules>();

  constructor(private readonly pool: Pick<Pool, 'query'>) {}

  /** Reads what has changed. Throws an error if a rule cannot be read; then the last ones hold. */
  async refresh(): Promise<void> {
    const { rows } = await this.pool.query<{ changes: number }>(CHANGES);
    const changes = rows[0]?.changes ?? 0;
    if (changes === this.#changes) return;
    const newest = await this.newest();
    this.#nodes = new Map(
      newest.map(({ nodeId, file }) => [nodeId, { nodeId, ...readRuleSet(file) }]),
    );
    this.#changes = changes;
  }

  /** Which nodes have rules; undefined until they have been read for the first time. */
  get assessedNodes(): AssessedNodes | undefined {
    if (this.#changes < 0) return undefined;
    const withRules = [...this.#nodes.values()].filter(({ rules }) => rules.length > 0);
    const before = withRules.map(({ nodeId }) => nodeId as EntityId);
    return { version: String(this.#changes), before, after: [] };
  }

  /** The rules of these nodes, in this order; of those that have some. */
  of(nodes: readonly EntityId[]): readonly PlacedRules[] {
    return nodes.flatMap((id) => this.#nodes.get(id) ?? []);
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
   * Records a change.
   * @param file as `JSON.parse` gives it
   * @param basedOn the version that was read before, 0 for none; absent: whatever there is by now
   * @returns its version
   * @throws RulesRefused with the place of the first mistake
   * @throws RulesChangedMeanwhile if there is another version by now
   */
  async change(nodeId: EntityId, file: unknown, actor: string, basedOn?: number): Promise<number> {
    readRuleSet(file);
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
