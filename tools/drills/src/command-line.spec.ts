import { describe, expect, it } from '@jest/globals';
import { readCommandLine } from './command-line.js';

function refusal(...words: readonly string[]): string {
  const read = readCommandLine(words);
  return read.kind === 'refused' ? read.reason : read.kind;
}

describe('the words behind npm run drill', () => {
  it('name a drill; the rest has defaults', () => {
    expect(readCommandLine(['pod-deleted'])).toEqual({
      kind: 'wish',
      wish: {
        name: 'pod-deleted',
        pods: [
          ...['payments', 'vault', 'risk', 'sepa', 'accounts', 'registrations', 'checkouts'],
          ...['webhooks', 'scheduling', 'kafka', 'postgres'],
        ],
        ...{ perSecond: 30, peakPerSecond: 200, shoppers: 50, challenges: 50 },
      },
    });
  });

  it('may say whose pod, how much and where to', () => {
    const words = ['pod-deleted', '--pod', 'kafka', '--rate', '50', '--report', 'figures.json'];
    expect(readCommandLine(words)).toMatchObject({
      wish: { pods: ['kafka'], perSecond: 50, report: 'figures.json' },
    });
  });

  it('are refused when they make no drill', () => {
    expect(refusal()).toMatch(/Missing required argument 'name'/);
    expect(refusal('flood')).toMatch(
      /Allowed choices are rolling-update, shoppers, pod-deleted, scale, starts, move-shards, all/,
    );
    expect(refusal('scale', '--pod', 'kafka')).toBe('--pod belongs to pod-deleted; see --help.');
    expect(refusal('scale', '--edge-image', 'sluice:2')).toBe(
      '--edge-image belongs to shoppers; see --help.',
    );
    expect(refusal('scale', '--aim', 'much')).toMatch(/It must be like 120m/);
    expect(refusal('rolling-update', '--challenges', '201')).toMatch(/from 1 to 200/);
    expect(refusal('all', '--rate', '0')).toMatch(/whole number from 1 to 2000/);
  });

  it('may ask for help', () => {
    const read = readCommandLine(['--help']);
    expect(read).toMatchObject({ kind: 'help' });
    expect(read.kind === 'help' ? read.text : '').toContain('nothing may be lost or doubled');
  });
});
