import {
  type CellState,
  inspectCell,
  type RecordedMove,
  SHARD_COUNT,
  type ShardRange,
  shardRangeText,
  shardsIn,
} from '@sluice/event-store';
import { connectClient } from '@sluice/service';
import type { Answer } from './answer.js';
import { exitCodes, failed } from './exit-codes.js';
import { wholeText } from './progress.js';
import type { Session } from './session.js';
import { cellOwnerUrlsOf } from './settings.js';
import { textTable } from './text-table.js';

/** A database that does not answer is not waited for. */
const CONNECT_WITHIN_MS = 5_000;

/** Both records of a move that is not finished, as one. */
interface UnfinishedMove extends RecordedMove {
  /** Whether some command works on it now. */
  readonly isAtWork: boolean;
}

/** `cells`: what each cell carries, which moves are not finished, and what is wrong. */
export async function listCells(session: Session): Promise<Answer> {
  const cells = await inspectCells(session);
  const moves = unfinishedMoves(cells);
  const problems = problemsOf(cells, moves);
  return {
    data: { cells: cells.map(cellData), moves: moves.map(moveData), problems },
    text: [tableOf(cells), ...moves.map(moveText), ...problems].join('\n'),
    ...(problems.length > 0 && { exitCode: exitCodes.different }),
  };
}

/** Asks every database of `PAYMENTS_CELL_OWNER_DATABASE_URLS`, in this order. */
export async function inspectCells(session: Session): Promise<readonly CellState[]> {
  const schema = session.schema('payments');
  return Promise.all(
    cellOwnerUrlsOf(session.settings).map((url, index) => inspectCellAt(url, index + 1, schema)),
  );
}

/** Asks the database at the address of a cell. Throws CommandEnded when it does not answer. */
export async function inspectCellAt(url: string, cell: number, schema: string): Promise<CellState> {
  const client = await connectCell(url, cell)();
  try {
    return await inspectCell(client, schema);
  } finally {
    await client.end();
  }
}

/** Opens connections to the database of a cell. They throw CommandEnded when it does not answer. */
export function connectCell(url: string, cell: number): () => ReturnType<typeof connectClient> {
  return () =>
    connectClient({
      ...{ connectionString: url, application_name: 'sluice-cli', keepAlive: true },
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
    }).catch((error: unknown) => {
      const { code = (error as Error).name } = error as NodeJS.ErrnoException;
      throw failed(`The database of cell ${cell} does not answer (${code}).`);
    });
}

function tableOf(cells: readonly CellState[]): string {
  return textTable(
    cells,
    [
      { title: 'CELL', cell: ({ cell }) => String(cell), alignRight: true },
      { title: 'CARRIES', cell: ({ carried }) => shareText(carried), alignRight: true },
      { title: 'SHARDS', cell: ({ carried }) => rangesText(carried) },
      { title: 'CLOSING', cell: ({ closing }) => rangesText(closing) },
      {
        title: 'STREAMS, ABOUT',
        cell: ({ aboutStreams }) => wholeText(aboutStreams),
        alignRight: true,
      },
      { title: 'INCARNATION', cell: ({ incarnation }) => incarnation },
    ],
    'There are no cells.',
  );
}

function shareText(ranges: readonly ShardRange[]): string {
  return `${((shardsIn(ranges) / SHARD_COUNT) * 100).toFixed(1)} %`;
}

function rangesText(ranges: readonly ShardRange[]): string {
  return ranges.length === 0 ? '-' : ranges.map(shardRangeText).join(' ');
}

/** What the target says once it has switched decides, else what the source says. */
function unfinishedMoves(cells: readonly CellState[]): readonly UnfinishedMove[] {
  const records = cells.flatMap(({ cell, moves, isMoving }) =>
    moves.map((move) => ({ ...move, isAtWork: isMoving, by: cell })),
  );
  const keyOf = ({ shards, from, to }: RecordedMove): string =>
    [shards.first, shards.last, from, to].join();
  return [...new Set(records.map(keyOf))].flatMap((key) => {
    const same = records.filter((record) => keyOf(record) === key);
    const decides =
      same.find(({ state }) => state === 'switched') ??
      same.find(({ by, from }) => by === from) ??
      same[0];
    if (decides === undefined) return [];
    const { by: _, ...move } = decides;
    return [{ ...move, isAtWork: same.every(({ isAtWork }) => isAtWork) }];
  });
}

