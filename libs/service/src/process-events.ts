import process from 'node:process';

/** What may happen to a process from outside, or by a defect. */
export interface ProcessListeners {
  /** Told to stop: SIGTERM, SIGINT, SIGHUP, or the end of the npm that started it. */
  readonly stop: (reason: string) => void;
  /** Told to stop again: do not wait any longer. */
  readonly stopNow: (reason: string) => void;
  /** An error that nobody caught. */
  readonly failed: (error: unknown) => void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Ctrl-C reaches a process under npm twice: from the terminal and, a moment later, from npm. */
const SAME_SIGNAL_WITHIN_MS = 500;
/** Often enough for a person who waits for the end; each look wakes a process that is at rest. */
const PARENT_POLL_INTERVAL_MS = 1_000;

/** The one place that listens to the process itself. Call it once. */
export function watchProcess({ stop, stopNow, failed }: ProcessListeners): void {
  let toldAtMs: number | undefined;
  const told = (reason: string): void => {
    const nowMs = performance.now();
    if (toldAtMs === undefined) {
      toldAtMs = nowMs;
      stop(reason);
    } else if (nowMs - toldAtMs > SAME_SIGNAL_WITHIN_MS) {
      stopNow(reason);
    }
  };
  for (const signal of SIGNALS) process.on(signal, () => told(signal));
  // A broken program must not go on with half-applied memory (R-CRA-12).
  process.on('uncaughtException', failed);
  process.on('unhandledRejection', failed);
  endWithNpm(() => told('the end of its parent'));
}

const NO_DEBUGGER = 'SIGUSR1 opens no debugger here; whoever needs one starts with --inspect.';

/**
 * Whoever may send a signal must not get a debugger, with which everything in memory can be read,
 * cards included: Node opens one at SIGUSR1 unless somebody listens.
 */
export function refuseDebugger(tell: (sentence: string) => void): void {
  process.on('SIGUSR1', () => tell(NO_DEBUGGER));
}

/**
 * Under npm, a signal that is sent only to npm reaches its shell but not this process, and kill -9
 * of npm reaches neither. Without npm, the end of the parent does not matter.
 */
function endWithNpm(end: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, PARENT_POLL_INTERVAL_MS).unref();
}
