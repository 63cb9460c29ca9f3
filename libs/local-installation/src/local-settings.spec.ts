import { describe, expect, it } from '@jest/globals';
import { LocalSettings } from './local-settings.js';

describe('LocalSettings, if nothing is said', () => {
  const { inquireAfterMs, simulatorPendingMs } = new LocalSettings();

  it('ends a forced pending after the minute that the how-to promises', () => {
    expect(simulatorPendingMs).toBe(60_000);
    // The acquirer tells nobody: it is approved for the merchant when it is asked next.
    expect(inquireAfterMs.find((afterMs) => afterMs >= simulatorPendingMs)).toBe(60_000);
  });

  it('asks often at first, and at last once a day for a week', () => {
    const minute = 60_000;
    const day = 1_440 * minute;
    expect(inquireAfterMs).toEqual([
      ...[5_000, 30_000, minute, 2 * minute, 10 * minute, 60 * minute],
      ...[1, 2, 3, 4, 5, 6, 7].map((count) => count * day),
    ]);
  });
});
