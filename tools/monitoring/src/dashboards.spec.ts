import { describe, expect, it } from '@jest/globals';
import { dashboardFile, dashboards } from './dashboards.js';
import { groupingsIn, selectorsIn } from './expressions.js';
import { knownMetrics } from './known-metrics.js';
import { ruleGroups } from './rules-file.js';

const known = await knownMetrics();
const recorded = new Set(
  ruleGroups().flatMap(({ rules }) => rules.flatMap(({ record }) => record ?? [])),
);
const labelsKnown = new Set([...known.values()].flatMap((labels) => [...labels]));

const panels = dashboards.flatMap(({ title, rows }) =>
  rows.flatMap((row) => row.panels.map((panel) => ({ dashboard: title, ...panel }))),
);
const queries = panels.flatMap(({ dashboard, title, queries: all }) =>
  all.map((query) => ({ where: `${dashboard} / ${title}`, ...query })),
);

interface Placed {
  readonly id: number;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number };
}

describe('dashboards', () => {
  it('ask for metrics and labels that there are', () => {
    const wrong = queries.flatMap(({ where, expr }) => [
      ...selectorsIn(expr).flatMap(({ metric, labels }) => {
        if (recorded.has(metric)) return [];
        const allowed = known.get(metric);
        if (allowed === undefined) return [`${where}: there is no ${metric}`];
        return labels
          .filter((label) => !allowed.has(label))
          .map((label) => `${where}: ${metric} has no ${label}`);
      }),
      ...groupingsIn(expr)
        .filter((label) => !labelsKnown.has(label))
        .map((label) => `${where}: nothing has ${label}`),
    ]);
    expect(wrong).toEqual([]);
  });

  it('name in legends what the query keeps', () => {
    const wrong = queries.flatMap(({ where, expr, legend }) => {
      const kept = groupingsIn(expr);
      return [...legend.matchAll(/\{\{(\w{1,60})\}\}/g)]
        .map(({ 1: label = '' }) => label)
        .filter((label) => !(kept.length === 0 ? labelsKnown : new Set(kept)).has(label))
        .map((label) => `${where}: ${label}`);
    });
    expect(wrong).toEqual([]);
  });

  it('keep to one namespace in every query', () => {
    const free = queries.filter(
      ({ expr }) => !expr.includes('namespace="$namespace"') && !expr.includes('ALERTS'),
    );
    expect(free).toEqual([]);
  });

  it('have a title, a description and a unit on every panel, and no title twice', () => {
    for (const { title, description, unit } of panels) {
      expect({ title, hasText: description.length > 20, hasUnit: unit.length > 0 }).toEqual({
        ...{ title, hasText: true, hasUnit: true },
      });
    }
    const titles = panels.map(({ dashboard, title }) => `${dashboard} / ${title}`);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('are laid out on 24 columns, in the browser’s time, each panel with a number of its own', () => {
    for (const { uid } of dashboards) {
      const { panels: placed, timezone } = JSON.parse(dashboardFile(uid)) as {
        panels: readonly Placed[];
        timezone: string;
      };
      expect(timezone).toBe('browser');
      expect(placed.every(({ gridPos }) => gridPos.x + gridPos.w <= 24)).toBe(true);
      expect(new Set(placed.map(({ id }) => id)).size).toBe(placed.length);
      const places = placed.map(({ gridPos: { x, y } }) => `${String(x)},${String(y)}`);
      expect(new Set(places).size).toBe(places.length);
    }
  });

  it('can be narrowed to services where they are about processes', () => {
    const withServices = dashboards.filter(({ hasServices }) => hasServices === true);
    expect(withServices.map(({ uid }) => uid)).toEqual(['sluice-processes']);
    expect(dashboardFile('sluice-processes')).toContain('label_values(sluice_build_info');
  });

  it('are known by their uid', () => {
    expect(() => dashboardFile('nothing')).toThrow('There is no dashboard nothing.');
  });
});
