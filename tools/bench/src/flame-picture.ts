import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type CpuProfile } from './account-probe.js';
import { type Frame, subsystemOf, subsystems } from './attribution.js';
import { escaped } from './line-picture.js';

/** A function and what it called, under one caller. */
export interface Flame {
  readonly label: string;
  readonly about: string;
  /** Samples in it and in what it called. */
  samples: number;
  readonly children: Map<string, Flame>;
}

interface Box {
  readonly flame: Flame;
  readonly depth: number;
  /** In samples from the left. */
  readonly at: number;
}

const WIDTH = 1_200;
const ROW = 16;
const MARGIN = 10;
/** The widest boxes; with more of them the file would be large, and nobody could read them. */
const BOXES_MAX = 900;
const CHARACTER_WIDTH = 6.2;
const LEGEND_COLUMNS = 6;
/** Below this share a subsystem is not in the legend. */
const LEGEND_SHARE = 0.005;

/** Adds up a profile's samples by their stacks; neither waiting nor measuring is in it. */
export function foldedProfile({ nodes, samples = [] }: CpuProfile): Flame {
  const root = flameOf('all', 'rest');
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map<number, number>();
  for (const { id, children = [] } of nodes) for (const child of children) parents.set(child, id);
  const pathOf = (id: number): readonly Flame[] => {
    const stack: Frame[] = [];
    for (let node = byId.get(id); node !== undefined; node = byId.get(parents.get(node.id) ?? -1)) {
      if (node.callFrame.functionName !== '(root)') stack.push(node.callFrame);
    }
    const found = subsystemOf(stack);
    if (found === 'idle' || found === 'measuring') return [];
    const path = [root];
    for (let from = stack.length - 1; from >= 0; from -= 1) {
      const rest = stack.slice(from);
      path.push(childOf(path.at(-1) ?? root, labelOf(rest[0]), subsystemOf(rest)));
    }
    return path;
  };
  const paths = new Map<number, readonly Flame[]>();
  for (const id of samples) {
    const path = paths.get(id) ?? pathOf(id);
    paths.set(id, path);
    for (const flame of path) flame.samples += 1;
  }
  return root;
}

function flameOf(label: string, about: string): Flame {
  return { label, about, samples: 0, children: new Map() };
}

function childOf(parent: Flame, label: string, about: string): Flame {
  const known = parent.children.get(label);
  if (known !== undefined) return known;
  const child = flameOf(label, about);
  parent.children.set(label, child);
  return child;
}

/** Function and file, without where the build lies. */
export function labelOf(frame: Frame | undefined): string {
  const { functionName = '', url = '' } = frame ?? {};
  const place = packageOf(url) ?? sourceOf(url) ?? (url.startsWith('node:') ? url : '');
  const name = functionName === '' ? '(anonymous)' : functionName;
  return place === '' ? name : `${name} · ${place}`;
}

const PACKAGES = '/node_modules/';
const COMPILED = '/dist/';

/** The package that a file belongs to, the innermost where one lies in another. */
function packageOf(url: string): string | undefined {
  const at = url.lastIndexOf(PACKAGES);
  if (at < 0) return undefined;
  const [scopeOrName = '', name = ''] = url.slice(at + PACKAGES.length).split('/');
  return scopeOrName.startsWith('@') ? `${scopeOrName}/${name}` : scopeOrName;
}

/** A file of ours in its project, without ending. */
function sourceOf(url: string): string | undefined {
  const at = url.lastIndexOf(COMPILED);
  if (at < 0) return undefined;
  const folders = url.slice(0, at).split('/');
  const root = folders.findLastIndex((folder) => ['apps', 'libs', 'tools'].includes(folder));
  if (root < 0) return undefined;
  const file = url.slice(at + COMPILED.length).replace(/\.js$/, '');
  return [...folders.slice(root), file].join('/');
}

/** Writes a profile as it is, and the picture of it beside it; `path` is without an ending. */
export async function writeProfile(
  path: string,
  title: string,
  profile: CpuProfile,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.cpuprofile`, JSON.stringify(profile));
  const shown = `${title}: JavaScript's main thread, without waiting`;
  await writeFile(`${path}.svg`, flamePicture(shown, foldedProfile(profile)));
}

