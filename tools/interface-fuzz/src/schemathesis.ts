import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheFolder, look, sentenceOf } from '@sluice/prerequisites';
import { run } from '@sluice/prerequisites/run';

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
  await run(python.command ?? 'python3', ['-m', 'venv', folder]).catch((error: unknown) => {
    throw new SchemathesisMissing(`Python could not make an environment: ${messageOf(error)}`);
  });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  await run(join(folder, 'bin', 'python'), [...pip, `schemathesis==${SCHEMATHESIS_VERSION}`]).catch(
    (error: unknown) => {
      throw new SchemathesisMissing(
        `pip could not install schemathesis ${SCHEMATHESIS_VERSION} from PyPI: ${messageOf(error)}`,
      );
    },
  );
  await mkdir(join(folder, WHOLE));
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
