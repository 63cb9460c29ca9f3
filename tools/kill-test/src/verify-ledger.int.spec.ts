import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventTable, eventTable, paymentEvents } from '@sluice/contracts';
import { migrations } from '@sluice/event-store';
import { testDatabase } from '@sluice/testing';
import { Client } from 'pg';
import type { ChainTransaction } from './ledger-fold.js';
import { verifyLedger } from './verify-ledger.js';

const CHAINS = 2_000;

/** Chains of four events: a debit, and a refund of a part of it. */
const FILL = `
  WITH chains AS (
    SELECT lpad(to_hex(n), 32, '0') AS id, lpad(to_hex(n + 16777216), 32, '0') AS refund, n
    FROM generate_series(1, $1::int) AS n),
  heads AS (INSERT INTO streams SELECT id, 4, NULL FROM chains),
  index AS (
    INSERT INTO transactions
    SELECT id, id, gen_random_uuid() FROM chains
    UNION ALL SELECT refund, id, gen_random_uuid() FROM chains)
  INSERT INTO events (stream_id, version, event_id, command_id, type, schema_version, data, metadata)
  SELECT id, version, gen_random_uuid(), gen_random_uuid(), type, 1, data, '{}'
  FROM chains, LATERAL (VALUES
    (1, 'PaymentInitiated', json_build_object('transactionId', id, 'operation', 'debit',
       'amount', json_build_object('minor', '9200', 'currency', 'EUR'), 'parameters', '{}'::json)),
    (2, 'TransactionApproved', json_build_object('transactionId', id, 'resultCode', '000.100.110')),
    (3, 'TransactionRequested', json_build_object('transactionId', refund, 'referencedId', id,
       'operation', 'refund', 'final', false, 'parameters', '{}'::json,
       'amount', json_build_object('minor', (n % 9200 + 1)::text, 'currency', 'EUR'))),
    (4, 'TransactionApproved', json_build_object('transactionId', refund, 'resultCode', '000.100.110'))
  ) AS event (version, type, data)`;

describe('the ledger check over a database', () => {
  let client: Client;
  // Before the database's own hook, which would end the connection.
  afterAll(async () => {
    await client.end();
  });
  const database = testDatabase();

  beforeAll(async () => {
    client = new Client({ connectionString: database.url });
    await client.connect();
    const role = `${database.name}_app`;
    const makeRole = `CREATE ROLE ${role}`;
    await client.query(makeRole);
    await client.query('CREATE SCHEMA payments');
    for (const { statements } of migrations({ schema: 'payments', appRole: role })) {
      for (const statement of statements) await client.query(statement);
    }
    await client.query('SET search_path = payments');
    await client.query(FILL, [CHAINS]);
  });

  it('reads every chain and finds nothing wrong', async () => {
    const chains = new Map<string, ChainTransaction[]>();
    const report = await verifyLedger(client, {
      schema: 'payments',
      onChain: (streamId, transactions) => chains.set(streamId, [...transactions]),
    });
    expect(report).toEqual({
      streams: CHAINS,
      events: CHAINS * 4,
      transactions: CHAINS * 2,
      violations: [],
      violationsTotal: 0,
    });
    expect(chains.size).toBe(CHAINS);
    const [debit, refund] = chains.get('1'.padStart(32, '0'))!;
    expect(debit).toMatchObject({ operation: 'debit', minor: 9_200n, outcome: 'approved' });
    expect(refund).toMatchObject({ operation: 'refund', minor: 2n, outcome: 'approved' });
  });

  it('folds data that an older release wrote in its shape of today', async () => {
    const { violationsTotal } = await sabotaged(
      `UPDATE events SET data = (data::jsonb - 'amount' || jsonb_build_object('sum', data->'amount'))
       WHERE stream_id = $1 AND type = 'PaymentInitiated'`,
      eventTable({
        ...paymentEvents,
        PaymentInitiated: {
          ...paymentEvents.PaymentInitiated,
          version: 2,
          upcasters: [({ sum, ...data }) => ({ amount: sum, ...data })],
        },
      }),
    );
    expect(violationsTotal).toBe(0);
  });

  /** One bad row each, undone afterwards: all of them must be found, and nothing else. */
  const planted: [string, string, RegExp][] = [
    [
      'a refund that is a cent too much',
      `UPDATE events SET data = jsonb_set(data::jsonb, '{amount,minor}', '"9201"')
       WHERE stream_id = $1 AND version = 3`,
      /9201 refunded, 0 reversed, 0 charged back of 9200/,
    ],
    [
      'an event that is missing in the middle',
      'DELETE FROM events WHERE stream_id = $1 AND version = 3',
      /version 4 follows 2/,
    ],
    [
      'an event that is missing at the end',
      'DELETE FROM events WHERE stream_id = $1 AND version = 4',
      /head 4, last event 3, 3 events/,
    ],
    [
      'a stream without head',
      'DELETE FROM streams WHERE stream_id = $1',
      /head null, last event 4/,
    ],
    [
      'a head without events',
      `INSERT INTO streams SELECT 'f' || substr($1, 2), 1, NULL`,
      /head 1, last event null/,
    ],
    [
      'a transaction that the index does not know',
      'DELETE FROM transactions WHERE transaction_id = $1',
      /indexed in null, stored in/,
    ],
    [
      'a transaction that the index has elsewhere',
      `UPDATE transactions SET stream_id = 'f' || substr($1, 2) WHERE transaction_id = $1`,
      /indexed in f0{10,30}[0-9a-f]{1,8}, stored in 0/,
    ],
    [
      'an event id that is there twice',
      `UPDATE events SET event_id = (SELECT event_id FROM events WHERE stream_id = $1 AND version = 1)
       WHERE stream_id = $1 AND version = 2`,
      /^event id [0-9a-f-]{36} is there twice$/,
    ],
    [
      'a success that was changed into a decline',
      `UPDATE events SET type = 'TransactionDeclined' WHERE stream_id = $1 AND version = 2`,
      /refers to 0+[0-9a-f]{3}, which is declined/,
    ],
    [
      'an event that a newer release wrote',
      'UPDATE events SET schema_version = 99 WHERE stream_id = $1 AND version = 2',
      /TransactionApproved.*99/,
    ],
  ];

  it.each(planted)('finds %s', async (_name, sabotage, sentence) => {
    const { violations } = await sabotaged(sabotage);
    expect(violations.some((violation) => sentence.test(violation))).toBe(true);
  });

  async function sabotaged(sabotage: string, events?: EventTable): ReturnType<typeof verifyLedger> {
    const stream = (CHAINS / 2).toString(16).padStart(32, '0');
    await client.query('CREATE SCHEMA spoilt');
    await client.query('SET search_path = spoilt');
    for (const table of ['streams', 'events', 'transactions']) {
      const copy = `CREATE TABLE ${table} AS TABLE payments.${table}`;
      await client.query(copy);
    }
    try {
      await client.query(sabotage, [stream]);
      return await verifyLedger(client, {
        schema: 'spoilt',
        ...(events !== undefined && { events }),
      });
    } finally {
      await client.query('DROP SCHEMA spoilt CASCADE');
    }
  }
});
