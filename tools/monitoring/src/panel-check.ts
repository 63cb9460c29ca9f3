import type { Dashboard, Panel } from './dashboard.js';
import { queryRange, QueryFailed, type RangeQuery, type Series } from './prometheus.js';

/** What Grafana puts in place of its variables. */
export interface PanelScope {
  readonly namespace: string;
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly stepSeconds: number;
}

/** What came of one query of a panel. */
export interface PanelResult {
  readonly dashboard: string;
  readonly panel: Panel;
  readonly legend: string;
  readonly expr: string;
  /** When it is right that there are none. */
  readonly isEmpty?: string;
  readonly series: readonly Series[];
  /** Why Prometheus refused it. */
  readonly error?: string;
}

/** Four scrapes of 15 s, as Grafana itself takes at least. */
const RATE_INTERVAL = '1m';

/** A query as Grafana would send it. */
export function expanded(expr: string, { namespace }: Pick<PanelScope, 'namespace'>): string {
  return expr
    .replaceAll('$__rate_interval', RATE_INTERVAL)
    .replaceAll('$namespace', namespace)
    .replaceAll('$service', '.+');
}

type Ask = (query: RangeQuery) => Promise<readonly Series[]>;

/** Asks what every panel would ask. */
export async function panelResults(
  dashboards: readonly Dashboard[],
  scope: PanelScope,
  ask: Ask,
): Promise<readonly PanelResult[]> {
  const results: PanelResult[] = [];
  for (const { title, rows } of dashboards) {
    for (const panel of rows.flatMap(({ panels }) => panels)) {
      for (const { expr, ...query } of panel.queries) {
        const asked = { dashboard: title, panel, ...query, expr: expanded(expr, scope) };
        results.push({ ...asked, ...(await answered(ask, { ...scope, expr: asked.expr })) });
      }
    }
  }
  return results;
}

async function answered(
  ask: Ask,
  query: RangeQuery,
): Promise<Pick<PanelResult, 'series' | 'error'>> {
  try {
    const series = await ask(query);
    // 0 / 0 is no data for whoever looks at a panel.
    const filled = series.filter(({ points }) => points.some(([, value]) => !Number.isNaN(value)));
    return { series: filled };
  } catch (error) {
    if (error instanceof QueryFailed) return { series: [], error: error.message };
    throw error;
  }
}

/** Whether nobody has to look at it. */
export function isGood({ series, error, isEmpty }: PanelResult): boolean {
  return error === undefined && (series.length > 0 || isEmpty !== undefined);
}

/** One line per query: its panel, and what it gave. */
export function resultLine(result: PanelResult): string {
  const { dashboard, panel, legend, series, error, isEmpty } = result;
  const points = series.reduce((sum, one) => sum + one.points.length, 0);
  const data = `${String(series.length)} series, ${String(points)} points`;
  const found = series.length === 0 && isEmpty !== undefined ? `none, as ${isEmpty}` : data;
  const state = isGood(result) ? 'ok' : error === undefined ? 'no data' : 'ERROR';
  return `${state.padEnd(8)}${dashboard} / ${panel.title} / ${legend}: ${error ?? found}`;
}

/** The same with the Prometheus of a URL. */
export function checkPanels(
  dashboards: readonly Dashboard[],
  scope: PanelScope,
  url: string,
): Promise<readonly PanelResult[]> {
  return panelResults(dashboards, scope, (query) => queryRange(url, query));
}
