import { migrations as eventStoreMigrations } from '@sluice/event-store';
import type { Migration } from '@sluice/service';

/** The tables of checkouts, for the owner role to make: its event store, and builds of the widget. */
export function migrations(names: {
  readonly schema: string;
  readonly appRole: string;
}): readonly Migration[] {
  const { schema, appRole } = names;
  return [
    // First, because it refuses names that are not identifiers.
    ...eventStoreMigrations(names),
    {
      name: 'checkouts-1',
      statements: [
        `CREATE TABLE ${schema}.widgets (
           version text COLLATE "C" PRIMARY KEY CHECK (version ~ '^[0-9a-f]{32}$'),
           bundle text NOT NULL,
           announced_at timestamptz NOT NULL)`,
        `COMMENT ON TABLE ${schema}.widgets IS
           'Builds of the payment widget, for instances of edge that have another one (page 0065)'`,
        `COMMENT ON COLUMN ${schema}.widgets.announced_at IS
           'When an instance of edge last said that it has this one'`,
        `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.widgets TO ${appRole}`,
      ],
    },
  ];
}