/** Draws callers above what they called, as wide as their samples: an SVG that needs nothing else. */
export function flamePicture(title: string, root: Flame): string {
  const boxes = boxesOf(root);
  const depth = Math.max(0, ...boxes.map((box) => box.depth)) + 1;
  const shares = [...sharesOf(root)].filter(([, samples]) => samples / root.samples > LEGEND_SHARE);
  const legendRows = Math.ceil(shares.length / LEGEND_COLUMNS);
  const top = 2 * MARGIN + ROW * (legendRows + 1);
  const height = top + depth * ROW + MARGIN;
  const legend = shares.map(([about, samples], index) => {
    const x = MARGIN + (index % LEGEND_COLUMNS) * ((WIDTH - 2 * MARGIN) / LEGEND_COLUMNS);
    const y = MARGIN + ROW * (1 + Math.floor(index / LEGEND_COLUMNS));
    const share = `${((100 * samples) / root.samples).toFixed(1)} %`;
    return (
      `<rect class="${classOf(about)}" x="${x}" y="${y}" width="12" height="12"/>` +
      `<text x="${x + 16}" y="${y + 10}">${escaped(about)} ${share}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11">`,
    `<style>rect{stroke:#fff;stroke-width:.5}${styles()}</style>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="${MARGIN}" y="${MARGIN + 8}" font-size="13">${escaped(title)}</text>`,
    ...legend,
    ...boxes.map((box) => drawn(box, root.samples, top)),
    '</svg>\n',
  ].join('\n');
}

/** The widest, callers first. */
function boxesOf(root: Flame): readonly Box[] {
  const boxes: Box[] = [];
  const add = (box: Box): void => {
    boxes.push(box);
    let { at } = box;
    const children = [...box.flame.children.values()].sort((a, b) => b.samples - a.samples);
    for (const flame of children) {
      add({ flame, depth: box.depth + 1, at });
      at += flame.samples;
    }
  };
  add({ flame: root, depth: 0, at: 0 });
  const least = boxes.map(({ flame }) => flame.samples).sort((a, b) => b - a)[BOXES_MAX] ?? 0;
  return boxes.filter(({ flame }) => flame.samples > least);
}

/** Samples by what their own function was about, the most first. */
function sharesOf(root: Flame): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  const add = (flame: Flame): void => {
    const children = [...flame.children.values()];
    const own = children.reduce((left, { samples }) => left - samples, flame.samples);
    shares.set(flame.about, (shares.get(flame.about) ?? 0) + own);
    for (const child of children) add(child);
  };
  add(root);
  return new Map([...shares].sort(([, a], [, b]) => b - a));
}

function drawn({ flame, depth, at }: Box, all: number, top: number): string {
  const scale = (WIDTH - 2 * MARGIN) / all;
  const [x, width] = [MARGIN + at * scale, flame.samples * scale].map((each) => each.toFixed(1));
  const y = top + depth * ROW;
  const share = `${((100 * flame.samples) / all).toFixed(2)} %`;
  const fitting = Math.floor((flame.samples * scale - 4) / CHARACTER_WIDTH);
  const text =
    fitting < 4
      ? ''
      : `<text x="${(Number(x) + 2).toFixed(1)}" y="${y + 12}">${escaped(flame.label.slice(0, fitting))}</text>`;
  return (
    `<g><title>${escaped(`${flame.label}, ${flame.about}: ${share}`)}</title>` +
    `<rect class="${classOf(flame.about)}" x="${x}" y="${y}" width="${width}" height="${ROW}"/>${text}</g>`
  );
}

/** The functions that count for the account have no colour of their own; what they call has. */
function classOf(about: string): string {
  const known = subsystems.findIndex((each) => each === about);
  return `c${known < 0 ? subsystems.indexOf('rest') : known}`;
}

function styles(): string {
  return subsystems
    .map((about, index) => {
      // Neighbours in the list get colours that are far apart.
      const hue = (index * 137) % 360;
      const fill = about === 'rest' ? '#d8d8d8' : `hsl(${hue},65%,${index % 2 === 0 ? 75 : 65}%)`;
      return `.c${index}{fill:${fill}}`;
    })
    .join('');
}
