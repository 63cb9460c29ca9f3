// Which projects the workspace has. The folders are those of "workspaces" in package.json.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Manifest the part of a package.json that the tools read
 * @property {string} name
 * @property {Record<string, unknown>} [exports]
 * @property {Record<string, string>} [scripts]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {string[]} [workspaces]
 * @property {string[]} [files] what of it goes into an image
 * @property {{ tags?: string[] }} [nx]
 *
 * @typedef {object} Project
 * @property {string} name the package name, `@sluice/money`
 * @property {string} shortName what people type, `money`
 * @property {string} folder relative to the root, with slashes
 * @property {Manifest} manifest
 */

/** The folder of the repository. */
export const workspaceRoot = fileURLToPath(new URL('..', import.meta.url));

/** @returns {Manifest} */
export function readManifest(/** @type {string} */ folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Every project of the workspace, by name. @returns {Project[]} */
export function readProjects(root = workspaceRoot) {
  const patterns = readManifest(root).workspaces ?? [];
  return patterns
    .flatMap((pattern) => {
      const parent = pattern.replace('/*', '');
      if (!existsSync(join(root, parent))) return [];
      return readdirSync(join(root, parent)).map((entry) => `${parent}/${entry}`);
    })
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => {
      const manifest = readManifest(join(root, folder));
      return {
        name: manifest.name,
        shortName: manifest.name.replace('@sluice/', ''),
        folder,
        manifest,
      };
    })
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}
