import { describe, expect, it } from '@jest/globals';
import { readCommandLine, USAGE } from './command-line.js';
import { leaves } from './leaves.js';

describe('the command line', () => {
  it('writes where the overlay reads, and renews nothing unless told', () => {
    const read = readCommandLine([]);
    expect(read?.output).toMatch(/k8s\/overlays\/local\/secrets$/);
    expect(read?.dummies).toBe(false);
    expect(read?.renewal).toEqual({ owners: new Set(), authorities: false });
    expect(readCommandLine(['--help'])).toBeUndefined();
  });

  it('knows whose certificates there are', () => {
    expect(readCommandLine(['--renew', 'edge', '--renew', 'kafka'])?.renewal.owners).toEqual(
      new Set(['edge', 'kafka']),
    );
    const everybody = new Set(leaves.map(({ owner }) => owner));
    expect(readCommandLine(['--renew', 'all'])?.renewal.owners).toEqual(everybody);
    expect(readCommandLine(['--renew', 'authority'])?.renewal.authorities).toBe(true);
    for (const owner of everybody) expect(USAGE).toContain(owner);
  });

  it('refuses what it does not know', () => {
    expect(() => readCommandLine(['--renew', 'risk'])).toThrow('no certificate of "risk"');
    expect(() => readCommandLine(['--dummies', '--renew', 'all'])).toThrow('nothing that could');
    expect(() => readCommandLine(['--force'])).toThrow('--force');
  });
});
