import { Forwarding, patiently } from '@sluice/kubectl';
import { DEMO_ACCESS_TOKEN, DEMO_ENTITY_ID } from '@sluice/domain-accounts';
import {
  after,
  checkoutViolations,
  Merchant,
  projected,
  readAllBack,
  readGatewaySide,
  readProjection,
  seconds,
} from '@sluice/kill-test';
import { randomBytes } from 'node:crypto';
import { type ChallengeFigures, challengeFigures } from './challenge-figures.js';
import { type ChallengedPayment, challengeInBooks, Challenges } from './challenges.js';
import { type DrillCluster, NotInTime } from './drill-cluster.js';
import { openPayments, PENDING } from './open-payments.js';
import { comparison, type Comparison } from './other-sides.js';
import { paymentFigures, type PaymentFigures } from './payment-figures.js';
import { PaymentFlow } from './payment-flow.js';
import { shopperFigures, type ShopperFigures } from './shopper-figures.js';
import { type Sale, saleInBooks, Shoppers } from './shoppers.js';
import { readSides } from './sides-reading.js';

/** Something that was seen, and when. */
export interface Moment {
  readonly what: string;
  /** Since the first payment. */
  readonly atMs: number;
}

/** What one drill came to. */
export interface DrillResult {
  readonly drill: string;
  readonly perSecond: number;
  readonly durationMs: number;
  readonly moments: readonly Moment[];
  readonly payments: PaymentFigures;
  /** Where people paid at checkouts as well. */
  readonly shoppers?: ShopperFigures;
  /** Where issuers asked shoppers as well. */
  readonly challenges?: ChallengeFigures;
  readonly comparison: Comparison;
  /** From the last answer until nothing of the drill was open any more. */
  readonly settledAfterMs: number;
  readonly projectedAfterMs: number;
  /** Sentences; empty when it is passed. */
  readonly faults: readonly string[];
}

/** One drill: what happens under load, and what may not happen to payments by it. */
export interface Drill {
  /** E.g. `pod-deleted kafka`. */
  readonly name: string;
  readonly perSecond: number;
  /** Whether payments may fail while it lasts; nothing may be lost or doubled in any case. */
  readonly mayFail: boolean;
  /** So many people pay at checkouts meanwhile; absent: nobody does. */
  readonly shoppers?: number;
  /** So many shoppers are asked by their issuers before anything happens; absent: nobody is. */
  readonly challenges?: number;
  /**
   * Before payments begin: starts what the drill itself needs, whose start would be measured else.
   * Resolves to what ends it again.
   */
  prepare?(cluster: DrillCluster): Promise<() => Promise<void>>;
  /** Disturbs; payments go on until it resolves. */
  disturb(scene: Scene): Promise<void>;
}

/** What a drill works with. */
export interface Scene {
  readonly cluster: DrillCluster;
  readonly flow: PaymentFlow;
  /** The next so many shoppers answer their issuers. */
  answerChallenges(challenges: number): Promise<void>;
  /** Notes a moment and tells whoever waits. */
  note(what: string): void;
  /** Says that something updated has taken over: whose checkout is older has lived through it. */
  isNew(): void;
}

/** Where a drill is done. */
export interface DrillPlace {
  readonly cluster: DrillCluster;
  /** The edge's Service; it must not end with a pod. */
  readonly url: string;
  readonly say: (line: string) => void;
}

/** Payments alone before anything happens, and after all is back: both are compared too. */
const BEFORE_MS = 5_000;
const AFTER_MS = 10_000;
/** An inquiry comes within seconds, and another ones follow; what is open then stays open. */
const SETTLED_WITHIN_MS = 180_000;
const SETTLED_INTERVAL_MS = 2_000;
const PROGRESS_INTERVAL_MS = 10_000;
const RUN_BYTES = 4;
/** In several shards, so that several partitions and instances have to do with them. */
const STORED_CARDS = 8;

/** Does one drill from its first payment to the comparison of all sides. */
export async function runDrill(drill: Drill, place: DrillPlace): Promise<DrillResult> {
  const end = await drill.prepare?.(place.cluster);
  try {
    return await payAndCompare(drill, place);
  } finally {
    await end?.();
  }
}

