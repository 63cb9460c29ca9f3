import { randomUUID } from 'node:crypto';

const TIME_HEX_DIGITS = 12;
/** Where a random UUID (version 4) goes on behind its version digit. */
const AFTER_VERSION = 15;

/**
 * A time-ordered UUID (version 7) for messages, commands and events, so that unique indexes grow
 * at their right edge. Made from a random UUID, whose bytes Node draws many at a time: asking the
 * system for 16 bytes costs more than all the rest of an append.
 */
export function newMessageId(nowMs: number): string {
  const time = Math.trunc(nowMs).toString(16).padStart(TIME_HEX_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(AFTER_VERSION)}`;
}
