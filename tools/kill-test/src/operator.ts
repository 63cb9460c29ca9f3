import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';
import { launched } from '@sluice/testing';
import { withClient } from './gateway-side.js';
import { after } from './times.js';

const run = promisify(execFile);

/** Redriven commands are handled one after the other; an id that its key's first request made never appears. */
const NEXT_WITHIN_MS = 10_000;
const RECORDED_WITHIN_MS = 60_000;
const POLL_INTERVAL_MS = 200;

/** What starts the operators' command line for a running cluster: arguments for Node. */
export function operatorArguments(
  dataFolder: string,
  ...words: readonly string[]
): readonly string[] {
  return [...launched('apps/cli/dist/main.js'), ...words, '--data', dataFolder];
}

/**
 * Does what an operator is told to do after an outage: has all dead commands recorded as not
 * performed (D-17). Returns how many there were.
 */
export async function redriveDeadLetters(dataFolder: string): Promise<number> {
  const words = ['dead-letters', 'redrive', '--all', '--execute', '--json'];
  const { stdout } = await run(process.execPath, operatorArguments(dataFolder, ...words));
  return (JSON.parse(stdout) as { readonly commands: number }).commands;
}

/**
 * Waits for transactions to be recorded in any of the databases, as long as one follows the other; whoever
 * compares tells.
 */
export async function recordedOrLate(
  ids: readonly string[],
  ...urls: readonly string[]
): Promise<void> {
  const endsAtMs = performance.now() + RECORDED_WITHIN_MS;
  let nextByMs = performance.now() + NEXT_WITHIN_MS;
  for (let before = 0; ;) {
    let recorded = 0;
    for (const url of urls) recorded += await countRecorded(url, ids);
    if (recorded > before) nextByMs = performance.now() + NEXT_WITHIN_MS;
    before = recorded;
    if (recorded >= ids.length || performance.now() > Math.min(nextByMs, endsAtMs)) return;
    await after(POLL_INTERVAL_MS, () => Promise.resolve());
  }
}

function countRecorded(url: string, ids: readonly string[]): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM payments.transactions WHERE transaction_id = ANY($1)',
      [ids],
    );
    return rows[0]?.count ?? 0;
  });
}
