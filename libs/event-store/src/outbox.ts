import type { OutboxMessage } from './append-member.js';
import type { Database } from './database.js';

/** A message that waits to be published. */
export interface WaitingMessage extends OutboxMessage {
  readonly slot: number;
  /** A decimal number; grows within a slot, and so within a stream. */
  readonly id: string;
  readonly streamId: string;
}

/** The messages that were recorded with their events and are not published yet (D-21). */
export class Outbox {
  constructor(
    private readonly database: Database,
    private readonly schema: string,
  ) {}

  /** The first messages of a slot, in order. A slot must have one reader at a time. */
  async next(slot: number, limit: number): Promise<readonly WaitingMessage[]> {
    const rows = await this.database.execute<[string, string, string, string, string, string]>({
      name: 'outbox',
      text: `SELECT id::text, stream_id, topic, key, headers::text, payload::text
             FROM ${this.schema}.outbox WHERE slot = $1 ORDER BY id LIMIT $2`,
      values: [slot, limit],
    });
    return rows.map(([id, streamId, topic, key, headers, payload]) => ({
      slot,
      id,
      streamId,
      topic,
      key,
      headers,
      payload,
    }));
  }

  /** Forgets messages of one slot that are published. */
  async delete(slot: number, ids: readonly string[]): Promise<void> {
    await this.database.execute({
      name: 'outbox published',
      text: `DELETE FROM ${this.schema}.outbox WHERE slot = $1 AND id = ANY ($2::bigint[])`,
      values: [slot, ids],
    });
  }
}
