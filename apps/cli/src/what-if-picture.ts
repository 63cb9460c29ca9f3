import type { Tally } from '@sluice/domain-risk';
import { wholeText } from './progress.js';
import type { Replayed } from './risk-what-if.js';
import { instantText } from './text-table.js';
import { effects, moneyText, sumOf } from './what-if-text.js';

const WIDTH = 900;
const LINE = 24;
const LABELS = 320;
const BARS = 320;
const BAR_HEIGHT = 14;

/** One bar, e.g. of the good payments that a rule would refuse. */
interface Bar {
  readonly label: string;
  readonly tally: Tally;
  readonly colour: string;
}

const CAUGHT = '#2e7d32';
const REFUSED = '#c62828';
const OTHER = '#78909c';
const COLOURS: Readonly<Partial<Record<string, string>>> = { caught: CAUGHT, refused: REFUSED };

/** An SVG with a chart for each currency: what all rules would do together, then each that does something. */
export function whatIfPicture({ found, fromMs, toMs }: Replayed): string {
  const bars: readonly Bar[] = [
    ...effects.map(({ of, title }) => ({
      ...{ label: title, tally: found[of], colour: COLOURS[of] ?? OTHER },
    })),
    ...found.rules.flatMap(({ id, caught, refused }) => [
      { label: `${id}: charged back`, tally: caught, colour: CAUGHT },
      { label: `${id}: good`, tally: refused, colour: REFUSED },
    ]),
  ];
  const title = `${instantText(fromMs)} to ${instantText(toMs)} (UTC)`;
  const rows = [
    text(0, 'What other rules would have done', 'font-weight="bold"'),
    text(1, title, ''),
  ];
  for (const currency of [...found.replayed.keys()].sort()) {
    rows.push(text(rows.length + 1, currency, 'font-weight="bold"'), '');
    const present = bars.filter(({ tally }) => tally.has(currency));
    const most = present.reduce((max, { tally }) => larger(max, sumOf(tally, currency).minor), 1n);
    for (const bar of present) rows.push(barRow(rows.length, bar, { currency, most }));
  }
  const height = (rows.length + 1) * LINE;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13" role="img">`,
    `<title>What other rules would have done, ${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="white"/>`,
    ...rows.filter((row) => row !== ''),
    '</svg>\n',
  ].join('\n');
}

function barRow(
  row: number,
  { label, tally, colour }: Bar,
  { currency, most }: { readonly currency: string; readonly most: bigint },
): string {
  const { payments, minor } = sumOf(tally, currency);
  // Something is shown of everything that is there, however little it is.
  const width = Math.max(1, Number((minor * BigInt(BARS)) / most));
  const said = `${moneyText(minor, currency)} in ${wholeText(payments)}`;
  const y = (row + 1) * LINE;
  return [
    `<text x="10" y="${y}">${escaped(label)}</text>`,
    `<rect x="${LABELS}" y="${y - BAR_HEIGHT + 2}" width="${width}" height="${BAR_HEIGHT}" fill="${colour}"/>`,
    `<text x="${LABELS + width + 8}" y="${y}">${escaped(said)}</text>`,
  ].join('');
}

function text(row: number, said: string, attributes: string): string {
  return `<text x="10" y="${(row + 1) * LINE}" ${attributes}>${escaped(said)}</text>`;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function escaped(said: string): string {
  return said.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
