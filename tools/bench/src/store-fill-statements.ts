/** A payment that was really made: its request, its outcome, and what belongs to them. */
export interface RecordedPayment {
  readonly streamId: string;
  readonly entityId: string;
  readonly wrapped: Buffer;
  /** The sealed personal parameters. */
  readonly personal: string;
  /** Data and metadata of both events, as the store has them: JSON. */
  readonly first: string;
  readonly firstMetadata: string;
  readonly second: string;
  readonly secondMetadata: string;
}

/** The events of a payment with the places in them where another one's values go, for `format`. */
export type Template = Pick<
  RecordedPayment,
  'first' | 'firstMetadata' | 'second' | 'secondMetadata'
>;

/** One in so many has no id of its merchant, hence no key in the index of transactions. */
const WITHOUT_MERCHANT_ID = 4;

export const TEMPLATE_TABLE = `CREATE TEMP TABLE templates (number int PRIMARY KEY, stream_id text,
  entity_id text, wrapped bytea, personal text, first text, first_metadata text, second text,
  second_metadata text)`;

/** What takes the place of the template's keys and blocks, by the number of the payment. */
export const SEALED_TABLE =
  'CREATE TEMP TABLE sealed (n bigint PRIMARY KEY, wrapped bytea NOT NULL, personal text NOT NULL)';

interface Data {
  readonly parameters?: { readonly merchantTransactionId?: string };
  readonly request?: { readonly deadlineMs?: number };
}

interface Metadata {
  readonly ndc: string;
  readonly recordedAtMs: number;
  readonly causationId: string;
}

/**
 * Makes the template of a recorded payment. Its places: `%1$s` id, `%2$s` id of its merchant, `%3$s`
 * personal block, `%4$s` milliseconds, `%5$s` ndc, `%6$s` command, `%7$s` deadline.
 */
export function templateOf(recorded: RecordedPayment, number: number): Template {
  const data = JSON.parse(recorded.first) as Data;
  const first = withoutMerchantId(number)
    ? JSON.stringify({ ...data, parameters: {} })
    : recorded.first;
  const merchantId = data.parameters?.merchantTransactionId;
  const { ndc, causationId } = JSON.parse(recorded.firstMetadata) as Metadata;
  const places: readonly (readonly [string | undefined, string])[] = [
    [recorded.streamId, '%1$s'],
    [merchantId, '%2$s'],
    [recorded.personal, '%3$s'],
    [ndc, '%5$s'],
    [causationId, '%6$s'],
    [data.request?.deadlineMs?.toString(), '%7$s'],
  ];
  const placed = (text: string): string =>
    places.reduce(
      (all, [value, place]) => (value === undefined ? all : all.replaceAll(value, () => place)),
      text.replaceAll('%', '%%'),
    );
  const timed = (text: string): string =>
    placed(text).replaceAll(String((JSON.parse(text) as Metadata).recordedAtMs), () => '%4$s');
  return {
    ...{ first: placed(first), second: placed(recorded.second) },
    firstMetadata: timed(recorded.firstMetadata),
    secondMetadata: timed(recorded.secondMetadata),
  };
}

/** Whether payments of this number have no id of their merchant; the statement says the same. */
export function withoutMerchantId(number: number): boolean {
  return number % WITHOUT_MERCHANT_ID === WITHOUT_MERCHANT_ID - 1;
}

/** What is another payment's in a row of reporting; all else is the template's. */
const SHOWN: Readonly<Record<string, string>> = {
  transaction_id: 'p.id::uuid',
  stream_id: 'p.id::uuid',
  merchant_transaction_id: 'p.merchant_id',
  ndc: 'p.ndc',
  recorded_at_ms: 'p.ms',
  personal: 'p.personal',
  parameters: `CASE WHEN p.merchant_id IS NULL THEN '{}'
    ELSE format('{"merchantTransactionId":"%s"}', p.merchant_id) END`,
};

/**
 * Copies payments `$1` to `$2`; `$3` is the time of the first in milliseconds, `$4` the time between
 * two. Reporting's tables are told that they have them, or it would read all events again.
 */
export function fillStatement(
  table: string,
  columns: readonly string[],
  templates: number,
): string {
  return `
  WITH numbered AS (
    SELECT n, ms, t.*, md5('grow' || n) AS h, lpad(to_hex(ms), 12, '0') AS time
    FROM generate_series($1::bigint, $2::bigint) n
    CROSS JOIN LATERAL (SELECT $3::bigint + n * $4::bigint AS ms) m
    JOIN templates t ON t.number = n % ${templates}),
  p AS MATERIALIZED (
    SELECT d.n, ms, number, d.stream_id AS copied, first, first_metadata, second, second_metadata,
      entity_id, time, h, time || left(h, 20) AS id, entity_id || '_' || md5(h) AS ndc,
      CASE WHEN d.n % ${WITHOUT_MERCHANT_ID} < ${WITHOUT_MERCHANT_ID - 1}
           THEN 'grow-' || substr(h, 17) END AS merchant_id,
      (time || '7a' || substr(h, 2, 2) || '8' || substr(h, 5, 15))::uuid AS command,
      coalesce(s.personal, d.personal) AS personal, coalesce(s.wrapped, d.wrapped) AS wrapped
    FROM numbered d LEFT JOIN sealed s ON s.n = d.n ORDER BY d.n),
  events AS (
    INSERT INTO payments.events
      (stream_id, version, recorded_at, event_id, command_id, type, schema_version, data, metadata)
    SELECT id, version, to_timestamp(ms / 1000.0), (time || e.event_id)::uuid,
      CASE version WHEN 1 THEN command ELSE (time || e.event_id)::uuid END, type, 1,
      format(data, id, merchant_id, personal, ms, ndc, command, ms + 22000)::json,
      format(metadata, id, merchant_id, personal, ms, ndc, command)::json
    FROM p CROSS JOIN LATERAL (VALUES
      (1, 'PaymentInitiated', '7b' || substr(h, 2, 2) || '8' || substr(h, 5, 15), first, first_metadata),
      (2, 'TransactionApproved', '7c' || substr(h, 2, 2) || '8' || substr(h, 5, 15), second, second_metadata)
    ) AS e (version, type, event_id, data, metadata)),
  streams AS (INSERT INTO payments.streams (stream_id, version) SELECT id, 2 FROM p),
  transactions AS (
    INSERT INTO payments.transactions
      (transaction_id, stream_id, command_id, begun_version, lookup_key)
    SELECT id, id, command, 1, ('x' || encode(substr(sha256(
      convert_to(entity_id || ' ' || merchant_id, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint FROM p),
  keys AS (INSERT INTO payments.personal_keys (stream_id, wrapped) SELECT id, wrapped FROM p),
  reported AS (
    INSERT INTO reporting.${table} (${columns.join(', ')})
    SELECT ${columns.map((column) => SHOWN[column] ?? `shown.${column}`).join(', ')}
    FROM p JOIN shown ON shown.transaction_id = p.copied::uuid),
  versions AS (
    INSERT INTO reporting.${table}_streams (stream_id, version) SELECT id::uuid, 2 FROM p)
  UPDATE reporting.table_sets
  SET heads_cursor = pg_current_xact_id()::text || '-9223372036854775807' WHERE state = 'live'`;
}
