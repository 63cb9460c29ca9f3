import { migrations as eventStoreMigrations } from '@sluice/event-store';
import type { Migration } from '@sluice/service';

/** Far above what edge reports of its busiest keys; a row must stay cheap to write. */
const DEMANDS_CHARACTERS_MAX = 65_536;

/** The tables of accounts, for the owner role to make: its event store, and who asks for the directory. */
export function migrations(names: {
  readonly schema: string;
  readonly appRole: string;
}): readonly Migration[] {
  const { schema, appRole } = names;
  return [
    // First, because it refuses names that are not identifiers.
    ...eventStoreMigrations(names),
    {
      name: 'accounts-1',
      statements: [
        // Unlogged: after a crash everybody asks again within seconds.
        `CREATE UNLOGGED TABLE ${schema}.askers (
           asker text COLLATE "C" PRIMARY KEY CHECK (length(asker) BETWEEN 1 AND 64),
           asked_at timestamptz NOT NULL,
           demands jsonb NOT NULL DEFAULT '{}'
             CHECK (length(demands::text) <= ${DEMANDS_CHARACTERS_MAX}))`,
        `COMMENT ON TABLE ${schema}.askers IS
           'Instances of edge, by when they last asked: they share what a merchant may send'`,
        `COMMENT ON COLUMN ${schema}.askers.demands IS
           'Requests per second by throttle key, a keyed hash, when it last asked'`,
        `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.askers TO ${appRole}`,
      ],
    },
  ];
}
