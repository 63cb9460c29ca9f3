import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The words behind `node` that start a program as npm's scripts do: `launched('apps/vault/dist/main.js')`. */
export function launched(entry: string): readonly string[] {
  return [join(ROOT, 'tools', 'run.mjs'), join(ROOT, entry)];
}
