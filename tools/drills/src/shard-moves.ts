import { seconds } from '@sluice/kill-test';
import { ClusterUnusable, ProgramFailed } from '@sluice/kubectl';
import { type DrillCluster, NotInTime } from './drill-cluster.js';
import type { Scene } from './drill-run.js';

/** What moves need of a cluster, and of a scene. */
export type MovingCluster = Pick<
  DrillCluster,
  'databases' | 'pods' | 'scaleOperator' | 'sluice' | 'until'
>;
export interface MoveScene extends Pick<Scene, 'note'> {
  readonly cluster: Pick<MovingCluster, 'sluice'>;
}

/** A cell, as `sluice cells --json` has it. */
interface Cell {
  readonly cell: number;
  /** Ranges like `8000-ffff`. */
  readonly carried: readonly string[];
}

const OPERATOR = 'operator';
/** Its image is on the node. */
const STARTED_WITHIN_MS = 60_000;

/**
 * Lets the operator's pod work; resolves to what sets it back. Throws ClusterUnusable where payments
 * has one cell.
 */
export async function startOperator(cluster: MovingCluster): Promise<() => Promise<void>> {
  if ((await cluster.databases()).length < 2) {
    throw new ClusterUnusable(
      'Payments has one cell here: "npm run deploy:local -- --cells 2" makes another one.',
    );
  }
  const before = (await cluster.pods(OPERATOR)).length;
  const setBack = () => cluster.scaleOperator(before);
  await cluster.scaleOperator(Math.max(1, before));
  try {
    await cluster.until(STARTED_WITHIN_MS, 'The operator does not start', async () =>
      (await cluster.pods(OPERATOR)).some(({ isReady }) => isReady),
    );
  } catch (error) {
    await setBack();
    throw error;
  }
  return setBack;
}

/**
 * Moves shards to another cell of payments and back, by the operator's command line. Throws
 * ClusterUnusable where nobody carries all of them, NotInTime where a move fails.
 */
export async function moveThereAndBack(scene: MoveScene, shards: string): Promise<void> {
  const { cells } = JSON.parse(await scene.cluster.sluice(['--json', 'cells'])) as {
    readonly cells: readonly Cell[];
  };
  const { from, to } = wayOf(cells, shards);
  await move(scene, shards, { from, to });
  await move(scene, shards, { from: to, to: from });
}

/** From the cell that carries all of the shards to the first one that is another. */
export function wayOf(
  cells: readonly Cell[],
  shards: string,
): { readonly from: number; readonly to: number } {
  const [first = 0, last = 0] = boundsOf(shards);
  const from = cells.find(({ carried }) =>
    carried.map(boundsOf).some(([begin = 0, end = 0]) => begin <= first && last <= end),
  );
  const to = cells.find(({ cell }) => cell !== from?.cell);
  if (from === undefined || to === undefined) {
    throw new ClusterUnusable(
      `No cell carries all of ${shards}: "sluice cells" says who has them, and "sluice cells move" brings ` +
        'them together.',
    );
  }
  return { from: from.cell, to: to.cell };
}

function boundsOf(range: string): readonly number[] {
  return range.split('-').map((shard) => Number.parseInt(shard, 16));
}

async function move(
  { cluster, note }: MoveScene,
  shards: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  note(`${shards} begin to move from cell ${from} to cell ${to}`);
  const startedAt = performance.now();
  const where = ['--from', String(from), '--to', String(to), '--shards', shards];
  const words = ['cells', 'move', ...where, '--execute', '--reason', 'drill'];
  const answer = await cluster.sluice(words).catch((error: unknown) => {
    // It goes on with the same command later; what was paid meanwhile is compared all the same.
    if (!(error instanceof ProgramFailed)) throw error;
    throw new NotInTime(`"sluice ${words.join(' ')}" failed: ${error.lastLines}`);
  });
  const took = seconds(performance.now() - startedAt);
  note(`${answer.trim().split('\n').join(' ')} (${took})`);
}
