/** The cluster, or the kubectl that leads to it, will not do; the message says what would. */
export class ClusterUnusable extends Error {
  override readonly name = 'ClusterUnusable';
}
