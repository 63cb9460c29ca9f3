import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  amountTelling,
  HOST_START_WITHIN_MS,
  isCharge,
  seededRandom,
  testKafka,
  troubleAt,
} from '@sluice/testing';
import process from 'node:process';
import {
  Iso8583Gateway,
  type RecordedTransaction,
  type ToldMerchant,
} from './iso8583-gateway-fixture.js';

const SEED = process.env['TEST_SEED'] ?? String(Date.now());
const random = seededRandom(SEED);
/** The services and the host speak one of the two; the seed says which. */
const VERSION = random.fraction() < 0.5 ? '1987' : '1993';
const PAYMENTS = 2_000;
const UNITS = 92;
/** What may become of a payment that was approved, each with its share; of the rest nothing. */
const FOLLOWED = {
  PA: [
    [0.3, 'CP', UNITS],
    [0.2, 'CP', 50],
    [0.2, 'RV'],
  ],
  DB: [
    [0.1, 'RF', UNITS],
    [0.1, 'RF', 50],
    [0.1, 'RV'],
  ],
} as const;
const AT_ONCE = 48;
const READS_AT_ONCE = 16;
/** How often each side is killed in the course of it. */
const KILLS = 3;
const START_WITHIN_MS = 120_000;
const PAID_AND_SETTLED_WITHIN_MS = 300_000;

/** What begins a payment; if nobody knows what became of it, it is reversed. */
const BEGINNING: readonly string[] = ['authorization', 'debit'];

/** Charged, whatever the mode. */
const CHARGED = /^000\.(?:000|100\.1)/;
/** Neither charged yet nor known not to be. */
const OPEN = /^(?:000\.200|900\.100\.300)/;

const gateway = new Iso8583Gateway(testKafka(), VERSION);

/** What the merchant was told at once. */
let answers: readonly ToldMerchant[];
let recorded: readonly RecordedTransaction[];
/** What the merchant was told in the end, by the transaction's id. */
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
      told.push(...(await payAndFollow()));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await Promise.all(kills);
  return told;
}

function followedAt(
  paymentType: 'PA' | 'DB',
  draw: number,
): readonly [operation?: 'CP' | 'RF' | 'RV', units?: number] {
  let from = 0;
  for (const [share, ...operation] of FOLLOWED[paymentType]) {
    from += share;
    if (draw < from) return operation;
  }
  return [];
}

/** A payment, and perhaps one operation on it. */
async function payAndFollow(): Promise<readonly ToldMerchant[]> {
  const paymentType = random.fraction() < 0.4 ? 'PA' : 'DB';
  const draw = random.fraction();
  const later = troubleAt(random.fraction());
  const [follow, units] = followedAt(paymentType, draw);
  // What is about all of it has its amount, so the payment's own says what becomes of that answer.
  const amount = amountTelling(UNITS, later);
  const paid = await gateway.pay(paymentType, amount, troubleAt(random.fraction()));
  if (follow === undefined || paid.id === undefined || !CHARGED.test(paid.code)) return [paid];
  const followed = await gateway.follow(
    paid.id,
    follow,
    units === undefined ? undefined : amountTelling(units, later),
  );
  return [paid, followed];
}

async function readAll(
  transactions: readonly RecordedTransaction[],
): Promise<ReadonlyMap<string, string>> {
  const codes = new Map<string, string>();
  const left = transactions.map(({ id }) => id);
  const work = async (): Promise<void> => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      codes.set(id, (await gateway.read(id)).code);
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
  return codes;
}

function isApprovedInTheEnd(id: string | undefined): boolean {
  return CHARGED.test(reads.get(id ?? '') ?? '');
}

