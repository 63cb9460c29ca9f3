import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  HOST_START_WITHIN_MS,
  isCharge,
  seededRandom,
  testKafka,
  troubleAt,
} from '@sluice/testing';
import process from 'node:process';
import {
  Iso8583Gateway,
  type RecordedPayment,
  type ToldMerchant,
} from './iso8583-gateway-fixture.js';

const SEED = process.env['TEST_SEED'] ?? String(Date.now());
const random = seededRandom(SEED);
/** The services and the host speak one of the two; the seed says which. */
const VERSION = random.fraction() < 0.5 ? '1987' : '1993';
const PAYMENTS = 2_000;
const AT_ONCE = 48;
const READS_AT_ONCE = 16;
/** How often each side is killed in the course of it. */
const KILLS = 3;
const START_WITHIN_MS = 120_000;
const PAID_AND_SETTLED_WITHIN_MS = 300_000;

/** Charged, whatever the mode. */
const CHARGED = /^000\.(?:000|100\.1)/;
/** Neither charged yet nor known not to be. */
const OPEN = /^(?:000\.200|900\.100\.300)/;

const gateway = new Iso8583Gateway(testKafka(), VERSION);

/** What the merchant was told at once. */
let answers: readonly ToldMerchant[];
let recorded: readonly RecordedPayment[];
/** What the merchant was told in the end, by the payment's id. */
let reads: ReadonlyMap<string, string>;
let book: Awaited<ReturnType<typeof gateway.host.book>>;

beforeAll(() => gateway.start(), HOST_START_WITHIN_MS + START_WITHIN_MS);

beforeAll(async () => {
  answers = await payAll();
  recorded = await gateway.recorded();
  reads = await readAll(recorded);
  book = await gateway.host.book();
}, PAID_AND_SETTLED_WITHIN_MS);

afterAll(() => gateway.remove(), 60_000);

/** Pays while one side is killed after the other. Nobody pays twice, whatever the answer is. */
async function payAll(): Promise<readonly ToldMerchant[]> {
  const told: ToldMerchant[] = [];
  const kills: Promise<void>[] = [];
  // Payments first: those who wait for it in vain wait on while others still pay.
  const sides = [() => gateway.killPayments(), () => gateway.host.restart()];
  const every = Math.floor(PAYMENTS / (KILLS * sides.length + 1));
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < PAYMENTS) {
      begun += 1;
      if (begun % every === 0 && kills.length < KILLS * sides.length) {
        kills.push(sides[kills.length % sides.length]!());
      }
      told.push(await gateway.pay(troubleAt(random.fraction())));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await Promise.all(kills);
  return told;
}

async function readAll(payments: readonly RecordedPayment[]): Promise<ReadonlyMap<string, string>> {
  const codes = new Map<string, string>();
  const left = payments.map(({ id }) => id);
  const work = async (): Promise<void> => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      codes.set(id, (await gateway.read(id)).code);
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
  return codes;
}

function isChargedInTheEnd(id: string | undefined): boolean {
  return CHARGED.test(reads.get(id ?? '') ?? '');
}

describe(`two thousand payments by ISO 8583:${VERSION} with drops, delays, duplicates, and kills of either side (TEST_SEED=${SEED})`, () => {
  it('are charged, many of them, and meet whatever can happen to them', () => {
    expect(answers).toHaveLength(PAYMENTS);
    // While there is no connection to the host, payments fail quickly, so more of them are begun.
    expect(book.filter(isCharge).length).toBeGreaterThan(PAYMENTS / 4);
    const met = new Set(recorded.flatMap(({ story }) => story));
    for (const event of [
      'TransactionDeclined',
      'TransactionOutcomeUnknown timeout',
      'TransactionOutcomeUnknown connectionLost', // The host was killed.
      'TransactionOutcomeUnknown noInquiry', // Payments was.
      'TransactionNotPerformed notFound',
      'UnknownTransactionReversed',
    ]) {
      expect(met).toContain(event);
    }
  });

  it("are charged alike in the merchant's answers, in the events and in the book of the host", () => {
    const books = {
      answers: new Set(
        recorded.filter(({ id }) => isChargedInTheEnd(id)).map(({ reference }) => reference),
      ),
      events: new Set(
        recorded.filter(({ isCharged }) => isCharged).map(({ reference }) => reference),
      ),
      host: new Set<string | null>(book.filter(isCharge).map(({ reference }) => reference)),
    };
    const disagreements = [...new Set([...books.answers, ...books.events, ...books.host])]
      .map((reference) => ({
        reference,
        answers: books.answers.has(reference),
        events: books.events.has(reference),
        host: books.host.has(reference),
        story: recorded.find((payment) => payment.reference === reference)?.story,
      }))
      .filter(({ answers, events, host }) => !(answers && events && host));
    expect(disagreements).toEqual([]);
  });

  it('are booked once each', () => {
    expect(new Set(book.map(({ reference }) => reference)).size).toBe(book.length);
  });

  it('are never answered with the opposite of what is true in the end', () => {
    const opposite = answers
      .filter(({ code }) => !OPEN.test(code))
      .filter(({ id, code }) => CHARGED.test(code) !== isChargedInTheEnd(id));
    expect(opposite).toEqual([]);
  });

  it('are all settled, and none is left to a person', () => {
    const left = recorded
      .filter(
        ({ id, story }) =>
          OPEN.test(reads.get(id) ?? '') || story.some((event) => event.startsWith('CaseOpened')),
      )
      .map(({ id, story }) => ({ id, code: reads.get(id), story }));
    expect(left).toEqual([]);
  });
});
