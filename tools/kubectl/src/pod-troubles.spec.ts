import { describe, expect, it } from '@jest/globals';
import { type Pod, podTroubles } from './pod-troubles.js';

function pod(name: string, status: NonNullable<Pod['status']>): Pod {
  return { metadata: { name }, status };
}

describe('why pods are not ready', () => {
  it('leaves out those that are, that have ended and that are about to', () => {
    const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
    expect(
      podTroubles([
        pod('edge-0', ready),
        pod('topics-1', { phase: 'Succeeded' }),
        { metadata: { name: 'edge-1', deletionTimestamp: '2026-11-21T10:00:00Z' }, status: {} },
      ]),
    ).toEqual([]);
  });

  it('tells an image that is not there', () => {
    const waiting = { reason: 'ErrImageNeverPull', message: 'image is not present' };
    const [trouble] = podTroubles([
      pod('vault-0', { containerStatuses: [{ name: 'service', state: { waiting } }] }),
    ]);
    expect(trouble).toEqual({
      pod: 'vault-0',
      sentence: 'ErrImageNeverPull: image is not present',
      hasLog: false,
    });
  });

  it('tells a container that ends again and again, whose log says more', () => {
    const waiting = { reason: 'CrashLoopBackOff' };
    const containerStatuses = [{ name: 'service', restartCount: 3, state: { waiting } }];
    expect(podTroubles([pod('payments-x', { containerStatuses })])).toEqual([
      { pod: 'payments-x', sentence: 'CrashLoopBackOff; restarted 3 times', hasLog: true },
    ]);
  });

  it('tells a pod that has no room', () => {
    const message = '0/1 nodes are available: 1 Insufficient memory.';
    const conditions = [{ type: 'PodScheduled', status: 'False', message }];
    expect(podTroubles([pod('kafka-0', { conditions })])[0]?.sentence).toBe(message);
  });

  it('has a sentence for a pod of which nothing is known', () => {
    expect(podTroubles([pod('edge-0', {})])).toEqual([
      { pod: 'edge-0', sentence: 'not ready', hasLog: false },
    ]);
  });
});
