import { describe, expect, it } from '@jest/globals';
import { keepsOldPods, stateOf, type Workload } from './workload-state.js';

function deployment(
  replicas: number,
  status: NonNullable<Workload['status']>,
  generation = 2,
): Workload {
  const observedGeneration = status.observedGeneration ?? generation;
  return {
    kind: 'Deployment',
    metadata: { name: 'payments', generation },
    spec: { replicas },
    status: { ...status, observedGeneration },
  };
}

/** Whose pods stay until they are deleted. */
function kept(status: NonNullable<Workload['status']>): Workload {
  return {
    kind: 'StatefulSet',
    metadata: { name: 'simulator', generation: 2 },
    spec: { replicas: 1, updateStrategy: { type: 'OnDelete' } },
    status: { observedGeneration: 2, ...status },
  };
}

function job(status: NonNullable<Workload['status']>): Workload {
  return { kind: 'Job', metadata: { name: 'topics-1' }, spec: {}, status };
}

describe('how far a workload is', () => {
  it.each([
    ['all new and ready', deployment(2, { replicas: 2, updatedReplicas: 2, readyReplicas: 2 })],
    ['none wanted', deployment(0, {})],
    ['a job that has ended', job({ succeeded: 1 })],
    ['an old one that is kept', kept({ replicas: 1, updatedReplicas: 0, readyReplicas: 1 })],
  ])('is ready: %s', (_, workload) => {
    expect(stateOf(workload)).toEqual({ kind: 'ready' });
  });

  it.each([
    [
      'not looked at yet',
      deployment(1, { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1 }),
    ],
    ['1 of 2 are new', deployment(2, { replicas: 2, updatedReplicas: 1, readyReplicas: 2 })],
    ['1 old still to end', deployment(1, { replicas: 2, updatedReplicas: 1, readyReplicas: 2 })],
    ['0 of 1 ready', deployment(1, { replicas: 1, updatedReplicas: 1 })],
    ['running', job({})],
  ])('waits: %s', (sentence, workload) => {
    expect(stateOf(workload)).toEqual({ kind: 'waiting', sentence });
  });

  it('counts one replica where nobody says how many, as Kubernetes does', () => {
    const { kind, metadata } = deployment(1, {});
    expect(stateOf({ kind, metadata, spec: {}, status: { observedGeneration: 2 } })).toEqual({
      kind: 'waiting',
      sentence: '0 of 1 are new',
    });
  });

  it('has failed when its job has', () => {
    const message = 'Job has reached the specified backoff limit';
    const conditions = [{ type: 'Failed', status: 'True', message }];
    expect(stateOf(job({ conditions }))).toEqual({ kind: 'failed', sentence: message });
  });
});

describe('pods that are kept until somebody deletes them', () => {
  it('are old once there is a newer revision, and only there', () => {
    expect(keepsOldPods(kept({ replicas: 1, updatedReplicas: 0, readyReplicas: 1 }))).toBe(true);
    expect(keepsOldPods(kept({ replicas: 1, updatedReplicas: 1, readyReplicas: 1 }))).toBe(false);
    expect(keepsOldPods(deployment(1, { replicas: 1, readyReplicas: 1 }))).toBe(false);
  });
});
