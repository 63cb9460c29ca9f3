import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '@sluice/event-store';
import { streamData, streamText } from './stream-events.js';

const streamId = 'a'.repeat(32);
const events = [1, 2].map((version) => {
  const recordedAtMs = Date.UTC(2031, 4, 4, 13, version);
  const data = { version, personal: 'sealed' };
  return { version, type: 'Changed', schemaVersion: 1, recordedAtMs, data } as RecordedEvent & {
    version: number;
  };
});

describe('a stream of any service', () => {
  it('is shown event by event, up to an end', () => {
    expect(streamText({ streamId, events }, {})).toMatch(
      /^Stream a{32}, event 2 of 2\n\n#.*\n1 +2031-05-04 13:01:00\.000 +Changed\n2 /,
    );
    expect(streamText({ streamId, events }, { version: 1 })).toContain('event 1 of 2');
    expect(streamText({ streamId, events }, { atMs: 0 })).toBe(
      `Stream ${streamId} had no events yet.`,
    );
  });

  it('is the same as JSON, without personal data', () => {
    expect(streamData({ streamId, events }, { version: 1 })).toMatchObject({
      ...{ streamId, version: 1, latestVersion: 2 },
      events: [
        {
          ...{ version: 1, type: 'Changed', recordedAt: '2031-05-04T13:01:00.000Z' },
          data: { version: 1, personal: '(not shown)' },
        },
      ],
    });
  });
});
