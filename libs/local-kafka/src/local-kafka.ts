import { type ChildProcess, spawn } from 'node:child_process';
import {
  cp,
  mkdir,
  mkdtemp,
  open,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type BrokerSecurity,
  logSettings,
  serverProperties,
  STARTED_LINE,
} from './broker-settings.js';
import { run } from '@sluice/prerequisites/run';
import { archiveFile, type Distribution, exists, kafkaDistribution } from './distribution.js';
import { startWatchdog, type Watchdog } from './watchdog.js';

/** What kind of broker is started. */
export interface LocalKafkaOptions {
  /** Keeps the log, the settings and what it prints; made when absent. */
  readonly folder: string;
  /** A free one unless told. */
  readonly port?: number;
  /** All of Java's optimizations, and more memory: slower to start, right for measuring (D-60). */
  readonly benchmark?: boolean;
  /** The folder goes when the broker stops, or when this process ends. */
  readonly removeFolderAtEnd?: boolean;
  /** It goes on without this process; by default it never outlives it, not even a `kill -9`. */
  readonly outlivesProcess?: boolean;
  /** Absent: anybody on this machine may do everything. */
  readonly security?: BrokerSecurity;
}

/** A broker that answers. */
export interface LocalKafka {
  /** Host and port, for `KAFKA_BROKERS` and every client. */
  readonly brokers: string;
  readonly port: number;
  readonly pid: number;
  /** Settles when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** An orderly stop. */
  stop(): Promise<void>;
  /** `kill -9`; the folder stays, so that it can be started again with the same port. */
  kill(): Promise<void>;
}

const READY_WITHIN_MS = 60_000;
const POLL_INTERVAL_MS = 20;
const STOP_WITHIN_MS = 10_000;
/** Java writes the class archive while it ends: some two seconds, more on a busy machine. */
const ARCHIVED_WITHIN_MS = 60_000;
/** A port that was free a moment ago may be taken by the time the broker wants it. */
const STARTS_MAX = 3;
const LOG_TAIL_LINES = 5;

/** Starts one broker, and assembles Kafka before that if this machine has none yet. */
export async function startLocalKafka(options: LocalKafkaOptions): Promise<LocalKafka> {
  const distribution = await kafkaDistribution();
  const archive = await classArchive(distribution);
  for (let starts = 1; ; starts += 1) {
    try {
      return await startBroker(distribution, archive, options);
    } catch (error) {
      const isTaken = error instanceof Error && error.message.includes('Address already in use');
      if (!isTaken || options.port !== undefined || starts === STARTS_MAX) throw error;
    }
  }
}

/** The address of the broker that was started in a folder, if it still runs. */
export async function runningKafka(
  folder: string,
): Promise<{ readonly brokers: string; readonly pid: number } | undefined> {
  const text = await readFile(stateFile(folder), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const state = JSON.parse(text) as { readonly brokers: string; readonly pid: number };
  return isBrokerOf(state.pid, await realpath(folder)) ? state : undefined;
}

/** Stops the broker of a folder, whoever started it; false when none runs. */
export async function stopKafkaOf(folder: string): Promise<boolean> {
  const running = await runningKafka(folder);
  if (running === undefined) return false;
  const place = await realpath(folder);
  process.kill(running.pid, 'SIGTERM');
  const killAt = performance.now() + STOP_WITHIN_MS;
  while (isBrokerOf(running.pid, place)) {
    if (performance.now() > killAt) process.kill(running.pid, 'SIGKILL');
    await pause(POLL_INTERVAL_MS);
  }
  return true;
}

async function startBroker(
  distribution: Distribution,
  archive: string | undefined,
  options: LocalKafkaOptions,
): Promise<LocalKafka> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const folder = await realpath(options.folder);
  const port = options.port ?? (await freePort());
  await writeSettings(distribution, folder, port, options.security);
  const speed = options.benchmark === true ? ['-Xmx1g'] : ['-XX:TieredStopAtLevel=1', '-Xmx512m'];
  const classes = archive === undefined ? [] : [`-XX:SharedArchiveFile=${archive}`];
  const broker = await spawnBroker(distribution, folder, [...classes, ...speed]);
  const { child, pid } = broker;
  // It may outlive this process, which therefore never waits for its end without a clock beside it.
  child.unref();
  const watchdog: Watchdog =
    options.outlivesProcess === true
      ? { release: () => undefined }
      : startWatchdog(pid, folder, options.removeFolderAtEnd === true);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  await untilStarted(broker, folder).catch((error: unknown) => {
    child.kill('SIGKILL');
    watchdog.release();
    throw error;
  });
  const brokers = `127.0.0.1:${port}`;
  await writeFile(stateFile(folder), JSON.stringify({ brokers, pid, port }));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    await ended;
    clearTimeout(timer);
  };
  return {
    brokers,
    port,
    pid,
    ended,
    stop: async () => {
      await end('SIGTERM');
      watchdog.release();
      if (options.removeFolderAtEnd === true) await rm(folder, { recursive: true, force: true });
    },
    kill: () => end('SIGKILL'),
  };
}

interface Broker {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Where in the log file this start begins. */
  readonly logStart: number;
}

