import { ShardElsewhere } from '../append-member.js';
import type { Database } from '../database.js';
import { FIRST_CELL, SHARD_COUNT } from './cell-tables.js';

/** Shards from the first to the last, both of them included; numbers from 0 to 65535. */
type Bounds = readonly [first: number, last: number];

/** What a store of cells carries. */
export interface CarriedRanges {
  /** The number of the cell that it is. */
  readonly cell: number;
  readonly carried: readonly Bounds[];
  /** Those among them that begin no transaction any more, because they are about to leave. */
  readonly closing: readonly Bounds[];
}

/** Of an installation that has never had more than one cell. */
export const EVERYTHING: CarriedRanges = {
  cell: FIRST_CELL,
  carried: [[0, SHARD_COUNT - 1]],
  closing: [],
};

/** An id with a chain shard in it; whatever else somebody asks for does not exist anyway. */
const SHARDED_ID = /^[0-9a-f]{32}$/;

const NOT_TOLD = 'The store does not say which shards it carries.';

/** The shards that a store carries, as its own table has them (page 0047). */
export class CarriedShards {
  /** A state that the table had before now; perhaps it still has it. */
  #lastSeen: string | undefined;

  constructor(
    private readonly database: Database,
    private readonly schema: string,
  ) {}

  /** Whether an id has a shard at all. */
  static isSharded(id: string): boolean {
    return SHARDED_ID.test(id);
  }

  /** Whether the shard of an id, given as a parameter or a column, is carried; as SQL. */
  isCarried(id: string): string {
    return isCarried(this.schema, id);
  }

  /**
   * What a look at ids finds, made again until it is certain of what it has not found: that must be
   * unknown, not have moved or be on its way. A range that came back between the look and the check would
   * pass for one that was here all the time, so nothing may have changed in between. Ids without a shard
   * do not exist anyway.
   * @param missing the ids that were not found
   * @throws ShardElsewhere
   */
  async certain<Found>(
    look: () => Promise<Found>,
    missing: (found: Found) => readonly string[],
  ): Promise<Found> {
    for (;;) {
      const before = this.#lastSeen;
      const found = await look();
      const sharded = missing(found).filter((id) => CarriedShards.isSharded(id));
      if (sharded.length === 0 || (await this.#carrying(sharded)) === before) return found;
    }
  }

  /** Which state of the table, of all that it ever had, carries these. @throws ShardElsewhere */
  async #carrying(ids: readonly string[]): Promise<string> {
    const [row] = await this.database.execute<[string, string | null]>({
      name: 'shards elsewhere',
      // Every change of the row has a database transaction of its own.
      text: `SELECT c.xmin::text, (SELECT id FROM unnest($1::text[]) AS id
                                   WHERE NOT ${this.isCarried('id')} LIMIT 1)
             FROM ${this.schema}.carried_shards c WHERE only_row`,
      values: [ids],
    });
    if (row === undefined) throw new Error(NOT_TOLD);
    const [state, elsewhere] = row;
    this.#lastSeen = state;
    if (elsewhere !== null) throw new ShardElsewhere(elsewhere);
    return state;
  }

  /** The ranges that are carried, as one value of a statement that looks into them; as SQL. */
  get carried(): string {
    const { schema } = this;
    return `(SELECT ${rangesIn('carried')} FROM ${schema}.carried_shards WHERE only_row)`;
  }

  /** All of them. */
  async ranges(): Promise<CarriedRanges> {
    const [row] = await this.database.execute<[number, Bounds[], Bounds[]]>({
      name: 'carried shards',
      text: `SELECT cell, ${rangesIn('carried')}, ${rangesIn('closing')}
             FROM ${this.schema}.carried_shards WHERE only_row`,
    });
    if (row === undefined) throw new Error(NOT_TOLD);
    return { cell: row[0], carried: row[1], closing: row[2] };
  }
}

/** The first and last shard of each range in a column. */
function rangesIn(column: string): string {
  return `ARRAY(SELECT ARRAY[lower(r), upper(r) - 1] FROM unnest(${column}) AS r ORDER BY r)`;
}

/** The condition that a store carries the shard of an id. */
export function isCarried(schema: string, id: string): string {
  return `${schema}.shard_of(${id}) <@
    (SELECT carried FROM ${schema}.carried_shards WHERE only_row)`;
}
