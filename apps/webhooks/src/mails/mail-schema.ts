import type { Migration } from '@sluice/service';

/** The tables of mails: what was alerted, and what is to be sent, once each. */
export function mailMigration({
  schema,
  appRole,
}: {
  readonly schema: string;
  readonly appRole: string;
}): Migration {
  return {
    name: 'webhooks-mails-1',
    statements: [
      ...mailingTable(schema),
      ...alertsTable(schema),
      ...mailsTable(schema),
      `CREATE INDEX deliveries_given_up ON ${schema}.deliveries (subscription_id, ended_at)
         WHERE standing IN ('overdue', 'discarded')`,
      ...['mailing', 'alerts', 'mails'].map(
        (table) => `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.${table} TO ${appRole}`,
      ),
    ],
  };
}

function mailingTable(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.mailing (
       is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
       goes_to text,
       watched_at timestamptz NOT NULL,
       digested_at timestamptz NOT NULL)`,
    `COMMENT ON TABLE ${schema}.mailing IS
       'One row: whoever locks it looks for what is to be mailed, and nobody else'`,
    `COMMENT ON COLUMN ${schema}.mailing.goes_to IS
       'Where the process that started last sends mails to; null: it sends none'`,
  ];
}

function alertsTable(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.alerts (
       subscription_id text COLLATE "C" PRIMARY KEY,
       matter text NOT NULL,
       alerted_at timestamptz NOT NULL,
       is_over boolean NOT NULL)`,
    `COMMENT ON TABLE ${schema}.alerts IS 'The last alert of each subscription'`,
  ];
}

function mailsTable(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.mails (
       id uuid PRIMARY KEY,
       kind text NOT NULL,
       subscription_id text COLLATE "C" NOT NULL,
       address text NOT NULL,
       subject text NOT NULL,
       body text NOT NULL,
       made_at timestamptz NOT NULL,
       due_at timestamptz,
       tries int NOT NULL DEFAULT 0,
       sent_at timestamptz,
       trouble text)`,
    `CREATE INDEX mails_due ON ${schema}.mails (due_at) WHERE due_at IS NOT NULL`,
    `COMMENT ON COLUMN ${schema}.mails.address IS 'Sealed for its subscription'`,
    `COMMENT ON COLUMN ${schema}.mails.due_at IS
       'When it is sent, or when whoever sends it counts as gone; null: it was sent, or given up'`,
  ];
}