async function spawnBroker(
  { java, classPath }: Distribution,
  folder: string,
  leading: readonly string[],
): Promise<Broker> {
  const log = await open(logFile(folder), 'a', 0o600);
  const logStart = (await log.stat()).size;
  const words = [
    ...['-Xms128m', '-XX:+UseSerialGC', ...leading],
    `-Dlog4j2.configurationFile=${join(folder, 'log4j2.properties')}`,
    ...['-cp', classPath, 'kafka.Kafka', join(folder, 'server.properties')],
  ];
  const child = spawn(java, words, {
    cwd: folder,
    // An own session, so that the terminal's Ctrl-C reaches Node alone (D-63).
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  const { pid } = child;
  child.on('error', () => undefined); // without a number it was not started, which is said below
  await log.close();
  if (pid === undefined) throw new Error(`"${java}" could not be started.`);
  return { child, pid, logStart };
}

async function untilStarted({ child, logStart }: Broker, folder: string): Promise<void> {
  const giveUpAt = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const log = (await readFile(logFile(folder))).subarray(logStart).toString('utf8');
    if (log.includes(STARTED_LINE)) return;
    const isOver = child.exitCode !== null || child.signalCode !== null;
    if (isOver || performance.now() > giveUpAt) {
      const tail = log.trim().split('\n').slice(-LOG_TAIL_LINES).join(' / ');
      throw new Error(`Kafka did not start: ${tail} (its log is ${logFile(folder)})`);
    }
    await pause(POLL_INTERVAL_MS);
  }
}

async function writeSettings(
  distribution: Distribution,
  folder: string,
  port: number,
  security?: BrokerSecurity,
): Promise<void> {
  const logFolder = join(folder, 'log');
  let controllerPort = await freePort();
  // The same number may be free twice, and Kafka refuses two listeners on one port.
  while (controllerPort === port) controllerPort = await freePort();
  const place = { port, controllerPort, logFolder };
  const properties = serverProperties(security === undefined ? place : { ...place, security });
  await writeFile(join(folder, 'server.properties'), properties);
  await writeFile(join(folder, 'log4j2.properties'), logSettings);
  if (await exists(join(logFolder, 'meta.properties'))) return;
  await cp(await formattedFolder(distribution), logFolder, { recursive: true });
}

/**
 * An empty, formatted log folder, made once and copied for each broker: it saves 0.8 s of Java per
 * start. All local clusters have the same id, which no client looks at.
 */
async function formattedFolder(distribution: Distribution): Promise<string> {
  const formatted = join(distribution.folder, 'formatted');
  if (await exists(formatted)) return formatted;
  await inTemporaryFolder(distribution, async (temporary) => {
    const place = { port: 9092, controllerPort: 9093, logFolder: join(temporary, 'log') };
    const properties = join(temporary, 'server.properties');
    await writeFile(properties, serverProperties(place));
    await writeFile(join(temporary, 'log4j2.properties'), logSettings);
    const tool = [
      `-Dlog4j2.configurationFile=${join(temporary, 'log4j2.properties')}`,
      ...['-cp', distribution.classPath, 'kafka.tools.StorageTool'],
    ];
    const id = (await run(distribution.java, [...tool, 'random-uuid'], temporary)).trim();
    await run(distribution.java, [...tool, 'format', '-t', id, '-c', properties], temporary);
    await rename(join(temporary, 'log'), formatted).catch(async (error: unknown) => {
      if (!(await exists(formatted))) throw error;
    });
  });
  return formatted;
}

/**
 * Loaded classes as a memory image, made by one short run: it takes a second off every start.
 * Undefined where it cannot be made: a broker starts without it too.
 */
async function classArchive(distribution: Distribution): Promise<string | undefined> {
  const archive = archiveFile(distribution);
  if (await exists(archive)) return archive;
  try {
    await inTemporaryFolder(distribution, (temporary) =>
      makeClassArchive(distribution, temporary, archive),
    );
    return archive;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.emitWarning(`Kafka has no archive of its classes, and starts slower: ${reason}`);
    return undefined;
  }
}

/** Waits for the broker itself, which is not `unref`ed: nothing else need keep this process alive. */
async function makeClassArchive(
  distribution: Distribution,
  temporary: string,
  archive: string,
): Promise<void> {
  const image = join(temporary, 'classes.jsa');
  await writeSettings(distribution, temporary, await freePort());
  const options = [`-XX:ArchiveClassesAtExit=${image}`, '-Xmx512m'];
  const broker = await spawnBroker(distribution, temporary, options);
  const watchdog = startWatchdog(broker.pid, temporary, true);
  const ended = new Promise<void>((resolve) => {
    broker.child.once('exit', () => resolve());
  });
  const kill = (): boolean => broker.child.kill('SIGKILL');
  const timer = setTimeout(kill, READY_WITHIN_MS + ARCHIVED_WITHIN_MS);
  try {
    await untilStarted(broker, temporary);
    broker.child.kill('SIGTERM');
    await ended;
    if (broker.child.signalCode === 'SIGKILL') throw new Error('Java took too long to write it.');
    await rename(image, archive);
  } finally {
    clearTimeout(timer);
    kill();
    watchdog.release(); // which removes the folder, and what is still in it
  }
}

async function inTemporaryFolder(
  { folder }: Distribution,
  work: (temporary: string) => Promise<void>,
): Promise<void> {
  // Beside the cache and not in tmpdir: what is renamed must lie on the same file system.
  const temporary = await realpath(await mkdtemp(join(folder, 'temporary-')));
  try {
    await work(temporary);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function isBrokerOf(pid: number, folder: string): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch (error) {
    // No /proc on this system; a process that has just ended has no folder either.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux';
  }
}

function stateFile(folder: string): string {
  return join(folder, 'kafka.json');
}

function logFile(folder: string): string {
  return join(folder, 'kafka.log');
}

/** A port of the loopback interface that nobody has at this moment. */
export function freePort(): Promise<number> {
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
