import { describe, expect, it } from '@jest/globals';
import { readCommandLine } from './command-line.js';
import { localFlags, LocalSettings, SANDBOX_DATA_FOLDER } from './local-settings.js';

const command = {
  usage: 'npm start --',
  description: 'The whole gateway in one process.',
  settings: LocalSettings,
  flags: localFlags,
  shownFolder: '<repository>/.sluice',
};

function settings(words: string[], environment: NodeJS.ProcessEnv = {}): LocalSettings {
  const result = readCommandLine(command, words, environment);
  if (result.kind !== 'wish') throw new Error(JSON.stringify(result));
  return result.wish;
}

function refusal(words: string[], environment: NodeJS.ProcessEnv = {}): string {
  const result = readCommandLine(command, words, environment);
  if (result.kind !== 'refused') throw new Error(`not refused: ${result.kind}`);
  return result.reason;
}

describe('the command line', () => {
  it('has a default for everything', () => {
    expect(settings([])).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      dataFolder: SANDBOX_DATA_FOLDER,
      reset: false,
      logLevel: 'warn',
      throttlePerSecond: 5000,
      throttleReadsPerSecond: 5000,
      connectorTimeoutMs: 20_000,
    });
    expect(SANDBOX_DATA_FOLDER).toMatch(/[\\/]\.sluice$/);
  });

  it('takes the same from flags and from the environment, and a flag beats its variable', () => {
    const words = ['--port', '0', '--reset', '--inquire-after', '200,400', '--database'];
    const flagged = settings([...words, 'postgres://u:p@h/d']);
    const environment = {
      SLUICE_PORT: '0',
      SLUICE_RESET: 'true',
      SLUICE_INQUIRE_AFTER_MS: '200,400',
      DATABASE_URL: 'postgres://u:p@h/d',
    };
    expect(settings([], environment)).toEqual(flagged);
    expect(flagged.databaseUrl).toBe('postgres://u:p@h/d');
    expect(JSON.stringify(flagged)).not.toContain('u:p@h');
    expect(flagged.inquireAfterMs).toEqual([200, 400]);
    expect(settings(['--port', '1'], { SLUICE_PORT: '2' }).port).toBe(1);
    expect(settings(['--database', 'postgres://a'], { DATABASE_URL_FILE: '/x' }).databaseUrl).toBe(
      'postgres://a',
    );
  });

  it('lists every flag with its variable and default', () => {
    const result = readCommandLine(command, ['--help'], {});
    const text = result.kind === 'help' ? result.text : '';
    for (const { flag, variable } of localFlags) {
      expect(text).toContain(flag);
      expect(text).toContain(variable);
    }
    expect(text).toContain('(SLUICE_PORT=8080)');
    expect(text).toContain('(SLUICE_DATA=<repository>/.sluice)');
    expect(text).toContain('npm start -- [options]');
  });

  it.each([
    [['--prot', '1'], "Unknown option '--prot' (Did you mean --port?) See --help."],
    [['--port'], "Option '--port <number>' argument missing. See --help."],
    [['--data', ''], '--data is given without a value; see --help.'],
    [['--inquire-after', ''], '--inquire-after is given without a value; see --help.'],
    [['--port', '1', '--port', '2'], '--port is given more than once; see --help.'],
    [['--port=1', '--port=1'], '--port is given more than once; see --help.'],
    [['--reset', '--reset'], '--reset is given more than once; see --help.'],
    [['extra'], 'Too many arguments. Expected 0 arguments but got 1. See --help.'],
    [['--port', '65536'], '--port (SLUICE_PORT) must not be greater than 65535.'],
    [['--port', '80a'], '--port (SLUICE_PORT) must be a whole number.'],
    [['--inquire-after', '5,x'], 'must be whole numbers with commas between them.'],
    [['--inquire-after', '5,5'], '--inquire-after (SLUICE_INQUIRE_AFTER_MS) must be ascending.'],
    [['--database', 'mysql://u:secret@h'], '--database (DATABASE_URL) must begin with postgres://'],
    [['--database', 'postgres://u:secret@h:99999/d'], 'must look like postgres://user:password@'],
    [['--database', 'postgres://u:p/secret@h/d'], 'must look like postgres://user:password@'],
    [['--log-level', 'loud'], 'must be one of the following values: debug, info'],
  ])('%j is refused in a sentence', (words, sentence) => {
    expect(refusal(words)).toContain(sentence);
    expect(refusal(words)).not.toContain('secret');
  });

  it('refuses variables that are malformed or that it does not know', () => {
    expect(refusal([], { SLUICE_PORT: 'x' })).toContain('--port (SLUICE_PORT) must be');
    expect(refusal([], { SLUICE_PROT: '1' })).toBe(
      'SLUICE_PROT is not a setting of Sluice; see --help.',
    );
    expect(settings([], { SLUICE_TEST_FSYNC: 'off', OTHER: '1' }).port).toBe(8080);
  });
});
