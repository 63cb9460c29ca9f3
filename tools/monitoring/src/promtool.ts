import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requirePrerequisite } from '@sluice/prerequisites';

const run = promisify(execFile);
/** A test of all rules takes a second. */
const WITHIN_MS = 60_000;
/** Where there is none, the suite that imports this says so once, and not with each of its tests. */
const PROMTOOL = await requirePrerequisite('promtool');

/**
 * Runs promtool over files that are written into a folder of their own.
 * @param words what to do, with names of the files
 * @returns what it printed, and whether it was content
 */
export async function promtool(
  words: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<{ readonly isContent: boolean; readonly output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-promtool-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const { stdout, stderr } = await run(PROMTOOL, [...words], {
      cwd: folder,
      timeout: WITHIN_MS,
    });
    return { isContent: true, output: stdout + stderr };
  } catch (error) {
    const {
      code,
      stdout = '',
      stderr = '',
    } = error as Error & {
      readonly code?: string | number;
      readonly stdout?: string;
      readonly stderr?: string;
    };
    if (code === 'ENOENT') throw error; // its suite asks for it first
    return { isContent: false, output: stdout + stderr };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
