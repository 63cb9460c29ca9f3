import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseFolder } from './identity.js';

/**
 * Waits for a line on its standard input, which says that the server has been stopped, or for its
 * end, which comes when Node is gone, however it went; then it stops the server of the folder,
 * unless a newer start has taken it over. A pipe and not a poll of the parent's number: it costs
 * nothing and cannot mistake a reused number; the server's own number is checked by its folder.
 * The owner is read again before every look: after a `kill -9` of the server too, the file that it
 * waits for may be the newer server's by then.
 */
const SCRIPT = `
serves() { [ ! -e /proc/self/cwd ] || [ "$(readlink "/proc/$1/cwd")" = "$(cd "$2" && pwd -P)" ]; }
remove() { if [ "$4" = remove ]; then rm -rf "$1"; fi; }
read -r word && { remove "$@"; exit 0; }
read -r owner < "$1/postgres.owner" && [ "$owner" = "$3" ] || exit 0
pidfile="$2/postmaster.pid"
signal=INT
round=0
while [ -e "$pidfile" ] && [ $round -lt 100 ]; do
  read -r owner < "$1/postgres.owner" && [ "$owner" = "$3" ] || exit 0
  [ $round -eq 50 ] && signal=QUIT
  if [ $((round % 50)) -eq 0 ] && read -r pid < "$pidfile" && serves "$pid" "$2"; then
    kill -$signal "$pid" 2>/dev/null
  fi
  round=$((round + 1))
  sleep 0.1
done
remove "$@"
`;

/** A small process that outlives Node by the time it takes to stop PostgreSQL. */
export interface Watchdog {
  /** Tells it that the server has stopped, so that it ends. */
  release(): void;
}

/**
 * Sees to it that the server of this folder never outlives this process. Writes the folder's owner
 * first, which makes an older watchdog on the same folder harmless.
 */
export async function startWatchdog(folder: string, removeFolder: boolean): Promise<Watchdog> {
  const token = `${process.pid}-${randomBytes(8).toString('hex')}`;
  await writeFile(join(folder, 'postgres.owner'), `${token}\n`, { mode: 0o600 });
  if (process.platform === 'win32') return { release: () => undefined };
  const words = [folder, databaseFolder(folder), token, removeFolder ? 'remove' : 'keep'];
  const child: ChildProcess = spawn('sh', ['-c', SCRIPT, 'sluice-watchdog', ...words], {
    cwd: '/',
    // An own session: Ctrl-C in the terminal must not take it away before its work.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => undefined); // without `sh` the next start still finds the orphan
  child.stdin?.on('error', () => undefined);
  child.unref();
  (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return {
    release: () => {
      child.stdin?.end('released\n');
    },
  };
}
