import { type Logger, serializeError } from './logger.js';

/** The part of Nest's `LoggerService` that has something to say. */
export interface FrameworkLog {
  log(): void;
  warn(): void;
  error(problem: unknown): void;
  fatal(problem: unknown): void;
}

/**
 * Nest's log as ours, for `{ logger: frameworkLog(logger) }`: of a handler that throws it tells the
 * cause here and nowhere else. Errors alone, and of them what a log may show (D-46); what Nest says
 * when it starts is of no use to an operator.
 */
export function frameworkLog(logger: Logger): FrameworkLog {
  const error = (problem: unknown): void => {
    const err = typeof problem === 'string' ? { name: 'Nest', message: problem } : problem;
    logger.error({ err: serializeError(err) }, 'A handler failed.');
  };
  return { log: () => undefined, warn: () => undefined, error, fatal: error };
}
