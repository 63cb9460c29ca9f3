import { describe, expect, it } from '@jest/globals';
import { readCommandLine } from './command-line.js';

describe('the command line', () => {
  it('needs no flags', () => {
    expect(readCommandLine([])).toEqual({
      kind: 'wish',
      wish: { port: 8_080, timeoutMs: 300_000, reset: false, remove: false },
    });
  });

  it('reads them all', () => {
    const words =
      '--seed a.json --builder podman --node-image n:1 --debian-image d:1 --port 81 --cells 2';
    const result = readCommandLine([
      ...words.split(' '),
      ...['--load-with', 'sudo ctr images import', '--timeout', '20', '--reset'],
    ]);
    expect(result).toEqual({
      kind: 'wish',
      wish: {
        ...{ seed: 'a.json', builder: 'podman', nodeImage: 'n:1', debianImage: 'd:1', port: 81 },
        ...{ cells: 2 },
        ...{ loadWith: 'sudo ctr images import', timeoutMs: 20_000, reset: true, remove: false },
      },
    });
  });

  it.each([
    [['--builder', 'make'], "argument 'make' is invalid"],
    [['--port', '0'], 'It must be a whole number from 1 to 65535.'],
    [['--cells', '3'], 'It must be a whole number from 1 to 2.'],
    [['--timeout', '5m'], 'It must be a whole number from 1 to 3600.'],
    [['--sed', 'x'], "Unknown option '--sed'"],
    [['channels.json'], 'Too many arguments'],
    [['--reset', '--remove'], '--remove leaves nothing'],
  ])('refuses %j with a sentence', (words, reason) => {
    const result = readCommandLine(words);
    expect(result.kind === 'refused' ? result.reason : result).toContain(reason);
  });

  it('explains itself', () => {
    const result = readCommandLine(['--help']);
    expect(result.kind === 'help' ? result.text : result).toContain('--load-with <command>');
  });
});
