import { setFlagsFromString } from 'node:v8';
import {
  DatabaseAccessError,
  DurabilityError,
  KeyFileError,
  serializeError,
  SettingsError,
} from '@sluice/service';
import { readCommandLine } from './command-line.js';
import { FolderInUse, FolderUnusable } from './data-folder.js';
import { PortInUse } from './port.js';
import { Sandbox } from './sandbox.js';
import { SettingRefused } from './setting-refused.js';

/** Errors whose message is all that anybody needs. */
const SENTENCES = [
  DatabaseAccessError,
  DurabilityError,
  FolderInUse,
  FolderUnusable,
  KeyFileError,
  PortInUse,
  SettingRefused,
  SettingsError,
];
const EXIT_REFUSED = 2;
const EXIT_FAILED = 1;
const PARENT_POLL_INTERVAL_MS = 250;
/**
 * How far the heap may grow beyond what is alive before it is collected. Under load V8 would let it
 * grow to four times as much: 380 MB resident instead of 280, and no less CPU (measured). With half
 * of this it is 220 MB, but a payment costs Node 5 % more.
 */
const HEAP_GROWTH_PERCENT = 120;

setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);

const commandLine = readCommandLine(process.argv.slice(2), process.env);
switch (commandLine.kind) {
  case 'help':
    process.stdout.write(commandLine.text);
    break;
  case 'refused':
    process.stderr.write(`${commandLine.reason}\n`);
    process.exitCode = EXIT_REFUSED;
    break;
  case 'settings':
    await run(new Sandbox(commandLine.settings));
    break;
}

async function run(sandbox: Sandbox): Promise<void> {
  const end = (code: number): void => {
    const exit = (): never => process.exit(code);
    sandbox.stop().then(exit, exit);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      end(0);
    });
  }
  // A broken program must not go on with half-applied memory (R-CRA-12).
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      complain(error);
      end(EXIT_FAILED);
    });
  }
  // A reader that went away (`npm start | head`) is no reason to stop taking payments.
  process.stdout.on('error', () => undefined);
  endWithNpm(() => {
    end(0);
  });
  try {
    await sandbox.start();
  } catch (error) {
    if (!sandbox.isStopping) complain(error);
    end(error instanceof SettingRefused ? EXIT_REFUSED : EXIT_FAILED);
  }
}

/**
 * Under npm, a signal to npm alone reaches its shell and not this process; kill -9 of npm reaches
 * nobody. Started otherwise, the parent may end as it likes.
 */
function endWithNpm(end: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, PARENT_POLL_INTERVAL_MS).unref();
}

function complain(error: unknown): void {
  if (SENTENCES.some((known) => error instanceof known)) {
    process.stderr.write(`${(error as Error).message}\n`);
    return;
  }
  const { name, code, message } = serializeError(error);
  const label = code === undefined ? name : `${name} ${code}`;
  process.stderr.write(`Sluice could not go on (${label}): ${message}\n`);
}
