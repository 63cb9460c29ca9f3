import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@sluice/service';
import { fixedClock } from '@sluice/testing';
import { REMINDER_INTERVAL_MS, WriteOutage } from './write-outage.js';

function outage() {
  const clock = fixedClock(0);
  const lines: { msg: string; outageMs?: number; err?: { message: string } }[] = [];
  const destination = {
    write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]),
  };
  const logger = createLogger({ service: 'vault', level: 'warn', destination });
  return { clock, lines, outage: new WriteOutage(clock, logger) };
}

const away = new Error('database is away');

describe('a database that is away', () => {
  it('is told once, then every half a minute, and once when it is back', () => {
    const { clock, lines, outage: vault } = outage();
    for (let ms = 0; ms < 2 * REMINDER_INTERVAL_MS + 1_000; ms += 50) {
      vault.failed(away);
      clock.advance(50);
    }
    vault.over();
    expect(lines.map(({ msg, outageMs }) => [msg, outageMs])).toEqual([
      ['Held cards are in memory only.', undefined],
      ['Held cards are still in memory only.', REMINDER_INTERVAL_MS],
      ['Held cards are still in memory only.', 2 * REMINDER_INTERVAL_MS],
      ['Held cards are written again.', 2 * REMINDER_INTERVAL_MS + 1_000],
    ]);
    expect(lines[0]?.err?.message).toBe('database is away');
  });

  it('for the second time is told again at once', () => {
    const { lines, outage: vault } = outage();
    vault.failed(away);
    vault.over();
    vault.failed(away);
    expect(lines).toHaveLength(3);
  });
});

describe('a database that answers', () => {
  it('is not worth a line', () => {
    const { lines, outage: vault } = outage();
    vault.over();
    expect(lines).toEqual([]);
  });
});