/** What nobody has reversed, of what is approved by the word of one side: as the host's book counts. */
function standing(isApproved: (transaction: RecordedTransaction) => boolean): Set<string | null> {
  const approved = recorded.filter(isApproved);
  const reversed = new Set(
    approved
      .filter(({ operation }) => operation === 'reversal')
      .map(({ referencedId }) => referencedId),
  );
  return new Set(
    approved
      .filter(({ id, operation }) => operation !== 'reversal' && !reversed.has(id))
      .map(({ reference }) => reference),
  );
}

/** References of what nobody can ask this acquirer about, and of what it would have reversed. */
function leftToAPerson(): Set<string | null> {
  const left = recorded.filter(({ id }) => OPEN.test(reads.get(id) ?? ''));
  const reversed = left
    .filter(({ operation }) => operation === 'reversal')
    .map(({ referencedId }) => recorded.find(({ id }) => id === referencedId)!);
  return new Set([...left, ...reversed].map(({ reference }) => reference));
}

describe(`two thousand payments by ISO 8583:${VERSION} with drops, delays, duplicates, and kills of either side (TEST_SEED=${SEED})`, () => {
  it('are charged, many of them, and meet whatever can happen to them', () => {
    const payments = recorded.filter(({ operation }) => BEGINNING.includes(operation));
    expect(payments).toHaveLength(PAYMENTS);
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

  it('are captured, refunded and reversed, with an answer and without', () => {
    for (const operation of ['capture', 'refund', 'reversal']) {
      const all = recorded.filter((transaction) => transaction.operation === operation);
      expect(all.filter(({ isApproved }) => isApproved).length).toBeGreaterThan(PAYMENTS / 50);
      const lost = all.filter(({ story }) =>
        story.some((event) => event.startsWith('TransactionOutcomeUnknown')),
      );
      expect({ operation, lost: lost.length > 0 }).toEqual({ operation, lost: true });
    }
  });

  it("stand alike in the merchant's answers, in the events and in the book of the host", () => {
    const unsettled = leftToAPerson();
    const books = {
      answers: standing(({ id }) => isApprovedInTheEnd(id)),
      events: standing(({ isApproved }) => isApproved),
      host: new Set<string | null>(book.filter(isCharge).map(({ reference }) => reference)),
    };
    const disagreements = [...new Set([...books.answers, ...books.events, ...books.host])]
      .map((reference) => ({
        reference,
        answers: books.answers.has(reference),
        events: books.events.has(reference),
        host: books.host.has(reference),
        story: recorded.find((transaction) => transaction.reference === reference)?.story,
      }))
      .filter(({ answers, events, host }) => !(answers && events && host))
      .filter(({ reference }) => !unsettled.has(reference));
    expect(disagreements).toEqual([]);
  });

  it('are booked once each', () => {
    expect(new Set(book.map(({ reference }) => reference)).size).toBe(book.length);
  });

  it('are never answered with the opposite of what is true in the end', () => {
    const opposite = answers
      .filter(({ code }) => !OPEN.test(code))
      .filter(({ id, code }) => CHARGED.test(code) !== isApprovedInTheEnd(id));
    expect(opposite).toEqual([]);
  });

  it('are all settled; a person is asked about what follows a payment and had no answer, and nothing else', () => {
    const left = recorded
      .filter(({ story }) => story.some((event) => event.startsWith('CaseOpened')))
      .map(({ id, operation, story }) => ({ id, operation, code: reads.get(id), story }));
    expect(left.filter(({ operation }) => BEGINNING.includes(operation))).toEqual([]);
    expect(left.filter(({ story }) => !story[1]?.startsWith('TransactionOutcomeUnknown'))).toEqual(
      [],
    );
    expect(left.filter(({ code }) => !OPEN.test(code ?? ''))).toEqual([]);
    const open = recorded.filter(({ id }) => OPEN.test(reads.get(id) ?? ''));
    expect(new Set(open.map(({ id }) => id))).toEqual(new Set(left.map(({ id }) => id)));
  });

  it('are followed by nothing that they do not allow', () => {
    expect(recorded.filter(({ story }) => story.includes('TransactionRejected'))).toEqual([]);
  });
});
