import { describe, expect, it } from '@jest/globals';
import { eventPublishers } from '@sluice/contracts';
import { Command } from 'commander';
import { serviceOption } from './command-parts.js';

function parsed(words: readonly string[], publishers?: readonly string[]): unknown {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  command.addOption(serviceOption(publishers)).action(() => undefined);
  return command.parse(words, { from: 'user' }).opts()['service'];
}

describe('--service', () => {
  it('is the one service that publishes events unless told', () => {
    expect(parsed([])).toBe(eventPublishers[0]);
    expect(parsed([], ['invoices'])).toBe('invoices');
  });

  it('has to be given where several publish events', () => {
    expect(parsed(['--service', 'invoices'], ['payments', 'invoices'])).toBe('invoices');
    expect(() => parsed([], ['payments', 'invoices'])).toThrow(/--service <name>' not specified/);
  });

  it('takes nobody who publishes no events', () => {
    expect(() => parsed(['--service', 'vault'])).toThrow(/Allowed choices are payments/);
  });
});
