import { runningPostgres } from '@sluice/embedded-postgres';
import type { EntityId } from '@sluice/identifiers';
import { keyFiles } from '@sluice/local-installation';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { InstallationWork } from './end-of-work.js';
import { benchChannels, startUnderTest } from './installation-under-test.js';
import { offer } from './ladder.js';
import { type BenchReceivers, nameOf } from './webhooks-receiver.js';
import { subscribe } from './webhooks-subscriptions.js';

const DATABASE = 'sluice';
/** After the last payment; whoever is told later is not told at all. */
const GRACE_MS = 3_000;
/** A subscription is known by then. */
const KNOWN_AFTER_MS = 1_000;

/** How long after the commit of each approval its receiver was told, in milliseconds. */
export async function lagAmongPayments(
  receivers: BenchReceivers,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
  warmUp: { readonly rate: number; readonly seconds: number },
): Promise<readonly number[]> {
  const installation = await startUnderTest('cluster', {
    arguments: ['--log-level', 'warn', '--throttle', '0', '--throttle-reads', '0'],
  });
  const url = new URL((await runningPostgres(installation.dataFolder)) ?? '');
  url.pathname = `/${DATABASE}`;
  const database = new pg.Client({ connectionString: url.href });
  await database.connect();
  const work = await InstallationWork.of(installation);
  try {
    const keyFile = keyFiles(installation.dataFolder).webhooks;
    await subscribe(
      { url: url.href, schema: 'webhooks', keyFile },
      benchChannels.map(({ entityId }) => ({
        nodeId: entityId as string as EntityId,
        url: receivers.answering(),
      })),
    );
    await offer(installation, warmUp.rate, warmUp.seconds);
    await work.ended();
    await pause(KNOWN_AFTER_MS);
    const { rows: times } = await database.query<{ now: Date }>('SELECT now()');
    const result = await offer(installation, rate, seconds);
    if (result.errors > 0) throw new Error(`a payment failed: ${result.firstError ?? ''}`);
    await work.ended();
    await pause(GRACE_MS);
    const { rows } = await database.query<Approval>(APPROVALS, [times[0]?.now]);
    const heardAtMs = receivers.heardAtMs();
    return rows.map(
      ({ id, version, atMs }) => (heardAtMs.get(nameOf(id, version)) ?? Infinity) - atMs,
    );
  } finally {
    await work.close();
    await database.end();
    await installation.stop();
  }
}

interface Approval {
  readonly id: string;
  readonly version: number;
  readonly atMs: number;
}

const APPROVALS = `SELECT stream_id AS id, version,
    extract(epoch FROM recorded_at)::float8 * 1000 AS "atMs"
  FROM payments.events WHERE type = 'TransactionApproved' AND recorded_at > $1`;
