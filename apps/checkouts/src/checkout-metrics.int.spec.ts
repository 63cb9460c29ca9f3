import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PrometheusMetrics } from '@sluice/service';
import { CheckoutsWorld } from '../test/checkouts-fixture.js';
import { CheckoutMetrics, checkoutsMetrics } from './checkout-metrics.js';

let world: CheckoutsWorld;
beforeAll(async () => {
  world = await CheckoutsWorld.open();
}, 60_000);
afterEach(() => world.endProcesses());
afterAll(() => world.close());

/** What is shown of that which is due; its own look, because one keeps what it found for a while. */
async function shown(): Promise<readonly number[]> {
  const registry = new PrometheusMetrics(checkoutsMetrics.declarations);
  const pool = world.appPool();
  new CheckoutMetrics(registry).watchRecovery(pool);
  const text = await registry.exposition();
  await pool.end();
  return ['sluice_checkouts_due', 'sluice_checkouts_due_oldest_seconds'].map((name) =>
    Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]),
  );
}

describe('what checkouts shows of its backlog', () => {
  it('is nothing of checkouts that nobody has submitted, however old they are', async () => {
    const process = await world.start();
    const command = await world.creation();
    await process.send(command);
    await world.age(command.data.checkoutId, 3_600_000);
    expect(await shown()).toEqual([0, 0]);
  });

  it('is how many the sweeper should have looked at, and since when', async () => {
    const process = await world.start();
    const [one, other] = [await world.creation(), await world.creation()];
    for (const command of [one, other]) await process.send(command);
    await world.endProcesses();
    await world.makeDue(one.data.checkoutId, 90);
    await world.makeDue(other.data.checkoutId, 20);
    const [due, oldest] = await shown();
    expect(due).toBe(2);
    expect(oldest).toBeGreaterThanOrEqual(90);
    expect(oldest).toBeLessThan(120);
  });

  it('is nothing of what is due later', async () => {
    await world.start();
    const command = await world.creation();
    await world.endProcesses();
    await world.pool.query('UPDATE checkouts.streams SET due_at = NULL');
    await world.pool.query(
      `INSERT INTO checkouts.streams (stream_id, version, due_at) VALUES ($1, 1, now() + '1 h')`,
      [command.data.checkoutId],
    );
    expect(await shown()).toEqual([0, 0]);
  });
});
