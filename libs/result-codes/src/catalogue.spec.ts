import { describe, expect, it } from '@jest/globals';
import { describeResult, groupOf, isKnown, outcomeOf } from './catalogue.js';
import { httpStatusOf, refusalStatusesOf } from './http-status.js';
import { referenceTable } from './reference-table.js';

describe('outcome and HTTP status', () => {
  it.each([
    ['000.000.000', 'success', 200],
    ['000.100.110', 'success', 200],
    ['000.400.000', 'success', 200],
    ['000.200.000', 'pending', 200],
    ['800.400.500', 'pending', 200],
    ['000.100.200', 'chargeback', 200],
    ['800.100.152', 'rejected', 400],
    ['300.100.100', 'rejected', 400],
    ['200.300.404', 'rejected', 400],
    ['000.400.030', 'rejected', 400],
    ['000.500.000', 'rejected', 400],
  ])('%s is %s, HTTP %i', (code, outcome, status) => {
    expect(outcomeOf(code)).toBe(outcome);
    expect(httpStatusOf(code)).toBe(status);
  });
});

describe('a code that is not on the list', () => {
  it('is classified by the expressions', () => {
    expect(groupOf('800.100.999')).toBe('reject_bank');
    expect(groupOf('1.2')).toBe('unclassified');
    expect(describeResult('800.100.999')).toBe('no description available');
    expect(describeResult('000.100.299')).toContain('chargeback');
  });

  it.each(['', '__proto__', 'constructor', 'toString', '000.100.110 ', '000.100.1100'])(
    '%j is not known and is a rejection or what its family is',
    (code) => {
      expect(isKnown(code)).toBe(false);
      expect(describeResult(code)).toBe('no description available');
    },
  );
});

describe('the reference table', () => {
  const lines = referenceTable().split('\n');

  it('has a row per group and per code', () => {
    expect(lines.filter((line) => /^\| [a-z_0-9]+ \|.*\| [0-9]+ \|$/.test(line))).toHaveLength(27);
    expect(lines.filter((line) => /^\| [0-9]{3}\.[0-9]{3}\.[0-9]{3} \|/.test(line))).toHaveLength(
      663,
    );
  });

  // Interface 5 and 7, D-29, D-35; apps/edge/test asks a running gateway for the same.
  it.each([
    ['700.400.580', '404'],
    ['800.900.300', '401, 403'],
    ['800.900.100', '403'],
    ['200.100.199', '404'],
    ['200.300.403', '404'],
    ['999.999.999', '500'],
    ['800.800.800', '503'],
    ['200.300.404', '400'],
    ['000.100.110', '200'],
  ])('says that %s is HTTP %s', (code, statuses) => {
    const line = lines.find((each) => each.startsWith(`| ${code} |`)) ?? '';
    expect(line.split(' | ').at(3)).toBe(statuses);
    if (statuses !== '200') expect(refusalStatusesOf(code).join(', ')).toBe(statuses);
  });

  it('escapes the bars of expressions', () => {
    expect(lines.find((line) => line.startsWith('| validation_job |'))).toContain(
      String.raw`^(100\.250\|100\.360)`,
    );
  });
});
