import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { AlertCase } from './alert-case.js';
import { alertCases } from './alert-cases.js';
import { prometheusConfiguration } from './local-prometheus.js';
import { promtool } from './promtool.js';
import {
  alerts,
  groupsFor,
  plainRules,
  ruleGroups,
  runbookFolder,
  runbooksPlace,
} from './rules-file.js';
import { queriesIn } from './runbook-queries.js';

const names = [...new Set(alerts().map(({ alert }) => alert))];

/** A case in the words of `promtool test rules`; ALERTS is what Prometheus itself keeps of them. */
function unitTest({ alert, because, at, series, fires }: AlertCase): object {
  return {
    name: `${alert}: ${because}`,
    interval: '30s',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `ALERTS{alertname="${alert}", alertstate="firing"}`,
        eval_time: at,
        exp_samples: fires.map((labels) => ({
          labels: sample({ alertname: alert, alertstate: 'firing', ...labels }),
          value: 1,
        })),
      },
    ],
  };
}

function sample(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return `ALERTS{${pairs.join(', ')}}`;
}

/** Without the other alerts, which nothing asks for and which take most of the time. */
async function tested(one: AlertCase): Promise<string> {
  const { isContent, output } = await promtool(['test', 'rules', 'test.yml'], {
    'rules.yml': plainRules(runbooksPlace(), groupsFor(one.alert)),
    'test.yml': stringify({
      rule_files: ['rules.yml'],
      evaluation_interval: '30s',
      tests: [unitTest(one)],
    }),
  });
  return isContent ? 'ok' : output;
}

describe('as Prometheus itself reads them', () => {
  it('the rules are rules', async () => {
    const { isContent, output } = await promtool(['check', 'rules', 'rules.yml'], {
      'rules.yml': plainRules(),
    });
    const count = ruleGroups().flatMap(({ rules }) => rules).length;
    expect({ isContent, output }).toMatchObject({ isContent: true });
    expect(output).toContain(`${String(count)} rules found`);
  });

  it('the queries of the runbooks are queries', async () => {
    const queries = readdirSync(runbookFolder)
      .filter((name) => name !== 'README.md')
      .flatMap((page) => queriesIn(readFileSync(join(runbookFolder, page), 'utf8')));
    const asRules = queries.map((expr, index) => ({ record: `query_${String(index)}`, expr }));
    const checked = await promtool(['check', 'rules', 'queries.yml'], {
      'queries.yml': stringify({ groups: [{ name: 'queries', rules: asRules }] }),
    });
    expect(checked).toMatchObject({ isContent: true });
  });

  it('the configuration for a local cluster is one', async () => {
    const vault = { name: 'vault-1', service: 'vault', management: 'http://127.0.0.1:30169' };
    const checked = await promtool(['check', 'config', 'prometheus.yml'], {
      'prometheus.yml': prometheusConfiguration([vault], 'rules.yml'),
      'rules.yml': plainRules(),
    });
    expect(checked).toMatchObject({ isContent: true });
  });
});

describe.each(names)('%s', (name) => {
  const own = alertCases.filter(({ alert }) => alert === name);

  const titled = own.map((one) => ({ ...one, does: one.fires.length > 0 ? 'fires' : 'is silent' }));

  it.each(titled)('$does: $because', async (one) => {
    expect(await tested(one)).toBe('ok');
  });

  it('is tested with its reason and without', () => {
    expect(own.some(({ fires }) => fires.length > 0)).toBe(true);
    expect(own.some(({ fires }) => fires.length === 0)).toBe(true);
  });
});

describe('the cases', () => {
  it('are about alerts that there are', () => {
    const unknown = alertCases.filter(({ alert }) => !names.includes(alert));
    expect(unknown).toEqual([]);
  });

  it('need no other alert, because no rule asks for one', () => {
    const asking = ruleGroups().flatMap(({ rules }) =>
      rules.filter(({ expr }) => expr.includes('ALERTS')),
    );
    expect(asking).toEqual([]);
  });

  it('would show an alert that does not fire', async () => {
    const [one] = alertCases;
    expect(await tested({ ...one!, series: {} })).toContain('FAILED');
  });
});
