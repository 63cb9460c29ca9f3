import { readFileSync } from 'node:fs';
import { build } from '../../../tools/build.mjs';
import { widgetBundle } from '../src/index.js';

/** Bundling loads a compiler, on a machine that runs other suites meanwhile. */
export const BUILD_WITHIN_MS = 120_000;

/** What the build says of the widget. */
export interface BuiltWidget {
  readonly version: string;
  readonly templates: Readonly<Record<string, string>>;
  readonly integrity: Readonly<Record<string, string>>;
  readonly files: readonly string[];
}

/** The widget as it is served, built if it is not yet. */
export async function builtWidget(): Promise<BuiltWidget> {
  await build(undefined, ['apps/widget']);
  return JSON.parse(readFileSync(new URL('bundle.json', widgetBundle), 'utf8')) as BuiltWidget;
}

/** One of its files, as it is on disk. */
export function builtFile({ version }: BuiltWidget, name: string): Buffer {
  return readFileSync(new URL(`${version}/${name}`, widgetBundle));
}
