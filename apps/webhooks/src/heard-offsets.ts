import type { EventBatch } from '@sluice/messaging';
import type { Pool, PoolClient } from 'pg';

/** How far one partition of a topic was heard. */
export interface HeardPlace extends Pick<EventBatch, 'topic' | 'partition'> {
  readonly lastOffset: string;
}

/**
 * How long it is not noted that nothing of what was heard is to be told: nearly all events are such, and each
 * note is a transaction. A process that dies leaves so much to be heard once more.
 */
export const NOTED_WITHIN_MS = 5_000;

const HEARD = 'SELECT last_offset::text AS heard FROM heard WHERE topic = $1 AND partition = $2';
const NOTE = `INSERT INTO heard (topic, partition, last_offset)
  SELECT * FROM unnest($1::text[], $2::int[], $3::numeric[])
  ON CONFLICT (topic, partition)
  DO UPDATE SET last_offset = greatest(heard.last_offset, excluded.last_offset)`;

/** Up to which message of each partition everything that is to be told is in queues (R-WH-01). */
export class HeardOffsets {
  readonly #unnoted = new Map<string, HeardPlace>();

  constructor(private readonly pool: Pick<Pool, 'query'>) {}

  /** The last offset that is dealt with; undefined: nothing of it is. */
  async after(topic: string, partition: number): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ heard: string }>(HEARD, [topic, partition]);
    return rows[0]?.heard;
  }

  /** In the transaction that puts what is to be told into queues. */
  async note(client: Pick<PoolClient, 'query'>, ...places: readonly HeardPlace[]): Promise<void> {
    await client.query({
      ...{ name: 'note heard', text: NOTE },
      values: [
        places.map(({ topic }) => topic),
        places.map(({ partition }) => partition),
        places.map(({ lastOffset }) => lastOffset),
      ],
    });
  }

  /** Nothing of it is to be told: it is enough to know that later. */
  keep(place: HeardPlace): void {
    this.#unnoted.set(`${place.topic} ${place.partition}`, place);
  }

  /** Notes what is only kept so far, in one statement. */
  async noteKept(): Promise<void> {
    const kept = [...this.#unnoted];
    if (kept.length === 0) return;
    this.#unnoted.clear();
    try {
      await this.note(this.pool, ...kept.map(([, place]) => place));
    } catch (error) {
      for (const [name, place] of kept) {
        if (!this.#unnoted.has(name)) this.#unnoted.set(name, place);
      }
      throw error;
    }
  }
}