async function payAndCompare(drill: Drill, place: DrillPlace): Promise<DrillResult> {
  const { cluster, url, say } = place;
  const run = `drill-${randomBytes(RUN_BYTES).toString('hex')}`;
  const merchant = new Merchant({ entityId: DEMO_ENTITY_ID, accessToken: DEMO_ACCESS_TOKEN });
  // Before anything is disturbed: what a disturbance does to storing is no part of the drill.
  const storing = Array.from({ length: STORED_CARDS }, () => merchant.store(url));
  const flow = new PaymentFlow(merchant, url, run, await Promise.all(storing));
  const shoppers = new Shoppers(url, run);
  const challenges = new Challenges(url, run, (work) => withIssuers(place, work));
  const newAtMs: number[] = [];
  const moments: Moment[] = [];
  const bookBefore = await cluster.book();
  const startedAt = performance.now();
  const note = (what: string): void => {
    const atMs = performance.now() - startedAt;
    moments.push({ what, atMs });
    say(`  ${seconds(atMs).padStart(8)}  ${what}`);
  };
  note(`payments begin, ${drill.perSecond} a second, references ${run}-…`);
  const progress = setInterval(() => {
    say(`  ${seconds(performance.now() - startedAt).padStart(8)}  ${progressOf(flow)}`);
  }, PROGRESS_INTERVAL_MS);
  const faults: string[] = [];
  try {
    flow.pace(drill.perSecond);
    shoppers.begin(drill.shoppers ?? 0);
    await after(BEFORE_MS, () => Promise.resolve());
    const isNew = (): void => void newAtMs.push(performance.now());
    await disturbed(drill, { cluster, flow, note, isNew }, challenges);
    await after(AFTER_MS, () => Promise.resolve());
  } catch (error) {
    // What payments came to is worth more where something did not come back.
    if (!(error instanceof NotInTime)) throw error;
    note(error.message);
    faults.push(error.message);
  } finally {
    clearInterval(progress);
    await Promise.all([flow.stop(), shoppers.stop()]);
  }
  note('the last payment is answered');
  const durationMs = performance.now() - startedAt;
  const payments = paymentFigures(flow.samples);
  const compared = await compare({
    ...{ place, merchant, run, bookBefore, sales: shoppers.sales, challenged: challenges.payments },
  });
  merchant.close();
  challenges.close();
  const figures = {
    ...{ payments, ...compared },
    ...(drill.shoppers !== undefined && {
      shoppers: shopperFigures(drill.shoppers, shoppers.sales, newAtMs),
    }),
    ...(drill.challenges !== undefined && { challenges: challengeFigures(challenges.payments) }),
  };
  return {
    ...{ drill: drill.name, perSecond: drill.perSecond, durationMs, moments },
    ...figures,
    faults: [...faults, ...faultsOf(drill, figures)],
  };
}

/** Disturbs, with shoppers who wait at their issuers from before until after it. */
async function disturbed(
  drill: Drill,
  scene: Omit<Scene, 'answerChallenges'>,
  challenges: Challenges,
): Promise<void> {
  if (drill.challenges !== undefined) {
    await challenges.open(drill.challenges);
    scene.note(`${drill.challenges} shoppers are asked by their issuers`);
  }
  await drill.disturb({ ...scene, answerChallenges: (some) => challenges.answer(some, true) });
  await challenges.answer();
}

function progressOf({ samples, sent }: PaymentFlow): string {
  const { failed } = paymentFigures(samples);
  return `${sent} payments sent, ${sent - samples.length} under way, ${failed} failed`;
}

interface ComparedSides {
  readonly place: DrillPlace;
  readonly merchant: Merchant;
  readonly run: string;
  readonly bookBefore: string;
  readonly sales: readonly Sale[];
  readonly challenged: readonly ChallengedPayment[];
}

type Compared = Pick<DrillResult, 'comparison' | 'settledAfterMs' | 'projectedAfterMs'>;

