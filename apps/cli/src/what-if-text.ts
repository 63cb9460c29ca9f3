import { riskDecisions } from '@sluice/contracts';
import type { RuleTally, Tally, WhatIf } from '@sluice/domain-risk';
import { currency as currencyOf, isoDecimal } from '@sluice/money';
import { counted, wholeText } from './progress.js';
import type { Replayed } from './risk-what-if.js';
import { instantText, textTable } from './text-table.js';

/** What other rules would do to payments, in the order in which people ask. */
export const effects = [
  { of: 'caught', title: 'charged back, would be rejected' },
  { of: 'lookedAt', title: 'charged back, somebody would look' },
  { of: 'missed', title: 'charged back, would go on' },
  { of: 'refused', title: 'good, would be rejected' },
  { of: 'admitted', title: 'was rejected, would go on' },
  { of: 'foreseen', title: 'rejected by a person, would be rejected' },
  { of: 'overlooked', title: 'rejected by a person, nobody would look' },
  { of: 'undecided', title: 'still under review, would be rejected' },
] as const satisfies readonly { readonly of: keyof WhatIf; readonly title: string }[];

/** A sum of one currency. */
export function moneyText(minor: bigint, currency: string): string {
  return isoDecimal({ minor, currency: currencyOf(currency) });
}

const NOTHING = { payments: 0, minor: 0n };

/** What a tally has of a currency. */
export function sumOf(tally: Tally, currency: string): { payments: number; minor: bigint } {
  return tally.get(currency) ?? NOTHING;
}

/** As people read it. */
export function whatIfText({ found, leftOut, fromMs, toMs }: Replayed): string {
  const currencies = [...found.replayed.keys()].sort();
  const payments = currencies.reduce((sum, each) => sum + sumOf(found.replayed, each).payments, 0);
  const stretch = `from ${instantText(fromMs)} to ${instantText(toMs)} (UTC)`;
  const lines = [
    `${counted(payments, 'payment')} that rules judged ${stretch}, judged again.`,
    ...(found.checksAlone === 0
      ? []
      : [
          `${counted(found.checksAlone, 'check')} without a payment: counted in windows, and in no sum.`,
        ]),
    ...modesLines(found),
    ...leftOut.map(({ nodeId, id, reason }) => `Left out: ${id} of ${nodeId}; ${reason}.`),
  ];
  if (payments === 0) return lines.join('\n');
  return [
    lines.join('\n'),
    decisionsTable(found, currencies),
    effectsTable(found, currencies),
    rulesTable(found, currencies),
  ].join('\n\n');
}

/** Test payments are no money: whoever reads sums of both has to know. */
function modesLines({ modes }: WhatIf): readonly string[] {
  if (modes.size < 2) return [];
  const each = [...modes].sort().map(([mode, payments]) => `${wholeText(payments)} ${mode}`);
  return [`The sums have all modes, ${each.join(', ')}; --mode tells of one.`];
}

const cells = (tally: Tally, currency: string): readonly [string, string] => {
  const { payments, minor } = sumOf(tally, currency);
  return [wholeText(payments), moneyText(minor, currency)];
};

interface Line {
  readonly texts: readonly string[];
  readonly numbers: readonly string[];
}

/** Texts first, numbers under one another. */
function table(titles: readonly string[], lines: readonly Line[], whenEmpty: string): string {
  const textCount = lines[0]?.texts.length ?? 0;
  const columns = titles.map((title, at) => ({
    title,
    cell: ({ texts, numbers }: Line) => [...texts, ...numbers][at] ?? '',
    ...(at >= textCount && { alignRight: true as const }),
  }));
  return textTable(lines, columns, whenEmpty);
}

function decisionsTable({ before, after }: WhatIf, currencies: readonly string[]): string {
  const lines = currencies.flatMap((currency) =>
    riskDecisions.map((decision) => ({
      texts: [decision, currency],
      numbers: [...cells(before[decision], currency), ...cells(after[decision], currency)],
    })),
  );
  const titles = ['DECISION', 'CURRENCY', 'THEN', 'AMOUNT THEN', 'WOULD BE', 'AMOUNT'];
  return table(titles, lines, '');
}

function effectsTable(found: WhatIf, currencies: readonly string[]): string {
  const lines = currencies.flatMap((currency) =>
    effects.map(({ of, title }) => ({
      texts: [title, currency],
      numbers: cells(found[of], currency),
    })),
  );
  return table(['WHAT', 'CURRENCY', 'PAYMENTS', 'AMOUNT'], lines, '');
}

function rulesTable({ rules }: WhatIf, currencies: readonly string[]): string {
  const titles = ['RULE', 'NODE', 'CURRENCY', 'HELD', 'AMOUNT'];
  const more = ['CAUGHT', 'AMOUNT CAUGHT', 'GOOD REFUSED', 'AMOUNT REFUSED'];
  const lines = rules.flatMap(({ id, nodeId, held, caught, refused }) =>
    currencies
      .filter((currency) => held.has(currency))
      .map((currency) => ({
        texts: [id, nodeId, currency],
        numbers: [held, caught, refused].flatMap((tally) => cells(tally, currency)),
      })),
  );
  return table([...titles, ...more], lines, 'No rule would have held.');
}

/** As programs read it. */
export function whatIfData({ found, leftOut, fromMs, toMs }: Replayed): object {
  const { before, after, caughtIds, refusedIds, rules, replayed, checksAlone, modes } = found;
  const byDecision = (tallies: WhatIf['before']) =>
    Object.fromEntries(riskDecisions.map((each) => [each, tallyData(tallies[each])]));
  return {
    ...{ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString(), leftOut },
    ...{ checksAlone, modes: Object.fromEntries(modes), replayed: tallyData(replayed) },
    ...{ before: byDecision(before), after: byDecision(after) },
    ...Object.fromEntries(effects.map(({ of }) => [of, tallyData(found[of])])),
    ...{ caughtIds, refusedIds, rules: rules.map(ruleData) },
  };
}

function ruleData({ held, caught, refused, ...rule }: RuleTally): object {
  const tallies = { held, caught, refused };
  const data = Object.entries(tallies).map(([name, tally]) => [name, tallyData(tally)] as const);
  return { ...rule, ...Object.fromEntries(data) };
}

function tallyData(tally: Tally): object {
  return Object.fromEntries(
    [...tally].map(([currency, { payments, minor }]) => [
      currency,
      { payments, amount: moneyText(minor, currency) },
    ]),
  );
}
