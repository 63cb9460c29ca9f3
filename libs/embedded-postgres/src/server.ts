import { type ChildProcess, spawn } from 'node:child_process';
import { open, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { boundLog, logFile, serverEnvironment } from './database-files.js';
import { databaseFolder, type Identity, invocation } from './identity.js';
import {
  hasPostmasterFile,
  livePostmaster,
  postmasterFilePath,
  readPostmasterFile,
} from './postmaster-file.js';

const POLL_INTERVAL_MS = 5;
/** Recovery after a crash reads at most the write-ahead log since the last checkpoint. */
const READY_WITHIN_MS = 60_000;
/** After a SIGKILL of the postmaster its old backends hold the shared memory this long at most. */
const RETRY_WITHIN_MS = 15_000;
const RETRY_INTERVAL_MS = 50;
/** A fast stop writes a checkpoint; D-63 wants everything gone within 2 s, so the rest is cut. */
const FAST_STOP_WITHIN_MS = 1_200;
const IMMEDIATE_STOP_WITHIN_MS = 500;
/** How much of the log's end an error message repeats. */
const LOG_TAIL_LINES = 5;

/** Failures that pass by themselves: the port was taken meanwhile, or the old server is not gone. */
const PASSING = /already in use|shared memory block|lock file|Address already|could not bind/;
const UNCLEAN = /not properly shut down|was interrupted/;

/** A PostgreSQL that listens. */
export interface RunningServer {
  readonly pid: number;
  readonly port: number;
  /** The last stop was no clean one, and the server has replayed its log. */
  readonly recovered: boolean;
  /** Settles when the process has ended. */
  readonly ended: Promise<void>;
}

/** Starts the server and waits until it takes connections; repeats what fails only for a moment. */
export async function runServer(
  identity: Identity,
  settings: Readonly<Record<string, string>>,
  wantedPort: number | undefined,
): Promise<RunningServer> {
  const giveUpAt = performance.now() + RETRY_WITHIN_MS;
  await removeStalePidFile(databaseFolder(identity.folder));
  for (;;) {
    const port = wantedPort ?? (await freePort());
    const attempt = await attemptStart(identity, settings, port);
    if (attempt.kind === 'running') return attempt.server;
    if (!PASSING.test(attempt.log) || performance.now() > giveUpAt) {
      throw new Error(`PostgreSQL did not start: ${tailOf(attempt.log, identity.folder)}`);
    }
    await pause(RETRY_INTERVAL_MS);
  }
}

type Attempt =
  | { readonly kind: 'running'; readonly server: RunningServer }
  | { readonly kind: 'failed'; readonly log: string };

async function attemptStart(
  identity: Identity,
  settings: Readonly<Record<string, string>>,
  port: number,
): Promise<Attempt> {
  const { folder } = identity;
  await boundLog(folder);
  const log = await open(logFile(folder), 'a', 0o600);
  const logStart = (await log.stat()).size;
  const child = spawnServer(identity, settings, port, log.fd);
  await log.close();
  const ended = new Promise<void>((resolve) => {
    child
      .once('exit', () => {
        resolve();
      })
      .once('error', () => {
        resolve();
      });
  });
  const giveUpAt = performance.now() + READY_WITHIN_MS;
  while (child.exitCode === null && child.signalCode === null && performance.now() < giveUpAt) {
    const file = await readPostmasterFile(databaseFolder(folder));
    if (file !== undefined && file.pid === child.pid && file.status === 'ready') {
      const recovered = UNCLEAN.test(await logSince(folder, logStart));
      return { kind: 'running', server: { pid: file.pid, port, recovered, ended } };
    }
    await pause(POLL_INTERVAL_MS);
  }
  child.kill('SIGQUIT'); // does nothing to one that has ended
  await ended;
  return { kind: 'failed', log: await logSince(folder, logStart) };
}

function spawnServer(
  identity: Identity,
  settings: Readonly<Record<string, string>>,
  port: number,
  logDescriptor: number,
): ChildProcess {
  const { file, leading, options } = invocation(identity, identity.binaries.postgres);
  const database = databaseFolder(identity.folder);
  // TCP only: an empty -k leaves no socket files behind.
  const words = ['-D', database, '-p', String(port), '-h', '127.0.0.1', '-k', ''];
  for (const [name, value] of Object.entries(settings)) words.push('-c', `${name}=${value}`);
  const child = spawn(file, [...leading, ...words], {
    ...options,
    cwd: '/',
    env: serverEnvironment(),
    // An own session, so that the terminal's Ctrl-C reaches Node alone (D-63).
    detached: true,
    stdio: ['ignore', logDescriptor, logDescriptor],
  });
  child.unref();
  return child;
}

/**
 * Stops a server: fast (open transactions are rolled back, a checkpoint is written), and when that
 * takes too long at once, which costs the next start a recovery and no data.
 */
export async function stopServer(folder: string): Promise<void> {
  const database = databaseFolder(folder);
  const stages: [NodeJS.Signals, number][] = [
    ['SIGINT', FAST_STOP_WITHIN_MS],
    ['SIGQUIT', IMMEDIATE_STOP_WITHIN_MS],
    ['SIGKILL', IMMEDIATE_STOP_WITHIN_MS],
  ];
  for (const [signal, withinMs] of stages) {
    const file = await livePostmaster(database);
    if (file === undefined) return;
    signalTo(file.pid, signal);
    const giveUpAt = performance.now() + withinMs;
    // Not kill(pid, 0): where nobody reaps zombies that would wait for ever.
    while (hasPostmasterFile(database) && performance.now() < giveUpAt) {
      await pause(POLL_INTERVAL_MS);
    }
    if (!hasPostmasterFile(database)) return;
  }
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** PostgreSQL refuses to start while the file's number belongs to any process, be it a stranger. */
async function removeStalePidFile(database: string): Promise<void> {
  if (hasPostmasterFile(database) && (await livePostmaster(database)) === undefined) {
    await rm(postmasterFilePath(database), { force: true });
  }
}

async function logSince(folder: string, position: number): Promise<string> {
  const size = (await stat(logFile(folder))).size;
  const file = await open(logFile(folder), 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(Math.max(0, size - position)), {
      position,
    });
    return buffer.toString('utf8');
  } finally {
    await file.close();
  }
}

function tailOf(log: string, folder: string): string {
  const lines = log.trim().split('\n').slice(-LOG_TAIL_LINES);
  return `${lines.join(' / ')} (its log is ${logFile(folder)})`;
}

/** A port of the loopback interface that nobody has at this moment. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  });
}
