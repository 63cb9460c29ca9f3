import type { StreamHeadsAnswer } from '@sluice/contracts';
import type { SourceEvent } from './source-event.js';

/** What the owner of streams answers about them; nobody else reads its tables (D-21). */
export interface EventSource {
  /** The events of a stream after a version, in order; possibly only the first of them. */
  eventsAfter(streamId: string, version: number): Promise<readonly SourceEvent[]>;
  /** Which store the owner has now (D-23). */
  incarnation(): Promise<string>;
  /** Streams that changed after the cursor and have not changed since `olderThanMs`. */
  headsAfter(cursor: string | undefined, olderThanMs: number): Promise<StreamHeadsAnswer>;
  /** All streams that have changed after the cursor by now. */
  headsNow(cursor: string | undefined): Promise<StreamHeadsAnswer>;
}
