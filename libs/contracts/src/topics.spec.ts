import { describe, expect, it } from '@jest/globals';
import { commandTopics, deadTopicOf, declaredTopics, eventTopics, REPLY_TOPIC } from './topics.js';

describe('the declared topics', () => {
  const byName = new Map(declaredTopics.map((topic) => [topic.name, topic]));

  it('are those of commands and events, their dead letters, and the replies, once each', () => {
    const working = [...Object.values(commandTopics), ...Object.values(eventTopics)];
    const expected = [...working, ...working.map(deadTopicOf), REPLY_TOPIC];
    expect([...byName.keys()].sort()).toEqual(expected.sort());
    expect(declaredTopics).toHaveLength(expected.length);
  });

  it('have the partitions of D-02 and D-15, and carry messages of 4 MiB', () => {
    for (const { name, partitions, config } of declaredTopics) {
      expect(partitions).toBe(name === REPLY_TOPIC ? 32 : 24);
      expect(config['max.message.bytes']).toBe('4194304');
    }
  });

  it('keep commands a day, events a week and replies a quarter of an hour (D-45)', () => {
    const hours = (name: string) => Number(byName.get(name)?.config['retention.ms']) / 3_600_000;
    expect(hours(commandTopics.payments)).toBe(24);
    expect(hours(eventTopics.payments)).toBe(7 * 24);
    expect(hours(deadTopicOf(commandTopics.payments))).toBe(7 * 24);
    expect(hours(REPLY_TOPIC)).toBe(0.25);
    for (const { config } of declaredTopics) {
      expect(Number(config['segment.ms'])).toBeLessThanOrEqual(3_600_000);
    }
  });
});
