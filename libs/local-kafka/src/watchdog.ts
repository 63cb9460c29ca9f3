import { spawn } from 'node:child_process';

/**
 * Waits for a line on its standard input, which says that the broker has been stopped, or for its
 * end, which comes when Node is gone, however it went; then it ends the broker. A pipe and not a
 * poll of the parent's number, as with the embedded PostgreSQL. The broker is known by its working
 * folder, so that a reused number does no harm.
 */
const SCRIPT = `
alive() {
  kill -0 "$1" 2>/dev/null || return 1
  [ ! -e /proc/self/cwd ] || [ "$(readlink "/proc/$1/cwd")" = "$2" ]
}
if ! read -r word; then
  # What is to be removed needs no orderly stop.
  signal=TERM; [ "$3" = remove ] && signal=KILL
  round=0
  while alive "$1" "$2" && [ $round -lt 100 ]; do
    [ $((round % 50)) -eq 0 ] && kill -$signal "$1" 2>/dev/null
    signal=KILL
    round=$((round + 1))
    sleep 0.1
  done
fi
if [ "$3" = remove ]; then rm -rf "$2"; fi
`;

/** A small process that outlives Node by the time it takes to stop Kafka. */
export interface Watchdog {
  /** Tells it that the broker has stopped, so that it ends. */
  release(): void;
}

/** Sees to it that the broker with this number and working folder never outlives this process. */
export function startWatchdog(pid: number, folder: string, removeFolder: boolean): Watchdog {
  const words = [String(pid), folder, removeFolder ? 'remove' : 'keep'];
  const child = spawn('sh', ['-c', SCRIPT, 'sluice-kafka-watchdog', ...words], {
    cwd: '/',
    // An own session: Ctrl-C in the terminal must not take it away before its work.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as unknown as { unref?: () => void }).unref?.();
  return {
    release: () => {
      child.stdin.end('released\n');
    },
  };
}
