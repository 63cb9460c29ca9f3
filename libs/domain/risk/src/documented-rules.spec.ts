import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { assess } from './assess.js';
import { expressionNames } from './expressions.js';
import { subjects } from './facts.js';
import { facts, placed, rule, counted } from './risk-fixture.js';
import { readNewRuleSet } from './new-rules.js';
import { conditionKinds } from './rule-form.js';
import { type ListedBy, listedBy, type RuleSet } from './rules.js';
import { operators } from './three-valued.js';

const PAGE = new URL('../../../../docs/how-to/stop-fraud-with-rules.md', import.meta.url);
const page = readFileSync(PAGE, 'utf8');
const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => json);
const sets = examples.map((json): RuleSet => readNewRuleSet(JSON.parse(json)));
const rules = sets.flatMap((set) => set.rules);
const NO_COUNTS = counted({ count: 0, minor: 0n });

describe('the page about rules', () => {
  it('has an example of every kind of rule, and of every decision', () => {
    expect(new Set(rules.map(({ when }) => when.kind))).toEqual(new Set(conditionKinds));
    const decisions = new Set(rules.map(({ decision }) => decision));
    expect(decisions).toEqual(new Set(['accept', 'challenge', 'review', 'reject', undefined]));
  });

  it('names everything that counts, is listed and computes', () => {
    const names = [...subjects, ...listedBy, ...operators, ...expressionNames];
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('has an expression that holds for what it is about', () => {
    const expressed = rules.find(({ id }) => id === 'new-and-large');
    if (expressed === undefined) throw new Error('There is none.');
    const decided = (tier: string) => {
      const asked = facts(
        { 'risk.parameters[tier]': tier },
        { amount: { minor: '30001', currency: 'EUR' } },
      );
      return assess([{ nodeId: 'n', rules: [expressed] }], asked, NO_COUNTS).decision;
    };
    expect([decided('new'), decided('old')]).toEqual(['challenge', 'accept']);
  });
});

describe('the codes of rejections', () => {
  /** A value of each list that the payment of the fixture has. */
  const LISTED: Readonly<Record<ListedBy, string>> = {
    ...{ card: 'f1', email: 'jane@shop.example', ip: '192.0.2.17', device: 'd1', customer: 'c1' },
    ...{
      bin: '420000',
      country: 'DE',
      ipCountry: 'NL',
      emailDomain: 'shop.example',
      ipRange: '192.0.2.0/24',
    },
  };
  const asked = {
    ...facts({ 'customer.browserFingerprint.value': 'd1', 'customer.merchantCustomerId': 'c1' }),
    ...{ ipCountry: 'NL', isProxy: true },
  };
  const codeOf = (when: object): string => {
    const many = counted({ count: 9, minor: 90_000n });
    return assess([placed([rule(when)])], asked, many).resultCode ?? 'none';
  };
  /** The cells of a row of the page's table, the first one's name aside. */
  const row = (name: string) =>
    (page.split('\n').find((line) => line.startsWith(`| ${name} `)) ?? '')
      .split('|')
      .slice(2, -1)
      .map((cell) => cell.trim().replaceAll('`', ''));
  const columns = row('rule');

  it('are by the columns that are counted', () => {
    expect([...columns].sort()).toEqual([...subjects].sort());
  });

  it.each<[string, (by: string) => object]>([
    ['`velocity` with `atMost`', (by) => ({ velocity: { by, within: '1h', atMost: 3 } })],
    [
      '`velocity` with a sum',
      (by) => ({ velocity: { by, within: '1h', atMostSum: '1.00', currency: 'EUR' } }),
    ],
    ['`list`', (by) => ({ list: { by, values: [LISTED[by as ListedBy]] } })],
  ])('are those of the table: %s', (name, when) => {
    expect(row(name)).toEqual(columns.map((by) => codeOf(when(by))));
  });

  it('of other lists and rules are those of the sentence', () => {
    const others = listedBy.filter((by) => !columns.includes(by));
    const sentence = page.split('\n').find((line) => line.startsWith('On lists,')) ?? '';
    for (const by of others) {
      const code = codeOf({ list: { by, values: [LISTED[by]] } });
      expect(sentence).toMatch(new RegExp(`\`${by}\`(?: has)? \`${code}\``));
    }
    expect(sentence).toContain(`\`proxy\` has \`${codeOf({ proxy: true })}\``);
    const code = codeOf({ amount: { above: '1.00', currency: 'EUR' } });
    expect(sentence).toContain(`All others, and scores, have \`${code}\``);
  });
});
