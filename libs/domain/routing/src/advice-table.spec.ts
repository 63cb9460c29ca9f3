import { describe, expect, it } from '@jest/globals';
import { adviceNetworkOf } from '@sluice/contracts';
import { describeResult, groupOf, isKnown, merchantAdvice } from '@sluice/result-codes';
import { adviceFor, adviceTable, BLOCKED_DAYS } from './advice-table.js';

describe('the table of advice', () => {
  it('names each advice of a network once, by two digits', () => {
    const names = adviceTable.map(({ network, code }) => `${network} ${code}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^(?:MASTER|VISA) [0-9]{2}$/.test(name))).toEqual([]);
  });

  it('has every published advice of MASTER and its meaning, and no other', () => {
    const master = adviceTable.filter(({ network }) => network === 'MASTER');
    expect(master.map(({ code, means }) => [code, means])).toEqual(
      merchantAdvice.map(({ code, meaning }) => [code, meaning]),
    );
  });

  it.each(merchantAdvice)('has for $code a rule that does as it is published', (published) => {
    const rule = adviceFor('MASTER', published.code)?.rule;
    const hours = rule?.retry === 'afterHours' ? rule.hours : undefined;
    expect(hours).toBe(published.waitHours);
    const allowed = {
      retryLater: ['afterHours'],
      stop: ['never'],
      fixFirst: ['afterCorrection', 'otherRoute', 'merchantDecides'],
      // 42 informs that the card is under sanctions: not to be tried again.
      information: published.code === '42' ? ['never'] : ['merchantDecides'],
    };
    expect(allowed[published.action]).toContain(rule?.retry);
  });

  it('has a code for whatever it blocks, of the published list and its own group', () => {
    for (const { rule, blockedBy, code } of adviceTable) {
      const blocks =
        rule.retry !== 'merchantDecides' && !(rule.retry === 'otherRoute' && !('days' in rule));
      expect([code, blockedBy !== undefined]).toEqual([code, blocks]);
      if (blockedBy === undefined) continue;
      expect([isKnown(blockedBy), groupOf(blockedBy)]).toEqual([true, 'reject_mac_control']);
      const isOfTime = blockedBy.startsWith('700.600.');
      expect([code, isOfTime]).toEqual([code, rule.retry === 'afterHours']);
    }
  });

  it.each([
    ['MASTER', '01', '700.601.001'],
    ['MASTER', '02', '700.600.002'],
    ['MASTER', '03', '700.601.003'],
    ['MASTER', '25', '700.600.025'],
  ])('blocks what %s advises by %s with the code of that number', (brand, code, blockedBy) => {
    expect(adviceFor(brand, code)?.blockedBy).toBe(blockedBy);
    expect(describeResult(blockedBy)).toContain(code);
  });

  it.each([
    ['24', 1, '700.600.025'],
    ['26', 48, '700.600.002'],
    ['27', 96, '700.600.002'],
    ['28', 144, '700.600.002'],
    ['29', 192, '700.600.002'],
    ['30', 240, '700.600.002'],
  ])('blocks a wait without a code of its own by a published one: %s', (code, hours, blockedBy) => {
    expect(adviceFor('MASTER', code)).toMatchObject({
      ...{ rule: { retry: 'afterHours', hours }, blockedBy },
    });
  });

  it.each([
    ['MASTER', '03', { retry: 'never', of: 'card', days: BLOCKED_DAYS }],
    ['MASTER', '21', { retry: 'never', of: 'agreement' }],
    ['MASTER', '22', { retry: 'otherRoute', days: BLOCKED_DAYS }],
    ['VISA', '01', { retry: 'never', of: 'card', days: BLOCKED_DAYS }],
    ['VISA', '02', { retry: 'merchantDecides' }],
    ['VISA', '04', { retry: 'otherRoute' }],
  ])('has the rule of %s %s', (brand, code, rule) => {
    expect(adviceFor(brand, code)?.rule).toEqual(rule);
  });
});

describe('the advice of a brand', () => {
  it.each([
    ['MASTER', 'MASTER'],
    ['MASTERDEBIT', 'MASTER'],
    ['MAESTRO', 'MASTER'],
    ['VISA', 'VISA'],
    ['VISADEBIT', 'VISA'],
    ['VISAELECTRON', 'VISA'],
    ['VPAY', 'VISA'],
    ['AMEX', undefined],
    [undefined, undefined],
  ])('%s is that of %s', (brand, network) => {
    expect(adviceNetworkOf(brand)).toBe(network);
  });

  it('is another one for the same number', () => {
    expect(adviceFor('MASTER', '03')?.rule.retry).toBe('never');
    expect(adviceFor('VISA', '03')?.rule.retry).toBe('afterCorrection');
  });

  it('is found without the leading zero', () => {
    expect(adviceFor('VISA', '1')).toBe(adviceFor('VISA', '01'));
  });

  it.each([
    ['MASTER', '99'],
    ['MASTER', ''],
    ['MASTER', undefined],
    ['AMEX', '03'],
    ['VISA', '24'],
    [undefined, '03'],
  ])('of %p by %p is not known', (brand, code) => {
    expect(adviceFor(brand, code)).toBeUndefined();
  });
});
