import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { childEnvironment, READY_LINE, SANDBOX } from './sandbox-process.js';

/** A sandbox that a spec file shares with others. */
export interface TestSandbox {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string;
  readonly dataFolder: string;
  /** Everything printed so far, also while other spec files ran. */
  output(): string;
}

/** Long enough for a slow machine that compiles and makes its database first. */
const READY_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 20;
/** What is in the folder: the sandbox's own, what it printed, and that it has ended. */
const DATA = 'data';
const OUTPUT = 'output';
const ENDED = 'ended';

/**
 * A sandbox for a whole spec file or `describe`: the one of this jest worker, or of its files with the same
 * settings. It is for specs that neither stop it nor count all that is in it, whatever other files have left
 * there. Read its fields inside tests and hooks only. Nothing has to be stopped afterwards: the sandbox
 * ends and is deleted with the worker, even when that is killed.
 *
 * @param environment its settings
 */
export function testSandbox(environment: Readonly<Record<string, string>> = {}): TestSandbox {
  const hooks = globalThis as unknown as JestHooks;
  let found: TestSandbox | undefined;
  hooks.beforeAll(async () => {
    const startedAt = Math.round(performance.timeOrigin);
    const settings = createHash('sha256').update(JSON.stringify(environment)).digest('hex');
    const name = `sluice-test-sandbox-${process.pid}-${startedAt}-${settings.slice(0, 8)}`;
    found = await sandboxIn(join(tmpdir(), name), environment);
  }, 2 * READY_WITHIN_MS);
  const present = (): TestSandbox => {
    if (found === undefined) throw new Error('the test sandbox exists only while tests run');
    return found;
  };
  return {
    get url() {
      return present().url;
    },
    get dataFolder() {
      return present().dataFolder;
    },
    output: () => present().output(),
  };
}

/** Not imported from @jest/globals, which refuses to be loaded where no jest runs. */
interface JestHooks {
  beforeAll(hook: () => Promise<void>, timeoutMs?: number): void;
}

/**
 * The sandbox of this folder, which is started where there is none yet. Throws with all that was
 * printed when it has ended or stays silent.
 */
export async function sandboxIn(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestSandbox> {
  // Each test file has its own copy of this module: what an earlier file started is found by its folder.
  if (!existsSync(folder)) keptSandbox(folder, SANDBOX, environment);
  const dataFolder = join(folder, DATA);
  const output = (): string => readFileSync(join(folder, OUTPUT), 'utf8');
  const giveUpAt = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const isOver = existsSync(join(folder, ENDED)) || performance.now() > giveUpAt;
    const printed = existsSync(join(folder, OUTPUT)) ? output() : '';
    if (isOver) throw new Error(`the sandbox has ended or never began; it printed:\n${printed}`);
    const url = READY_LINE.exec(printed)?.[1];
    if (url !== undefined) return { url, dataFolder, output };
    await delay(LOOK_EVERY_MS);
  }
}

/**
 * Keeps a program until its own standard input ends, which comes when whoever started it is gone,
 * however it went; then it ends the program and deletes the folder. What a shell runs in the
 * background has no standard input, hence the third descriptor.
 */
const SCRIPT = `
exec 3<&0
"$@" >"$0/${OUTPUT}" 2>&1 3<&- &
sandbox=$!
{ read -r word <&3; [ -e "$0/${ENDED}" ] || kill "$sandbox"; } &
wait "$sandbox"
: >"$0/${ENDED}"
wait
rm -rf "$0"
`;

/** Starts a program with a data folder below this one; it does not keep jest from ending. */
export function keptSandbox(
  folder: string,
  program: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): ChildProcess {
  mkdirSync(folder, { mode: 0o700 });
  const words = [...program, '--port', '0', '--data', join(folder, DATA)];
  const keeper = spawn('sh', ['-c', SCRIPT, folder, process.execPath, ...words], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // An own session: Ctrl-C in the terminal must not take it away before its work.
    detached: true,
    env: childEnvironment(environment),
  });
  keeper.unref();
  (keeper.stdin as unknown as { unref(): void }).unref();
  return keeper;
}
