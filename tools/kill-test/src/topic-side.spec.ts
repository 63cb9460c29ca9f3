import { describe, expect, it } from '@jest/globals';
import { type PublishedRecord, topicDisagreements } from './topic-side.js';

const event = (streamId: string, version: number): PublishedRecord => ({
  ...{ eventId: `${streamId}-${version}`, streamId, version },
});
const store = [event('a', 1), event('a', 2), event('b', 1)];
const sentences = (topic: readonly PublishedRecord[]): string[] =>
  topicDisagreements(store, topic).map(({ sentence }) => sentence);

describe('the topic beside the store', () => {
  it('agrees when each event is there, once or more, in the order of its stream', () => {
    const [a1, a2, b1] = [event('a', 1), event('a', 2), event('b', 1)];
    expect(sentences([a1, b1, a2])).toEqual([]);
    expect(sentences([a1, a2, a1, a2, b1, b1])).toEqual([]);
  });

  it('lacks an event', () => {
    expect(sentences([event('a', 1), event('b', 1)])).toEqual([
      'version 2 of a is not in the topic',
    ]);
  });

  it('has a stream in another order', () => {
    expect(sentences([event('a', 2), event('a', 1), event('b', 1)])).toEqual([
      'version 2 comes after 0 in the topic',
      'version 1 comes after 2 in the topic',
    ]);
  });

  it('has what was never recorded', () => {
    const other = { ...event('b', 1), eventId: 'a-1' };
    expect(sentences([...store, event('c', 1), other])).toEqual([
      'is in the topic and was never recorded like this',
      'is in the topic and was never recorded like this',
    ]);
  });
});
