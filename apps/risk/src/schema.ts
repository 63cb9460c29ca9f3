import { migrations as eventStoreMigrations } from '@sluice/event-store';
import type { Migration } from '@sluice/service';

/** The tables of risk, for the owner role to make. */
export function migrations(names: {
  readonly schema: string;
  readonly appRole: string;
}): readonly Migration[] {
  const { schema, appRole } = names;
  return [
    // First, because it refuses names that are not identifiers.
    ...eventStoreMigrations(names),
    {
      name: 'risk-1',
      statements: [
        ...ruleTables(schema),
        ...assessmentTables(schema),
        `GRANT USAGE ON SCHEMA ${schema} TO ${appRole}`,
        `GRANT SELECT, INSERT ON ${schema}.rule_sets, ${schema}.hash_keys TO ${appRole}`,
        `GRANT SELECT, INSERT, DELETE ON ${schema}.payer_counts TO ${appRole}`,
        `GRANT SELECT, INSERT, UPDATE ON ${schema}.assessments TO ${appRole}`,
      ],
    },
    {
      name: 'risk-authentications-1',
      statements: [
        ...cardRangeTables(schema),
        `GRANT SELECT, INSERT, UPDATE ON ${schema}.card_ranges TO ${appRole}`,
      ],
    },
    {
      name: 'risk-2',
      statements: [
        ...outcomeTables(schema),
        `GRANT UPDATE ON ${schema}.payer_counts TO ${appRole}`,
        `GRANT SELECT, INSERT, UPDATE ON ${schema}.payer_histories, ${schema}.outcomes_read TO ${appRole}`,
        `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.address_data, ${schema}.scorers TO ${appRole}`,
      ],
    },
    {
      name: 'risk-3',
      statements: [
        ...retryTables(schema),
        `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.outcomes_unread TO ${appRole}`,
      ],
    },
    {
      name: 'risk-scorer-answers-1',
      statements: [
        ...scorerAnswerTables(schema),
        `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.scorer_answers TO ${appRole}`,
      ],
    },
    {
      name: 'risk-4',
      statements: [
        // Each row is written once more, when its outcome is known. Half of the page would hold the dead rows
        // anyway; kept free, it takes the new ones, and no index hears of them.
        `ALTER TABLE ${schema}.assessments SET (fillfactor = 50)`,
      ],
    },
    { name: 'risk-5', statements: lastWords(schema) },
  ];
}

/** What external scorers have said, so that they are asked once. */
function scorerAnswerTables(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.scorer_answers (
           assessment_id text COLLATE "C" PRIMARY KEY CHECK (assessment_id ~ '^[0-9a-f]{32}$'),
           asked_at timestamptz NOT NULL DEFAULT now(),
           answer jsonb)`,
    `COMMENT ON TABLE ${schema}.scorer_answers IS
           'For which assessments an external scorer was asked in the last hour, and what it said'`,
    `CREATE INDEX scorer_answers_by_time ON ${schema}.scorer_answers (asked_at)`,
  ];
}

/** Which cards take part in 3-D Secure. */
function cardRangeTables(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.card_ranges (
           network text COLLATE "C" NOT NULL,
           is_live boolean NOT NULL,
           serial_number text,
           ranges jsonb NOT NULL,
           fetched_at timestamptz NOT NULL DEFAULT now(),
           PRIMARY KEY (network, is_live))`,
    `COMMENT ON TABLE ${schema}.card_ranges IS
           'Card ranges as directory servers told them last (3-D Secure, PRes)'`,
  ];
}

