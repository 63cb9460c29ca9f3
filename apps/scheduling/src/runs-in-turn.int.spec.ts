import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import {
  entityId,
  FakeServices,
  foreignEntityId,
  LATER,
  recordedIn,
  SchedulingWorld,
} from '../test/scheduling-fixture.js';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await SchedulingWorld.open();
});
afterEach(() => world.endProcesses());
afterAll(() => world.close());

/** As many as are in hand at once. */
const RUNS_MAX = 64;

/**
 * Copies of a schedule, numbered from `$2` on, as if another entity had made them, which are due since so
 * many seconds.
 */
const COPY = `
  WITH copy AS MATERIALIZED (
    SELECT substr($1, 1, 12) || lpad(n::text, 20, '0') AS id FROM generate_series($2::int, $3::int) n),
  due AS (SELECT now() - make_interval(secs => $5) AS at),
  events AS (
    INSERT INTO scheduling.events
      (stream_id, version, event_id, command_id, type, schema_version, data, metadata)
    SELECT copy.id, 1, gen_random_uuid(), gen_random_uuid(), e.type, e.schema_version,
      jsonb_set(replace(e.data::text, $1, copy.id)::jsonb, '{nextDueMs}',
                to_jsonb((extract(epoch FROM due.at) * 1000)::bigint))::json,
      replace(e.metadata::text, s.tenant, $4)::json
    FROM copy, due, scheduling.events e JOIN scheduling.streams s USING (stream_id)
    WHERE e.stream_id = $1)
  INSERT INTO scheduling.streams (stream_id, version, due_at, tenant)
  SELECT copy.id, 1, due.at, $4 FROM copy, due`;

describe('what is due of one entity', () => {
  it('is charged while thousands of another are still waiting, for longer', async () => {
    const before = await world.start();
    const { id } = recordedIn(await before.send(await world.creation(LATER))).outcome;
    await before.end();
    await world.pool.query(COPY, [id, 1, 2_000, entityId, 60]);
    await world.pool.query(COPY, [id, 2_001, 2_005, foreignEntityId, 1]);
    const services = new FakeServices();
    await world.start(services, 60_000);
    const theirs = (): readonly number[] =>
      services.charged.flatMap(({ payment }, place) =>
        payment.context.entityId === foreignEntityId ? [place] : [],
      );
    while (theirs().length < 5) await delay(5);
    // Four are claimed with the first lot, and the fifth with the second.
    expect(Math.max(...theirs())).toBeLessThan(4 * RUNS_MAX);
    while (services.charged.length < 2_005) await delay(5);
    expect(new Set(services.charged.map(({ transactionId }) => transactionId)).size).toBe(2_005);
  }, 60_000);
});
