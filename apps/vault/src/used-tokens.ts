import type { Pool } from 'pg';

/** Clocks of the database and of the vaults differ by less. */
const CLOCKS_DIFFER_MS = 60 * 60 * 1_000;
/**
 * How long whoever used a token up may open it again, as a request does that is repeated with its
 * `Idempotency-Key`: payments knows keys for 48 hours (D-36), and pays no token twice until then.
 */
const REPEATED_WITHIN_HOURS = 24;

/** A token that is about to be used up. */
export interface TokenUse {
  /** A keyed hash of its id: the same for every copy of it. */
  readonly token: Buffer;
  readonly usedBy: string;
  /** From then on nobody opens it any more. */
  readonly goodUntil: Date;
}

const USE = {
  name: 'use-token',
  text: `INSERT INTO used_tokens (token, used_by, forget_after) VALUES ($1, $2, $3)
         ON CONFLICT (token) DO NOTHING`,
};
const IS_REPEATED = {
  name: 'is-token-repeated',
  text: `SELECT FROM used_tokens WHERE token = $1 AND used_by = $2
         AND used_at > now() - make_interval(hours => $3)`,
};
const SWEEP = {
  name: 'sweep-used-tokens',
  text: `DELETE FROM used_tokens WHERE token IN
         (SELECT token FROM used_tokens WHERE forget_after < now() LIMIT $1)`,
};

/**
 * The tokens that payments were made with, as long as anybody could pay with them again. The key of
 * the table decides between two requests at once, on whichever instances they are.
 */
export class UsedTokens {
  constructor(private readonly pool: Pool) {}

  /** Whether the token was free, or is used by the same one again. */
  async use({ token, usedBy, goodUntil }: TokenUse): Promise<boolean> {
    const forgetAfter = new Date(goodUntil.getTime() + CLOCKS_DIFFER_MS);
    const { rowCount } = await this.pool.query({ ...USE, values: [token, usedBy, forgetAfter] });
    if (rowCount === 1) return true;
    const values = [token, usedBy, REPEATED_WITHIN_HOURS];
    return (await this.pool.query({ ...IS_REPEATED, values })).rowCount === 1;
  }

  /** Forgets some that nobody can use any more; how many. */
  async sweepExpired(limit: number): Promise<number> {
    return (await this.pool.query({ ...SWEEP, values: [limit] })).rowCount ?? 0;
  }
}
