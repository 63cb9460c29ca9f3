import type { FollowsClocks } from '@sluice/service';
import { setTimeout as delay } from 'node:timers/promises';

/** A relay, as far as it says what waits for it. */
interface Relay {
  lag(): Promise<{ readonly waiting: number; readonly oldestAgeMs: number }>;
}

/** A relay publishes some ten milliseconds after an event was recorded. */
const LOOK_EVERY_MS = 10;

/**
 * Before a clock goes on, whoever reads events has those of the date where it stands: so they are told of, and
 * shown, as things of that date.
 */
export function publishedEvents(relays: readonly Relay[]): FollowsClocks {
  return {
    nextDueMs: () => Promise.resolve(null),
    doWhatIsDue: async (_entityId, untilMs) => {
      const beganMs = performance.now();
      while (performance.now() < untilMs) {
        const lags = await Promise.all(relays.map((relay) => relay.lag()));
        const waitedMs = performance.now() - beganMs;
        // What others record meanwhile is not waited for.
        if (lags.every((lag) => lag.waiting === 0 || lag.oldestAgeMs < waitedMs)) break;
        await delay(LOOK_EVERY_MS);
      }
      return 0;
    },
  };
}
