import { calledBy, commandTakers, type ServiceName } from '@sluice/contracts';
import { after } from '@sluice/kill-test';
import type { Drill, Scene } from './drill-run.js';
import { moveThereAndBack, startOperator } from './shard-moves.js';

/** What can be asked for. */
export const DRILL_NAMES = [
  ...(['rolling-update', 'shoppers', 'pod-deleted', 'scale'] as const),
  ...(['starts', 'move-shards', 'all'] as const),
] as const;
export type DrillName = (typeof DRILL_NAMES)[number];

/** Whose pod can be deleted: takers of commands, whom they ask, and what all of them stand on. */
export const DELETED_PODS = [
  ...new Set<ServiceName>(commandTakers.flatMap((taker) => [taker, ...calledBy(taker)])),
  ...(['kafka', 'postgres'] as const),
];
export type DeletedPod = (typeof DELETED_PODS)[number];

/** How hard payments come. */
export interface DrillRates {
  readonly perSecond: number;
  /** Makes the autoscaler ask for more. */
  readonly peakPerSecond: number;
  /** What it aims at meanwhile; absent: as it is. */
  readonly aim?: string;
  /** So many pay at checkouts while those are updated. */
  readonly shoppers: number;
  /** So many are asked by their issuers while all is updated that they have to do with. */
  readonly challenges: number;
  /** What edge is updated to meanwhile, and back from; absent: it is started anew. */
  readonly edgeImage?: string;
}

/** A rollout takes each pod's grace of 45 s at the very most, and its start. */
const ROLLED_OUT_WITHIN_MS = 300_000;
const BACK_WITHIN_MS = 180_000;
/** Measured every 15 s, and asked as often. */
const SCALED_UP_WITHIN_MS = 300_000;
/** A minute of rest, then one after the other. */
const SCALED_DOWN_WITHIN_MS = 600_000;
const AT_PEAK_MS = 20_000;
const REST_PER_SECOND = 5;
const PER_SECOND_BESIDE_SHOPPERS = 5;

/** The drills that a name stands for. */
export function drillsOf(
  name: DrillName,
  pods: readonly DeletedPod[],
  rates: DrillRates,
): readonly Drill[] {
  switch (name) {
    case 'rolling-update':
      return [rollingUpdate(rates)];
    case 'shoppers':
      return [shoppersPay(rates)];
    case 'pod-deleted':
      return pods.map((pod) => podDeleted(pod, rates));
    case 'scale':
      return [scale(rates)];
    case 'starts':
      // Nobody pays meanwhile: a start is measured, no disturbance.
      return [];
    case 'move-shards':
      return [moveShards(rates)];
    // Without move-shards, for which there must be a second cell.
    case 'all':
      return [
        rollingUpdate(rates),
        shoppersPay(rates),
        ...pods.map((pod) => podDeleted(pod, rates)),
        scale(rates),
      ];
  }
}

/** What a payment goes through, by card and by registration, and with an authentication. */
const UPDATED = [
  ...['statefulset/edge', 'deployment/payments', 'deployment/risk', 'deployment/registrations'],
  'statefulset/vault',
];
/** Half of the shoppers answer while something is updated, and half when all is new. */
const ANSWERED_MEANWHILE = 0.5;

function rollingUpdate({ perSecond, challenges }: DrillRates): Drill {
  const answered = Math.floor((challenges * ANSWERED_MEANWHILE) / UPDATED.length);
  return {
    name: 'rolling-update',
    ...{ perSecond, challenges, mayFail: false },
    disturb: async (scene) => {
      for (const workload of UPDATED) {
        await scene.cluster.restart(workload);
        scene.note(`rolling update of ${workload} begun`);
        await Promise.all([
          scene.cluster.untilRolledOut(workload, ROLLED_OUT_WITHIN_MS),
          scene.answerChallenges(answered),
        ]);
        scene.note(`${workload} is new and ready`);
      }
    },
  };
}

const EDGE = 'statefulset/edge';
/** Edge, which serves the widget, comes first and by itself. */
const UPDATED_UNDER_SHOPPERS = ['deployment/checkouts', 'deployment/payments', 'statefulset/vault'];

