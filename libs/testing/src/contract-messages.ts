import type { CommandMessage, Message } from '@sluice/contracts';

/** An event with nothing in it. */
export function event(key: string, id: string, data: unknown = {}): Message {
  return {
    id,
    type: 'Booked',
    schemaVersion: 1,
    key,
    correlationId: 'request-1',
    causationId: 'request-1',
    data,
  };
}

/** A command with nothing in it. */
export function command(key: string, fields: Partial<CommandMessage> = {}): CommandMessage {
  return { ...event(key, 'command-1'), type: 'Book', timeToLiveMs: 25_000, ...fields };
}
