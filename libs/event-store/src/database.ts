import pg, { type Pool, type PoolClient, type QueryConfig } from 'pg';

/**
 * Settings of each connection the store uses. A generic plan, because planning the append costs
 * more than running it; index access always, because that plan may be made while the tables are
 * still empty, and a sequential scan would then grow with them.
 */
const SESSION_SETTINGS = `SET plan_cache_mode = force_generic_plan;
  SET enable_seqscan = off; SET jit = off`;

/** What is known about a statement without a result. */
export type FailureKind =
  /** The server rolled it back because of other transactions: repeat it. */
  | 'conflict'
  /** The server rolled it back because of its contents: some member is at fault. */
  | 'refused'
  /** It was not executed, or rolled back, for a reason that has nothing to do with it. */
  | 'notExecuted'
  /** The connection was lost: it may have been committed, now or a moment later. */
  | 'inDoubt';

/** Thrown by `execute`; the cause is the driver's error. */
export class DatabaseFailure extends Error {
  override readonly name = 'DatabaseFailure';

  constructor(
    readonly kind: FailureKind,
    override readonly cause: unknown,
  ) {
    super(`The statement has no result: ${kind}.`, { cause });
  }
}

/** One database, through a pool of connections with these settings. */
export class Database {
  readonly #prepared = new WeakSet<PoolClient>();

  /** A connection that does not answer within `answerTimeoutMs` is given up. */
  constructor(
    private readonly pool: Pool,
    private readonly answerTimeoutMs: number,
  ) {}

  /** Executes one statement, which is a transaction of its own. @throws DatabaseFailure */
  async execute<Row extends unknown[]>(statement: QueryConfig): Promise<readonly Row[]> {
    const client = await this.#connect();
    let failure: DatabaseFailure | undefined;
    try {
      const { rows } = await client.query<Row>({
        ...statement,
        rowMode: 'array',
        // Missing from the driver's types: rejects if the server does not answer for that long.
        ...{ query_timeout: this.answerTimeoutMs },
      });
      return rows;
    } catch (error) {
      failure = new DatabaseFailure(await this.#kindOf(error, client), error);
      throw failure;
    } finally {
      client.release(failure?.kind === 'inDoubt');
    }
  }

  async #connect(): Promise<PoolClient> {
    let client: PoolClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      throw new DatabaseFailure('notExecuted', error);
    }
    if (this.#prepared.has(client)) return client;
    // A connection that dies reports it to its query, and here too, where an unhandled error would
    // end the process.
    client.on('error', () => undefined);
    try {
      await client.query(SESSION_SETTINGS);
    } catch (error) {
      client.release(true);
      throw new DatabaseFailure('notExecuted', error);
    }
    this.#prepared.add(client);
    return client;
  }

  /**
   * Judged by SQLSTATE and by the session, never by message texts, which are in the server's
   * language. An error that the session survives has rolled the transaction back; one that ends the
   * session may have come after the commit.
   */
  async #kindOf(error: unknown, client: PoolClient): Promise<FailureKind> {
    if (!(error instanceof pg.DatabaseError)) return 'inDoubt';
    const { code = '' } = error;
    if (CONFLICTS.has(code)) return 'conflict';
    if (!(await this.#goesOn(client))) return 'inDoubt';
    return NOT_THE_STATEMENT.test(code) ? 'notExecuted' : 'refused';
  }

  /** Errors other than conflicts are rare, so asking the server costs nothing noticeable. */
  async #goesOn(client: PoolClient): Promise<boolean> {
    const question = { text: 'SELECT', ...{ query_timeout: this.answerTimeoutMs } };
    return client.query(question).then(
      () => true,
      () => false,
    );
  }
}

/** Unique violation, serialization failure, deadlock (D-07); a session outlives them. */
const CONFLICTS: ReadonlySet<string> = new Set(['23505', '40001', '40P01']);
/**
 * Error classes that are not the statement's fault: resources, limits, operator intervention, system
 * errors, a read-only server, a lock that was not available.
 */
const NOT_THE_STATEMENT = /^(?:53|54|57|58|XX)[0-9A-Z]{3}$|^25006$|^55P03$/;
