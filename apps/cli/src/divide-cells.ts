import { FIRST_CELL, SERVICE_OF_CELLS } from '@sluice/contracts';
import { type CellTables, divideShards } from '@sluice/event-store';
import { createPool } from '@sluice/service';
import type { Answer } from './answer.js';
import { usage } from './exit-codes.js';
import type { Session } from './session.js';
import { cellOwnerUrlsOf } from './settings.js';

/** One statement at a time. */
const CONNECTIONS_MAX = 1;
/** It asks whether a table has a row, and writes one. */
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * `cells divide`: gives each cell of a new installation an equal part of the shards. An installation
 * that has payments is left as it is, so that a job may say this at every release.
 */
export async function divideCells(session: Session, isExecuted: boolean): Promise<Answer> {
  const cells = ownersOf(session);
  const parts = `Each of ${cells.length} cells gets an equal part of the shards`;
  if (!isExecuted) {
    const text = `${parts}, if no payment is recorded and none of them were divided before.\nNothing was done. Add --execute to do it.`;
    return { data: { executed: false, cells: cells.length }, text };
  }
  const isDivided = await divideShards(cells);
  return {
    data: { executed: true, cells: cells.length, divided: isDivided },
    text: isDivided
      ? `${parts.replace('gets', 'has')}.`
      : 'Nothing was changed: payments are recorded, or the shards were divided before. Move them ' +
        'with "sluice cells move".',
  };
}

/** The tables of every cell, the first one first. Throws CommandEnded where there are not two. */
function ownersOf(session: Session): readonly CellTables[] {
  const urls = cellOwnerUrlsOf(session.settings);
  if (urls.length <= FIRST_CELL) {
    throw usage(
      'There is nothing to divide among one cell: PAYMENTS_CELL_OWNER_DATABASE_URLS has the owner ' +
        'addresses of all of them, the first one first.',
    );
  }
  const schema = session.schema(SERVICE_OF_CELLS);
  return urls.map((url) => {
    const owner = createPool(url, {
      ...{ service: 'cli', schema, onError: () => undefined },
      ...{ connectionsMax: CONNECTIONS_MAX, statementTimeoutMs: STATEMENT_TIMEOUT_MS },
    });
    session.closeLater(() => owner.end());
    return { owner, schema };
  });
}
