import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endOrphans, startSandbox } from './sandbox-process.js';

/** It may have to be compiled, and has a PostgreSQL of its own; on a busy machine that is minutes. */
export const SECOND_SLUICE_WITHIN_MS = 240_000;

/** One entry of a query there. */
export interface SecondSluiceEntry {
  readonly id: string;
  readonly paymentType: string;
  readonly amount?: string;
  readonly currency: string;
  readonly merchantTransactionId: string;
  readonly referencedId?: string;
  readonly result: { readonly code: string };
  readonly standingInstruction?: Readonly<Record<string, string>>;
}

/** Another gateway to pay at: a sandbox of its own, in another process, with another database. */
export interface SecondSluice {
  readonly url: string;
  /** The demo channel of every sandbox, and its token. */
  readonly entityId: string;
  readonly accessToken: string;
  /** What it has under a merchantTransactionId, and what is linked to that, if wanted. */
  entries(
    merchantTransactionId: string,
    linked?: 'withLinked',
  ): Promise<readonly SecondSluiceEntry[]>;
  stop(): Promise<void>;
}

const entityId = '8a8294174b7ecb28014b9699220015ca';
const accessToken = 'sluice-demo-access-token-for-sandboxes-only';
/** A child of the PostgreSQL that has just ended may write its last file into a folder that goes. */
const WHILE_WRITTEN_TO = { maxRetries: 20, retryDelay: 50 } as const;
/** Its own recovery, so that nobody waits for minutes. */
const SOON = {
  SLUICE_INQUIRE_AFTER_MS: '100,200,400,800,1600,3200',
  SLUICE_SWEEP_INTERVAL_MS: '50',
};

/** Starts one on a free port. */
export async function startSecondSluice(): Promise<SecondSluice> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'sluice-second-'));
  const environment = { DATABASE_URL: '', ...SOON };
  const sandbox = await startSandbox({ dataFolder, environment });
  return {
    ...{ url: sandbox.url, entityId, accessToken },
    entries: (reference, linked) => entriesAt(sandbox.url, reference, linked !== undefined),
    stop: async () => {
      await sandbox.kill();
      await endOrphans(dataFolder);
      await rm(dataFolder, { recursive: true, force: true, ...WHILE_WRITTEN_TO });
    },
  };
}

async function entriesAt(
  url: string,
  merchantTransactionId: string,
  hasLinked: boolean,
): Promise<readonly SecondSluiceEntry[]> {
  const query = new URLSearchParams({ entityId, merchantTransactionId });
  if (hasLinked) query.set('includeLinkedTransactions', 'true');
  const headers = { authorization: `Bearer ${accessToken}` };
  const answer = await fetch(`${url}/v1/query?${query.toString()}`, { headers });
  const { payments = [] } = (await answer.json()) as { payments?: readonly SecondSluiceEntry[] };
  return payments;
}
