// Bundles what runs in browsers, for a project of the type `browser`: every `src/*.entry.ts` becomes a script
// of its own, and pages, styles and languages are taken as they are. The scripts `form-*` are made first: the
// others have the browser check them by their hashes. The files are in a folder that is named by their
// content, each also compressed as it is sent; `dist/bundle/bundle.json` names them.
//
//   node tools/bundle.mjs ROOT FOLDER      what `npm run build` calls, for each such project
//
// It is a process of its own: the bundler is large, and would stay in the memory of whatever is built and
// then started.
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { transform } from '@swc/core';
import { build } from 'vite';
import { BUNDLE_FOLDER, writeWhole } from './build.mjs';
import { readProjects } from './projects.mjs';
import { swcOptions } from './swc-options.mjs';

/**
 * @typedef {object} Bundle what is written to `bundle.json`
 * @property {string} version the name of the folder with the files
 * @property {Record<string, string>} templates scripts that are completed when they are sent
 * @property {Record<string, string>} integrity of each script, as a page's `integrity` has it
 * @property {string[]} files the names of all files
 */

/** What browsers of the last three years read. */
const TARGET = 'es2022';
/** The scripts that are sent with something before them, which is another thing each time. */
const TEMPLATES = new Set(['loader.js']);
/** The source in whose place are the hashes of the scripts `form-*.js`, which `widget.js` loads. */
const FORM_INTEGRITY = 'form-integrity.ts';
/** The source by which the views of the scripts `form-*.js` are made with the Preact of `widget.js`. */
const LENT_ELEMENTS = 'lent-elements.ts';
const PREACT_ELEMENTS = 'preact/jsx-runtime';
/** Hexadecimal digits of the folder's name: nobody gets two contents of one name. */
const VERSION_DIGITS = 32;

