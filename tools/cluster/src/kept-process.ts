import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceLine } from './cluster-log.js';
import type { ServiceProcess } from './service-processes.js';

/** What somebody who keeps a process hears of it. */
export interface KeptProcessListeners {
  /** Anything that it printed; the answer is its line if it is one of ours. */
  readonly onLine: (name: string, text: string) => ServiceLine | undefined;
  /** A sentence about it: that it ended, that it is back. */
  readonly onNews: (name: string, sentence: string) => void;
  /** It has another number now. */
  readonly onSpawned: () => void;
}

/** A process ended before it could work, and starting it again would not help. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

/** Its settings are refused: it would be refused again. */
const EXIT_REFUSED = 2;
/** As Kubernetes: at once, then after longer and longer pauses, until it was ready once. */
const RESTART_PAUSES_MS = [0, 500, 1_000, 2_000, 4_000, 8_000, 10_000];
const STARTED_WITHIN_MS = 120_000;
const STARTUP_POLL_MS = 50;
/**
 * A probe of liveness: that often, that long, and so many failures in a row. Kubernetes is more patient,
 * because its nodes have other work.
 */
const LIVENESS_INTERVAL_MS = 10_000;
const PROBE_TIMEOUT_MS = 2_000;
const LIVENESS_FAILURES_MAX = 3;
/** Where programs are, and the language; nothing of a developer's own settings. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'NODE_V8_COVERAGE'];
/** And where traces go; but for the name, by which the services are told apart. */
const TRACING = /^OTEL_(?!SERVICE_NAME$)[A-Z0-9_]{1,100}$/;

/** One service process that is started again whenever it ends, until it is told to stop. */
export class KeptProcess {
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #failures = 0;
  #hasStarted = false;
  readonly #stopping = new AbortController();
  #lastLine = '';

  constructor(
    readonly plan: ServiceProcess,
    private readonly listeners: KeptProcessListeners,
  ) {}

  /** Undefined while it is down. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts it; resolves when it has started for the first time. */
  async start(): Promise<void> {
    this.#spawn();
    const giveUpAt = performance.now() + STARTED_WITHIN_MS;
    while (!this.#hasStarted) {
      if (this.#stopping.signal.aborted) {
        throw new StartRefused(this.#lastLine || `${this.plan.name} did not start.`);
      }
      if (performance.now() > giveUpAt) {
        const after = `within ${STARTED_WITHIN_MS / 1_000} s`;
        throw new StartRefused(`${this.plan.name} did not start ${after}. ${this.#lastLine}`);
      }
      await pause(STARTUP_POLL_MS);
    }
  }

  /** Asks it to finish what it has begun; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#child?.kill('SIGTERM');
    await this.#ended;
  }

  /** Ends it at once and for good. */
  kill(): void {
    this.#stopping.abort();
    this.#child?.kill('SIGKILL');
  }

  #spawn(): void {
    const { name, entry, environment, nodeOptions = [] } = this.plan;
    const child = spawn(process.execPath, ['--enable-source-maps', ...nodeOptions, entry], {
      env: { ...inherited(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // An own session, so that the terminal's Ctrl-C reaches the cluster alone, which stops its
      // processes in order.
      detached: true,
    });
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.#child = undefined;
        resolve();
        this.#restart(code, signal);
      });
    });
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (text) => {
        const line = this.listeners.onLine(name, text);
        if (line?.level === 'error') this.#lastLine = line.msg;
      });
    }
    void this.#watch(child);
    this.listeners.onSpawned();
  }

  #restart(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#stopping.signal.aborted) return;
    if (code === EXIT_REFUSED && !this.#hasStarted) {
      this.#stopping.abort();
      return;
    }
    const pauseMs = RESTART_PAUSES_MS[this.#failures] ?? RESTART_PAUSES_MS.at(-1) ?? 0;
    this.#failures += 1;
    const how = signal ?? `exit code ${code ?? 0}`;
    const when = pauseMs === 0 ? '' : ` in ${pauseMs / 1_000} s`;
    this.listeners.onNews(this.plan.name, `has ended (${how}) and is started again${when}`);
    pause(pauseMs, undefined, { signal: this.#stopping.signal }).then(
      () => this.#spawn(),
      () => undefined,
    );
  }

  /** Notes that it has started, and ends it when it hangs later. */
  async #watch(child: ChildProcess): Promise<void> {
    const isThere = (): boolean => this.#child === child && !this.#stopping.signal.aborted;
    while (isThere() && !(await answers(`${this.plan.management}/startupz`))) {
      await pause(STARTUP_POLL_MS);
    }
    if (!isThere()) return;
    if (this.#hasStarted) this.listeners.onNews(this.plan.name, 'is back');
    this.#hasStarted = true;
    this.#failures = 0;
    for (let missed = 0; isThere();) {
      await pause(LIVENESS_INTERVAL_MS, undefined, { ref: false });
      if (!isThere()) return;
      missed = (await answers(`${this.plan.management}/livez`)) ? 0 : missed + 1;
      if (missed < LIVENESS_FAILURES_MAX) continue;
      this.listeners.onNews(this.plan.name, 'does not answer any more and is ended');
      child.kill('SIGKILL');
      return;
    }
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

function inherited(): NodeJS.ProcessEnv {
  const tracing = Object.keys(process.env).filter((name) => TRACING.test(name));
  const kept = [...INHERITED, ...tracing].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  // The word by which a service knows that it must not outlive its parent; see libs/service.
  return { ...Object.fromEntries(kept), npm_lifecycle_event: 'cluster' } as NodeJS.ProcessEnv;
}
