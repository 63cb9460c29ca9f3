import { describe, expect, it } from '@jest/globals';
import type { Pod, Workload } from '@sluice/kubectl';
import { RolloutFailed, waitForRollout } from './rollout.js';

function vault(readyReplicas: number): Workload {
  return {
    kind: 'StatefulSet',
    metadata: { name: 'vault', generation: 1 },
    spec: { replicas: 2 },
    status: { observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas },
  };
}

function job(name: string, status: NonNullable<Workload['status']>): Workload {
  return { kind: 'Job', metadata: { name }, spec: {}, status };
}

const failed = { conditions: [{ type: 'Failed', status: 'True', message: 'too many tries' }] };

/** Watches a cluster that shows these states one after the other; the last one stays. */
async function watched(
  states: readonly (readonly Workload[])[],
  pods: readonly Pod[] = [],
): Promise<readonly string[]> {
  const said: string[] = [];
  let polls = 0;
  await waitForRollout({
    cluster: {
      workloads: () => Promise.resolve(states[Math.min(polls++, states.length - 1)] ?? []),
      pods: () => Promise.resolve(pods),
      lastLog: (pod) => Promise.resolve(`log of ${pod}`),
    },
    tag: 'new',
    withinMs: states.length > 1 ? 60_000 : 0,
    pollIntervalMs: 1,
    signal: new AbortController().signal,
    say: (line) => said.push(line),
  });
  return said;
}

describe('waiting for a rollout', () => {
  it('says what changes, once, and ends when everything is ready', async () => {
    expect(await watched([[vault(0)], [vault(0)], [vault(1)], [vault(2)]])).toEqual([
      'vault: 0 of 2 ready',
      'vault: 1 of 2 ready',
      'vault: ready',
    ]);
  });

  it('waits for the first workload to appear', async () => {
    expect(await watched([[], [vault(2)]])).toEqual(['vault: ready']);
  });

  it('does not mind the jobs of other images', async () => {
    const states = [[job('topics-old', failed), job('topics-new', { succeeded: 1 }), vault(2)]];
    expect(await watched(states)).toEqual(['job topics-new: ready', 'vault: ready']);
  });

  it('gives up at once when a job has failed, with the log of its pod', async () => {
    const pod: Pod = {
      metadata: { name: 'topics-new-x' },
      status: { containerStatuses: [{ name: 'service', restartCount: 1 }] },
    };
    const waiting = watched([[job('topics-new', failed), vault(0)], []], [pod]);
    await expect(waiting).rejects.toThrow(RolloutFailed);
    await expect(waiting).rejects.toThrow(
      'job topics-new failed: too many tries.\n  topics-new-x: restarted 1 times\n' +
        '    log of topics-new-x\n',
    );
  });

  it('gives up after its time', async () => {
    await expect(watched([[vault(1)]])).rejects.toThrow('After 0 s 1 parts are not ready.');
  });
});
