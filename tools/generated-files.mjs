// Every committed file that is made from code, with the function that makes it. The libraries are
// imported as they are built, through their indexes.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { currencyTable } from './currency-table.mjs';

/**
 * @typedef {object} GeneratedFile
 * @property {string} path relative to the root
 * @property {() => Promise<string>} make the whole text, ending in a newline; the same for the same code
 */

const parameters = () => import('@sluice/parameters');
const resultCodes = () => import('@sluice/result-codes');
const payments = () => import('@sluice/domain-payments');
const commandLine = () => import('@sluice/cli');

/** @type {readonly GeneratedFile[]} */
export const generatedFiles = [
  {
    path: 'libs/money/src/iso-4217.ts',
    make: () => Promise.resolve(currencyTable()),
  },
  {
    path: 'docs/reference/parameters.md',
    make: async () => (await parameters()).referenceTables(),
  },
  {
    path: 'docs/reference/openapi.json',
    make: async () => `${JSON.stringify((await parameters()).openApiDocument(), null, 2)}\n`,
  },
  {
    path: 'docs/reference/result-codes.md',
    make: async () => (await resultCodes()).referenceTable(),
  },
  {
    path: 'docs/reference/payment-events.json',
    make: async () => `${JSON.stringify((await payments()).eventSchemas(), null, 2)}\n`,
  },
  {
    path: 'docs/reference/command-line.md',
    make: async () => (await commandLine()).commandLineReference(),
  },
];

/**
 * The files whose text on disk is not what the code makes now.
 * @param {readonly GeneratedFile[]} files
 * @param {string} root
 * @returns {Promise<{ path: string, text: string }[]>} with the text that they should have
 */
export async function staleFiles(files, root) {
  const made = await Promise.all(
    files.map(async ({ path, make }) => ({ path, text: await make() })),
  );
  return made.filter(({ path, text }) => {
    const file = join(root, path);
    return !existsSync(file) || readFileSync(file, 'utf8') !== text;
  });
}
