import { connectClient, migrate, type Migration } from '@sluice/service';
import { userInfo } from 'node:os';

/** What an operator did, for whoever asks later. */
export interface OperatorAction {
  /** A few words, e.g. `projection transactions: switch`. */
  readonly action: string;
  readonly reason?: string | undefined;
  /** Never personal data. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Where it is recorded: beside what was changed. */
export interface ActionRecord {
  /** The owner role's: the table is made when it is first needed. */
  readonly url: string;
  readonly schema: string;
}

function migrations(schema: string): readonly Migration[] {
  return [
    {
      name: 'operator-actions-1',
      statements: [
        `CREATE TABLE ${schema}.operator_actions (
           id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
           at timestamptz NOT NULL DEFAULT now(),
           actor text NOT NULL,
           action text NOT NULL,
           reason text,
           details json NOT NULL)`,
        `COMMENT ON TABLE ${schema}.operator_actions IS 'What was done with the command line, and why'`,
      ],
    },
  ];
}

/** Records an action, before it is done: one that fails half-way is known too. */
export async function recordAction(
  { url, schema }: ActionRecord,
  { action, reason, details }: OperatorAction,
): Promise<void> {
  await migrate({ url, schema, migrations: migrations(schema) });
  const text = `INSERT INTO ${schema}.operator_actions (actor, action, reason, details)
    VALUES ($1, $2, $3, $4)`;
  const client = await connectClient({ connectionString: url, application_name: 'sluice-cli' });
  try {
    const values = [userInfo().username, action, reason ?? null, JSON.stringify(details)];
    await client.query(text, values);
  } finally {
    await client.end();
  }
}
