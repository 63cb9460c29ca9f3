/** Grafana's names of units. */
export type Unit = 'reqps' | 'ops' | 'percentunit' | 's' | 'short' | 'bytes' | 'none';

/** One query of a panel; its legend may use labels: `{{service}}`. */
export interface Query {
  readonly expr: string;
  readonly legend: string;
  /** When it is right that there is no data; not for Grafana. */
  readonly isEmpty?: string;
}

/** One panel, as wide as a part of 24 columns. */
export interface Panel {
  readonly title: string;
  /** What is to be seen, and what is bad. */
  readonly description: string;
  readonly unit: Unit;
  readonly width: 4 | 6 | 8 | 12;
  /** A number instead of lines over time, with colours where there are thresholds. */
  readonly stat?: {
    readonly thresholds?: readonly [warning: number, critical: number];
    /** Less is worse. */
    readonly falling?: true;
  };
  readonly stacked?: true;
  readonly max?: number;
  readonly queries: readonly Query[];
}

/** Panels under one heading. */
export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** One dashboard; with `hasServices` it can be narrowed to some services. */
export interface Dashboard {
  readonly title: string;
  /** Part of its address, and of its file's name. */
  readonly uid: string;
  readonly description: string;
  readonly hasServices?: true;
  readonly rows: readonly Row[];
}

/** Of Grafana 11; later ones read it too. */
const SCHEMA_VERSION = 39;
const COLUMNS = 24;
const STAT_HEIGHT = 4;
const LINES_HEIGHT = 7;
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

/** What Grafana imports. */
export function grafanaDashboard(dashboard: Dashboard): object {
  const { title, uid, description, hasServices } = dashboard;
  return {
    title,
    uid,
    description,
    tags: ['sluice'],
    editable: true,
    graphTooltip: 1,
    schemaVersion: SCHEMA_VERSION,
    timezone: 'browser',
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    links: [
      {
        ...{ type: 'dashboards', title: 'Sluice', tags: ['sluice'], asDropdown: true },
        ...{ keepTime: true, includeVars: true, icon: 'external link' },
      },
    ],
    templating: { list: variables(hasServices === true) },
    panels: laidOut(dashboard.rows),
  };
}

function variables(hasServices: boolean): readonly object[] {
  const query = (name: string, label: string, text: string, more: object) => ({
    ...{ name, label, type: 'query', datasource: DATASOURCE, refresh: 2, sort: 1 },
    ...{ query: { query: text, refId: name }, definition: text },
    ...more,
  });
  return [
    { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
    query('namespace', 'Namespace', 'label_values(sluice_build_info, namespace)', {}),
    ...(hasServices
      ? [
          query(
            'service',
            'Service',
            'label_values(sluice_build_info{namespace="$namespace"}, service)',
            {
              ...{ multi: true, includeAll: true, allValue: '.+' },
              current: { text: ['All'], value: ['$__all'] },
            },
          ),
        ]
      : []),
  ];
}

/** Panels from left to right, the next line where one is full; rows below each other. */
function laidOut(rows: readonly Row[]): readonly object[] {
  const placed: object[] = [];
  let y = 0;
  for (const { title, panels } of rows) {
    placed.push({
      ...{ id: placed.length + 1, type: 'row', title, collapsed: false, panels: [] },
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
    });
    y += 1;
    let x = 0;
    let height = 0;
    for (const panel of panels) {
      if (x + panel.width > COLUMNS) {
        x = 0;
        y += height;
        height = 0;
      }
      const h = panel.stat === undefined ? LINES_HEIGHT : STAT_HEIGHT;
      const gridPos = { x, y, w: panel.width, h };
      placed.push({ id: placed.length + 1, ...grafanaPanel(panel), gridPos });
      x += panel.width;
      height = Math.max(height, h);
    }
    y += height;
  }
  return placed;
}

function grafanaPanel(panel: Panel): object {
  const { title, description, unit, queries, stat } = panel;
  const targets = queries.map(({ expr, legend }, index) => ({
    ...{ refId: String.fromCharCode('A'.charCodeAt(0) + index), datasource: DATASOURCE },
    ...{ expr, legendFormat: legend, editorMode: 'code' },
    ...(stat === undefined ? { range: true } : { instant: true }),
  }));
  return {
    ...{ title, description, datasource: DATASOURCE, targets },
    ...(stat === undefined ? lines(panel, unit) : number(stat, unit)),
  };
}

function lines({ stacked, max }: Panel, unit: Unit): object {
  return {
    type: 'timeseries',
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        ...(max === undefined ? {} : { max }),
        custom: {
          ...{ drawStyle: 'line', lineWidth: 1, fillOpacity: stacked === true ? 40 : 8 },
          ...{ showPoints: 'never', spanNulls: false },
          stacking: { mode: stacked === true ? 'normal' : 'none', group: 'A' },
        },
      },
      overrides: [],
    },
    options: {
      legend: { displayMode: 'table', placement: 'right', calcs: ['lastNotNull', 'max'] },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
  };
}

function number(stat: NonNullable<Panel['stat']>, unit: Unit): object {
  const { thresholds: [warning, critical] = [], falling } = stat;
  const colours = falling === true ? ['red', 'orange', 'green'] : ['green', 'orange', 'red'];
  const limits = falling === true ? [critical, warning] : [warning, critical];
  const steps = [null, ...limits.filter((limit) => limit !== undefined)].map((value, index) => ({
    ...{ color: warning === undefined ? 'blue' : colours[index], value },
  }));
  return {
    type: 'stat',
    fieldConfig: {
      defaults: {
        unit,
        thresholds: { mode: 'absolute', steps },
        color: { mode: 'thresholds' },
      },
      overrides: [],
    },
    options: {
      ...{ colorMode: 'background', graphMode: 'none', textMode: 'auto', justifyMode: 'auto' },
      reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
    },
  };
}
