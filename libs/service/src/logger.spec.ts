import { describe, expect, it } from '@jest/globals';
import { AccessToken, Detail } from '@sluice/secrets';
import { createLogger, type LogLevel, maskAccountNumbers, serializeError } from './logger.js';

function logged(level: LogLevel, write: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  write(createLogger({ service: 'test', level, destination: { write: (line) => (text += line) } }));
  return text;
}

describe('a log line', () => {
  it('is JSON with time, service, level and what is given', () => {
    const line = JSON.parse(
      logged('info', (logger) => {
        logger.info({ ndc: 'abc' }, 'taken');
      }),
    ) as Record<string, string>;
    expect(line).toMatchObject({ service: 'test', level: 'info', ndc: 'abc', msg: 'taken' });
    expect(line['time']).toMatch(/^[0-9-]{10}T[0-9:.]{12}Z$/);
  });

  it('says nothing of the lines before it', () => {
    const text = logged('info', (logger) => {
      logger.warn({ err: new Error('away') }, 'odd');
      logger.info('taken');
    });
    expect(JSON.parse(text.trim().split('\n')[1] ?? '')).not.toHaveProperty('err');
  });

  it('is not written below the level', () => {
    const write = (logger: ReturnType<typeof createLogger>): void => {
      logger.info('taken');
      logger.warn('odd');
    };
    expect(logged('warn', write)).not.toContain('taken');
    expect(logged('silent', write)).toBe('');
  });

  it('shows of an error its name, code and message, and no row of the database', () => {
    const error = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (number)=(canary) already exists.',
      where: 'canary',
      stack: 'canary',
      cause: Object.assign(new TypeError('inner'), { detail: 'canary' }),
    });
    for (const text of [
      logged('info', (logger) => logger.error({ err: error }, 'failed')),
      logged('info', (logger) => logger.error({ error }, 'failed')),
      logged('info', (logger) => logger.error(error)),
    ]) {
      expect(text).toContain('"code":"23505"');
      expect(text).toContain('duplicate key');
      expect(text).toContain('inner');
      expect(text).not.toContain('canary');
    }
    expect(serializeError('canary')).toEqual({
      name: 'NotAnError',
      message: 'something else was thrown (string)',
    });
  });

  it('shows of several errors together what each of them says', () => {
    const tries = ['::1', '127.0.0.1'].map(
      (host) => new Error(`connect ECONNREFUSED ${host}:5432`),
    );
    const error = Object.assign(new AggregateError(tries), { code: 'ECONNREFUSED' });
    expect(serializeError(error)).toEqual({
      name: 'AggregateError',
      code: 'ECONNREFUSED',
      message: 'connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432',
    });
  });

  it('shows of an object that is no error its message', () => {
    const thrown = { status: 'error', message: 'of 4200000000000000', row: 'canary' };
    expect(serializeError(thrown)).toEqual({ name: 'NotAnError', message: 'of ***' });
  });

  it('prints no secret', () => {
    const text = logged('info', (logger) => {
      logger.info(
        { pan: new Detail('4200000000000000'), token: new AccessToken('open') },
        'sesame',
      );
    });
    expect(text).not.toContain('4200000000000000');
    expect(text).not.toContain('open"');
  });

  it('masks whatever passes for a card number, as the last guard', () => {
    const text = logged('info', (logger) => {
      logger.info({ note: 'card 4200000000000000!' }, 'sent 5500005555555559 along');
    });
    expect(text).not.toMatch(/4200000000000000|5500005555555559/);
    expect(text).toContain('card ***!');
  });

  it('masks separated and encoded numbers too, and is JSON all the same', () => {
    const text = logged('info', (logger) => {
      const path = '/v1/payments/4200-0000-0000-0000/x/%34%32%30%30000000000000';
      const numbers = ['4200', '0000', '0000', '0000'];
      logger.info({ path, numbers }, 'sent\n4200\n0000\n0000\n0000\nand 5500-0055-5555-5559');
    });
    expect(JSON.parse(text)).toMatchObject({
      path: '/v1/payments/***-***-***-***/x/***',
      numbers: ['***', '***', '***', '***'],
      msg: 'sent\n***\n***\n***\n***\nand ***-***-***-***',
    });
  });
});

describe('masking', () => {
  it.each([
    ['378282246310005', '***'],
    ['4200000000000001', '4200000000000001'],
    ['1700000000000', '1700000000000'],
    ['4200 0000  0000, 0000', '*** ***  ***, ***'],
    ['４２００００００００００００００', '***'],
    ['%EF%BC%94200000000000000', '***'],
    ['8171999927660000', '***'],
    ['52.168.100.200:54321 2026-05-30 10:36:51', '52.168.100.200:54321 2026-05-30 10:36:51'],
    ['a4200000000000000b', 'a***b'],
    ['14200000000000000', '14200000000000000'],
    ['42000000000000000000000000000000', '42000000000000000000000000000000'],
  ])('turns %s into %s', (text, expected) => {
    expect(maskAccountNumbers(text)).toBe(expected);
  });
});
