import { runSluice } from './run.js';

/** What one command line did. */
export interface Ran {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
  /** Standard output as the one JSON document it must be. */
  readonly json: () => any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

/** What a run is surrounded by in a spec. */
export interface RunOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly topicPrefix?: string;
  readonly nowMs?: number;
  readonly signal?: AbortSignal;
}

/** Runs a command line in this process; flags are words between spaces. */
export async function sluice(
  line: string | readonly string[],
  options: RunOptions = {},
): Promise<Ran> {
  let output = '';
  let errors = '';
  const words = typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : line;
  const exitCode = await runSluice(words, {
    // Never the cluster that may be running on this machine.
    environment: {
      SLUICE_DATA: '/nowhere',
      KAFKA_TOPIC_PREFIX: options.topicPrefix,
      ...options.environment,
    },
    standardOutput: { write: (text) => (output += text) },
    standardError: { write: (text) => (errors += text) },
    now: () => options.nowMs ?? Date.now(),
    signal: options.signal ?? new AbortController().signal,
  });
  return { exitCode, output, errors, json: () => JSON.parse(output) as unknown };
}
