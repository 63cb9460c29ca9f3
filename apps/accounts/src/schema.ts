import type { Migration } from '@sluice/service';

/** Far above what edge reports of its busiest keys; a row must stay cheap to write. */
const DEMANDS_CHARACTERS_MAX = 65_536;

const IDENTIFIER = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * The tables of accounts, for the owner role to make. Credentials are keyed hashes (S-AUT-01); the
 * version row is what edge compares, and the lock that lets seedings follow one another.
 */
export function migrations({
  schema,
  appRole,
}: {
  readonly schema: string;
  readonly appRole: string;
}): readonly Migration[] {
  for (const name of [schema, appRole]) {
    if (!IDENTIFIER.test(name)) throw new TypeError(`Not an SQL identifier: ${name}`);
  }
  return [
    {
      name: 'accounts-1',
      statements: [
        `CREATE TABLE ${schema}.nodes (
           id text COLLATE "C" PRIMARY KEY CHECK (id ~ '^[0-9a-f]{32}$'),
           kind text NOT NULL CHECK (kind IN ('psp', 'division', 'merchant', 'channel')),
           name text NOT NULL CHECK (name <> ''),
           parent_id text COLLATE "C" REFERENCES ${schema}.nodes (id),
           manual_chargebacks boolean NOT NULL,
           CHECK ((kind = 'psp') = (parent_id IS NULL)))`,
        `COMMENT ON TABLE ${schema}.nodes IS 'The tree PSP > division > merchant > channel'`,
        `CREATE TABLE ${schema}.credentials (
           kind text NOT NULL CHECK (kind IN ('accessToken', 'legacy')),
           hash text COLLATE "C" NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
           node_id text COLLATE "C" NOT NULL REFERENCES ${schema}.nodes (id),
           PRIMARY KEY (kind, hash))`,
        `COMMENT ON TABLE ${schema}.credentials IS
           'Keyed hashes of access tokens and legacy credentials; the key is not in here'`,
        `CREATE INDEX credentials_node ON ${schema}.credentials (node_id)`,
        `CREATE TABLE ${schema}.directory_version (
           only_row boolean PRIMARY KEY CHECK (only_row),
           version bigint NOT NULL)`,
        `COMMENT ON TABLE ${schema}.directory_version IS
           'One row that moves with every change of the other two tables'`,
        `INSERT INTO ${schema}.directory_version VALUES (true, 0)`,
        `GRANT USAGE ON SCHEMA ${schema} TO ${appRole}`,
        `GRANT SELECT, INSERT, UPDATE ON ${schema}.nodes TO ${appRole}`,
        `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.credentials TO ${appRole}`,
        `GRANT SELECT, UPDATE ON ${schema}.directory_version TO ${appRole}`,
      ],
    },
    {
      name: 'accounts-2',
      statements: [
        // Unlogged: after a crash everybody asks again within seconds.
        `CREATE UNLOGGED TABLE ${schema}.askers (
           asker text COLLATE "C" PRIMARY KEY CHECK (length(asker) BETWEEN 1 AND 64),
           asked_at timestamptz NOT NULL)`,
        `COMMENT ON TABLE ${schema}.askers IS
           'Instances of edge, by when they last asked: they share what a merchant may send'`,
        `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.askers TO ${appRole}`,
      ],
    },
    {
      name: 'accounts-3',
      statements: [
        `ALTER TABLE ${schema}.askers ADD COLUMN demands jsonb NOT NULL DEFAULT '{}'
           CHECK (length(demands::text) <= ${DEMANDS_CHARACTERS_MAX})`,
        `COMMENT ON COLUMN ${schema}.askers.demands IS
           'Requests per second by throttle key, a keyed hash, when it last asked'`,
      ],
    },
    severalOwners(schema),
  ];
}

/** One credential may belong to several nodes, and a node has compatibility switches (D-67, D-68). */
function severalOwners(schema: string): Migration {
  return {
    name: 'accounts-4',
    statements: [
      `ALTER TABLE ${schema}.credentials DROP CONSTRAINT credentials_pkey,
         ADD PRIMARY KEY (kind, hash, node_id)`,
      `ALTER TABLE ${schema}.nodes ADD COLUMN compatibility jsonb NOT NULL DEFAULT '{}'
         CHECK (jsonb_typeof(compatibility) = 'object')`,
      `COMMENT ON COLUMN ${schema}.nodes.compatibility IS
         'Compatibility switches that are on or off here and below, by name'`,
    ],
  };
}
