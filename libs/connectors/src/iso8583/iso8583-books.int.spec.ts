import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  HOST_START_WITHIN_MS,
  isCharge,
  type JposHost,
  seededRandom,
  startJposHost,
  troubleAt,
} from '@sluice/testing';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReferenceOptions, SubmitOutcome } from '../connector.js';
import type { Submission } from '../contract/contract-subject-fixture.js';
import type { Iso8583Connector } from './iso8583-connector.js';
import { connectorAt, debitTelling } from './iso8583-subject-fixture.js';
import { type Version, versions } from './message-fields.js';

const PAYMENTS = 2_000;
/** As many as payments may have under way here. */
const AT_ONCE = 64;
const CALL_TIMEOUT_MS = 600;
const SEND_WINDOW_MS = 2_000;
/** How long a request may still be booked after it was sent: on a busy machine, the host has seconds of them. */
const MAX_IN_FLIGHT_MS = 5_000;
/** How often each side is killed in the course of it. */
const RESTARTS = 3;
/** A reversal that nobody answers is repeated, as recovery does it by its schedule. */
const REVERSALS_MAX = 20;
const WITHIN_MS = 180_000;

/** What a merchant is told in the end. */
type End = 'charged' | 'notCharged' | 'undone';

/** Our side, which is ended and begun again: nothing but the request events outlives it. */
class OurSide {
  connector: Iso8583Connector;

  constructor(
    private readonly version: Version,
    private readonly host: JposHost,
  ) {
    this.connector = this.#begin();
  }

  async restart(): Promise<void> {
    const before = this.connector;
    this.connector = this.#begin();
    await before.close();
  }

  #begin(): Iso8583Connector {
    const { version, host } = this;
    return connectorAt(host.port, { version, callTimeoutMs: CALL_TIMEOUT_MS });
  }
}

async function ended(us: OurSide, { request, instrument }: Submission): Promise<End> {
  const beginByMs = performance.now() + SEND_WINDOW_MS;
  const options = { timeoutMs: CALL_TIMEOUT_MS, beginByMs };
  const outcome: SubmitOutcome = await us.connector.submit(request, instrument, options);
  switch (outcome.kind) {
    case 'approved':
      return 'charged';
    case 'declined':
    case 'notPerformed':
      return 'notCharged';
    case 'pending':
      throw new Error('this acquirer decides at once');
    case 'unknown':
      return undone(us, request);
  }
}

/** As recovery does it, by reference and request event alone. */
async function undone(us: OurSide, request: Submission['request']): Promise<End> {
  const options: ReferenceOptions = { timeoutMs: CALL_TIMEOUT_MS, original: request };
  const inFlightUntilMs = performance.now() + MAX_IN_FLIGHT_MS;
  for (let time = 0; time < REVERSALS_MAX; time += 1) {
    const { kind } = await us.connector.reverse(request.acquirerReference, options);
    if (kind === 'reversed') return 'undone';
    if (kind === 'unavailable') continue;
    const remainingMs = inFlightUntilMs - performance.now();
    if (remainingMs <= 0) return 'notCharged';
    // A reversal on a new connection may overtake the request on the old one (D-27).
    await delay(remainingMs);
  }
  throw new Error(`${request.acquirerReference} was never undone`);
}

describe.each(versions)('two thousand payments by %s', (version) => {
  let host: JposHost;

  beforeAll(async () => {
    host = await startJposHost({ version });
  }, HOST_START_WITHIN_MS);

  afterAll(() => host.stop());

  it(
    'with drops, delays, duplicates and restarts of either side, are the same in both books',
    async () => {
      const seed = process.env['TEST_SEED'] ?? String(Date.now());
      const random = seededRandom(seed);
      const us = new OurSide(version, host);
      const ends = new Map<string, End>();
      let begun = 0;
      const each = async (): Promise<void> => {
        while (begun < PAYMENTS) {
          begun += 1;
          const turn = begun;
          const share = Math.floor(PAYMENTS / (2 * RESTARTS + 1));
          if (turn % share === 0) {
            await ((turn / share) % 2 === 0 ? us.restart() : host.restart());
          }
          const submission = debitTelling(troubleAt(random.fraction()));
          ends.set(submission.request.acquirerReference, await ended(us, submission));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, each));
      await us.connector.close();

      const book = await host.book();
      const charged = book.filter(isCharge).map(({ reference }) => reference);
      const ours = [...ends].filter(([, end]) => end === 'charged').map(([reference]) => reference);
      const context = { seed, collisions: await host.collisions() };
      expect({ ...context, charged: charged.sort() }).toEqual({ ...context, charged: ours.sort() });
      expect(ends.size).toBe(PAYMENTS);
      // Each of these happened, so the test was one.
      expect(new Set(ends.values())).toEqual(new Set<End>(['charged', 'notCharged', 'undone']));
      expect(new Set(book.map(({ reference }) => reference)).size).toBe(book.length);
    },
    WITHIN_MS,
  );
});
