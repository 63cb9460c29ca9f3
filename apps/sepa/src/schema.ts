import type { Migration } from '@sluice/service';

/** Where an order is on its way. */
export const orderStates = [
  // The vault is being asked to keep its account.
  'placing',
  // It never was: nothing happens.
  'failed',
  // It reserves nothing, but captures may follow.
  'authorized',
  // For the next file.
  'waiting',
  'inFile',
  'accepted',
  'rejected',
  'returned',
  'cancelled',
  // Of a reversal: it came too late, or was done.
  'declined',
  'done',
] as const;

/** One of them. */
export type OrderState = (typeof orderStates)[number];

/** Why somebody has to look. */
export const caseKinds = [
  'unknownFile',
  'unknownOrder',
  'differentAmount',
  'unexpected',
  'creditReturned',
  'chargebackRefused',
  'unexplained',
  'repeatedFile',
  'refundWithheld',
] as const;

/** One of them. */
export type CaseKind = (typeof caseKinds)[number];

/**
 * SQL, of a row of orders that waits: a refund is sent once the bank has the debit, and not when that came
 * back, because the shopper has that money already.
 */
export const IS_SENDABLE = `(operation <> 'refund' OR EXISTS (
  SELECT FROM orders AS debit
  WHERE debit.reference = orders.original AND debit.state IN ('inFile', 'accepted')))`;

/** The tables of the files for a bank. No account and no name is ever in them: the vault has those. */
export function migrations({ schema, appRole }: SchemaNames): readonly Migration[] {
  return [
    {
      name: 'sepa-1',
      statements: [
        ...orderTables(schema),
        `CREATE TABLE ${schema}.read_files (
           sha256 text COLLATE "C" PRIMARY KEY,
           read_at timestamptz NOT NULL)`,
        `CREATE TABLE ${schema}.gatherings (day date PRIMARY KEY)`,
        `CREATE TABLE ${schema}.cases (
           id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
           kind text NOT NULL,
           reference text,
           sha256 text,
           opened_at timestamptz NOT NULL)`,
        `COMMENT ON TABLE ${schema}.cases IS
           'What a person has to look at; the file with this hash is in the folder of those read'`,
        `GRANT USAGE ON SCHEMA ${schema} TO ${appRole}`,
        `GRANT SELECT, INSERT, UPDATE ON ${schema}.files, ${schema}.orders TO ${appRole}`,
        `GRANT SELECT, INSERT ON
           ${schema}.read_files, ${schema}.gatherings, ${schema}.cases TO ${appRole}`,
      ],
    },
    {
      name: 'sepa-2',
      statements: [
        `ALTER TABLE ${schema}.orders
           ADD COLUMN mandate text COLLATE "C", ADD COLUMN terms text COLLATE "C"`,
        `COMMENT ON COLUMN ${schema}.orders.mandate IS 'Keyed hash of the id of the mandate'`,
        `COMMENT ON COLUMN ${schema}.orders.terms IS
           'Keyed hash of the mandate with its account, holder and signature'`,
        `CREATE INDEX orders_mandate ON ${schema}.orders (creditor, mandate)
           WHERE mandate IS NOT NULL`,
      ],
    },
    {
      name: 'sepa-3',
      statements: [
        `ALTER TABLE ${schema}.orders ADD COLUMN entity_id text COLLATE "C" NOT NULL DEFAULT ''`,
        `COMMENT ON COLUMN ${schema}.orders.entity_id IS
           'By whose clock it is due; empty: placed before this column'`,
      ],
    },
  ];
}

interface SchemaNames {
  readonly schema: string;
  readonly appRole: string;
}

function orderTables(schema: string): readonly string[] {
  const states = orderStates.map((each) => `'${each}'`).join(', ');
  return [
    `CREATE TABLE ${schema}.files (
       message_id text COLLATE "C" PRIMARY KEY,
       name text NOT NULL UNIQUE,
       kind text NOT NULL CHECK (kind IN ('debits', 'transfers')),
       creditor text NOT NULL,
       created_at timestamptz NOT NULL,
       written_at timestamptz,
       sha256 text)`,
    `COMMENT ON TABLE ${schema}.files IS
       'Files for a bank; one without written_at is made of its orders again until it is there'`,
    `CREATE INDEX files_unwritten ON ${schema}.files (created_at) WHERE written_at IS NULL`,
    `CREATE TABLE ${schema}.orders (
       reference text COLLATE "C" PRIMARY KEY CHECK (length(reference) BETWEEN 1 AND 35),
       operation text NOT NULL,
       original text COLLATE "C" REFERENCES ${schema}.orders,
       creditor text NOT NULL,
       minor bigint NOT NULL,
       account text COLLATE "C" NOT NULL,
       sequence text,
       due_on date,
       state text NOT NULL CHECK (state IN (${states})),
       result_code text,
       file text COLLATE "C" REFERENCES ${schema}.files,
       batch text COLLATE "C",
       on_day date,
       placed_at timestamptz NOT NULL,
       chargeback_id text COLLATE "C",
       reported_at timestamptz,
       closed_at timestamptz,
       forgotten_at timestamptz)`,
    `COMMENT ON TABLE ${schema}.orders IS
       'Direct debits and credit transfers, in euro cents; account names what the vault keeps'`,
    `CREATE INDEX orders_waiting ON ${schema}.orders (placed_at) WHERE state = 'waiting'`,
    `CREATE INDEX orders_file ON ${schema}.orders (file)`,
    `CREATE INDEX orders_account ON ${schema}.orders (account) WHERE forgotten_at IS NULL`,
    `CREATE INDEX orders_unreported ON ${schema}.orders (reference)
       WHERE chargeback_id IS NOT NULL AND reported_at IS NULL`,
  ];
}
