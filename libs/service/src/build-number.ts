import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What a build number looks like: `<40 hex>@yyyy-MM-dd HH:mm:ss +0000` (wire contract 2). */
export const BUILD_NUMBER =
  /^[0-9a-f]{40}@[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} \+0000$/;

/**
 * At most this many compiled files, including those in folders; 20 of them are hashed in a
 * millisecond.
 */
const FILES_MAX = 200;

/**
 * The build number of the files beside and below one, by its URL: a hash of them and the time of the
 * newest, so that it is the same wherever this build runs, and after each restart. An installation
 * may set its own instead.
 */
export function buildNumberOfFiles(url: string): string {
  const folder = fileURLToPath(new URL('.', url));
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js') || name.endsWith('.ts'))
    .sort()
    .slice(0, FILES_MAX);
  const hash = createHash('sha1');
  let newestMs = 0;
  for (const name of names) {
    hash.update(name).update(readFileSync(folder + name));
    newestMs = Math.max(newestMs, statSync(folder + name).mtimeMs);
  }
  const time = new Date(newestMs).toISOString().slice(0, 19).replace('T', ' ');
  return `${hash.digest('hex')}@${time} +0000`;
}
