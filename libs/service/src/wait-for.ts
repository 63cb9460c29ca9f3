import { setTimeout as pause } from 'node:timers/promises';
import { type Logger, serializeError } from './logger.js';

/** The start was given up because the process is to stop; this needs no report. */
export class StartInterrupted extends Error {
  override readonly name = 'StartInterrupted';
}

/** How something is waited for. */
export interface WaitOptions {
  readonly logger: Logger;
  /** Ends the wait with StartInterrupted. */
  readonly signal: AbortSignal;
  /** Between the first tries; doubles up to `delayMaxMs`. */
  readonly delayMs?: number;
  readonly delayMaxMs?: number;
}

const DELAY_MS = 100;
/** A database that comes back is noticed this late at worst. */
const DELAY_MAX_MS = 5_000;

/**
 * Repeats a step of the start until what it needs is there. A service that is missing is never a
 * reason to exit (D-19): one outage would become a storm of restarts. Anything but an outage (a
 * refused setting, a defect) is thrown at once.
 */
export async function waitFor<Result>(
  what: string,
  attempt: () => Promise<Result>,
  { logger, signal, delayMs = DELAY_MS, delayMaxMs = DELAY_MAX_MS }: WaitOptions,
): Promise<Result> {
  let nextDelayMs = delayMs;
  let isWaiting = false;
  for (;;) {
    if (signal.aborted) throw new StartInterrupted();
    try {
      const result = await attempt();
      if (isWaiting) logger.info(`${what} is there.`);
      return result;
    } catch (error) {
      if (!isOutage(error)) throw error;
      // The first time, and then when tries have become rare enough not to fill the log.
      if (!isWaiting || nextDelayMs >= delayMaxMs) {
        logger.warn({ err: error }, `Waiting for ${what}.`);
      }
      isWaiting = true;
    }
    await pause(nextDelayMs, undefined, { signal }).catch(() => undefined);
    nextDelayMs = Math.min(2 * nextDelayMs, delayMaxMs);
  }
}

/** Long enough for services that are started at the same time. */
const BRIEFLY_MS = 10_000;

/**
 * Waits like `waitFor`, but not for ever: for what the service can do something without, and finds
 * by itself when it comes. A failure that is no outage is thrown.
 */
export async function waitBriefly(
  what: string,
  attempt: () => Promise<unknown>,
  options: WaitOptions,
  withinMs = BRIEFLY_MS,
): Promise<void> {
  const there = waitFor(what, attempt, options).then(() => true);
  const { signal } = options;
  const patience = pause(withinMs, false, { signal }).catch(() => false);
  const isThere = await Promise.race([there, patience]);
  if (isThere) return;
  if (signal.aborted) throw new StartInterrupted();
  options.logger.warn(`${what} is not there yet; the start goes on without it.`);
  there.catch((error: unknown) => {
    if (!(error instanceof StartInterrupted)) {
      options.logger.error({ err: error }, `${what} cannot be used.`);
    }
  });
}

/** What the network says when somebody is not there, or not yet. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);

/**
 * SQLSTATEs of a server that is not there yet: lost connections (08), no room (53), starting or
 * stopping (57P), and what the one who prepares it has still to do: no such database, role,
 * password, schema or table, and rights not granted.
 */
const SQL_STATES = /^(?:08...|53...|57P0.|3D000|28000|28P01|3F000|42P01|42501)$/;

/** Thrown by `pg` without a code. */
const POOL_MESSAGES =
  /^(?:Connection terminated|timeout e|Query read timeout|Connection ended|Client has encountered)/;

/** Errors that another start of the same process would meet as well, but not for ever. */
const OUTAGE_NAMES = /^(?:Kafka.*|QueryUnavailable|DurabilityError|DependencyMissing)$/;

/** Something that is needed is missing or not ready; it may become available. */
export class DependencyMissing extends Error {
  override readonly name = 'DependencyMissing';
}

/** Whether an error means that something outside is unavailable, and not a defect of ours. */
export function isOutage(error: unknown): boolean {
  const { name, code, message, cause } = serializeError(error);
  if (OUTAGE_NAMES.test(name) || POOL_MESSAGES.test(message)) return true;
  if (code !== undefined && (NETWORK_CODES.has(code) || SQL_STATES.test(code))) return true;
  // Node tries every address of a name and throws all failures together.
  if (error instanceof AggregateError) return error.errors.some(isOutage);
  return cause !== undefined && isOutage((error as Error).cause);
}
