import { endOrphans, launched, type SandboxProcess, startSandbox } from '@sluice/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const SANDBOX = launched('apps/sandbox/dist/main.js');
/** First starts compile and make a database, on a machine that runs other suites meanwhile. */
export const START_WITHIN_MS = 120_000;
export const STOP_WITHIN_MS = 2_000;

/** A child of the PostgreSQL that has just ended may write its last file into a folder that goes. */
const WHILE_WRITTEN_TO = { maxRetries: 20, retryDelay: 50 } as const;

const folders: string[] = [];
const running: SandboxProcess[] = [];

/** A data folder that `endSandboxes` deletes. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sandbox-'));
  folders.push(folder);
  return folder;
}

/** A sandbox that `endSandboxes` ends. */
export async function start(
  dataFolder: string,
  words: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<SandboxProcess> {
  const sandbox = await startSandbox({
    dataFolder,
    arguments: words,
    environment: { DATABASE_URL: '', ...environment },
  });
  running.push(sandbox);
  return sandbox;
}

/** Ends all sandboxes of a spec, and leaves no folder of theirs; for `afterAll`. */
export async function endSandboxes(): Promise<void> {
  await Promise.all(running.map((sandbox) => sandbox.kill().catch(() => undefined)));
  for (const folder of folders) {
    await endOrphans(folder);
    await rm(folder, { recursive: true, force: true, ...WHILE_WRITTEN_TO });
  }
}

/** Starts what must not come up; what it printed on standard error, and its exit code. */
export async function refused(
  words: readonly string[],
): Promise<{ code: number; sentence: string }> {
  const child = spawn(process.execPath, [...SANDBOX, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: '' },
  });
  let sentence = '';
  child.stderr.on('data', (chunk: Buffer) => (sentence += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, sentence: sentence.trim() };
}

export interface Answer {
  readonly id: string;
  readonly result: { readonly code: string };
  readonly amount?: string;
}

/** The words of a command line as a shell would split them: quotes and escaped line ends. */
function shellWords(text: string): string[] {
  const joined = text.replaceAll('\\\n', ' ');
  return [...joined.matchAll(/'([^']*)'|([^' \n]+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  );
}

/** The printed `curl` as the request it makes. */
export function printedRequest(output: string): {
  url: string;
  headers: Headers;
  body: URLSearchParams;
} {
  const words = shellWords(/^curl [\s\S]*?[^\\]\n/m.exec(output)?.[0] ?? '');
  const after = (flag: string): string[] =>
    words.flatMap((word, index) => (words[index - 1] === flag ? [word] : []));
  const pairs = (list: string[], mark: string): [string, string][] =>
    list.map((text) => {
      const at = text.indexOf(mark);
      return [text.slice(0, at), text.slice(at + mark.length)];
    });
  return {
    url: words[1] ?? '',
    headers: new Headers(pairs(after('-H'), ': ')),
    body: new URLSearchParams(pairs(after('-d'), '=')),
  };
}

export async function call(url: string, headers: Headers, body?: URLSearchParams): Promise<Answer> {
  const init = body === undefined ? { headers } : { method: 'POST', headers, body };
  return (await (await fetch(url, init)).json()) as Answer;
}

/** The printed request with other fields. */
export function altered(body: URLSearchParams, fields: Record<string, string>): URLSearchParams {
  return new URLSearchParams({ ...Object.fromEntries(body), ...fields });
}
