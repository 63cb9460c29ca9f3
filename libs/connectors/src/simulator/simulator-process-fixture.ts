import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from '../../../../tools/build.mjs';

const PROGRAM = fileURLToPath(new URL('../../../../apps/simulator/dist/main.js', import.meta.url));

/** Building comes first; on a busy machine with nothing built that is a minute. */
export const SIMULATOR_START_WITHIN_MS = 120_000;

/** The real simulator in a process of its own, with an empty book. */
export interface SimulatorProcess {
  readonly url: string;
  /** Ends it and removes its book. */
  stop(): Promise<void>;
}

/** Builds and starts the simulator on a free port; rejects if it ends before it is ready. */
export async function startSimulator(): Promise<SimulatorProcess> {
  await build();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-simulator-'));
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      SIMULATOR_BOOK: join(folder, 'book.ndjson'),
      SIMULATOR_PORT: '0',
    },
  });
  for await (const line of createInterface(child.stdout)) {
    const { url } = JSON.parse(line) as { readonly url?: string };
    if (url !== undefined) return { url, stop: () => stop(child, folder) };
  }
  throw new Error('the simulator ended before it was ready');
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  const exited = once(child, 'exit');
  // Told to stop, it would first finish requests that a test has told to wait for minutes.
  child.kill('SIGKILL');
  await exited;
  await rm(folder, { recursive: true });
}
