import { runningPostgres } from '@sluice/embedded-postgres';
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launched } from './launcher.js';

export const SANDBOX = launched('apps/sandbox/dist/main.js');
export const READY_LINE = /^Sluice is ready on (http:\/\/[0-9A-Za-z.:[\]-]{1,200})/m;
/** Long enough for a slow machine that compiles and makes its database first. */
const READY_WITHIN_MS = 120_000;
/** The sandbox promises 2 s (D-63); after this long it is killed, and that is reported. */
const STOPPED_WITHIN_MS = 20_000;
const SANDBOX_DATABASE = 'sluice';
const NOT_INHERITED: ReadonlySet<string> = new Set([
  'NODE_OPTIONS',
  'NODE_ENV',
  'JEST_WORKER_ID',
  'DATABASE_URL',
  'DATABASE_URL_FILE',
  'KAFKA_BROKERS',
]);
const DRAINED_WITHIN_MS = 1_000;
const POLL_INTERVAL_MS = 20;

/** How to start a sandbox of one's own. */
export interface SandboxOptions {
  /** Kept between starts; the caller makes and removes it. */
  readonly dataFolder: string;
  /** Absent: a free port. */
  readonly port?: number;
  /** More flags, e.g. `['--seed', file]`. */
  readonly arguments?: readonly string[];
  /** More environment variables; the sandbox's flags and variables are the same settings. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly readyWithinMs?: number;
  /** What to run instead of the sandbox: the words behind `node`. */
  readonly program?: readonly string[];
}

/** A sandbox that runs in a process of its own and is ready for payments. */
export interface SandboxProcess {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string;
  readonly pid: number;
  /** From spawning to the ready line. */
  readonly readyAfterMs: number;
  /** Everything printed so far, standard output and standard error in the order of arrival. */
  output(): string;
  /** Ctrl-C, then waits for the end; throws when it does not end in time (and kills it). */
  stop(): Promise<SandboxEnd>;
  /** `kill -9` of the Node process alone: PostgreSQL stays behind as an orphan, as in life. */
  kill(): Promise<SandboxEnd>;
}

/** How the process ended. */
export interface SandboxEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly endedAfterMs: number;
}

/** The PostgreSQL server of a data folder, as its own `postmaster.pid` names it. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly folder: string;
}

/**
 * Starts the sandbox as `npm start` does, as a child, and waits for its ready line. Throws with
 * all that was printed when it ends or stays silent instead.
 */
export async function startSandbox(options: SandboxOptions): Promise<SandboxProcess> {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [
      ...(options.program ?? SANDBOX),
      '--port',
      // Any free one: a port that is looked for first may be taken by somebody quicker.
      String(options.port ?? 0),
      '--data',
      options.dataFolder,
      ...(options.arguments ?? []),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: childEnvironment(options.environment ?? {}) },
  );
  const chunks: Buffer[] = [];
  const ended = new Promise<SandboxEnd>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null): void => {
      resolve({ code, signal, endedAfterMs: performance.now() - startedAt });
    };
    // `close` comes when everything it printed has arrived; a process that it left behind may
    // hold the pipe open for ever, hence the short patience after `exit`.
    child.once('close', end);
    child.once('exit', (code, signal) => setTimeout(end, DRAINED_WITHIN_MS, code, signal).unref());
  });
  const output = (): string => Buffer.concat(chunks).toString('utf8');
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const starting = { child, chunks, output, ended };
  const url = await readyUrl(starting, options.readyWithinMs ?? READY_WITHIN_MS);
  return {
    url,
    pid: child.pid ?? 0,
    readyAfterMs: performance.now() - startedAt,
    output,
    stop: () => stop(child, ended, output),
    kill: async () => {
      const askedAt = performance.now();
      child.kill('SIGKILL');
      return { ...(await ended), endedAfterMs: performance.now() - askedAt };
    },
  };
}

/** The PostgreSQL server that belongs to a sandbox's data folder, or undefined when none runs. */
export async function postmasterOf(dataFolder: string): Promise<Postmaster | undefined> {
  const entries = await readdir(dataFolder, { withFileTypes: true }).catch(() => []);
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(dataFolder, entry.name));
  for (const folder of [dataFolder, ...folders]) {
    const lines = await readFile(join(folder, 'postmaster.pid'), 'utf8').then(
      (text) => text.split('\n'),
      () => undefined,
    );
    const pid = Number(lines?.[0]);
    const port = Number(lines?.[3]);
    if (lines !== undefined && pid > 0 && port > 0 && isAlive(pid)) return { pid, port, folder };
  }
  return undefined;
}

