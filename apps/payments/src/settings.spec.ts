import { describe, expect, it } from '@jest/globals';
import { loadSettings, SettingsError } from '@sluice/service';
import { PaymentsSettings } from './settings.js';

const minimal = { PAYMENTS_DATABASE_URL: 'postgresql://app@localhost/sluice' };

describe('settings', () => {
  it('need a database and default to the documented schedule (D-24 to D-28)', () => {
    const settings = loadSettings(PaymentsSettings, minimal);
    expect(settings).toMatchObject({ sendWindowMs: 2_000, leaseMs: 60_000, resolveByMs: 900_000 });
    expect(settings.inquireAfterMs.slice(0, 6)).toEqual([
      5_000, 30_000, 60_000, 120_000, 600_000, 3_600_000,
    ]);
    expect(() => loadSettings(PaymentsSettings, {})).toThrow(SettingsError);
  });
  it('take a schedule as a list, ascending', () => {
    const list = (text: string) =>
      loadSettings(PaymentsSettings, { ...minimal, PAYMENTS_INQUIRE_AFTER_MS: text });
    expect(list('200,400,800').inquireAfterMs).toEqual([200, 400, 800]);
    for (const malformed of ['200,100', '200,,400', '-1', '2e3', '0', '100,100']) {
      expect(() => list(malformed)).toThrow('PAYMENTS_INQUIRE_AFTER_MS');
    }
  });
  it('take private targets as hosts with ports', () => {
    const targets = (text: string) =>
      loadSettings(PaymentsSettings, { ...minimal, PAYMENTS_PRIVATE_TARGETS: text }).privateTargets;
    expect(loadSettings(PaymentsSettings, minimal).privateTargets).toEqual([]);
    expect(targets('10.1.2.3:5000,stand-in:8081')).toEqual(['10.1.2.3:5000', 'stand-in:8081']);
    for (const malformed of ['10.1.2.3', 'http://stand-in:8081', 'a b:1']) {
      expect(() => targets(malformed)).toThrow('PAYMENTS_PRIVATE_TARGETS');
    }
  });
});
