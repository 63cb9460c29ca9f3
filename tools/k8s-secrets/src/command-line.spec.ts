import { describe, expect, it } from '@jest/globals';
import { readCommandLine, type SecretsWish } from './command-line.js';
import { leaves } from './leaves.js';

function read(...words: readonly string[]): SecretsWish {
  const commandLine = readCommandLine(words);
  if (commandLine.kind !== 'wish') throw new Error(commandLine.kind);
  return commandLine.wish;
}

describe('the command line', () => {
  it('writes where the overlay reads, and renews nothing unless told', () => {
    const wish = read();
    expect(wish.output).toMatch(/k8s\/overlays\/local\/secrets$/);
    expect(wish.dummies).toBe(false);
    expect(wish.renewal).toEqual({ owners: new Set(), authorities: false });
  });

  it('knows whose certificates there are', () => {
    const both = new Set(['edge', 'kafka']);
    expect(read('--renew', 'edge', '--renew', 'kafka').renewal.owners).toEqual(both);
    expect(read('--renew', 'edge', 'kafka').renewal.owners).toEqual(both);
    const everybody = new Set(leaves.map(({ owner }) => owner));
    expect(read('--renew', 'all').renewal.owners).toEqual(everybody);
    expect(read('--renew', 'authority').renewal.authorities).toBe(true);
    const help = readCommandLine(['--help']);
    for (const owner of everybody) {
      expect(help).toEqual({ kind: 'help', text: expect.stringContaining(owner) });
    }
  });

  it.each([
    [['--renew', 'nobody'], /Allowed choices are .*edge/],
    [['--dummies', '--renew', 'all'], /nothing that could be renewed/],
    [['--force'], /Unknown option '--force'/],
  ])('refuses %j', (words, sentence) => {
    const commandLine = readCommandLine(words);
    expect(commandLine.kind === 'refused' ? commandLine.reason : commandLine).toMatch(sentence);
  });
});
