// `npm run test:sabotage`: plants one defect after the other in a copy of the tree and lets the
// tests run on it (`npm run test:sabotage -- S5 S8` for these alone). A defect that no test notices is a failure of the tests.
// `--sample 12` plants twelve of them, other ones with each commit, as CI does.
// `table` spoils every row of the parameter catalogue in every way and says how many were noticed; `npm test` runs it as well.
import { execFileSync, spawnSync } from 'node:child_process';
import console from 'node:console';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { planted } from './planted-defect.mjs';
import { variants } from './sabotage-variants.mjs';
import { wordsBehind } from './words.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WORKSPACE_SCOPE = '@sluice';
/** The longest spec file takes half a minute on a busy machine. */
const TESTS_WITHIN_MS = 180_000;
/** Some tests fail and others pass: the defect was noticed, and the copy as such is in order. */
const NOTICED = /^Tests: .*[1-9][0-9]* failed, .*[1-9][0-9]* passed/m;

/** The run over the catalogue needs no copy: it spoils rows in memory (`libs/parameters/test`). */
const TABLE = 'table';
const TABLE_PROJECT = 'libs/parameters';
const TABLE_TESTS = 'catalogue-mutants';

// What is no `node:` module comes when the packages are there (words.mjs).
const { InvalidArgumentError } = await import('commander');

const names = [...variants.map(({ name }) => name), TABLE];
const { options, words: wanted } = await wordsBehind('npm run test:sabotage --', (command) =>
  command
    .description(
      'Plants one defect after the other in a copy of the tree and lets the tests run on it. A defect that no test notices is a failure of the tests.',
    )
    .addHelpText('after', `\n${defectList()}`)
    .addOption(
      command
        .createOption(
          '--sample <n>',
          'so many of them, chosen by the commit: other ones each time, the same ones again for one commit',
        )
        .argParser((text) => {
          if (/^[1-9]\d*$/.test(text)) return Number(text);
          throw new InvalidArgumentError('It is a number from 1.');
        }),
    )
    .addArgument(command.createArgument('[names...]', 'these alone; else all').choices(names)),
);
const named = variants.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const chosen = options.sample === undefined ? named : sampleOf(named, options.sample);
const withTable = wanted.includes(TABLE) || (wanted.length === 0 && options.sample === undefined);
if (chosen.length < named.length) {
  console.log(`${chosen.length} of ${named.length} defects, chosen by the commit.`);
}
const copy = mkdtempSync(join(tmpdir(), 'sluice-sabotage-'));
let survived = 0;
try {
  if (withTable && !isTableNoticed()) survived += 1;
  if (chosen.length > 0) copyTree();
  for (const variant of chosen) {
    const startedAt = performance.now();
    const noticed = isNoticed(variant);
    if (!noticed) survived += 1;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const verdict = noticed ? 'noticed ' : 'SURVIVED';
    console.log(`${variant.name.padEnd(4)} ${verdict} ${seconds.padStart(5)} s  ${variant.defect}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
const runs = chosen.length + (withTable ? 1 : 0);
console.log(`${runs - survived} passed, ${survived} failed`);
process.exitCode = survived === 0 ? 0 : 1;

/** @param {readonly import('./sabotage-variants.mjs').Variant[]} from @param {number} count */
function sampleOf(from, count) {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
  const lot = (/** @type {string} */ name) =>
    createHash('sha256').update(`${commit}${name}`).digest('hex');
  const drawn = from.map(({ name }) => name).sort((a, b) => (lot(a) < lot(b) ? -1 : 1));
  return from.filter(({ name }) => drawn.indexOf(name) < count);
}

/** For help. */
function defectList() {
  const rows = variants.map(({ name, defect }) => `  ${name.padEnd(6)} ${defect}`);
  return [...rows, `  ${TABLE.padEnd(6)} every row of the parameter catalogue, in every way`].join(
    '\n',
  );
}

/** Every tracked file, and node_modules by links, with the workspace's own links leading into the copy. */
function copyTree() {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  for (const file of files.split('\0').filter((each) => each !== '')) {
    if (!existsSync(join(ROOT, file))) continue;
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  linkPackages('');
  for (const file of files.split('\0')) {
    if (file.endsWith('/package.json')) linkPackages(dirname(file));
  }
}

/** @param {string} folder of the project, relative to the root */
function linkPackages(folder) {
  const from = join(ROOT, folder, 'node_modules');
  if (!existsSync(from)) return;
  const to = join(copy, folder, 'node_modules');
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from)) {
    if (entry !== WORKSPACE_SCOPE) symlinkSync(join(from, entry), join(to, entry));
  }
  if (!existsSync(join(from, WORKSPACE_SCOPE))) return;
  mkdirSync(join(to, WORKSPACE_SCOPE));
  for (const name of readdirSync(join(from, WORKSPACE_SCOPE))) {
    // Relative, so that the same words lead into the copy.
    symlinkSync(readlinkSync(join(from, WORKSPACE_SCOPE, name)), join(to, WORKSPACE_SCOPE, name));
  }
}

/** @param {import('./sabotage-variants.mjs').Variant} variant */
function isNoticed(variant) {
  const { file, project, tests } = variant;
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, planted(variant, text));
  try {
    const { stdout, stderr } = runTests(copy, project, tests);
    const isSeen = NOTICED.test(`${stdout}\n${stderr}`);
    // A defect that no longer compiles, say after a renaming, looks like one that nobody saw.
    if (!isSeen) console.error(`${stdout}\n${stderr}`);
    return isSeen;
  } finally {
    writeFileSync(path, text);
  }
}

/** Prints what became of the rows, one line for each way in which they were spoilt. */
function isTableNoticed() {
  const { status, stdout, stderr } = runTests(ROOT, TABLE_PROJECT, TABLE_TESTS, '--verbose');
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => /^\s+[✓✕]/u.test(line));
  for (const line of lines) console.log(`${TABLE.padEnd(5)}${line.trim()}`);
  return status === 0 && lines.length > 0;
}

/**
 * @param {string} root
 * @param {string} project
 * @param {string} tests
 * @param {string[]} flags
 */
function runTests(root, project, tests, ...flags) {
  return spawnSync(
    process.execPath,
    [join(root, 'tools/jest.mjs'), '--testPathPatterns', tests, ...flags],
    {
      cwd: join(root, project),
      encoding: 'utf8',
      timeout: TESTS_WITHIN_MS,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    },
  );
}
