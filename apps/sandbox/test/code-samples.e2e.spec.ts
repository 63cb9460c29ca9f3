import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testSandbox } from '@sluice/testing';
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

/*
 * The samples of the reference page as people copy them: made by the page's own script, in the
 * languages that this machine has, against a sandbox.
 */

/** Java compiles a sample before it runs it, on a machine that runs other suites meanwhile. */
const LANGUAGE_WITHIN_MS = 120_000;
const run = promisify(execFile);

/** The program that runs a file, and the file's name. */
const programs: Readonly<Record<string, readonly [string, string]>> = {
  curl: ['sh', 'sample.sh'],
  JavaScript: [process.execPath, 'sample.mjs'],
  Python: ['python3', 'sample.py'],
  PHP: ['php', 'sample.php'],
  Java: ['java', 'Sample.java'],
};

interface SampleRequest {
  readonly isRead: boolean;
  readonly url: string;
  readonly token: string;
  readonly fields: readonly (readonly [string, string])[];
}

interface Language {
  readonly name: string;
  readonly write: (request: SampleRequest) => string;
}

interface TriedRequest {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly fields: readonly (readonly [string, string])[];
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-samples-'));
const sandbox = testSandbox();
let languages: readonly Language[];
let requests: readonly TriedRequest[];
let token: string;

beforeAll(async () => {
  const served = async (path: string) => (await fetch(`${sandbox.url}${path}`)).text();
  const page = await served('/docs');
  token = /id="try-token"\s+value="([^"]*)"/.exec(page)?.[1] ?? '';
  const block = /id="try-requests">(.*?)<\/script>/s.exec(page)?.[1] ?? '[]';
  requests = JSON.parse(block) as readonly TriedRequest[];
  const script = join(folder, 'code-samples.mjs');
  writeFileSync(script, await served('/docs/code-samples.js'));
  ({ languages } = (await import(script)) as { readonly languages: readonly Language[] });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What a sample prints; it is an error where the language itself refuses it. */
async function printed(language: Language, name: string, id = ''): Promise<string> {
  const request = requests.find((each) => each.name === name);
  const [program, file] = programs[language.name] ?? [];
  if (request === undefined || program === undefined || file === undefined) {
    throw new Error(`nothing runs ${name} in ${language.name}`);
  }
  const { method, path, fields } = request;
  const url = `${sandbox.url}${path.replace('{id}', id)}`;
  const text = language.write({ isRead: method === 'GET', url, token, fields });
  writeFileSync(join(folder, file), text);
  const { stdout } = await run(program, [file], { cwd: folder });
  return stdout;
}

const idIn = (text: string): string => /\b[0-9a-f]{32}\b/.exec(text)?.[0] ?? '';

/** Asks for a Java that compiles: a machine that only runs what is compiled cannot try a sample. */
const COMPILES = 'jdk.compiler';

/** Whether the machine has the language; a sample in one that it lacks is skipped, and said to be. */
async function isHere(language: string, program: string): Promise<boolean> {
  const [asked, words, says]: readonly [string, readonly string[], string] =
    language === 'Java'
      ? [program, ['--list-modules'], COMPILES]
      : [language === 'curl' ? 'curl' : program, ['--version'], ''];
  return run(asked, words).then(
    ({ stdout }) => stdout.includes(says),
    () => false,
  );
}

const here: string[] = [];
for (const [name, [program]] of Object.entries(programs)) {
  if (await isHere(name, program)) here.push(name);
}
const missing = Object.keys(programs).filter((name) => !here.includes(name));

describe('the samples of the reference page', () => {
  if (missing.length > 0)
    it.skip(`in ${missing.join(' and ')}: not on this machine`, () => undefined);

  it('are for five languages', () => {
    expect(languages.map(({ name }) => name)).toEqual(Object.keys(programs));
  });

  it.each(here)(
    'pay, read, refund, capture and query in %s',
    async (name) => {
      const language = languages.find((each) => each.name === name);
      if (language === undefined) throw new Error(`there is no sample in ${name}`);
      const paid = await printed(language, 'detailed');
      expect(paid).toContain('000.100.110');
      for (const next of ['read', 'query', 'refund']) {
        expect([next, await printed(language, next, idIn(paid))]).toEqual([
          next,
          expect.stringContaining('000.100.110'),
        ]);
      }
      const reserved = await printed(language, 'authorization');
      expect(await printed(language, 'capture', idIn(reserved))).toContain('000.100.110');
      // A refusal is HTTP 400: the sample shows its reason and does not end with an error.
      expect(await printed(language, 'refused')).toContain('200.300.404');
    },
    LANGUAGE_WITHIN_MS,
  );

  it.each(here)(
    'send every character as it is in %s',
    async (name) => {
      const language = languages.find((each) => each.name === name);
      if (language === undefined) throw new Error(`there is no sample in ${name}`);
      const value = String.raw`it's "50 %" & <b>$x\n ${'{'}y} é 漢 \u0041 @file + # ;`;
      const [program = '', file = ''] = programs[name] ?? [];
      const debit = requests.find((each) => each.name === 'debit');
      const fields = [...(debit?.fields ?? []), ['customParameters[odd]', value] as const];
      const url = `${sandbox.url}/v1/payments`;
      writeFileSync(join(folder, file), language.write({ isRead: false, url, token, fields }));
      const { stdout } = await run(program, [file], { cwd: folder });
      const entityId = fields.find(([key]) => key === 'entityId')?.[1] ?? '';
      const answer = await fetch(`${url}/${idIn(stdout)}?entityId=${entityId}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(await answer.json()).toMatchObject({ customParameters: { odd: value } });
    },
    LANGUAGE_WITHIN_MS,
  );
});
