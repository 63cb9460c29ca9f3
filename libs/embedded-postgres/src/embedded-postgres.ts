import { existsSync } from 'node:fs';
import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { setTimeout as pause } from 'node:timers/promises';
import { findBinaries } from './binaries.js';
import { ensureDatabase, SUPERUSER } from './database-files.js';
import { chooseIdentity, databaseFolder, type Identity, movedFolder } from './identity.js';
import { livePostmaster } from './postmaster-file.js';
import { runServer, type RunningServer, stopServer } from './server.js';
import { startWatchdog } from './watchdog.js';

/** A PostgreSQL of our own that runs beside this process. */
export interface EmbeddedPostgres {
  /** The superuser's connection string to the database `postgres`; holds the password. */
  readonly url: string;
  readonly port: number;
  /** Where the data, the password and the log really are; see `onProgress`. */
  readonly folder: string;
  /** True when the server had not been stopped cleanly before and has recovered. */
  readonly recovered: boolean;
  /** Stops the server within 2 s; may be called twice. */
  stop(): Promise<void>;
}

/** How to start one. */
export interface StartOptions {
  /** Absent: any free port of the loopback interface. */
  readonly port?: number;
  /** Gets a sentence for each step that takes time or that somebody should know. */
  readonly onProgress?: (line: string) => void;
  /** False switches fsync off: for tests only, a crash of the machine may destroy everything. */
  readonly durable?: boolean;
  /** False lets the server outlive this process when that is killed. */
  readonly stopWithProcess?: boolean;
  /** Deletes the folder when the server has stopped, even if this process was killed. */
  readonly removeFolderAtEnd?: boolean;
  /** More server settings, e.g. `{ max_connections: '200' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Breaks off a start that is still making the database. */
  readonly signal?: AbortSignal;
  /** False acts as where user namespaces are forbidden. */
  readonly namespaceAllowed?: boolean;
}

/** Settings without which rows would stand in the log of a failing statement (D-46). */
const QUIET_LOG = {
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
};
const DURABLE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };
const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };
/** Everything of ours in the folder: `postgres`, `postgres.log`, `postgres.password` … */
const OWN_ENTRY = /^postgres(?:\.[a-z0-9.-]{1,40})?$/;
/** A server that dies again and again is broken; this many restarts a minute are bad luck. */
const RESTARTS_MAX = 30;
const RESTART_INTERVAL_MS = 2_000;
const ENDED_WITHIN_MS = 200;

/**
 * Starts PostgreSQL on a folder and makes the database there first if need be. A server that an
 * earlier process left behind is stopped first; one that dies while this process lives is started
 * again on the same port. The caller sees to it that a folder has one owner at a time. Throws a
 * sentence when PostgreSQL cannot be found or does not start.
 */
export async function startEmbeddedPostgres(
  dataFolder: string,
  options: StartOptions = {},
): Promise<EmbeddedPostgres> {
  const onProgress = options.onProgress ?? (() => undefined);
  const binaries = await findBinaries();
  const identity = await chooseIdentity(
    binaries,
    resolve(dataFolder),
    onProgress,
    options.namespaceAllowed ?? true,
  );
  const { folder } = identity;
  const watchdog =
    options.stopWithProcess === false
      ? undefined
      : await startWatchdog(folder, options.removeFolderAtEnd ?? false);
  try {
    const orphan = await livePostmaster(databaseFolder(folder));
    if (orphan !== undefined) {
      onProgress('Stopping the PostgreSQL that an earlier run left behind …');
      await stopServer(folder);
    }
    const password = await ensureDatabase(identity, onProgress, options.signal);
    const keeper = new ServerKeeper(identity, settingsOf(options), onProgress);
    const first = await keeper.start(options.port);
    return {
      url: urlOf(password, first.port),
      port: first.port,
      folder,
      recovered: first.recovered || orphan !== undefined,
      stop: async () => {
        await keeper.stop();
        watchdog?.release();
      },
    };
  } catch (error) {
    watchdog?.release();
    throw error;
  }
}

/**
 * The superuser's connection string of the server that already runs on the folder, or undefined.
 * For processes that share one, such as the test files of one jest worker.
 */
export async function runningPostgres(dataFolder: string): Promise<string | undefined> {
  const live = await livePostmaster(databaseFolder(dataFolder));
  if (live?.status !== 'ready') return undefined;
  return urlOf(await readFile(join(dataFolder, 'postgres.password'), 'utf8'), live.port);
}

/**
 * Stops the folder's server and deletes what PostgreSQL keeps there, and what it had to keep
 * elsewhere; whatever else lies in the folder stays, the folder itself too unless it is empty then.
 * Returns the paths that are gone.
 */
export async function deletePostgresData(dataFolder: string): Promise<string[]> {
  const deleted: string[] = [];
  for (const folder of [resolve(dataFolder), movedFolder(dataFolder)]) {
    if (!existsSync(folder)) continue;
    await stopServer(folder);
    for (const entry of await readdir(folder)) {
      if (!OWN_ENTRY.test(entry)) continue;
      await rm(join(folder, entry), { recursive: true, force: true });
      deleted.push(join(folder, entry));
    }
    await rmdir(folder).catch(() => undefined);
  }
  return deleted;
}

/** Keeps one server running until it is told to stop. */
class ServerKeeper {
  #stopping = false;
  #restarts = 0;
  #restarting: Promise<unknown> = Promise.resolve();
  #ended: Promise<void> = Promise.resolve();

  constructor(
    private readonly identity: Identity,
    private readonly settings: Readonly<Record<string, string>>,
    private readonly onProgress: (line: string) => void,
  ) {}

  async start(port: number | undefined): Promise<RunningServer> {
    const server = await runServer(this.identity, this.settings, port);
    this.#ended = server.ended;
    void server.ended.then(() => {
      if (!this.#stopping) this.#restarting = this.#restart(server.port);
    });
    return server;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#restarting;
    await stopServer(this.identity.folder);
    // Its file is gone; a moment later so is the process, and then nothing is left behind.
    await Promise.race([this.#ended, pause(ENDED_WITHIN_MS)]);
  }

  async #restart(port: number): Promise<void> {
    this.#restarts += 1;
    if (this.#restarts > RESTARTS_MAX) {
      this.onProgress('PostgreSQL has ended too often; it stays down.');
      return;
    }
    this.onProgress('PostgreSQL has ended unexpectedly; starting it again …');
    setTimeout(() => {
      this.#restarts -= 1;
    }, RESTART_INTERVAL_MS).unref();
    try {
      await this.start(port);
      this.onProgress('PostgreSQL is back.');
    } catch (error) {
      this.onProgress(error instanceof Error ? error.message : 'PostgreSQL did not start again.');
    }
  }
}

function settingsOf(options: StartOptions): Readonly<Record<string, string>> {
  return {
    ...QUIET_LOG,
    ...((options.durable ?? true) ? DURABLE : NOT_DURABLE),
    ...options.settings,
  };
}

function urlOf(password: string, port: number): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
}
