import { describe, expect, it } from '@jest/globals';
import { transactions } from '@sluice/reporting';
import { describeProjection } from './projection-state.js';
import type { Session } from './session.js';

/** Events that come while a command asks: as many between any two questions. */
const EVENTS_BETWEEN = 5;

/** A topic of one partition, and a projection that has read all of it but `behind` events. */
class Feeding {
  constructor(
    private end: number,
    private readonly behind: number,
    private readonly eventsBetween = EVENTS_BETWEEN,
  ) {}

  get session(): Session {
    const asked: Partial<Record<keyof Session, unknown>> = {
      topicPrefix: '',
      schema: () => 'reporting',
      database: () => ({ query: (text: string) => this.#next({ rows: this.#rows(text) }) }),
      admin: () => Promise.resolve({ fetchTopicOffsets: () => this.#next(this.#offsets()) }),
      say: () => undefined,
    };
    return asked as Session;
  }

  #rows(text: string): readonly object[] {
    if (text.includes('.table_sets')) {
      const set = { id: 1, projection: transactions.name, version: transactions.version };
      return [{ ...set, state: 'live', incarnation: null, created_at: new Date(0) }];
    }
    const offset = String(this.end - this.behind - 1);
    const { topic } = transactions;
    return text.includes('.checkpoints') ? [{ topic, partition: 0, offset }] : [];
  }

  #offsets(): readonly object[] {
    return [{ partition: 0, low: '0', high: String(this.end) }];
  }

  #next<Answer>(answer: Answer): Promise<Answer> {
    this.end += this.eventsBetween;
    return Promise.resolve(answer);
  }
}

async function lagOf(feeding: Feeding): Promise<unknown> {
  const { data } = await describeProjection(feeding.session, transactions.name);
  return (data as { readonly tableSets: readonly { readonly lag: unknown }[] }).tableSets[0]?.lag;
}

describe('the lag of a projection', () => {
  it('is what was not read when it was asked, and never less, while events come and are read', async () => {
    expect(await lagOf(new Feeding(490, 3))).toBe(3n + BigInt(EVENTS_BETWEEN));
  });

  it('is none where nothing comes', async () => {
    expect(await lagOf(new Feeding(490, 0, 0))).toBe(0n);
  });

  it('is none where the log ends before what is in the rows, as one that was made anew', async () => {
    expect(await lagOf(new Feeding(490, -7, 0))).toBe(0n);
  });
});

describe('a partition that a projection has read', () => {
  it('stands where it reads next, as Kafka has it', async () => {
    const { text } = await describeProjection(new Feeding(490, 0, 0).session, 'transactions');
    const rows = text.split('\n').slice(-2);
    expect(rows.map((row) => row.trim().split(/ +/))).toEqual([
      ['TOPIC', 'PARTITION', 'CURRENT-OFFSET', 'LOG-END-OFFSET', 'LAG'],
      [transactions.topic, '0', '490', '490', '0'],
    ]);
  });
});
