import process from 'node:process';
import { exitCodes } from './exit-codes.js';
import { runSluice } from './run.js';

/** What is under way gets so long to end by itself after Ctrl-C: drop its tables, leave its group. */
const STOP_WITHIN_MS = 5_000;

const interruption = new AbortController();
// SIGHUP: whoever closes the terminal is done, too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(exitCodes.interrupted);
    interruption.abort();
    setTimeout(() => {
      process.stderr.write(
        'Interrupted, and what was under way did not end in time. Run the same command again to go on; ' +
          'of a move of shards, "sluice cells" says how it stands.\n',
        () => process.exit(exitCodes.interrupted),
      );
    }, STOP_WITHIN_MS).unref();
  });
}
// A reader that went away (`sluice … | head`) has what it wanted.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => process.exit(exitCodes.done));
}

const exitCode = await runSluice(process.argv.slice(2), {
  environment: process.env,
  standardOutput: process.stdout,
  standardError: process.stderr,
  now: Date.now,
  signal: interruption.signal,
});
// Not before everything is written: a pipe takes its time. Then without waiting for idle sockets.
process.stdout.write('', () => process.exit(exitCode));
