import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { offerLoad } from './open-loop.js';
import { cpuSecondsOfTree } from './process-usage.js';

/** What the machine can do without us, measured in the same run as our figures. */
export interface Floors {
  /** One realistic event per commit, 16 connections: commits per second. */
  readonly commitsPerSecond: number;
  /** Bare Fastify that parses the same form and answers the same JSON: CPU per request. */
  readonly echoCpuMicroseconds: number;
  readonly echoP50Ms: number;
  readonly echoP99Ms: number;
}

const COMMIT_CONNECTIONS = 16;
const COMMIT_SECONDS = 5;
const ECHO_RATE_PER_SECOND = 2_000;
const ECHO_SECONDS = 5;
const ECHO_CONNECTIONS_MAX = 64;

/** A row of the size of one payment event (about 590 bytes of JSON). */
const EVENT_DATA = JSON.stringify({ filler: 'x'.repeat(570) });

/** Raw one-row commit rate: named prepared INSERT, one commit each, in a scratch table. */
export async function measureCommitRate(databaseUrl: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: COMMIT_CONNECTIONS });
  try {
    await pool.query('DROP TABLE IF EXISTS public.bench_floor');
    await pool.query(
      `CREATE TABLE public.bench_floor (position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
         stream_id text NOT NULL, version int NOT NULL, data jsonb NOT NULL,
         UNIQUE (stream_id, version))`,
    );
    let commits = 0;
    const endAt = performance.now() + COMMIT_SECONDS * 1000;
    const writer = async (number: number): Promise<void> => {
      for (let version = 1; performance.now() < endAt; version += 1) {
        await pool.query({
          name: 'bench-floor',
          text: 'INSERT INTO public.bench_floor (stream_id, version, data) VALUES ($1, $2, $3)',
          values: [`writer-${String(number)}`, version, EVENT_DATA],
        });
        commits += 1;
      }
    };
    await Promise.all(Array.from({ length: COMMIT_CONNECTIONS }, (_, number) => writer(number)));
    await pool.query('DROP TABLE public.bench_floor');
    return commits / COMMIT_SECONDS;
  } finally {
    await pool.end();
  }
}

/** Bare Fastify in a process of its own. */
export interface EchoServer {
  readonly port: number;
  readonly pid: number;
  stop(): void;
}

/** Starts it; with a database it also answers reads of one row. */
export async function startEcho(databaseUrl?: string): Promise<EchoServer> {
  const path = fileURLToPath(new URL('./echo.js', import.meta.url));
  const words = databaseUrl === undefined ? [path] : [path, databaseUrl];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => {
      resolve(Number.parseInt(chunk.toString('utf8'), 10));
    });
    child.once('exit', () => {
      reject(new Error('the echo server ended before it could listen'));
    });
  });
  return { port, pid: child.pid ?? 0, stop: () => void child.kill('SIGKILL') };
}

/** A form and its echo, under the same generator as the gateway. */
export async function measureEcho(
  form: string,
): Promise<Pick<Floors, 'echoCpuMicroseconds' | 'echoP50Ms' | 'echoP99Ms'>> {
  const echo = await startEcho();
  try {
    const bytes = Buffer.from(
      `POST /echo HTTP/1.1\r\nHost: bench\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
        `Content-Length: ${String(Buffer.byteLength(form))}\r\n\r\n${form}`,
    );
    const load = {
      host: '127.0.0.1',
      port: echo.port,
      ratePerSecond: ECHO_RATE_PER_SECOND,
      connectionsMax: ECHO_CONNECTIONS_MAX,
      seed: 1,
      prepare: () => ({ bytes, expected: (status: number) => status === 200 }),
    };
    await offerLoad({ ...load, seconds: 2 });
    const before = cpuSecondsOfTree(echo.pid);
    const result = await offerLoad({ ...load, seconds: ECHO_SECONDS });
    const cpuSeconds = cpuSecondsOfTree(echo.pid) - before;
    return {
      echoCpuMicroseconds: (cpuSeconds * 1e6) / result.answered,
      echoP50Ms: result.p50Ms,
      echoP99Ms: result.p99Ms,
    };
  } finally {
    echo.stop();
  }
}

/** All floors, in a few seconds each. */
export async function measureFloors(databaseUrl: string, form: string): Promise<Floors> {
  const commitsPerSecond = await measureCommitRate(databaseUrl);
  return { commitsPerSecond, ...(await measureEcho(form)) };
}
