import { describe, expect, it } from '@jest/globals';
import { commandTopics } from '@sluice/contracts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupingsIn, selectorsIn } from './expressions.js';
import { knownMetrics } from './known-metrics.js';
import {
  alerts,
  pageOf,
  plainRules,
  ruleGroups,
  runbookFolder,
  RUNBOOKS,
  runbooksPlace,
} from './rules-file.js';
import { queriesIn } from './runbook-queries.js';

const known = await knownMetrics();
const rules = ruleGroups().flatMap((group) => group.rules);
const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
const labelsKnown = new Set([...known.values()].flatMap((labels) => [...labels]));
const pages = readdirSync(runbookFolder).filter((name) => name !== 'README.md');
const textOf = (page: string): string => readFileSync(join(runbookFolder, page), 'utf8');

/** Roles of PostgreSQL begin like metrics. */
const DATABASE_ROLE = /^sluice_[a-z]{1,20}_(?:app|owner)$/;

describe('the rules', () => {
  it('ask for metrics and labels that there are', () => {
    const wrong = rules.flatMap(({ alert, record, expr }) => [
      ...selectorsIn(expr).flatMap(({ metric, labels }) => {
        const allowed = recorded.has(metric) ? labelsKnown : known.get(metric);
        if (allowed === undefined) return [`${alert ?? record ?? ''}: there is no ${metric}`];
        return labels
          .filter((label) => !allowed.has(label))
          .map((label) => `${alert ?? record ?? ''}: ${metric} has no ${label}`);
      }),
      ...groupingsIn(expr).filter((label) => !labelsKnown.has(label)),
    ]);
    expect(wrong).toEqual([]);
  });
});

describe('the alert of waiting commands', () => {
  it('looks at the topic of every service that takes commands', () => {
    const lag = rules.filter(({ alert }) => alert === 'SluiceCommandLag').map(({ expr }) => expr);
    const watched = lag.flatMap((expr) => [...expr.matchAll(/topic="([^"]+)"/g)]);
    expect(watched.map(([, topic]) => topic)).toEqual(Object.values(commandTopics));
  });
});

describe('every alert', () => {
  it('has a severity, and says what it is and what to do', () => {
    for (const { alert, labels, annotations } of alerts()) {
      const { summary = '', description = '' } = annotations ?? {};
      expect(['critical', 'warning']).toContain(labels?.['severity']);
      expect({ alert, isSaid: summary.length > 20 && description.length > 60 }).toEqual({
        ...{ alert, isSaid: true },
      });
    }
  });

  it('has its page, and every page an alert', () => {
    const wanted = new Set(alerts().map(({ alert }) => `${pageOf(alert)}.md`));
    expect(pages.toSorted()).toEqual([...wanted].sort());
    for (const { alert, annotations } of alerts()) {
      expect(annotations?.['runbook_url']).toBe(`${RUNBOOKS}/${pageOf(alert)}.md`);
      expect(textOf(`${pageOf(alert)}.md`)).toMatch(new RegExp(`^# ${alert}\n`));
    }
  });

  it('is in the index of the pages, by its severity', () => {
    const index = textOf('README.md');
    const missing = pages.filter((page) => !index.includes(`](${page})`));
    expect(missing).toEqual([]);
  });

  it('has a page that says what it means, how to investigate, what to do, and when it is resolved', () => {
    const wanted = ['## What it means', '## Investigate', '## What to do', '## Resolved when'];
    const lacking = pages.flatMap((page) =>
      wanted
        .filter((heading) => !textOf(page).includes(`\n${heading}\n`))
        .map((heading) => `${page}: ${heading}`),
    );
    expect(lacking).toEqual([]);
  });

  it('has a page that asks for metrics that there are, each line by itself', () => {
    const wrong = pages.flatMap((page) =>
      queriesIn(textOf(page)).flatMap((query) =>
        selectorsIn(query)
          .filter(({ metric }) => !known.has(metric) && !recorded.has(metric))
          .map(({ metric }) => `${page}: there is no ${metric}`),
      ),
    );
    expect(wrong).toEqual([]);
    const mentioned = pages.flatMap((page) =>
      [...textOf(page).matchAll(/\bsluice_[a-z0-9_]{1,60}[a-z0-9]/g)].map(([name]) => name),
    );
    const names = [
      ...known.keys(),
      ...[...known.keys()].map((name) => name.replace(/_count$/, '')),
    ];
    const unknown = mentioned
      .filter((name) => !names.some((one) => one.startsWith(name)))
      .filter((name) => !DATABASE_ROLE.test(name));
    expect(unknown).toEqual([]);
  });

  it('leads to where the component says that pages are read', () => {
    expect(plainRules('https://elsewhere.example/runs')).toContain(
      'runbook_url: https://elsewhere.example/runs/sluice-outbox-stopped.md',
    );
    expect(plainRules()).toContain(`${runbooksPlace()}/sluice-outbox-stopped.md`);
    expect(plainRules()).not.toContain(`${RUNBOOKS}/`);
  });
});
