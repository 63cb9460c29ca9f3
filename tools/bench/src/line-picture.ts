/** Lines over steps that are equally far apart. */
export interface LinePicture {
  readonly title: string;
  readonly steps: readonly string[];
  /** Each with a value for each step; at most as many as there are colours. */
  readonly lines: readonly { readonly name: string; readonly values: readonly number[] }[];
}

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM, RIGHT] = [760, 380, 50, 50, 50, 230];
const COLOURS = ['#1f6feb', '#2da44e', '#bf3989', '#bc4c00'];
/** Between two lines of a grid: 1, 2 or 5 times a power of ten. */
const GRID_LINES = 5;

/** Draws them as an SVG that needs nothing else. */
export function linePicture({ title, steps, lines }: LinePicture): string {
  const top = Math.max(1, ...lines.flatMap(({ values }) => values)) * 1.1;
  const x = (step: number): number =>
    LEFT + (step * (WIDTH - LEFT - RIGHT)) / Math.max(1, steps.length - 1);
  const y = (value: number): number => HEIGHT - BOTTOM - (value * (HEIGHT - TOP - BOTTOM)) / top;
  const apart = gridStep(top / GRID_LINES);
  const grid = Array.from({ length: Math.floor(top / apart) + 1 }, (_, index) => index * apart);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    text(LEFT, TOP - 25, title, 'font-size="14"'),
    ...grid.map(
      (value) =>
        `<path d="M${LEFT} ${round(y(value))}H${WIDTH - RIGHT}" stroke="#d0d7de"/>` +
        text(LEFT - 8, round(y(value) + 4), String(Number(value.toFixed(2))), 'text-anchor="end"'),
    ),
    ...steps.map((step, index) =>
      text(round(x(index)), HEIGHT - BOTTOM + 20, step, 'text-anchor="middle"'),
    ),
    ...lines.map(({ values }, index) => {
      const points = values.map((value, step) => `${round(x(step))},${round(y(value))}`).join(' ');
      return `<polyline points="${points}" fill="none" stroke="${COLOURS[index] ?? ''}" stroke-width="2"/>`;
    }),
    ...lines.map(({ name }, index) =>
      text(WIDTH - RIGHT + 20, TOP + 20 * index, name, `fill="${COLOURS[index] ?? ''}"`),
    ),
    '</svg>\n',
  ].join('\n');
}

function gridStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((times) => times * power >= least) ?? 10);
}

/** Text in SVG. */
function text(x: number, y: number, content: string, attributes: string): string {
  return `<text x="${x}" y="${y}" ${attributes}>${escaped(content)}</text>`;
}

/** What XML would take for markup. */
export function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
