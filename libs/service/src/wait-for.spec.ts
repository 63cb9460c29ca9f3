import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.js';
import { SettingsError } from './settings.js';
import {
  DependencyMissing,
  isOutage,
  StartInterrupted,
  waitBriefly,
  waitFor,
  type WaitOptions,
} from './wait-for.js';

/** Options with a log that can be read, and whatever differs. */
function waiting(more: Partial<WaitOptions> = {}): { options: WaitOptions; lines: string[] } {
  const lines: string[] = [];
  const logger = createLogger({
    service: 'test',
    level: 'info',
    destination: { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) },
  });
  const signal = new AbortController().signal;
  return { options: { logger, signal, delayMs: 1, delayMaxMs: 8, ...more }, lines };
}

function refusedConnection(): Error {
  return Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
}

describe('waiting for another service', () => {
  it('gives what came of the first try, and says nothing', async () => {
    const { options, lines } = waiting();
    expect(await waitFor('it', () => Promise.resolve(1), options)).toBe(1);
    expect(lines).toEqual([]);
  });

  it('repeats until it is there, and says what it waits for', async () => {
    let tries = 0;
    const { options, lines } = waiting();
    const attempt = () => {
      tries += 1;
      return tries < 3 ? Promise.reject(refusedConnection()) : Promise.resolve('there');
    };
    expect(await waitFor('the database', attempt, options)).toBe('there');
    expect(lines).toEqual(['Waiting for the database.', 'the database is there.']);
  });

  it('throws at once what will not change', async () => {
    let tries = 0;
    const { options } = waiting();
    const attempt = () => {
      tries += 1;
      return Promise.reject(new SettingsError('X must be set.'));
    };
    await expect(waitFor('it', attempt, options)).rejects.toThrow('X must be set.');
    expect(tries).toBe(1);
  });

  it('ends when the process is to stop', async () => {
    const stop = new AbortController();
    const { options } = waiting({ signal: stop.signal, delayMs: 60_000, delayMaxMs: 60_000 });
    const result = waitFor('it', () => Promise.reject(refusedConnection()), options);
    setImmediate(() => stop.abort());
    await expect(result).rejects.toThrow(StartInterrupted);
  });
});

describe('waiting briefly', () => {
  it('goes on without what does not come, and says so', async () => {
    const stop = new AbortController();
    const { options, lines } = waiting({ signal: stop.signal });
    await waitBriefly('Kafka', () => new Promise(() => undefined), options, 5);
    expect(lines).toEqual(['Kafka is not there yet; the start goes on without it.']);
  });

  it('does not hide what is no outage', async () => {
    const { options } = waiting();
    const attempt = () => Promise.reject(new TypeError('a defect'));
    await expect(waitBriefly('Kafka', attempt, options)).rejects.toThrow('a defect');
  });
});

describe('an outage', () => {
  const withCode = (code: string): Error => Object.assign(new Error('x'), { code });

  it.each([
    ...['ECONNREFUSED', 'ENOTFOUND', '57P03', '08006', '53300', '3D000', '28P01', '42P01'].map(
      (code): [string, unknown] => [code, withCode(code)],
    ),
    ['a lost connection of pg', new Error('Connection terminated unexpectedly')],
    ['a pool that waits', new Error('timeout exceeded when trying to connect')],
    ['all addresses of a name', new AggregateError([withCode('ECONNREFUSED')])],
    ['one below another error', new Error('x', { cause: withCode('ECONNRESET') })],
    ['what is missing by name', new DependencyMissing('x')],
  ])('is %s', (_name, error) => {
    expect(isOutage(error)).toBe(true);
  });

  it.each([
    ['a refused setting', new SettingsError('x')],
    ['a defect', new TypeError('x')],
    ['a broken constraint', withCode('23505')],
    ['a wrong statement', withCode('42601')],
    ['a file that is not there', withCode('ENOENT')],
    ['no error', 'text'],
  ])('is not %s', (_name, error) => {
    expect(isOutage(error)).toBe(false);
  });
});