/** Bundles one project. */
async function bundle(/** @type {string} */ root, /** @type {string} */ folder) {
  const target = join(root, folder, BUNDLE_FOLDER);
  const files = await filesOf(root, folder);
  const scripts = [...files].filter(([name]) => name.endsWith('.js'));
  const templates = scripts.filter(([name]) => TEMPLATES.has(name));
  // Of the templates, too: what is completed later belongs to the same version.
  const version = versionOf(files);
  for (const [name] of templates) files.delete(name);
  for (const [name, text] of files) {
    const content = Buffer.from(text);
    const path = join(target, version, name);
    writeWhole(root, path, content);
    writeWhole(root, `${path}.br`, brotliOf(content));
    writeWhole(root, `${path}.gz`, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
  }
  /** @type {Bundle} */
  const index = {
    version,
    templates: Object.fromEntries(templates),
    integrity: Object.fromEntries(scripts.map(([name, text]) => [name, integrityOf(text)])),
    files: [...files.keys()],
  };
  writeWhole(root, join(target, 'bundle.json'), `${JSON.stringify(index)}\n`);
  for (const entry of readdirSync(target, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === version) continue;
    rmSync(join(target, entry.name), { recursive: true, force: true });
  }
}

/** @returns {Promise<Map<string, string>>} texts by name, in the order of the names */
async function filesOf(/** @type {string} */ root, /** @type {string} */ folder) {
  const source = join(root, folder, 'src');
  const names = readdirSync(source);
  /** @type {[string, string][]} */
  const files = [];
  const entries = names.filter((one) => one.endsWith('.entry.ts'));
  const isForm = (/** @type {string} */ name) => name.startsWith('form-');
  /** @type {Record<string, string>} */
  const ofForms = {};
  for (const name of entries.filter(isForm)) {
    const script = await scriptOf(root, join(source, name));
    const file = name.replace('.entry.ts', '.js');
    files.push([file, script]);
    ofForms[file] = integrityOf(script);
  }
  for (const name of entries.filter((one) => !isForm(one))) {
    const script = await scriptOf(root, join(source, name), ofForms);
    files.push([name.replace('.entry.ts', '.js'), script]);
  }
  for (const name of names.filter((one) => /\.(?:html|css)$/u.test(one))) {
    files.push([name, readFileSync(join(source, name), 'utf8')]);
  }
  // `languages`, and `X-languages` where one form alone has further texts.
  for (const languages of names.filter((one) => /^(?:.+-)?languages$/u.test(one))) {
    for (const name of readdirSync(join(source, languages))) {
      const texts = JSON.parse(readFileSync(join(source, languages, name), 'utf8'));
      files.push([`${languages.slice(0, -1)}-${name}`, JSON.stringify(texts)]);
    }
  }
  return new Map(files.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function versionOf(/** @type {Map<string, string>} */ files) {
  const hash = createHash('sha256');
  for (const [name, text] of files) hash.update(`${name}\n${text.length}\n${text}`);
  return hash.digest('hex').slice(0, VERSION_DIGITS);
}

function integrityOf(/** @type {string} */ text) {
  return `sha384-${createHash('sha384').update(text).digest('base64')}`;
}

function brotliOf(/** @type {Buffer} */ content) {
  return brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
}

/**
 * One script with all that it imports, which leaves no name behind.
 * @param {string} root
 * @param {string} entry
 * @param {Record<string, string>} [ofForms] by which the script has the browser check those that it loads;
 *   undefined: it is one of those
 * @returns {Promise<string>}
 */
async function scriptOf(root, entry, ofForms) {
  const built = await build({
    ...{ root, configFile: false, envDir: false, publicDir: false, logLevel: 'error' },
    // It would look for the settings of the type checker, which images are built without.
    oxc: false,
    plugins: [sources(root, entry, ofForms)],
    build: {
      ...{ write: false, target: TARGET, minify: true, reportCompressedSize: false },
      lib: { entry, formats: ['iife'], name: 'sluice', fileName: () => 'script.js' },
    },
  });
  const [{ output }] = /** @type {[{ output: { code?: string }[] }]} */ (
    Array.isArray(built) ? built : [built]
  );
  const [{ code } = {}] = output;
  if (code === undefined || output.length !== 1) {
    throw new Error(`${basename(entry)} is not one script.`);
  }
  return code;
}

/**
 * Finds sources by the names that other sources import them by, and compiles them as everything else of
 * the workspace is compiled.
 * @param {string} root
 * @param {string} entry
 * @param {Record<string, string> | undefined} ofForms
 * @returns {import('vite').Plugin}
 */
function sources(root, entry, ofForms) {
  const projects = readProjects(root);
  const options = swcOptions();
  return {
    name: 'sluice-sources',
    enforce: 'pre',
    resolveId(specifier, importer) {
      const own = projects.find(
        ({ name }) => specifier === name || specifier.startsWith(`${name}/`),
      );
      if (own !== undefined) {
        const entry = own.manifest.exports?.[`.${specifier.slice(own.name.length)}`];
        const { 'sluice-source': source } = /** @type {{ 'sluice-source': string }} */ (entry);
        return join(root, own.folder, source);
      }
      if (importer !== undefined && specifier.startsWith('.')) {
        const path = join(importer, '..', specifier);
        return ['.ts', '.tsx']
          .map((ending) => path.replace(/\.js$/u, ending))
          .find((candidate) => existsSync(candidate));
      }
      if (specifier === PREACT_ELEMENTS && ofForms === undefined) {
        return join(entry, '..', LENT_ELEMENTS);
      }
      return specifier.startsWith('preact')
        ? fileURLToPath(import.meta.resolve(specifier))
        : undefined;
    },
    async load(id) {
      if (basename(id) === FORM_INTEGRITY) {
        const code = `export const formIntegrity = ${JSON.stringify(ofForms ?? {})};`;
        return { code, moduleType: 'js' };
      }
      if (!/\.tsx?$/u.test(id)) return undefined;
      const isView = id.endsWith('.tsx');
      const { code } = await transform(readFileSync(id, 'utf8'), {
        ...options,
        filename: id,
        sourceMaps: false,
        jsc: {
          ...options.jsc,
          target: TARGET,
          parser: { syntax: 'typescript', tsx: isView },
          transform: {
            verbatimModuleSyntax: true,
            react: { runtime: 'automatic', importSource: 'preact' },
          },
        },
      });
      return { code, moduleType: 'js' };
    },
  };
}

const [root = '', folder = ''] = process.argv.slice(2);
await bundle(root, folder);
