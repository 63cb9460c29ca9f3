// Which files of a project are its source, for every tool that reads sources.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const IGNORED_FOLDERS = new Set(['node_modules', 'dist', 'test-results', 'coverage']);
const SOURCE_FILE = /\.(?:ts|tsx|mts|mjs|js)$/u;

/** Specs, and the folder of what is only there for them. */
export function isSpecPath(/** @type {string} */ path) {
  return path.endsWith('.spec.ts') || path.includes('/test/');
}

/**
 * The source files below a folder.
 * @param {string} root an absolute path
 * @param {string} folder relative to it
 * @returns {string[]} paths relative to `root`, with slashes
 */
export function sourceFilesBelow(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      return IGNORED_FOLDERS.has(entry.name) ? [] : sourceFilesBelow(root, path);
    }
    return SOURCE_FILE.test(entry.name) ? [path] : [];
  });
}
