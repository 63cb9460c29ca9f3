import { type KubernetesCluster, podTroubles, stateOf, type Workload } from '@sluice/kubectl';
import { setTimeout as pause } from 'node:timers/promises';

/** Not everything came up; the message says what did not, and why. */
export class RolloutFailed extends Error {
  override readonly name = 'RolloutFailed';
}

/** How a rollout is watched. */
export interface RolloutWatch {
  readonly cluster: Pick<KubernetesCluster, 'workloads' | 'pods' | 'lastLog'>;
  /** Job names end in it; those of other images are history. */
  readonly tag: string;
  readonly withinMs: number;
  readonly pollIntervalMs: number;
  readonly signal: AbortSignal;
  /** A line for the person who waits, whenever something has changed. */
  say(line: string): void;
}

/** Waits until every workload is as it shall be. Throws RolloutFailed. */
export async function waitForRollout(watch: RolloutWatch): Promise<void> {
  const startMs = performance.now();
  const told = new Map<string, string>();
  for (;;) {
    const workloads = (await watch.cluster.workloads()).filter((one) => isOurs(one, watch.tag));
    let waiting = 0;
    for (const workload of workloads) {
      const name = nameOf(workload);
      const state = stateOf(workload);
      const sentence = state.kind === 'ready' ? 'ready' : state.sentence;
      if (state.kind !== 'ready') waiting += 1;
      if (told.get(name) !== sentence) watch.say(`${name}: ${sentence}`);
      told.set(name, sentence);
      if (state.kind === 'failed') throw await failure(watch, `${name} failed: ${sentence}`);
    }
    if (waiting === 0 && workloads.length > 0) return;
    if (performance.now() - startMs > watch.withinMs) {
      const seconds = Math.round(watch.withinMs / 1_000);
      throw await failure(watch, `After ${seconds} s ${waiting} parts are not ready`);
    }
    await pause(watch.pollIntervalMs, undefined, { signal: watch.signal });
  }
}

function nameOf({ kind, metadata }: Workload): string {
  return kind === 'Job' ? `job ${metadata.name}` : metadata.name;
}

/** Jobs of earlier images may have been left by an earlier deployment. */
function isOurs({ kind, metadata }: Workload, tag: string): boolean {
  return kind !== 'Job' || metadata.name.endsWith(`-${tag}`);
}

async function failure(watch: RolloutWatch, reason: string): Promise<RolloutFailed> {
  const lines = [`${reason}.`];
  for (const { pod, sentence, hasLog } of podTroubles(await watch.cluster.pods())) {
    lines.push(`  ${pod}: ${sentence}`);
    const log = hasLog ? await watch.cluster.lastLog(pod).catch(() => '') : '';
    lines.push(
      ...log
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => `    ${line}`),
    );
  }
  lines.push('Look further with: kubectl -n sluice get pods; kubectl -n sluice describe pod NAME');
  return new RolloutFailed(lines.join('\n'));
}
