import { cardNumberPlaces, ibanPlaces, replacedIn } from '@sluice/secrets';
import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { requestLogFields } from './spans.js';

/** What services write their logs with: `logger.info({ ndc }, 'sentence')`. */
export type Logger = PinoLogger;

/** `silent` writes nothing. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** The levels, from the most to the least talkative. */
export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** How a log is made. */
export interface LoggerOptions {
  readonly service: string;
  readonly level: LogLevel;
  /** Absent: standard output. */
  readonly destination?: DestinationStream;
}

/** How the numbers of all issuers begin; none begins like a year or the time in milliseconds. */
const ISSUER = /^(?:2[2-7]|[3-6]|8[12]|9[67])/;
const MASK = '***';
/** How much may wait, for example for a full disk; lines beyond it are lost, not kept in memory. */
const UNWRITTEN_BYTES_MAX = 1024 * 1024;

let lostLines = 0;

/** Lines of this process that nobody could read, because the other end of its output was gone. */
export function lostLogLines(): number {
  return lostLines;
}

/**
 * One JSON line per event. Errors show name, code and message only (D-46), because `detail` and
 * `where` of a database's error hold the row; and a last guard masks whatever passes for a card
 * number, wherever in the line it stands. A line about a request names it, whoever writes it.
 */
export function createLogger({ service, level, destination }: LoggerOptions): Logger {
  const output = destination ?? pino.destination({ dest: 1, maxLength: UNWRITTEN_BYTES_MAX });
  const isGone = watchOutput(output);
  return pino(
    {
      level,
      base: { service },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: serializeError, error: serializeError },
      mixin: requestLogFields,
      hooks: {
        streamWrite: (line) => {
          if (isGone()) lostLines += 1;
          return maskAccountNumbers(line);
        },
      },
    },
    output,
  );
}

/**
 * A log that nobody reads is no reason to stop taking payments: errors of the output end nothing,
 * and what it loses is counted. Says whether its reader has gone.
 */
function watchOutput(output: DestinationStream): () => boolean {
  let isGone = false;
  if (output instanceof EventEmitter) {
    output.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE' || isGone) return;
      isGone = true;
      lostLines += 1;
    });
    output.on('drop', () => {
      lostLines += 1;
    });
  }
  return () => isGone;
}

/**
 * A log reader that reads no more must not keep a process from ending; but Node's threads, which
 * write, may be busy for a second on a full machine.
 */
const WRITTEN_WITHIN_MS = 2_000;

/**
 * Resolves when every line so far has left the process. Lines are written beside the event loop, so
 * an exit right after a line may overtake the line before it. Call it after a line was logged.
 */
export async function logWritten(logger: Logger): Promise<void> {
  const { [pino.symbols.streamSym]: destination } = logger as unknown as Record<
    symbol,
    EventEmitter
  >;
  if (destination === undefined) return;
  await Promise.race([once(destination, 'drain'), pause(WRITTEN_WITHIN_MS)]);
}

/** What a log may show of an error; causes likewise, a few deep. */
export interface LoggedError {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
  readonly cause?: LoggedError;
}

const CAUSES_MAX = 3;

/** The allowlist of D-46 as a function, for whoever prints an error elsewhere. */
export function serializeError(error: unknown, causesLeft = CAUSES_MAX): LoggedError {
  if (!(error instanceof Error) && !looksLikeError(error)) {
    return { name: 'NotAnError', message: thrownInstead(error) };
  }
  const { name, cause } = error;
  // Several failures together, such as the attempts at all addresses of a host, have no message of
  // their own.
  const message = error.message === '' ? messagesIn(error) : error.message;
  const code = (error as { code?: unknown }).code;
  return {
    name,
    ...(typeof code === 'string' ? { code } : {}),
    message: maskAccountNumbers(message),
    ...(cause !== undefined && causesLeft > 0
      ? { cause: serializeError(cause, causesLeft - 1) }
      : {}),
  };
}

function messagesIn(error: Error): string {
  const { errors = [] } = error as Partial<AggregateError>;
  const shown = errors.slice(0, CAUSES_MAX).map((one) => serializeError(one, 0).message);
  return shown.join('; ');
}

/** Some libraries throw plain objects with a message. */
function thrownInstead(thrown: unknown): string {
  const { message } = (thrown ?? {}) as { readonly message?: unknown };
  if (typeof message === 'string') return maskAccountNumbers(message);
  return `something else was thrown (${typeof thrown})`;
}

/** Errors of another realm (a worker, a test environment) are no `Error` of ours. */
function looksLikeError(value: unknown): value is Error {
  const candidate = value as Partial<Error> | null;
  return (
    typeof candidate === 'object' &&
    typeof candidate?.name === 'string' &&
    typeof candidate.message === 'string'
  );
}

/**
 * Masks runs of 13 to 19 digits that begin like a card number and pass the Luhn check, and IBANs,
 * whatever separates their characters and however they are encoded.
 */
export function maskAccountNumbers(text: string): string {
  const places = [...cardNumberPlaces(text, isCardNumber), ...ibanPlaces(text)];
  return places.length === 0 ? text : replacedIn(text, places, () => MASK);
}

function isCardNumber(digits: string): boolean {
  return ISSUER.test(digits) && passesLuhn(digits);
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
