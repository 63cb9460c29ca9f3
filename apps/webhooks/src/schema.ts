import { migrations as eventStoreMigrations } from '@sluice/event-store';
import type { Migration } from '@sluice/service';
import { mailMigration } from './mails/mail-schema.js';

/** How many characters of an answer are kept; a receiver says what it likes (R-WH-09). */
export const KEPT_ANSWER_CHARACTERS_MAX = 4_096;

/** How deliveries stand. */
export const deliveryStandings = ['waiting', 'acknowledged', 'overdue', 'discarded'] as const;
/** One of them. */
export type DeliveryStanding = (typeof deliveryStandings)[number];

/**
 * The tables of webhooks, for the owner role to make: the event store of its subscriptions, what is on its way,
 * and what became of it. Nothing in them is personal: what a notification says is looked up when it is sent.
 */
export function migrations(names: {
  readonly schema: string;
  readonly appRole: string;
}): readonly Migration[] {
  const { schema, appRole } = names;
  return [
    // First, because it refuses names that are not identifiers.
    ...eventStoreMigrations(names),
    {
      name: 'webhooks-1',
      statements: [
        ...heardTable(schema),
        ...queuesTable(schema),
        ...deliveriesTable(schema),
        ...attemptsTable(schema),
        ...testsTable(schema),
        ...['heard', 'queues', 'deliveries', 'attempts', 'tests'].map(
          (table) => `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.${table} TO ${appRole}`,
        ),
      ],
    },
    mailMigration(names),
    {
      name: 'webhooks-entity-of-queues',
      statements: [
        `ALTER TABLE ${schema}.queues ADD COLUMN entity_id text COLLATE "C" NOT NULL DEFAULT ''`,
        `COMMENT ON COLUMN ${schema}.queues.entity_id IS
           'By whose clock it is dated; empty: made before this column'`,
      ],
    },
  ];
}

function heardTable(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.heard (
       topic text COLLATE "C" NOT NULL,
       partition int NOT NULL,
       last_offset numeric NOT NULL,
       PRIMARY KEY (topic, partition))`,
    `COMMENT ON TABLE ${schema}.heard IS
       'Up to which message of each topic everything to be told is in queues (R-WH-01)'`,
  ];
}

function queuesTable(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.queues (
       subscription_id text COLLATE "C" NOT NULL CHECK (subscription_id ~ '^[0-9a-f]{32}$'),
       object_id text COLLATE "C" NOT NULL,
       receiver text NOT NULL,
       state jsonb NOT NULL,
       due_at timestamptz,
       changed_at timestamptz NOT NULL,
       PRIMARY KEY (subscription_id, object_id))`,
    `CREATE INDEX queues_due ON ${schema}.queues (due_at) WHERE due_at IS NOT NULL`,
    `CREATE INDEX queues_of_receiver ON ${schema}.queues (receiver, due_at) WHERE due_at IS NOT NULL`,
    `CREATE INDEX queues_at_rest ON ${schema}.queues (changed_at) WHERE due_at IS NULL`,
    `COMMENT ON TABLE ${schema}.queues IS
       'What a subscription has still to be told of one payment, in order'`,
    `COMMENT ON COLUMN ${schema}.queues.due_at IS 'When somebody has to look at it; null: never'`,
    `COMMENT ON COLUMN ${schema}.queues.receiver IS 'Scheme, host and port that it waits for'`,
  ];
}

function deliveriesTable(schema: string): readonly string[] {
  const standings = deliveryStandings.map((standing) => `'${standing}'`).join(', ');
  return [
    `CREATE TABLE ${schema}.deliveries (
       id uuid PRIMARY KEY,
       subscription_id text COLLATE "C" NOT NULL,
       object_id text COLLATE "C" NOT NULL,
       sequence int NOT NULL,
       type text NOT NULL,
       transaction_id text COLLATE "C" NOT NULL,
       entity_id text COLLATE "C" NOT NULL,
       ndc text NOT NULL,
       action text,
       happened_at timestamptz NOT NULL,
       accepted_at timestamptz NOT NULL,
       standing text NOT NULL DEFAULT 'waiting' CHECK (standing IN (${standings})),
       ended_at timestamptz)`,
    `CREATE INDEX deliveries_of_subscription ON ${schema}.deliveries (subscription_id, accepted_at)`,
    `CREATE INDEX deliveries_of_transaction ON ${schema}.deliveries (transaction_id)`,
    `CREATE INDEX deliveries_ended ON ${schema}.deliveries (ended_at) WHERE ended_at IS NOT NULL`,
    `CREATE INDEX deliveries_waiting ON ${schema}.deliveries (accepted_at) WHERE standing = 'waiting'`,
    `COMMENT ON TABLE ${schema}.deliveries IS 'Notifications, one row for each subscription'`,
    `COMMENT ON COLUMN ${schema}.deliveries.sequence IS
       'The version of its stream: what it says is the state after that event (R-WH-07)'`,
  ];
}

function attemptsTable(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.attempts (
       id uuid PRIMARY KEY,
       delivery_id uuid NOT NULL,
       subscription_id text COLLATE "C" NOT NULL,
       began_at timestamptz NOT NULL,
       ended_at timestamptz NOT NULL,
       outcome text NOT NULL,
       status_code int,
       answer text CHECK (length(answer) <= ${KEPT_ANSWER_CHARACTERS_MAX}))`,
    `CREATE INDEX attempts_of_delivery ON ${schema}.attempts (delivery_id, began_at)`,
    `CREATE INDEX attempts_of_subscription ON ${schema}.attempts (subscription_id, ended_at)`,
    `CREATE INDEX attempts_ended ON ${schema}.attempts (ended_at)`,
    `COMMENT ON TABLE ${schema}.attempts IS 'What receivers answered, for 30 days'`,
    `COMMENT ON COLUMN ${schema}.attempts.answer IS
       'The beginning of the body, as hostile text; numbers of cards are masked'`,
  ];
}

function testsTable(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.tests (
       id uuid PRIMARY KEY,
       subscription_id text COLLATE "C" NOT NULL,
       asked_at timestamptz NOT NULL,
       begun_at timestamptz,
       ended_at timestamptz,
       outcome text,
       status_code int,
       said text CHECK (length(said) <= ${KEPT_ANSWER_CHARACTERS_MAX}))`,
    `CREATE INDEX tests_waiting ON ${schema}.tests (asked_at) WHERE begun_at IS NULL`,
    `COMMENT ON TABLE ${schema}.tests IS
       'Calls that somebody has asked for, to see whether a receiver is there'`,
  ];
}
