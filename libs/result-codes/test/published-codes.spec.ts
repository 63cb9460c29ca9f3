import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { codes, describeResult, groupOf, groups, resultCodes } from '../src/index.js';

/** The published list, code and group: what clients of the interface family rely on. */
const published = readFileSync(new URL('published-codes.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(',') as [string, string]);

/** Codes per group, counted on the published list. */
const sizes = {
  ...{ success: 18, success_review: 13, pending_short: 9, pending_long: 4, soft_decline: 1 },
  ...{ reject_3ds_intercard: 13, reject_bank: 87, reject_communication: 18, reject_system: 9 },
  ...{ reject_async: 12, reject_external_risk: 87, reject_avs: 9, reject_3ds: 26 },
  ...{ reject_blacklist: 17, reject_risk_validation: 24, validation_configuration: 33 },
  ...{ validation_registration: 30, validation_job: 17, validation_reference: 46 },
  ...{ reject_mac_control: 4, validation_format: 69, validation_address: 13 },
  ...{ validation_contact: 20, validation_account: 36, validation_amount: 13 },
  ...{ validation_risk_management: 4, chargeback: 29 },
};

describe('the table against the published list', () => {
  it('has the same codes', () => {
    expect(resultCodes.map(({ code }) => code)).toEqual(published.map(([code]) => code));
    expect(resultCodes).toHaveLength(663);
  });

  it('puts each code into the published group', () => {
    expect(resultCodes.map(({ code, group }) => [code, group])).toEqual(published);
  });

  it('has every code in exactly one group but the two legacy ones', () => {
    const matches = (code: string) => groups.filter(({ pattern }) => pattern.test(code)).length;
    expect(resultCodes.filter(({ code }) => matches(code) > 1)).toEqual([]);
    expect(resultCodes.filter(({ code }) => matches(code) === 0).map(({ code }) => code)).toEqual([
      '000.500.000',
      '000.500.100',
    ]);
  });

  it('has 27 groups of the published sizes', () => {
    const counted = groups.map(({ name }) => [
      name,
      resultCodes.filter((row) => row.group === name).length,
    ]);
    expect(Object.fromEntries(counted)).toEqual(sizes);
    expect(groups).toHaveLength(27);
  });
});

describe('descriptions', () => {
  it('are one line of readable text each', () => {
    for (const { description } of resultCodes) {
      expect(description).toMatch(/^[A-Za-z0-9][ -~]{6,253}[A-Za-z0-9.)']$/);
    }
  });

  it.each([
    ['000.100.110', "Request successfully processed in 'Merchant in Integrator Test Mode'"],
    ['000.200.000', 'transaction pending'],
    ['000.200.100', 'successfully created checkout'],
    ['000.200.101', 'successfully updated checkout'],
    ['000.000.100', 'successful request'],
    ['200.300.404', 'invalid or missing parameter'],
    ['700.400.580', 'cannot find transaction'],
    ['800.120.100', 'Too many requests. Please try again later.'],
    ['800.900.300', 'invalid authentication information'],
  ])('%s is "%s", which clients compare', (code, description) => {
    expect(describeResult(code)).toBe(description);
  });
});

describe('the named codes', () => {
  it('are published and classified', () => {
    const list = new Set(published.map(([code]) => code));
    for (const code of Object.values(codes)) {
      expect(list.has(code)).toBe(true);
      expect(groupOf(code)).not.toBe('unclassified');
    }
  });

  it('name each code once', () => {
    const values = Object.values(codes);
    expect(new Set(values).size).toBe(values.length);
  });
});
