import { parsed, wholeNumber, wishOf } from '@sluice/command-line';
import { Command } from 'commander';
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FuzzedSandbox, startFuzzedSandbox } from './fuzzed-sandbox.js';
import { narrowed, type OpenApiObject } from './narrowed-document.js';
import { schemathesis, SchemathesisMissing, SCHEMATHESIS_VERSION } from './schemathesis.js';

const CHECKS = [
  'not_a_server_error',
  'response_schema_conformance',
  'status_code_conformance',
  'content_type_conformance',
  'ignored_auth',
].join(',');

/**
 * A wrong token would pass silently, so its warning fails. Refusals by rules over several parameters,
 * which a schema cannot say, and searches that find nothing are as they should be.
 */
const CONFIGURATION = `[warnings]
fail-on = ["missing_auth", "missing_deserializer", "unsupported_regex", "method_not_allowed"]

# Without rules, and without an address that a browser reaches, both answer 600.200.500, which is a 403.
[[operations]]
include-path = ["/v1/risk", "/v1/threeDSecure"]
warnings = false
`;

const SEED_MAX = 2 ** 31;
/** Fewer say that it did not get going. */
const CASES_MIN = 100;
const PAYMENTS = 20;
const GENERATED = /\b(\d{1,9}) generated/;
const COMMITTED = new URL('../../../docs/reference/openapi.json', import.meta.url);

/** In a log, a progress bar that redraws itself is thousands of lines that hide what matters. */
const WITHOUT_PROGRESS = { TERM: 'dumb', TTY_INTERACTIVE: '0', TTY_COMPATIBLE: '0' };

const SECONDS_DEFAULT = 600;
const SECONDS_MAX = 86_400;

interface Wish {
  readonly seconds: number;
  readonly seed: number;
}

function described(): Command {
  return new Command('npm run fuzz --')
    .description(
      'Lets a foreign program loose on a sandbox, by the OpenAPI document alone (needs Python 3.10 ' +
        'or later with venv).',
    )
    .option('--seconds <n>', 'how long', wholeNumber(SECONDS_MAX), SECONDS_DEFAULT)
    .option('--seed <n>', 'repeats the requests of a run', wholeNumber(SEED_MAX));
}

const wish = wishOf(
  parsed<Wish>({
    command: described(),
    words: process.argv.slice(2),
    read: (command) => {
      const { seconds, seed = randomInt(1, SEED_MAX) } = command.opts<
        Pick<Wish, 'seconds'> & Partial<Wish>
      >();
      return { kind: 'wish', wish: { seconds, seed } };
    },
  }),
);
if (wish !== undefined) await fuzzWithProgram(wish);

async function fuzzWithProgram(wished: Wish): Promise<void> {
  try {
    await fuzz(await schemathesis(), wished);
  } catch (error) {
    if (!(error instanceof SchemathesisMissing)) throw error;
    process.stderr.write(`Nothing was fuzzed. ${error.message}\n`);
    process.exitCode = 1;
  }
}

async function fuzz(program: string, wished: Wish): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-schemathesis-'));
  let sandbox: FuzzedSandbox | undefined;
  try {
    sandbox = await startFuzzedSandbox(PAYMENTS);
    const document = await documentOf(sandbox.url);
    const narrow = narrowed(document, sandbox.url, sandbox.context);
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(narrow));
    await writeFile(join(folder, 'schemathesis.toml'), CONFIGURATION);
    const { code, printed } = await run(program, folder, sandbox, wished);
    const cases = Number(GENERATED.exec(printed)?.[1] ?? 0);
    const defects = sandbox.output().match(/"level":"(?:error|fatal)".*/g) ?? [];
    for (const line of defects.slice(0, 5)) say(line);
    say(
      `${cases} cases by schemathesis ${SCHEMATHESIS_VERSION}, seed ${wished.seed}; it ended with ` +
        `${code ?? 'a signal'}; the sandbox logged ${defects.length} errors.`,
    );
    if (code !== 0 || cases < CASES_MIN || defects.length > 0) process.exitCode = 1;
  } finally {
    await sandbox?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** As the sandbox serves it, else as it is committed. */
async function documentOf(url: string): Promise<OpenApiObject> {
  const response = await fetch(`${url}/openapi.json`);
  say(`The document is ${response.ok ? `${url}/openapi.json` : 'docs/reference/openapi.json'}.`);
  const text = response.ok ? await response.text() : await readFile(COMMITTED, 'utf8');
  return JSON.parse(text) as OpenApiObject;
}

function run(
  program: string,
  folder: string,
  { url, context }: FuzzedSandbox,
  { seconds, seed }: Wish,
): Promise<{ readonly code: number | null; readonly printed: string }> {
  const words = [
    ...['--config-file', 'schemathesis.toml', 'run', 'openapi.json', '--url', url, '--no-color'],
    ...['--max-time', String(seconds), '--seed', String(seed), '--generation-database', 'none'],
    ...['--continue-on-failure', '--checks', CHECKS],
  ];
  say(`st ${words.join(' ')} --header 'Authorization: Bearer …'`);
  const header = ['--header', `Authorization: Bearer ${context.accessToken}`];
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...words, ...header], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: process.stdout.isTTY ? process.env : { ...process.env, ...WITHOUT_PROGRESS },
    });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
      process.stdout.write(chunk);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, printed });
    });
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
