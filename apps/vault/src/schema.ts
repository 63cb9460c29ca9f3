/** One step of the schema's history, forward only; released steps are never changed. */
export interface VaultMigration {
  readonly name: string;
  readonly statements: readonly string[];
}

/** Where the tables go and who may use them; both are plain SQL identifiers. */
export interface SchemaNames {
  readonly schema: string;
  /** The role of the running vault. */
  readonly appRole: string;
}

const IDENTIFIER = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * The vault's tables, for the owner role to make.
 *
 * `held_cards` is unlogged: nothing of it is in the write-ahead log, in a backup or on a replica,
 * and a crash of PostgreSQL empties it, after which its payments end as not performed (D-42, D-26).
 * Rows live for seconds, so autovacuum goes by their number, not by a share of a nearly empty
 * table. `kept_details` is logged: it is for years, and what is in it is encrypted under wrapping keys
 * that no backup of the database has. `used_tokens` is logged, so that a crash lets nobody pay with a
 * token again.
 */
export function migrations({ schema, appRole }: SchemaNames): readonly VaultMigration[] {
  for (const name of [schema, appRole]) {
    if (!IDENTIFIER.test(name)) throw new TypeError(`Not an SQL identifier: ${name}`);
  }
  return [
    {
      name: 'vault-1',
      statements: [
        `CREATE TABLE ${schema}.data_keys (
           data_key_id uuid PRIMARY KEY,
           wrapping_key_version text NOT NULL,
           wrapped bytea NOT NULL,
           uses bigint NOT NULL DEFAULT 0,
           created_at timestamptz NOT NULL DEFAULT now(),
           erase_after timestamptz NOT NULL)`,
        `COMMENT ON TABLE ${schema}.data_keys IS
           'Keys that encrypt cards, each encrypted under a wrapping key that is not in here'`,
        `CREATE UNLOGGED TABLE ${schema}.held_cards (
           reference text COLLATE "C" PRIMARY KEY,
           data_key_id uuid NOT NULL,
           nonce bytea NOT NULL,
           ciphertext bytea NOT NULL,
           expires_at timestamptz NOT NULL)
           WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000)`,
        `COMMENT ON TABLE ${schema}.held_cards IS
           'Cards of payments under way, encrypted; the security code is never here'`,
        `CREATE INDEX held_cards_expiry ON ${schema}.held_cards (expires_at)`,
        `GRANT USAGE ON SCHEMA ${schema} TO ${appRole}`,
        `GRANT SELECT, INSERT, DELETE ON ${schema}.held_cards TO ${appRole}`,
        `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.data_keys TO ${appRole}`,
      ],
    },
    {
      name: 'vault-2',
      statements: [
        `CREATE TABLE ${schema}.kept_details (
           registration_id text COLLATE "C" PRIMARY KEY,
           fingerprint text NOT NULL,
           nonce bytea NOT NULL,
           ciphertext bytea NOT NULL,
           wrapping_key_version text COLLATE "C" NOT NULL,
           wrapped bytea NOT NULL,
           kept_at timestamptz NOT NULL DEFAULT now())`,
        `COMMENT ON TABLE ${schema}.kept_details IS
           'Accounts of registrations, each encrypted with a key of its own, which is wrapped'`,
        `CREATE INDEX kept_details_version ON ${schema}.kept_details (wrapping_key_version)`,
        `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.kept_details TO ${appRole}`,
      ],
    },
    usedTokens(schema, appRole),
    {
      name: 'vault-4',
      statements: [
        `ALTER TABLE ${schema}.kept_details ADD COLUMN revision integer NOT NULL DEFAULT 0`,
      ],
    },
    keptOnce(schema),
  ];
}

/** What was kept before has no scope, and is therefore nobody's answer to another request. */
function keptOnce(schema: string): VaultMigration {
  return {
    name: 'vault-5',
    statements: [
      `ALTER TABLE ${schema}.kept_details
         ADD COLUMN scope text, ADD COLUMN is_once boolean NOT NULL DEFAULT false`,
      `COMMENT ON COLUMN ${schema}.kept_details.is_once IS
           'No other row that says so has the same account and scope'`,
      `CREATE INDEX kept_details_account ON ${schema}.kept_details (fingerprint, scope)`,
      `CREATE UNIQUE INDEX kept_details_once
         ON ${schema}.kept_details (fingerprint, scope) WHERE is_once`,
    ],
  };
}

function usedTokens(schema: string, appRole: string): VaultMigration {
  return {
    name: 'vault-3',
    statements: [
      `CREATE TABLE ${schema}.used_tokens (
           token bytea PRIMARY KEY,
           used_by text NOT NULL,
           used_at timestamptz NOT NULL DEFAULT now(),
           forget_after timestamptz NOT NULL)`,
      `COMMENT ON TABLE ${schema}.used_tokens IS
           'Keyed hashes of the tokens of wallets that payments were made with'`,
      `CREATE INDEX used_tokens_expiry ON ${schema}.used_tokens (forget_after)`,
      `GRANT SELECT, INSERT, DELETE ON ${schema}.used_tokens TO ${appRole}`,
    ],
  };
}