async function compare({ place, merchant, run, ...others }: ComparedSides): Promise<Compared> {
  const { bookBefore, sales, challenged } = others;
  const { cluster, url } = place;
  const settledAfterMs = await settled(place, merchant, run);
  const projectedAfterMs = await withDatabases(place, (urls) => projected(...urls));
  const { violations, ...sides } = await readSides(
    {
      book: () => cluster.book(),
      events: () => withDatabases(place, (urls) => readGatewaySide(...urls)),
      rows: () => withDatabases(place, ([first = '']) => readProjection(first)),
      readBack: (own) => readAllBack(merchant, url, own),
    },
    run,
  );
  const books = [
    ...merchant.records(),
    ...sales.map(saleInBooks),
    ...challenged.map(challengeInBooks),
  ];
  const result = comparison({ run, merchant: books, bookBefore, ...sides });
  const records = sales.map(({ record }) => record);
  const ofCheckouts = checkoutViolations(records, sides.recorded);
  return {
    comparison: { ...result, violations: [...violations, ...result.violations, ...ofCheckouts] },
    ...{ settledAfterMs, projectedAfterMs },
  };
}

/**
 * One piece of work that connects once to each database, that of all services first: kubectl ends a
 * forwarding whose connection the other side has closed ("lost connection to pod").
 */
async function withDatabases<T>(
  { cluster, say }: DrillPlace,
  work: (urls: readonly string[]) => Promise<T>,
): Promise<T> {
  const forwardings: Forwarding[] = [];
  try {
    const urls: string[] = [];
    for (const database of await cluster.databases()) {
      const wish = { target: `pod/${database.workload}-0`, targetPort: '5432', port: 0 };
      const forwarding = await patiently({ say }, () => Forwarding.open(wish));
      forwardings.push(forwarding);
      urls.push(await cluster.databaseUrl(database, forwarding.port));
    }
    return await work(urls);
  } finally {
    for (const forwarding of forwardings) forwarding.close();
  }
}

/** The pages of the simulator's issuers on a port of this machine, for as long as the work takes. */
async function withIssuers<T>(
  { say }: DrillPlace,
  work: (issuersUrl: string) => Promise<T>,
): Promise<T> {
  const wish = { target: 'pod/simulator-0', targetPort: 'http', port: 0 };
  const forwarding = await patiently({ say }, () => Forwarding.open(wish));
  try {
    return await work(`http://127.0.0.1:${forwarding.port}`);
  } finally {
    forwarding.close();
  }
}

/** Waits until no payment of the drill is open; those that stay open are found by the comparison. */
async function settled(place: DrillPlace, merchant: Merchant, run: string): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { recorded } = await withDatabases(place, (urls) => readGatewaySide(...urls));
    const open = openPayments(merchant.records(), recorded, run);
    const isOpen =
      open.recorded > 0 || (await anyPending(merchant, place.url, open.answeredAsPending));
    const tookMs = performance.now() - startedAt;
    if (!isOpen || tookMs > SETTLED_WITHIN_MS) return tookMs;
    await after(SETTLED_INTERVAL_MS, () => Promise.resolve());
  }
}

/** Kafka may have lost their commands: they are pending as long as those could come, and then are not there. */
async function anyPending(
  merchant: Merchant,
  url: string,
  ids: readonly string[],
): Promise<boolean> {
  for (const id of ids) {
    if ((await merchant.read(url, id)).code === PENDING) return true;
  }
  return false;
}

/** What was wrong with a drill, in sentences. */
export function faultsOf(
  drill: Pick<Drill, 'mayFail'>,
  figures: Pick<DrillResult, 'payments' | 'comparison' | 'shoppers' | 'challenges'>,
): readonly string[] {
  const {
    payments,
    shoppers,
    challenges,
    comparison: { violations },
  } = figures;
  const failed = [
    ...(drill.mayFail || payments.failed === 0
      ? []
      : [`${payments.failed} of ${payments.sent} payments failed.`]),
    ...(shoppers === undefined ? [] : shopperFaults(shoppers)),
    ...(challenges === undefined || challenges.failed === 0
      ? []
      : [`${challenges.failed} of ${challenges.challenges} challenged payments failed.`]),
  ];
  return violations.length === 0
    ? failed
    : [...failed, `The sides disagree in ${violations.length} places.`];
}

function shopperFaults({ sales, failed, across }: ShopperFigures): readonly string[] {
  return [
    ...(failed === 0 ? [] : [`${failed} of ${sales} shoppers' payments failed.`]),
    // Then nothing was tried.
    ...(across === 0 ? ['No checkout was open while anything was updated.'] : []),
  ];
}
