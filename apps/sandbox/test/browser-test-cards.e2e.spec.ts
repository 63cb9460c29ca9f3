import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import {
  CHALLENGED,
  ENDS,
  ENROLLED,
  OF_TWO_TABLES,
  WITH_METHOD,
  WRONG_NUMBER,
} from './authentication-ends.js';
import { type PublicCard, publicCards } from './authentication-cards.js';
import { outcome } from './authentication-fixture.js';
import { APPROVED } from './demo-merchant-fixture.js';
import { CardWalks, type Walk, type Way, watchPlaces, ways } from './card-walks.js';
import { startChromium } from './chromium.js';

const shop = new CardWalks();
let browser: Browser;

/** Many times what they take on two cores that do nothing else. */
const WALKS_WITHIN_MS = 1_800_000;
const WALK_WITHIN_MS = 120_000;
/** More of them make it no quicker on two cores. */
const AT_ONCE = 4;

/** Longer than a form and the gateway's page wait for an issuer before they have something to say. */
const SLOW = { 'customParameters[3DS2_delay]': '7000' };

interface Case extends PublicCard {
  readonly way: Way;
}

/**
 * Each card by one of the ways, so that each way has had every outcome; with
 * `TEST_CARD_WAYS=all npm test -w apps/sandbox -- browser-test-cards` each by all of them.
 */
const cases: readonly Case[] = publicCards.flatMap((card) => {
  const ofColumn = publicCards.filter(({ column }) => column === card.column);
  const chosen = ways[ofColumn.indexOf(card) % ways.length] ?? ways[0];
  return (process.env['TEST_CARD_WAYS'] === 'all' ? ways : [chosen]).map((way) => ({
    ...card,
    way,
  }));
});
const walks = new Map<Case, Walk | Error>();

beforeAll(async () => {
  browser = await startChromium();
  const left = [...cases];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const context = await browser.newContext();
      context.setDefaultTimeout(WALK_WITHIN_MS);
      await watchPlaces(context);
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        const more = one.number === OF_TWO_TABLES ? ENROLLED : {};
        const walk = await shop.walk(context, one, one.way, more).catch((error: unknown) => error);
        walks.set(one, walk instanceof Error ? walk : (walk as Walk));
      }
      await context.close();
    }),
  );
}, WALKS_WITHIN_MS);
afterAll(async () => {
  await browser.close();
});

function walkOf(card: Case): Walk {
  const walk = walks.get(card);
  if (walk === undefined) throw new Error(`Nobody has paid with ${card.number}.`);
  if (walk instanceof Error) throw walk;
  return walk;
}

describe('a public test card in Chromium', () => {
  it('has every outcome by each of the ways', () => {
    const tried = new Set(cases.map(({ column, way }) => `${column} ${way}`));
    const columns = new Set(publicCards.map(({ column }) => column));
    expect(tried.size).toBe(columns.size * ways.length);
  });

  it(
    'of an issuer that takes its time is waited for where he would ask, who asks nothing',
    async () => {
      const context = await browser.newContext();
      await watchPlaces(context);
      const card = publicCards.find(({ column }) => column === 'okWithoutMethod');
      if (card === undefined) throw new Error('There is no such card.');
      const walk = await shop.walk(context, card, 'frame', SLOW);
      await context.close();
      expect(walk).toMatchObject({ askedIn: [], hasWaited: true, isPlaceSeen: true, faults: [] });
      expect(walk.read?.result.code).toBe(APPROVED);
    },
    WALK_WITHIN_MS,
  );

  it.each(cases)('$brand $number, $column, by $way', (card) => {
    const { read, askedIn, isPlaceSeen, hasWaited, returns, faults } = walkOf(card);
    expect(faults).toEqual([]);
    const isAsked = CHALLENGED.has(card.column);
    expect(askedIn).toEqual(isAsked ? [card.way === 'frame' ? 'frame' : 'window'] : []);
    // Whoever is not asked sees nothing of it, unless the issuer took so long that there is something to say.
    expect(isPlaceSeen).toBe(card.way === 'frame' && (isAsked || hasWaited));
    if (card.number === WRONG_NUMBER) {
      // The form says so itself, and sends nothing.
      expect(read?.result.code).toBe(card.way === 'redirect' ? '100.100.101' : undefined);
      expect(returns).toEqual([]);
      return;
    }
    const [code, status] = ENDS[card.column];
    expect(read?.result.code).toBe(code);
    if (status === undefined) expect(read?.threeDSecure ?? {}).not.toHaveProperty('flow');
    else
      expect(read?.threeDSecure).toMatchObject(
        outcome(card, status, isAsked ? 'challenge' : 'frictionless'),
      );
    // A server is answered at once where nobody has to go anywhere; a form goes back with what is paid.
    const isBack =
      card.way === 'redirect' ? isAsked || WITH_METHOD.has(card.column) : code === APPROVED;
    expect(returns).toHaveLength(isBack ? 1 : 0);
  });
});
