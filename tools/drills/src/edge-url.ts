import { ClusterUnusable, isReached } from '@sluice/kubectl';
import type { DrillCluster } from './drill-cluster.js';

/**
 * The first node's port that answers. A port that kubectl forwards will not do: it leads to one pod,
 * and ends with it. Throws ClusterUnusable.
 */
export async function edgeUrl(
  cluster: Pick<DrillCluster, 'edgeAddresses'>,
  answers: (url: string) => Promise<boolean> = isReached,
): Promise<string> {
  const addresses = await cluster.edgeAddresses();
  for (const address of addresses) if (await answers(address)) return address;
  throw new ClusterUnusable(
    "No node's port leads to the edge from here. Say with --url where its Service can be met, or " +
      'run the drill where nodes can be reached; a port that kubectl forwards ends with its pod.',
  );
}
