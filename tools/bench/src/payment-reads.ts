import { runningPostgres } from '@sluice/embedded-postgres';
import pg from 'pg';
import { type CpuUsage, cpuUsage, totalOf, usedBetween } from './cpu-usage.js';
import { benchChannels, type InstallationUnderTest } from './installation-under-test.js';
import { type LoadResult, offerLoad, type PreparedRequest } from './open-loop.js';

/** A payment that can be asked for. */
export interface KnownPayment {
  readonly id: string;
  readonly entityId: string;
  /** Absent where its merchant gave none. */
  readonly merchantTransactionId?: string;
}

/** Reads that were offered at a rate, and what they cost. */
export interface ReadLoad {
  readonly load: LoadResult;
  /** CPU seconds by process. */
  readonly cpu: CpuUsage;
}

const CONNECTIONS_MAX = 64;
const OK = 200;
const APPROVED = '"000.100.110"';

/** On a busy machine some are open still when reading begins, and their answers differ. */
const PAYMENTS = `
  SELECT stream_id AS id, metadata->>'entityId' AS "entityId",
    data->'parameters'->>'merchantTransactionId' AS "merchantTransactionId"
  FROM payments.events e WHERE version = 1 AND EXISTS (
    SELECT FROM payments.events o WHERE o.stream_id = e.stream_id AND o.type = 'TransactionApproved')
  ORDER BY md5(stream_id)`;

/** The address of an installation's database. */
export async function databaseOf({ dataFolder }: InstallationUnderTest): Promise<string> {
  const url = new URL((await runningPostgres(dataFolder)) ?? '');
  url.pathname = '/sluice';
  return url.href;
}

/** All approved payments that it has, in an order that has nothing to do with their times. */
export async function knownPayments(
  installation: InstallationUnderTest,
): Promise<readonly KnownPayment[]> {
  const database = new pg.Client({ connectionString: await databaseOf(installation) });
  await database.connect();
  try {
    // As autovacuum would have done in a minute, and then in the middle of a run.
    await database.query('VACUUM (ANALYZE)');
    return (await database.query<KnownPayment>(PAYMENTS)).rows;
  } finally {
    await database.end();
  }
}

/** `GET /v1/payments/{id}`, as the payment's merchant sends it. */
export function paymentRead({ id, entityId }: KnownPayment): PreparedRequest {
  return request(`/v1/payments/${id}?entityId=${entityId}`, entityId, id);
}

/** `GET /v3/query` by the merchant's own id. Throws for a payment without one. */
export function referenceQuery(payment: KnownPayment): PreparedRequest {
  const { id, entityId, merchantTransactionId } = payment;
  if (merchantTransactionId === undefined) throw new TypeError(`${id} has no id of its merchant.`);
  const words = new URLSearchParams({ entityId, merchantTransactionId });
  return request(`/v3/query?${words.toString()}`, entityId, id);
}

function request(path: string, entityId: string, id: string): PreparedRequest {
  const channel = benchChannels.find((each) => each.entityId === entityId);
  const head = `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${channel?.accessToken ?? ''}`;
  return {
    bytes: Buffer.from(`${head}\r\n\r\n`),
    expected: (status, body) => status === OK && body.includes(APPROVED) && body.includes(id),
  };
}

/** Offers reads at a rate, and counts what they take. */
export async function read(
  installation: InstallationUnderTest,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
  prepare: (index: number) => PreparedRequest,
): Promise<ReadLoad> {
  const before = cpuUsage(installation);
  const load = await offerLoad({
    ...{ host: '127.0.0.1', port: installation.port, ratePerSecond: rate, seconds },
    ...{ connectionsMax: CONNECTIONS_MAX, seed: rate, prepare },
  });
  return { load, cpu: usedBetween(before, cpuUsage(installation)) };
}

/** Reads in one CPU-second. */
export function perCpuSecond({ load, cpu }: ReadLoad): number {
  return load.answered / totalOf(cpu);
}
