import type { BrowserVisit } from './browser-visit.js';

/** What a shopper does, in every browser alike. */
export interface Scenario {
  /** Completes "a shopper …". */
  readonly rule: string;
  readonly play: (visit: BrowserVisit) => Promise<void>;
}
