import type {
  StreamEventsAnswer,
  StreamEventsQuery,
  StreamHeadsAnswer,
  StreamHeadsQuery,
} from '@sluice/contracts';
import type { Queries } from '@sluice/messaging';
import type { EventSource } from './event-source.js';
import { type SourceEvent, sourceEventOf, type SourceOfEvents } from './source-event.js';

/** Events that one answer covers: a few milliseconds for their owner. */
const HEADS_PER_ANSWER = 5_000;

/** Asks the owner by its queries `<owner>.streamEvents` and `<owner>.streamHeads`. */
export class QueriedEventSource implements EventSource {
  constructor(
    private readonly queries: Queries,
    private readonly source: SourceOfEvents,
  ) {}

  async eventsAfter(streamId: string, afterVersion: number): Promise<readonly SourceEvent[]> {
    const query: StreamEventsQuery = { streamId, afterVersion };
    const { events } = await this.#ask<StreamEventsAnswer>('streamEvents', query);
    return events.map((event) => sourceEventOf(event, this.source));
  }

  async incarnation(): Promise<string> {
    const query: StreamHeadsQuery = { limit: 1, olderThanMs: 0 };
    return (await this.#ask<StreamHeadsAnswer>('streamHeads', query)).incarnation;
  }

  headsAfter(after: string | undefined, olderThanMs: number): Promise<StreamHeadsAnswer> {
    return this.#heads({ ...(after !== undefined && { after }), olderThanMs });
  }

  headsNow(after: string | undefined): Promise<StreamHeadsAnswer> {
    return this.#heads({ ...(after !== undefined && { after }), olderThanMs: 0, now: true });
  }

  #heads(query: Omit<StreamHeadsQuery, 'limit'>): Promise<StreamHeadsAnswer> {
    return this.#ask<StreamHeadsAnswer>('streamHeads', { ...query, limit: HEADS_PER_ANSWER });
  }

  #ask<Answer>(query: string, parameters: object): Promise<Answer> {
    const { owner } = this.source;
    return this.queries.ask<Answer>(owner, `${owner}.${query}`, parameters);
  }
}
