import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.js';
import { Outage, REMINDER_INTERVAL_MS } from './outage.js';
import type { Clock } from './clock.js';

function outage() {
  let nowMs = 0;
  const clock: Clock = { now: () => nowMs, monotonicMs: () => nowMs };
  const advance = (ms: number): void => void (nowMs += ms);
  const lines: { msg: string; outageMs?: number; err?: { message: string } }[] = [];
  const destination = {
    write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]),
  };
  const logger = createLogger({ service: 'any', level: 'warn', destination });
  return { advance, lines, outage: new Outage(clock, logger, sentences) };
}

const sentences = { begins: 'It is away.', goesOn: 'It is still away.', ends: 'It is back.' };
const away = new Error('database is away');

describe('a database that is away', () => {
  it('is told once, then every half a minute, and once when it is back', () => {
    const { advance, lines, outage: part } = outage();
    for (let ms = 0; ms < 2 * REMINDER_INTERVAL_MS + 1_000; ms += 50) {
      part.failed(away);
      advance(50);
    }
    part.over();
    expect(lines.map(({ msg, outageMs }) => [msg, outageMs])).toEqual([
      [sentences.begins, undefined],
      [sentences.goesOn, REMINDER_INTERVAL_MS],
      [sentences.goesOn, 2 * REMINDER_INTERVAL_MS],
      [sentences.ends, 2 * REMINDER_INTERVAL_MS + 1_000],
    ]);
    expect(lines[0]?.err?.message).toBe('database is away');
  });

  it('for the second time is told again at once', () => {
    const { lines, outage: part } = outage();
    part.failed(away);
    part.over();
    part.failed(away);
    expect(lines).toHaveLength(3);
  });
});

describe('a database that answers', () => {
  it('is not worth a line', () => {
    const { lines, outage: part } = outage();
    part.over();
    expect(lines).toEqual([]);
  });
});