/** Rules, and what they count. */
function ruleTables(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.rule_sets (
           node_id text COLLATE "C" NOT NULL CHECK (node_id ~ '^[0-9a-f]{32}$'),
           version int NOT NULL CHECK (version > 0),
           changed_at timestamptz NOT NULL DEFAULT now(),
           actor text NOT NULL,
           file jsonb NOT NULL,
           PRIMARY KEY (node_id, version))`,
    `COMMENT ON TABLE ${schema}.rule_sets IS
           'The rules of nodes, each change a row that stays: the greatest version holds'`,
    `CREATE TABLE ${schema}.hash_keys (
           id int PRIMARY KEY CHECK (id = 1),
           wrapped bytea NOT NULL)`,
    `COMMENT ON TABLE ${schema}.hash_keys IS
           'The key by which payers are counted without their names, wrapped'`,
    `CREATE TABLE ${schema}.payer_counts (
           key bigint NOT NULL,
           at timestamptz NOT NULL,
           minor bigint NOT NULL,
           currency text COLLATE "C" NOT NULL,
           passed boolean NOT NULL)`,
    `COMMENT ON TABLE ${schema}.payer_counts IS
           'Payments by keyed hashes of their payers, for as long as the longest window'`,
    `CREATE INDEX payer_counts_by_key ON ${schema}.payer_counts (key, at)`,
    `CREATE INDEX payer_counts_by_time ON ${schema}.payer_counts USING brin (at)`,
  ];
}

/** What they decided, and what people decided afterwards. */
function assessmentTables(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.assessments (
           assessment_id text COLLATE "C" PRIMARY KEY CHECK (assessment_id ~ '^[0-9a-f]{32}$'),
           entity_id text COLLATE "C" NOT NULL,
           assessed_at timestamptz NOT NULL DEFAULT now(),
           received_at timestamptz(3) NOT NULL,
           amount_minor bigint NOT NULL,
           currency text COLLATE "C" NOT NULL,
           decision text NOT NULL,
           result_code text,
           score int NOT NULL,
           fired jsonb NOT NULL,
           personal jsonb,
           facts jsonb NOT NULL,
           review text CHECK (review IN ('open', 'released', 'rejected')),
           release_at timestamptz,
           decided_at timestamptz,
           decided_by text,
           reversal_id text,
           told_at timestamptz)`,
    `COMMENT ON COLUMN ${schema}.assessments.personal IS
           'What rules saw of the shopper, sealed under a key that is wrapped beside it'`,
    `COMMENT ON COLUMN ${schema}.assessments.facts IS
           'What other rules would have seen, for what-if: persons only as marks by a key'`,
    `CREATE INDEX assessments_by_time ON ${schema}.assessments (received_at, assessment_id)`,
    `CREATE INDEX assessments_under_review ON ${schema}.assessments (assessed_at)
           WHERE review = 'open'`,
    `CREATE INDEX assessments_to_tell ON ${schema}.assessments (decided_at)
           WHERE decided_at IS NOT NULL AND told_at IS NULL`,
  ];
}

/** What became of the payments that rules have judged, and what their payers have done. */
function outcomeTables(schema: string): readonly string[] {
  return [
    `ALTER TABLE ${schema}.assessments
           ADD COLUMN afterwards jsonb,
           ADD COLUMN counted_keys bigint[],
           ADD COLUMN history_keys bigint[],
           ADD COLUMN outcome text CHECK (outcome IN ('approved', 'declined', 'ended')),
           ADD COLUMN charged_back boolean NOT NULL DEFAULT false`,
    `COMMENT ON COLUMN ${schema}.assessments.afterwards IS
           'What the rules say of an approval, by what the issuer finds'`,
    `COMMENT ON COLUMN ${schema}.assessments.outcome IS
           'What payments recorded; null while nobody knows'`,
    `ALTER TABLE ${schema}.payer_counts
           ADD COLUMN assessment_id uuid,
           ADD COLUMN outcome text`,
    `CREATE TABLE ${schema}.payer_histories (
           key bigint PRIMARY KEY,
           first_at timestamptz(3) NOT NULL,
           payments int NOT NULL,
           approved int NOT NULL DEFAULT 0,
           declined int NOT NULL DEFAULT 0,
           charged_back int NOT NULL DEFAULT 0)`,
    `COMMENT ON TABLE ${schema}.payer_histories IS
           'What payers have done, by keyed hashes of them'`,
    `CREATE TABLE ${schema}.outcomes_read (
           id int PRIMARY KEY CHECK (id = 1),
           incarnation text NOT NULL,
           cursor text NOT NULL)`,
    `COMMENT ON TABLE ${schema}.outcomes_read IS
           'How far the events of payments were read, and of which store'`,
    `CREATE TABLE ${schema}.address_data (
           kind text PRIMARY KEY CHECK (kind IN ('countries', 'proxies')),
           built_at timestamptz NOT NULL)`,
    `COMMENT ON TABLE ${schema}.address_data IS
           'What the instance that has started last knows of addresses'`,
    `CREATE TABLE ${schema}.scorers (name text PRIMARY KEY)`,
    `COMMENT ON TABLE ${schema}.scorers IS
           'The external scorers that the instance knows that has started last'`,
  ];
}

/** What is tried again, each in its turn. */
function retryTables(schema: string): readonly string[] {
  return [
    `ALTER TABLE ${schema}.assessments ADD COLUMN tell_tried_at timestamptz`,
    `COMMENT ON COLUMN ${schema}.assessments.tell_tried_at IS
           'When payments was last told of a decision that it could not record'`,
    `CREATE TABLE ${schema}.outcomes_unread (
           assessment_id text COLLATE "C" PRIMARY KEY,
           since timestamptz NOT NULL DEFAULT now(),
           tried_at timestamptz NOT NULL DEFAULT now())`,
    `COMMENT ON TABLE ${schema}.outcomes_unread IS
           'Payments whose events could not be read, to be tried again'`,
  ];
}

/** What rules said last, which may come once the issuer was asked. */
function lastWords(schema: string): readonly string[] {
  return [
    `ALTER TABLE ${schema}.assessments ADD COLUMN rejected boolean NOT NULL DEFAULT false`,
    `COMMENT ON COLUMN ${schema}.assessments.rejected IS
           'Whether the last word of the rules was no, as payments recorded it'`,
  ];
}
