import type { Panel } from './dashboard.js';
import type { PanelResult, PanelScope } from './panel-check.js';
import type { Series } from './prometheus.js';

const WIDTH = 1_920;
const COLUMNS = 24;
const GAP = 8;
const STAT_HEIGHT = 90;
const LINES_HEIGHT = 210;
const TITLE_HEIGHT = 26;
const LEGEND_HEIGHT = 16;
const LEGEND_MAX = 4;
/** So that a panel of zeros has a scale too. */
const NEARLY_NOTHING = 1e-9;
const COLOURS = ['#73bf69', '#5794f2', '#ff9830', '#f2495c', '#b877d9', '#fade2a', '#8ab8ff'];

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Line {
  readonly name: string;
  readonly points: Series['points'];
}

/**
 * A picture of panels, where there is no Grafana: not how it would look there, but what it would
 * show. SVG, as wide as a screen.
 */
export function drawnPanels(
  results: readonly PanelResult[],
  scope: Pick<PanelScope, 'fromSeconds' | 'toSeconds'>,
): string {
  const panels = [...new Set(results.map(({ panel }) => panel))];
  const drawn: string[] = [];
  let [column, y, height] = [0, GAP, 0];
  for (const panel of panels) {
    const found = results.filter((result) => result.panel === panel);
    const own = panel.stat === undefined ? LINES_HEIGHT : STAT_HEIGHT;
    if (column + panel.width > COLUMNS || (height > 0 && own !== height)) {
      [column, y] = [0, y + height + GAP];
    }
    const unit = WIDTH / COLUMNS;
    const box = { x: column * unit + GAP / 2, y, width: panel.width * unit - GAP, height: own };
    drawn.push(drawnPanel(panel, found.flatMap(linesOf), box, scope));
    column += panel.width;
    height = own;
  }
  const total = y + height + GAP;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${total}" font-family="sans-serif">
<rect width="100%" height="100%" fill="#111217"/>
${drawn.join('\n')}
</svg>
`;
}

function linesOf({ legend, series }: PanelResult): readonly Line[] {
  return series.map(({ labels, points }) => ({
    name: legend.replaceAll(/\{\{(\w{1,60})\}\}/g, (_whole, label: string) => labels[label] ?? ''),
    points: points.filter(([, value]) => Number.isFinite(value)),
  }));
}

function drawnPanel(
  panel: Panel,
  lines: readonly Line[],
  box: Box,
  scope: Pick<PanelScope, 'fromSeconds' | 'toSeconds'>,
): string {
  const { x, y, width, height } = box;
  const frame = `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#181b1f" stroke="#2c3235"/>
<text x="${x + 8}" y="${y + 18}" fill="#ccccdc" font-size="13">${escaped(panel.title)}</text>`;
  if (panel.stat !== undefined) {
    const value = lines[0]?.points.at(-1)?.[1];
    const text = value === undefined ? 'no data' : shown(value, panel.unit);
    return `${frame}<text x="${x + width / 2}" y="${y + 65}" fill="#73bf69" font-size="32" text-anchor="middle">${text}</text>`;
  }
  const top = Math.max(
    ...lines.flatMap(({ points }) => points.map(([, value]) => value)),
    NEARLY_NOTHING,
  );
  const named = lines.slice(0, LEGEND_MAX);
  const plot = {
    ...{ x: x + 60, y: y + TITLE_HEIGHT, width: width - 70 },
    height: height - TITLE_HEIGHT - named.length * LEGEND_HEIGHT - 8,
  };
  const { fromSeconds, toSeconds } = scope;
  const drawn = lines.map(({ points }, index) => {
    const path = points.map(([seconds, value]) => {
      const across = plot.x + ((seconds - fromSeconds) / (toSeconds - fromSeconds)) * plot.width;
      return `${across.toFixed(1)},${(plot.y + plot.height * (1 - value / top)).toFixed(1)}`;
    });
    return `<polyline points="${path.join(' ')}" fill="none" stroke="${colour(index)}" stroke-width="1.5"/>`;
  });
  const legend = named.map(({ name, points }, index) => {
    const last = points.at(-1)?.[1];
    const text = `${name}: ${last === undefined ? 'no data' : shown(last, panel.unit)}`;
    const line = plot.y + plot.height + (index + 1) * LEGEND_HEIGHT;
    return `<text x="${plot.x}" y="${line}" fill="${colour(index)}" font-size="11">${escaped(text)}</text>`;
  });
  const scale = `<text x="${x + 8}" y="${plot.y + 12}" fill="#8e8e9c" font-size="11">${top > NEARLY_NOTHING ? shown(top, panel.unit) : ''}</text>
<line x1="${plot.x}" y1="${plot.y + plot.height}" x2="${plot.x + plot.width}" y2="${plot.y + plot.height}" stroke="#2c3235"/>`;
  return [frame, scale, ...drawn, ...legend].join('\n');
}

function colour(index: number): string {
  return COLOURS[index % COLOURS.length] ?? 'white';
}

/** Three digits are what a look at a panel takes in. */
function shown(value: number, unit: Panel['unit']): string {
  const digits = (number: number): string => String(Number(number.toPrecision(3)));
  switch (unit) {
    case 'percentunit':
      return `${digits(value * 100)} %`;
    case 's':
      return value < 1 ? `${digits(value * 1_000)} ms` : `${digits(value)} s`;
    case 'bytes':
      return `${digits(value / 1024 / 1024)} MiB`;
    case 'ops':
    case 'reqps':
      return `${digits(value)}/s`;
    case 'short':
    case 'none':
      return digits(value);
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
