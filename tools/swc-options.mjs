import { readFileSync } from 'node:fs';

/**
 * The one set of compiler settings, `.swcrc`, as an object for the two callers that must not look
 * it up themselves: the build and the test transform.
 */
export function swcOptions() {
  const text = readFileSync(new URL('../.swcrc', import.meta.url), 'utf8');
  const { $schema: _, ...options } =
    /** @type {import('@swc/core').Options & { $schema?: string }} */ (JSON.parse(text));
  return { ...options, swcrc: false };
}
