import { describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { type CommandLine, parsed } from './command-line.js';
import { wholeNumber } from './whole-number.js';

const RATE_MAX = 20;

function read(...words: readonly string[]): CommandLine<number> {
  return parsed<number>({
    command: new Command('npm run pay --').option('--rate <n>', 'how many', wholeNumber(RATE_MAX)),
    words,
    read: (command) => {
      const { rate } = command.opts<{ readonly rate?: number }>();
      return rate === undefined
        ? { kind: 'refused', reason: 'Say how many.' }
        : { kind: 'wish', wish: rate };
    },
  });
}

describe('the words of a command', () => {
  it('are a wish', () => {
    expect(read('--rate', '20')).toEqual({ kind: 'wish', wish: 20 });
  });

  it('are help', () => {
    const help = read('-h');
    expect(help.kind === 'help' ? help.text : help).toContain('Usage: npm run pay -- [options]');
  });

  it.each([
    [['--rat', '1'], "Unknown option '--rat' (Did you mean --rate?) See --help."],
    [['1'], 'Too many arguments. Expected 0 arguments but got 1. See --help.'],
    [['--rate'], "Option '--rate <n>' argument missing. See --help."],
    ...['0', '21', '1e1', '-1', ''].map((value) => [
      ['--rate', value],
      `Option '--rate <n>' argument '${value}' is invalid. It must be a whole number from 1 to 20. See --help.`,
    ]),
    [[], 'Say how many.'],
  ] as [string[], string][])('are refused with a sentence: %j', (words, reason) => {
    expect(read(...words)).toEqual({ kind: 'refused', reason });
  });
});
