import { recovered, seconds, withClient } from '@sluice/kill-test';
import { seededRandom } from '@sluice/testing/programs';
import { disturb, left } from './disturbances.js';
import { compareBooks } from './evidence.js';
import { historyOf } from './history-of.js';
import { Installation } from './installation.js';
import { type Verdict, verdictOn } from './linearization.js';
import { idOf, meaningOf, type ObservedPayment, type SentRequest } from './observations.js';
import { printedHistory } from './printed-history.js';
import { Shopping } from './shopping.js';

/** What to do, and whom to tell. */
export interface RoundOptions {
  readonly seed: string;
  readonly payments: number;
  /** Two processes that pay, over Kafka, instead of one sandbox. */
  readonly isCluster: boolean;
  readonly say: (line: string) => void;
}

/** What came of it. */
export interface RoundResult {
  readonly payments: number;
  readonly requests: number;
  /** Requests of which some try was never answered. */
  readonly unanswered: number;
  readonly reads: number;
  /** Payments whose history was too hard to judge. */
  readonly unsure: number;
  /** Sentences; empty when everything is as it must be. */
  readonly findings: readonly string[];
}

/** After the last disturbance: late bookings need a gateway that lives. */
const CALM_MS = 1_500;
const READERS = 8;
const LOOKS_MAX = 12;
const LOOK_AGAIN_MS = 500;
const FINDINGS_SHOWN = 10;

/** One installation, disturbed in every way once under load, and judged. */
export async function runRound(options: RoundOptions): Promise<RoundResult> {
  const { seed, payments, isCluster, say } = options;
  const random = seededRandom(seed);
  const installation = await Installation.start(isCluster);
  for (const name of left(installation)) {
    say(`NOT DONE HERE: ${name} (a small volume is mounted for it, which needs root on Linux)`);
  }
  const shopping = new Shopping(installation.account, () => installation.url, random.fork('load'));
  try {
    const shopped = shopping.run(payments);
    await disturb(installation, random.fork('disturbances'), (sentence) => {
      say(`  ${sentence}`);
    });
    await pause(CALM_MS);
    shopping.close();
    await shopped;
    await installation.revive();
    const unsettled = await settled(installation, say);
    await lookAtAll(shopping);
    const { databaseUrl, bookFile } = installation;
    const books = await compareBooks(shopping.payments, databaseUrl, bookFile);
    return judged(shopping.payments, [
      ...installation.mishaps,
      ...unsettled,
      ...books.map(({ rule, subject, sentence }) => `${rule}: ${subject}: ${sentence}`),
    ]);
  } finally {
    shopping.close();
    shopping.end();
    await installation.stop();
  }
}

/** Waits until recovery has nothing left to do; a sentence if that never comes. */
async function settled(
  { databaseUrl }: Installation,
  say: RoundOptions['say'],
): Promise<readonly string[]> {
  try {
    say(`  settled ${seconds(await recovered(databaseUrl))} after the last answer`);
    return [];
  } catch (error) {
    const { rows } = await withClient(databaseUrl, (client) =>
      client.query<{ readonly streams: string | null }>(
        `SELECT string_agg(stream_id || ', due in ' || (due_at - now()), '; ') AS streams
         FROM payments.streams WHERE due_at IS NOT NULL`,
      ),
    );
    return [`${(error as Error).message}: ${rows[0]?.streams ?? 'none any more'}`];
  }
}

/** Everybody looks at everything once more, when nothing can change any longer. */
async function lookAtAll(shopping: Shopping): Promise<void> {
  const requests = shopping.payments.flatMap((payment) => payment.requests);
  const look = async (): Promise<void> => {
    for (let request = requests.pop(); request !== undefined; request = requests.pop()) {
      await lookUntilTold(shopping, request);
    }
  };
  await Promise.all(Array.from({ length: READERS }, look));
}

/** A gateway may be busy, and a query by reference a second behind (D-65). */
async function lookUntilTold(shopping: Shopping, request: SentRequest): Promise<void> {
  for (let looks = 1; looks <= LOOKS_MAX; looks += 1) {
    const { answer } = await shopping.look(request);
    const meaning = answer && meaningOf(answer, true);
    if (meaning !== undefined && meaning !== 'absent') return;
    await pause(LOOK_AGAIN_MS);
  }
}

function judged(payments: readonly ObservedPayment[], books: readonly string[]): RoundResult {
  const requests = payments.flatMap((payment) => payment.requests);
  const verdicts = payments.map((payment) => ({ payment, verdict: verdictOn(historyOf(payment)) }));
  const of = (wanted: Verdict): ObservedPayment[] =>
    verdicts.filter(({ verdict }) => verdict === wanted).map(({ payment }) => payment);
  const impossible = of('impossible').sort(
    (one, other) => one.requests.length - other.requests.length,
  );
  const [smallest] = impossible;
  const named = payments.find((payment) =>
    payment.requests.some((request) => {
      const id = idOf(request) ?? request.reference;
      return books.some((each) => each.includes(id) || each.includes(request.reference));
    }),
  );
  const shown = smallest ?? named;
  return {
    payments: payments.length,
    requests: requests.length,
    unanswered: requests.filter(({ attempts }) => attempts.some(({ answer }) => !answer)).length,
    reads: requests.reduce((sum, { reads }) => sum + reads.length, 0),
    unsure: of('unsure').length,
    findings: [
      ...impossible.map(({ name }) => `no order of its operations explains payment ${name}`),
      ...books,
    ]
      .slice(0, FINDINGS_SHOWN)
      .concat(shown === undefined ? [] : [printedHistory(shown)]),
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