/** The superuser's way into the database of a sandbox that runs; throws when it does not run. */
export async function sandboxDatabaseUrl(dataFolder: string): Promise<string> {
  const server = await runningPostgres(dataFolder);
  if (server === undefined) throw new Error(`no PostgreSQL runs on ${dataFolder}`);
  const url = new URL(server);
  url.pathname = `/${SANDBOX_DATABASE}`;
  return url.href;
}

/** `kill -9` of the postmaster, and waits until the system has forgotten it. */
export async function killPostmaster(postmaster: Postmaster): Promise<void> {
  try {
    process.kill(postmaster.pid, 'SIGKILL');
  } catch {
    return;
  }
  const giveUpAt = performance.now() + STOPPED_WITHIN_MS;
  while (performance.now() < giveUpAt && isAlive(postmaster.pid)) await pause(POLL_INTERVAL_MS);
}

/** Ends whatever a killed sandbox left behind on the folder, so that the folder can be removed. */
export async function endOrphans(dataFolder: string): Promise<void> {
  const postmaster = await postmasterOf(dataFolder);
  if (postmaster === undefined) return;
  process.kill(postmaster.pid, 'SIGQUIT');
  const giveUpAt = performance.now() + STOPPED_WITHIN_MS;
  while (performance.now() < giveUpAt) {
    if (!isAlive(postmaster.pid)) return;
    await pause(POLL_INTERVAL_MS);
  }
  await killPostmaster(postmaster);
}

/**
 * The caller's environment without what is not meant for this sandbox: switches of jest and Node,
 * and settings that a developer has set for a sandbox of his own.
 */
export function childEnvironment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !NOT_INHERITED.has(name) && !name.startsWith('SLUICE_'),
  );
  return { ...Object.fromEntries(kept), ...more };
}

/** A sandbox that is starting: what it prints, and its end. */
interface StartingSandbox {
  readonly child: ChildProcess;
  readonly chunks: Buffer[];
  readonly output: () => string;
  readonly ended: Promise<SandboxEnd>;
}

function readyUrl(
  { child, chunks, output, ended }: StartingSandbox,
  withinMs: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const state = { isReady: false };
    const fail = (what: string): void => {
      if (state.isReady) return;
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`the sandbox ${what}; it printed:\n${output()}`));
    };
    const timer = setTimeout(() => {
      fail(`was not ready within ${String(withinMs)} ms`);
    }, withinMs);
    child.once('error', (error) => {
      fail(`could not be started (${error.message})`);
    });
    void ended.then(({ code, signal }) => {
      fail(`ended with ${String(code ?? signal)} before it was ready`);
    });
    // The pipe is read to the end, or the request lines would fill it and stop the sandbox.
    child.stdout?.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (state.isReady) return;
      const url = READY_LINE.exec(output())?.[1];
      if (url === undefined) return;
      state.isReady = true;
      clearTimeout(timer);
      resolve(url);
    });
  });
}

async function stop(
  child: ChildProcess,
  ended: Promise<SandboxEnd>,
  output: () => string,
): Promise<SandboxEnd> {
  const askedAt = performance.now();
  child.kill('SIGINT');
  const state = { isTooLong: false };
  const timer = setTimeout(() => {
    state.isTooLong = true;
    child.kill('SIGKILL');
  }, STOPPED_WITHIN_MS);
  const end = await ended;
  clearTimeout(timer);
  if (state.isTooLong) {
    throw new Error(
      `the sandbox did not end within ${String(STOPPED_WITHIN_MS)} ms of Ctrl-C; it printed:\n` +
        output(),
    );
  }
  return { ...end, endedAfterMs: performance.now() - askedAt };
}

/** Whether a process lives. A zombie counts as gone: where nobody reaps orphans it would answer signal 0 for ever. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    const status = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    return !status.slice(status.lastIndexOf(')')).startsWith(') Z');
  } catch {
    return process.platform !== 'linux';
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
