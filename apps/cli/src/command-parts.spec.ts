import { describe, expect, it } from '@jest/globals';
import { eventPublishers } from '@sluice/contracts';
import { Command } from 'commander';
import { serviceOption } from './command-parts.js';

function parsed(words: readonly string[]): unknown {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  command.addOption(serviceOption()).action(() => undefined);
  return command.parse(words, { from: 'user' }).opts()['service'];
}

describe('--service', () => {
  it('is payments unless told', () => {
    expect(parsed([])).toBe('payments');
  });

  it.each(eventPublishers)('takes %s, who publishes events', (publisher) => {
    expect(parsed(['--service', publisher])).toBe(publisher);
  });

  it('takes nobody who publishes no events', () => {
    expect(() => parsed(['--service', 'vault'])).toThrow(/Allowed choices are payments/);
  });
});
