import { wishOf } from '@sluice/command-line';
import {
  DatabaseAccessError,
  DurabilityError,
  KeyFileError,
  refuseDebugger,
  serializeError,
  SettingsError,
} from '@sluice/service';
import process from 'node:process';
import { readCommandLine, type StartCommand } from './command-line.js';
import { FolderInUse, FolderUnusable } from './data-folder.js';
import type { LocalSettings } from './local-settings.js';
import { PortInUse } from './port.js';
import { SettingRefused } from './setting-refused.js';

/** Everything that one command starts. */
export interface Installation {
  /** Whether it has been told to stop; what fails from then on fails because of that. */
  readonly isStopping: boolean;
  /** Resolves when payments can be taken. */
  start(): Promise<void>;
  /** Undoes all of it, whatever has been started; may be called twice. */
  stop(): Promise<void>;
  /** Told again to stop by somebody who has lost patience; absent where `stop` is short. */
  stopNow?(): void;
}

/** How an installation is made of its settings. */
export interface InstallationCommand<
  Settings extends LocalSettings,
> extends StartCommand<Settings> {
  create(settings: Settings): Installation;
  /** Errors of its own whose message is all that anybody needs. */
  readonly sentences?: readonly (new (...words: never[]) => Error)[];
}

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
/** Often enough for a person who waits for the end; each look wakes a process that is at rest. */
const PARENT_POLL_INTERVAL_MS = 1_000;
/** Ctrl-C reaches a process under npm twice: from the terminal and, a moment later, from npm. */
const SAME_SIGNAL_WITHIN_MS = 500;

/** The whole life of the process: command line, start, signals, exit code. */
export async function runInstallation<Settings extends LocalSettings>(
  command: InstallationCommand<Settings>,
): Promise<void> {
  const settings = wishOf(readCommandLine(command, process.argv.slice(2), process.env));
  if (settings === undefined) return;
  await run(command.create(settings), [...SENTENCES, ...(command.sentences ?? [])]);
}

type Sentences = readonly (new (...words: never[]) => Error)[];

async function run(installation: Installation, sentences: Sentences): Promise<void> {
  const end = (code: number): void => {
    const exit = (): never => process.exit(code);
    installation.stop().then(exit, exit);
  };
  endOnSignal(installation, end);
  // A broken program must not go on with half-applied memory (R-CRA-12).
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      complain(error, sentences);
      end(EXIT_FAILED);
    });
  }
  // A reader that went away (`npm start | head`) is no reason to stop taking payments.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  refuseDebugger((sentence) => process.stderr.write(`${sentence}\n`));
  endWithNpm(() => {
    end(0);
  });
  try {
    await installation.start();
  } catch (error) {
    if (!installation.isStopping) complain(error, sentences);
    end(error instanceof SettingRefused ? EXIT_REFUSED : EXIT_FAILED);
  }
}

function endOnSignal(installation: Installation, end: (code: number) => void): void {
  let toldAtMs: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const nowMs = performance.now();
      if (toldAtMs === undefined) {
        toldAtMs = nowMs;
        end(0);
      } else if (nowMs - toldAtMs > SAME_SIGNAL_WITHIN_MS) {
        installation.stopNow?.();
      }
    });
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

function complain(error: unknown, sentences: Sentences): void {
  if (sentences.some((known) => error instanceof known)) {
    process.stderr.write(`${(error as Error).message}\n`);
    return;
  }
  const { name, code, message } = serializeError(error);
  const label = code === undefined ? name : `${name} ${code}`;
  process.stderr.write(`Sluice could not go on (${label}): ${message}\n`);
}
