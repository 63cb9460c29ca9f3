import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * The words behind `node` that start a program as npm's scripts do: `launched('apps/vault/dist/main.js')`;
 * of this build, or of the one in another folder.
 */
export function launched(entry: string, root = ROOT): readonly string[] {
  return [join(root, 'tools', 'run.mjs'), join(root, entry)];
}