/** What a move that stands means, and what to do about it. */
function moveText({ shards, from, to, state, isAtWork }: UnfinishedMove): string {
  const range = shardRangeText(shards);
  const command = `sluice cells move --from ${from} --to ${to} --shards ${range}`;
  const meaning = {
    copying: `is being copied; cell ${from} carries it`,
    closed: `is closed: no payment of it begins until the move goes on or is undone`,
    fenced: `is carried by no cell: its payments wait until the move goes on or is undone`,
    switched: `is carried by cell ${to}; cell ${from} still has its rows`,
  }[state];
  const begin = `The move of ${range} from cell ${from} to cell ${to} is not finished: the range ${meaning}.`;
  if (isAtWork) return `${begin} A command is at work on it.`;
  const back = state === 'switched' ? '' : `, or back with "${command} --undo --execute"`;
  return `${begin} No command is at work on it: go on with "${command} --execute"${back}.`;
}

/** Sentences about what cannot be right. */
function problemsOf(
  cells: readonly CellState[],
  moves: readonly UnfinishedMove[],
): readonly string[] {
  const numbered = cells.flatMap(({ cell }, index) =>
    cell === index + 1
      ? []
      : [
          `Address ${index + 1} of PAYMENTS_CELL_OWNER_DATABASE_URLS is the database of cell ${cell}; ` +
            'put the addresses in the order of the cells.',
        ],
  );
  const incarnations = new Set(
    cells.filter(({ aboutEvents }) => aboutEvents > 0).map(({ incarnation }) => incarnation),
  );
  const lives =
    incarnations.size > 1
      ? [
          'The cells have different incarnations: one was restored without the others. Run "sluice ' +
            'restore finish --cells", which gives all of them the same.',
        ]
      : [];
  return [...numbered, ...carriedWrongly(cells, moves), ...moves.flatMap(stranded), ...lives];
}

/** A range whose payments wait for a move, while nobody moves it. */
function stranded({ shards, state, isAtWork }: UnfinishedMove): readonly string[] {
  const holdsUp = state === 'closed' || state === 'fenced';
  if (!holdsUp || isAtWork) return [];
  return [`Payments of ${shardRangeText(shards)} wait, and nobody goes on with their move.`];
}

/** Sentences about shards of two cells, or of none although no move holds them. */
export function carriedWrongly(
  cells: readonly CellState[],
  moves: readonly RecordedMove[],
): readonly string[] {
  const held = moves.filter(({ state }) => state === 'fenced').map(({ shards }) => shards);
  const owners = Array.from({ length: SHARD_COUNT }, () => 0);
  for (const { first, last } of [...cells.flatMap(({ carried }) => carried), ...held]) {
    for (let shard = first; shard <= last; shard += 1) owners[shard] = (owners[shard] ?? 0) + 1;
  }
  const none = rangesWhere(owners, (count) => count === 0);
  const several = rangesWhere(owners, (count) => count > 1);
  return [
    ...(none.length === 0
      ? []
      : [
          `No cell carries ${rangesText(none)}: no payment can be made there. Is the address of a ` +
            'cell missing, or was one restored from a backup?',
        ]),
    ...(several.length === 0
      ? []
      : [
          `Several cells carry ${rangesText(several)}: stop payments there at once. Was a cell ` +
            'restored to a moment before a move?',
        ]),
  ];
}

function rangesWhere(
  owners: readonly number[],
  matches: (count: number) => boolean,
): readonly ShardRange[] {
  const ranges: { first: number; last: number }[] = [];
  owners.forEach((count, shard) => {
    if (!matches(count)) return;
    const last = ranges.at(-1);
    if (last?.last === shard - 1) last.last = shard;
    else ranges.push({ first: shard, last: shard });
  });
  return ranges;
}

function cellData({ carried, closing, moves: _, ...cell }: CellState): unknown {
  return { ...cell, carried: carried.map(shardRangeText), closing: closing.map(shardRangeText) };
}

function moveData({ shards, ...move }: UnfinishedMove): unknown {
  return { shards: shardRangeText(shards), ...move };
}