function shoppersPay({ shoppers, edgeImage }: DrillRates): Drill {
  return {
    name: 'shoppers',
    ...{ perSecond: PER_SECOND_BESIDE_SHOPPERS, shoppers, mayFail: false },
    disturb: async (scene) => {
      const { cluster } = scene;
      const untilNew = async (workload: string): Promise<void> => {
        await cluster.untilRolledOut(workload, ROLLED_OUT_WITHIN_MS);
        scene.note(`${workload} is new and ready`);
        scene.isNew();
      };
      const before = await cluster.image(EDGE);
      for (const image of edgeImage === undefined ? [undefined] : [edgeImage, before]) {
        // Back again also tries what a checkout of the newer widget gets of the older one.
        if (image === undefined) await cluster.restart(EDGE);
        else await cluster.useImage(EDGE, image);
        scene.note(`rolling update of ${EDGE} to ${image ?? 'the same image'} begun`);
        await untilNew(EDGE);
      }
      for (const workload of UPDATED_UNDER_SHOPPERS) {
        await cluster.restart(workload);
        scene.note(`rolling update of ${workload} begun`);
        await untilNew(workload);
      }
    },
  };
}

/** A sixteenth of all shards, which the second cell of a new installation carries. */
const MOVED_SHARDS = '8000-8fff';

function moveShards({ perSecond }: DrillRates): Drill {
  return {
    name: 'move-shards',
    ...{ perSecond, mayFail: false },
    prepare: startOperator,
    disturb: (scene) => moveThereAndBack(scene, MOVED_SHARDS),
  };
}

function podDeleted(pod: DeletedPod, { perSecond }: DrillRates): Drill {
  return {
    name: `pod-deleted ${pod}`,
    ...{ perSecond, mayFail: true },
    disturb: async (scene) => {
      const { cluster, flow } = scene;
      const before = await cluster.pods(pod);
      const gone = before.find(({ isReady }) => isReady);
      if (gone === undefined) throw new Error(`No pod of ${pod} is ready.`);
      await cluster.deletePod(gone.name);
      scene.note(`${gone.name} is told to end`);
      await cluster.untilReplaced(pod, gone, before.length, BACK_WITHIN_MS);
      scene.note(`${pod} is ready again`);
      const readyAt = performance.now();
      await cluster.until(BACK_WITHIN_MS, 'Payments do not flow', () =>
        Promise.resolve(flow.samples.some((sample) => isPaidSince(sample, readyAt))),
      );
      scene.note('a payment sent since then is paid');
    },
  };
}

function isPaidSince(sample: Scene['flow']['samples'][number], sinceMs: number): boolean {
  const { sentAtMs, attempt, asked } = sample;
  return sentAtMs >= sinceMs && attempt.kind === 'answered' && attempt.code === asked;
}

function scale({ perSecond, peakPerSecond, aim }: DrillRates): Drill {
  return {
    name: 'scale',
    ...{ perSecond, mayFail: false },
    disturb: async (scene) => {
      // What an earlier load has left would be taken for this one's.
      await untilScaled(scene, (await scene.cluster.scale()).min, SCALED_DOWN_WITHIN_MS);
      const before = aim === undefined ? undefined : await scene.cluster.aimAt(aim);
      try {
        await upAndDown(scene, peakPerSecond);
      } finally {
        if (before !== undefined) await scene.cluster.aimAt(before);
      }
    },
  };
}

async function upAndDown(scene: Scene, peakPerSecond: number): Promise<void> {
  const { min, max } = await scene.cluster.scale();
  scene.flow.pace(peakPerSecond);
  scene.note(`${peakPerSecond} payments a second`);
  await untilScaled(scene, max, SCALED_UP_WITHIN_MS);
  await after(AT_PEAK_MS, () => Promise.resolve());
  scene.flow.pace(REST_PER_SECOND);
  scene.note(`${REST_PER_SECOND} payments a second`);
  await untilScaled(scene, min, SCALED_DOWN_WITHIN_MS);
}

async function untilScaled(scene: Scene, wanted: number, withinMs: number): Promise<void> {
  let told = -1;
  await scene.cluster.until(withinMs, `payments has not come to ${wanted} instances`, async () => {
    const { ready, running } = await scene.cluster.scale();
    if (ready !== told) scene.note(`${ready} instances of payments are ready`);
    told = ready;
    return ready === wanted && running === wanted;
  });
}
