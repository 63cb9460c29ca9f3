import { spawn } from 'node:child_process';
import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheFolder, look, sentenceOf } from '@sluice/prerequisites';

/** Exactly this one: what it generates and how it judges differ from version to version. */
export const SCHEMATHESIS_VERSION = '4.32.5';

/** Schemathesis cannot be had here; the message says what to install. */
export class SchemathesisMissing extends Error {}

/** Made last, so that an environment whose making was interrupted is not taken for whole. */
const WHOLE = 'whole';

/** The program in a virtual environment in the user's cache folder, made at the first call. */
export async function schemathesis(): Promise<string> {
  const folder = join(cacheFolder(), `schemathesis-${SCHEMATHESIS_VERSION}`);
  const program = join(folder, 'bin', 'st');
  if (!(await exists(join(folder, WHOLE)))) await makeEnvironment(folder);
  return program;
}

async function makeEnvironment(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  await rm(folder, { recursive: true, force: true });
  const python = await look('python3');
  if (python.problem !== undefined) throw new SchemathesisMissing(sentenceOf(python));
  await ended(python.command ?? 'python3', ['-m', 'venv', folder]).catch((error: unknown) => {
    throw new SchemathesisMissing(`Python could not make an environment: ${messageOf(error)}`);
  });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  await ended(join(folder, 'bin', 'python'), [
    ...pip,
    `schemathesis==${SCHEMATHESIS_VERSION}`,
  ]).catch((error: unknown) => {
    throw new SchemathesisMissing(
      `pip could not install schemathesis ${SCHEMATHESIS_VERSION} from PyPI: ${messageOf(error)}`,
    );
  });
  await mkdir(join(folder, WHOLE));
}

/** Runs a program to its end; rejects with the end of what it printed when it fails. */
function ended(file: string, words: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    const keep = (chunk: Buffer): void => {
      printed += chunk.toString('utf8');
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else
        reject(new Error(`it ended with ${code ?? 'a signal'}: ${printed.trim().slice(-1_000)}`));
    });
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
