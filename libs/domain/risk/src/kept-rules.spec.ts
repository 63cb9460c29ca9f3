import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rule } from './risk-fixture.js';
import { conditionKinds, readRuleSet } from './rule-form.js';
import type { RuleSet } from './rules.js';

/**
 * A file with each kind of rule, as a release has taken it. Files stay in databases: what is here is added to,
 * and never changed, or nodes would go on with older rules after an upgrade.
 */
const KEPT = {
  rules: [
    {
      ...{ id: 'a', name: 'Large', then: 'review', resultCode: '000.400.000' },
      when: { amount: { above: '500.00', below: '900.00', currency: 'EUR' } },
    },
    {
      ...{ id: 'b', name: 'Often', then: 'reject', score: 5 },
      when: {
        velocity: {
          ...{ by: 'card', counts: 'passed', within: '1h' },
          ...{ atMost: 3, atMostSum: '100.00', currency: 'EUR' },
        },
      },
    },
    {
      ...{ id: 'c', name: 'Stolen', then: 'reject', resultCode: '100.400.021' },
      when: { list: { by: 'bin', values: ['411111', { value: '420000', until: '2031-05-04' }] } },
    },
    {
      ...{ id: 'd', name: 'Elsewhere', score: -40 },
      when: { countriesDiffer: ['issuer', 'billing'] },
    },
    {
      ...{ id: 'e', name: 'At night', then: 'challenge' },
      when: { timeOfDay: { from: '23:00', until: '05:30', timeZone: 'Europe/Berlin' } },
    },
    {
      ...{ id: 'f', name: 'Friends', then: 'accept' },
      when: { expression: { '==': [{ var: 'customer' }, '4711'] } },
    },
    {
      ...{ id: 'g', name: 'Wrong address', then: 'reject', resultCode: '800.400.110' },
      when: { checks: { avs: ['N', 'none'], cvv: ['N'] } },
    },
    {
      ...{ id: 'h', name: 'New', score: 10 },
      when: { history: { by: 'card', had: 'payments', atMost: 0 } },
    },
    { ...{ id: 'i', name: 'Hidden', then: 'reject' }, when: { proxy: true } },
  ],
  scorer: { name: 'acme', whenAway: 'review', channelId: '1', serviceId: '2' },
  ...{ reviewFrom: 60, rejectFrom: 90, releaseAfter: '24h' },
};

const READ: RuleSet = {
  rules: [
    {
      ...{ id: 'a', name: 'Large', decision: 'review', resultCode: '000.400.000' },
      when: {
        kind: 'amount',
        above: { minor: '50000', currency: 'EUR' },
        below: { minor: '90000', currency: 'EUR' },
      },
    },
    {
      ...{ id: 'b', name: 'Often', decision: 'reject', score: 5 },
      when: {
        ...{ kind: 'velocity', by: 'card', counts: 'passed', withinMinutes: 60, atMost: 3 },
        atMostSum: { minor: '10000', currency: 'EUR' },
      },
    },
    {
      ...{ id: 'c', name: 'Stolen', decision: 'reject', resultCode: '100.400.021' },
      when: {
        ...{ kind: 'list', by: 'bin' },
        values: [{ value: '411111' }, { value: '420000', untilMs: Date.UTC(2031, 4, 4) }],
      },
    },
    {
      ...{ id: 'd', name: 'Elsewhere', score: -40 },
      when: { kind: 'countriesDiffer', between: ['issuer', 'billing'] },
    },
    {
      ...{ id: 'e', name: 'At night', decision: 'challenge' },
      when: {
        ...{ kind: 'timeOfDay', fromMinute: 1380, untilMinute: 330, timeZone: 'Europe/Berlin' },
      },
    },
    {
      ...{ id: 'f', name: 'Friends', decision: 'accept' },
      when: { kind: 'expression', expression: { '==': [{ var: 'customer' }, '4711'] } },
    },
    {
      ...{ id: 'g', name: 'Wrong address', decision: 'reject', resultCode: '800.400.110' },
      when: { kind: 'checks', avs: ['N', 'none'], cvv: ['N'] },
    },
    {
      ...{ id: 'h', name: 'New', score: 10 },
      when: { kind: 'history', by: 'card', had: 'payments', atMost: 0 },
    },
    { ...{ id: 'i', name: 'Hidden', decision: 'reject' }, when: { kind: 'proxy' } },
  ],
  scorer: { name: 'acme', whenAway: 'review', channelId: '1', serviceId: '2' },
  ...{ reviewFrom: 60, rejectFrom: 90, releaseAfterMinutes: 1440 },
};

describe('rules that an earlier release has taken', () => {
  it('are read as they were meant', () => {
    expect(readRuleSet(KEPT)).toEqual(READ);
  });

  it.each([
    ['email', /^[^@]{1,20}@[^@]{1,20}$/],
    ['emailDomain', /^[a-zA-Z0-9.-]{1,12}\.[a-zA-Z0-9-]{1,6}$/],
    ['ip', /^[0-9a-f.:/%[\] ]{0,19}[0-9a-f]$/],
  ])('are read whatever their lists have by %s', (by, taken) => {
    const value = fc.stringMatching(taken).filter((text) => /^[^\p{C}]+$/u.test(text));
    fc.assert(
      fc.property(value, (text) => {
        if (text.trim().length < text.length) return;
        const rules = [rule({ list: { by, values: [text] } })];
        expect(() => readRuleSet({ rules })).not.toThrow();
      }),
    );
  });

  it('are read also where what was taken is no address any more', () => {
    // A full-width at sign is one, and was none.
    const rules = [rule({ list: { by: 'email', values: ['a＠b@shop.example'] } })];
    expect(readRuleSet({ rules }).rules).toHaveLength(1);
  });

  it('are read where a value is a dot behind an at sign', () => {
    const rules = [rule({ list: { by: 'email', values: ['A@.'] } })];
    expect(readRuleSet({ rules }).rules).toHaveLength(1);
  });

  it('are here in each kind', () => {
    const kinds = readRuleSet(KEPT).rules.map(({ when }) => when.kind);
    expect([...new Set(kinds)].sort()).toEqual([...conditionKinds].sort());
  });
});
