import { describe, expect, it } from '@jest/globals';
import { topicByShard } from './cell-topics.js';

const topicOf = topicByShard([
  { cell: 1, carried: [{ first: 0, last: 0x3fff }] },
  { cell: 2, carried: [{ first: 0x8000, last: 0xffff }] },
]);

describe('the topic that a dead command goes back to', () => {
  it('is that of the cell that carries its shard now, wherever it died', () => {
    expect(topicOf('payments.commands.v1', '0000')).toBe('payments.commands.v1');
    expect(topicOf('payments.2.commands.v1', '3fff')).toBe('payments.commands.v1');
    expect(topicOf('payments.commands.v1', 'ffff')).toBe('payments.2.commands.v1');
  });

  it('is where it was for commands to other services', () => {
    expect(topicOf('accounts.commands.v1', 'ffff')).toBe('accounts.commands.v1');
  });

  it('is none while no cell carries the shard', () => {
    expect(() => topicOf('payments.commands.v1', '4000')).toThrow('No cell carries the shard 4000');
  });
});
