import { serializeError } from './logger.js';

/** Resolves, or throws an error that says what is wrong. */
export type HealthCheck = () => Promise<unknown>;

/** The phase of a process; it never goes back. */
export type ProcessPhase = 'starting' | 'started' | 'stopping';

/** The result of a check, as the management port shows it. */
export interface CheckedPart {
  readonly name: string;
  readonly state: 'ok' | 'failed';
  /** Only the name or code of the error: callers of the port need not know more (D-46). */
  readonly reason?: string;
}

/** The answer of one management path. */
export interface HealthReport {
  readonly isHealthy: boolean;
  readonly phase: ProcessPhase;
  readonly checks: readonly CheckedPart[];
}

/** Probes usually wait a second for an answer; a check that takes longer has failed. */
const CHECK_TIMEOUT_MS = 800;

/**
 * What a process says about itself. Its parts register their checks: *ready* means that it can
 * answer, so its own database belongs there and Kafka does not (D-19); *live* means only that its
 * event loop runs. A fault that only a restart repairs, such as a consumer that stays silent, makes
 * the process end by itself, with a line that says why.
 */
export class HealthChecks {
  #phase: ProcessPhase = 'starting';
  readonly #readiness = new Map<string, HealthCheck>();

  /** How far the process has come. */
  get phase(): ProcessPhase {
    return this.#phase;
  }

  /**
   * Adds a check that must pass for the process to be ready; a second one of the same name replaces
   * it.
   */
  readyWhen(name: string, check: HealthCheck): void {
    this.#readiness.set(name, check);
  }

  /** Everything is there. */
  started(): void {
    if (this.#phase === 'starting') this.#phase = 'started';
  }

  /** From now on it is not ready, whatever the checks say. */
  stopping(): void {
    this.#phase = 'stopping';
  }

  /** Whether the process works at all: that there is an answer shows it. */
  liveness(): HealthReport {
    return { isHealthy: true, phase: this.#phase, checks: [] };
  }

  /** Whether requests should come here; while it starts or stops they should not. */
  async readiness(): Promise<HealthReport> {
    const checks = await checked(this.#readiness);
    const isHealthy = this.#phase === 'started' && checks.every(isOk);
    return { isHealthy, phase: this.#phase, checks };
  }

  /** Whether the start is over. */
  startup(): HealthReport {
    return { isHealthy: this.#phase !== 'starting', phase: this.#phase, checks: [] };
  }
}

function isOk({ state }: CheckedPart): boolean {
  return state === 'ok';
}

function checked(checks: ReadonlyMap<string, HealthCheck>): Promise<CheckedPart[]> {
  return Promise.all(
    [...checks].map(async ([name, check]): Promise<CheckedPart> => {
      try {
        await inTime(check);
        return { name, state: 'ok' };
      } catch (error) {
        const { name: kind, code } = serializeError(error);
        return { name, state: 'failed', reason: code ?? kind };
      }
    }),
  );
}

class CheckTooSlow extends Error {
  override readonly name = 'CheckTooSlow';
}

async function inTime(check: HealthCheck): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new CheckTooSlow()), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), late]);
  } finally {
    clearTimeout(timer);
  }
}
