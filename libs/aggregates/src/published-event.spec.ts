import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '@sluice/event-store';
import { publishedEvent } from './published-event.js';

const recorded: RecordedEvent = {
  streamId: '0194670a0000abcd0000000000000001',
  version: 3,
  id: '01946711-0000-7000-8000-000000000001',
  commandId: '01946711-0000-7000-8000-000000000002',
  type: 'PaymentForgotten',
  schemaVersion: 7,
  data: { reason: 'new' },
  metadata: { correlationId: 'ndc-1', causationId: 'message-1', actor: 'token-node' },
  recordedAtMs: 1_768_478_400_123,
};

describe('a published event', () => {
  it('is the recorded one with its place, also of a newer writer (D-18)', () => {
    expect(publishedEvent(recorded, 'life-1')).toEqual({
      id: '01946711-0000-7000-8000-000000000001',
      ...{ type: 'PaymentForgotten', schemaVersion: 7, key: recorded.streamId },
      ...{ correlationId: 'ndc-1', causationId: 'message-1' },
      data: {
        ...{ streamId: recorded.streamId, version: 3, recordedAtMs: 1_768_478_400_123 },
        ...{ incarnation: 'life-1', event: recorded.data, metadata: recorded.metadata },
      },
    });
  });

  it('names the trace of the work that decided it, where there is one', () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const traced = { ...recorded, metadata: { ...(recorded.metadata as object), traceparent } };
    expect(publishedEvent(traced, 'life-1')).toMatchObject({ traceparent });
    expect(publishedEvent(recorded, 'life-1')).not.toHaveProperty('traceparent');
  });
});
