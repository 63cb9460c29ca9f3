import { describe, expect, it } from '@jest/globals';
import type { Row } from './projection.js';
import { RecentStreams } from './recent-streams.js';

const row = (streamId: string, state: string): Row => ({ streamId, state });

describe('the streams that were written lately', () => {
  it('are known with all their rows', () => {
    const recent = new RecentStreams();
    recent.wrote({
      streams: new Map([['s', { from: 0, to: 2 }]]),
      rows: new Map([['a', row('s', 'begun')]]),
    });
    recent.wrote({
      streams: new Map([['s', { from: 2, to: 3 }]]),
      rows: new Map([['b', row('s', 'begun')]]),
    });
    expect(recent.versionOf('s')).toBe(3);
    expect([...(recent.rowsOf('s') ?? [])]).toEqual([
      ['a', row('s', 'begun')],
      ['b', row('s', 'begun')],
    ]);
  });

  it('are not known if they began elsewhere, because they may have other rows', () => {
    const recent = new RecentStreams();
    const rows = new Map([['a', row('s', 'moved')]]);
    recent.wrote({ streams: new Map([['s', { from: 4, to: 5 }]]), rows });
    expect(recent.versionOf('s')).toBeUndefined();
    expect(recent.rowsOf('s')).toBeUndefined();
  });

  it('are forgotten when another process has moved them', () => {
    const recent = new RecentStreams();
    const rows = new Map([['a', row('s', 'begun')]]);
    recent.wrote({ streams: new Map([['s', { from: 0, to: 1 }]]), rows });
    recent.wrote({ streams: new Map([['s', { from: 2, to: 3 }]]), rows });
    expect(recent.versionOf('s')).toBeUndefined();
    recent.wrote({ streams: new Map([['s', { from: 0, to: 1 }]]), rows });
    recent.forget(['s']);
    expect(recent.rowsOf('s')).toBeUndefined();
  });

  it('are a limited number: the ones written longest ago are forgotten', () => {
    const recent = new RecentStreams();
    for (let number = 0; number < 2_001; number += 1) {
      const streams = new Map([[`s${number}`, { from: 0, to: 1 }]]);
      recent.wrote({ streams, rows: new Map() });
    }
    expect(recent.versionOf('s0')).toBeUndefined();
    expect(recent.versionOf('s1')).toBe(1);
    expect(recent.versionOf('s2000')).toBe(1);
  });
});
