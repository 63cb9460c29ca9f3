import { type Logger, serializeError } from './logger.js';

/** The part of Nest's `LoggerService` that has something to say. */
export interface FrameworkLog {
  log(): void;
  warn(): void;
  error(problem: unknown): void;
  fatal(problem: unknown): void;
}

/**
 * Nest's log as ours, for `{ logger: frameworkLog(logger) }`: it is the only place where Nest
 * reports why a handler threw. It passes on only errors, with what a log may show of them (D-46);
 * Nest's messages at the start are of no use to operators.
 */
export function frameworkLog(logger: Logger): FrameworkLog {
  const error = (problem: unknown): void => {
    const err = typeof problem === 'string' ? { name: 'Nest', message: problem } : problem;
    logger.error({ err: serializeError(err) }, 'A handler failed.');
  };
  return { log: () => undefined, warn: () => undefined, error, fatal: error };
}
