import { describe, expect, it } from '@jest/globals';
import { parseSeed } from './seed.js';

const shop = {
  ...{ entityId: '8a829417567d952801568d9d9e3c0b84', name: 'Shop', merchant: 'Books' },
  accessTokens: ['token-of-16-char'],
};
const read = (schedules: unknown) =>
  parseSeed(JSON.stringify({ channels: [{ ...shop, schedules }] }));
const settingsOf = (schedules: unknown) => {
  const result = read(schedules);
  if (result.kind !== 'seed') throw new Error(result.reason);
  return result.accounts.at(-1)?.terms?.schedules;
};
const reasonOf = (schedules: unknown) => {
  const result = read(schedules);
  if (result.kind !== 'refused') throw new Error('the file was accepted');
  return result.reason;
};

describe('schedules in a seed file', () => {
  it.each([
    [{ timeZone: 'Europe/Berlin', missedRuns: 'skip' }, {}],
    [{ timeZone: 'America/Argentina/Buenos_Aires' }, { missedRuns: 'once' }],
    [{ missedRuns: 'skip' }, { timeZone: 'UTC' }],
    [{}, { timeZone: 'UTC', missedRuns: 'once' }],
  ])('are read as they are said, or as is usual: %j', (said, usual) => {
    expect(settingsOf(said)).toEqual({ ...said, ...usual });
  });

  it('are not where nothing is said: the node above says it', () => {
    expect(settingsOf(undefined)).toBeUndefined();
  });

  it.each([
    [{ timeZone: 'Europe/Bonn' }, '"Europe/Bonn" is no time zone, as "Europe/Berlin" is'],
    [{ timeZone: '+01:00' }, '"+01:00" is no time zone, as "Europe/Berlin" is'],
    [{ timeZone: '' }, '"timeZone" must be a text of 1 to 64 printable characters'],
    [{ missedRuns: 'twice' }, '"missedRuns" must be "once" or "skip"'],
    [{ zone: 'UTC' }, '"schedules" has no member "zone"; it may have "timeZone", "missedRuns"'],
    [true, '"schedules" must be an object'],
  ])('are refused: %j', (said, reason) => {
    expect(reasonOf(said)).toBe(reason);
  });
});
