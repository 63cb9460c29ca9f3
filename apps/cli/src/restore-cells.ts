import { finishRestoration, inspectStore } from '@sluice/event-store';
import type { connectClient } from '@sluice/service';
import { randomUUID } from 'node:crypto';
import type { Answer } from './answer.js';
import { carriedWrongly, connectCell, inspectCells } from './cells-list.js';
import { refused } from './exit-codes.js';
import { recordAction } from './operator-actions.js';
import { foundText, readersOf, rebuildText, type RestoreFlags } from './restored-store.js';
import type { Session } from './session.js';
import { cellOwnerUrlsOf } from './settings.js';

/**
 * `restore finish --cells`: as without it, for the databases of all cells, of which one or more were
 * restored. Readers take them for one store, so they get one incarnation (D-23, page 0047).
 */
export async function finishCells(
  session: Session,
  { service, reason, execute }: RestoreFlags,
): Promise<Answer> {
  const schema = session.schema(service);
  const urls = cellOwnerUrlsOf(session.settings);
  const found = await inspectStores(session);
  const readers = await readersOf(session, service);
  if (execute !== true) {
    const lines = [
      ...found.lines,
      `Would give all ${urls.length} cells another incarnation, the same for all.`,
      ...readers.flatMap((reader) => rebuildText(reader, 'would rebuild')),
      'Nothing was done. Add --execute to do it.',
    ];
    return { data: { executed: false, stores: found.stores, readers }, text: lines.join('\n') };
  }
  const after = randomUUID();
  for (const [index, url] of urls.entries()) {
    session.throwIfInterrupted();
    const details = { incarnation: found.stores[index]?.incarnation, after };
    await recordAction({ url, schema }, { action: 'finish restore of cells', reason, details });
    await withClient(url, index, (client) => finishRestoration(client, schema, after));
  }
  const lines = [
    ...found.lines,
    `All ${urls.length} cells are ${after} now.`,
    ...readers.flatMap((reader) => rebuildText(reader, 'rebuilds')),
    'See "sluice projections list" for when that is done.',
  ];
  return { data: { executed: true, stores: found.stores, after, readers }, text: lines.join('\n') };
}

async function inspectStores(session: Session): Promise<{
  readonly stores: readonly { cell: number; incarnation: string }[];
  readonly lines: readonly string[];
}> {
  const schema = session.schema('payments');
  const stores: { cell: number; incarnation: string }[] = [];
  const lines: string[] = [];
  for (const [index, url] of cellOwnerUrlsOf(session.settings).entries()) {
    const cell = index + 1;
    const state = await withClient(url, index, (client) => inspectStore(client, schema));
    if (state.inRecovery) {
      throw refused(
        `The database of cell ${cell} is still recovering and takes no changes. Where it waits at its ` +
          'target, end that with "SELECT pg_wal_replay_resume()" or "pg_ctl promote", then say this again.',
      );
    }
    stores.push({ cell, ...state });
    lines.push(...foundText('payments', state).map((line) => `Cell ${cell}: ${line}`));
  }
  // A copy that goes on from a checkpoint of a lost life would pass over events.
  const cells = await inspectCells(session);
  const [move] = cells.flatMap(({ moves }) => moves);
  if (move !== undefined) {
    throw refused(
      `A move of shards from cell ${move.from} to cell ${move.to} is not finished; finish or undo it ` +
        'first ("sluice cells" says how).',
    );
  }
  const [wrong] = carriedWrongly(cells, []);
  if (wrong !== undefined) throw refused(wrong);
  return { stores, lines };
}

async function withClient<Result>(
  url: string,
  index: number,
  work: (client: Awaited<ReturnType<typeof connectClient>>) => Promise<Result>,
): Promise<Result> {
  const client = await connectCell(url, index + 1)();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
