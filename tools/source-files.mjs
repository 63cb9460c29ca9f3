// Which files of a project are its source, for every tool that reads sources.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const IGNORED_FOLDERS = new Set(['node_modules', 'dist', 'test-results', 'coverage']);
const SOURCE_FILE = /\.(?:ts|tsx|mts|mjs|js)$/u;

/**
 * Whether a file is there for tests alone: specs, their fixtures, and everything in a folder `test`.
 * It is not built, product files may not import it, and it may use development dependencies.
 */
export function isTestFile(/** @type {string} */ path) {
  return /(?:\.spec|[.-]fixtures?)\.ts$/u.test(path) || path.includes('/test/');
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
