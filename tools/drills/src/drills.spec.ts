import { describe, expect, it } from '@jest/globals';
import { DELETED_PODS, drillsOf } from './drills.js';

const rates = { perSecond: 30, peakPerSecond: 200, shoppers: 50, challenges: 50 };

describe('the drills', () => {
  it('are those of the name', () => {
    const names = (name: Parameters<typeof drillsOf>[0]): readonly string[] =>
      drillsOf(name, DELETED_PODS, rates).map((drill) => drill.name);
    expect(names('pod-deleted')).toEqual(DELETED_PODS.map((pod) => `pod-deleted ${pod}`));
    const asked = ['payments', 'vault', 'risk', 'sepa', 'accounts', 'registrations', 'checkouts'];
    expect(DELETED_PODS).toEqual([...asked, 'webhooks', 'scheduling', 'kafka', 'postgres']);
    expect(names('starts')).toEqual([]);
    expect(names('move-shards')).toEqual(['move-shards']);
    expect(names('all')).toEqual(['rolling-update', 'shoppers', ...names('pod-deleted'), 'scale']);
  });

  it('have shoppers at their issuers, of whom half answer while something is updated', async () => {
    const [rollingUpdate] = drillsOf('rolling-update', [], rates);
    expect(rollingUpdate?.challenges).toBe(50);
    const seen: string[] = [];
    const see = (what: string) => {
      seen.push(what);
      return Promise.resolve();
    };
    const cluster = {
      restart: (workload: string) => see(`restart ${workload}`),
      untilRolledOut: (workload: string) => see(`wait for ${workload}`),
    };
    const scene = { cluster, answerChallenges: (some: number) => see(`${some} answer`) };
    await rollingUpdate?.disturb({ ...scene, note: () => undefined } as never);
    expect(seen.filter((what) => what === '5 answer')).toHaveLength(5);
    const risk = 'deployment/risk';
    expect(seen).toEqual(
      expect.arrayContaining([`restart ${risk}`, `wait for ${risk}`, 'restart statefulset/vault']),
    );
  });

  it('let payments fail only where the only pod of something goes', () => {
    const mayFail = drillsOf('all', ['kafka'], rates).map((drill) => [drill.name, drill.mayFail]);
    expect(mayFail).toEqual([
      ['rolling-update', false],
      ['shoppers', false],
      ['pod-deleted kafka', true],
      ['scale', false],
    ]);
  });
});
