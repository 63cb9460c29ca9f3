import { beforeAll, describe, expect, it } from '@jest/globals';
import { testSandbox } from '@sluice/testing';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PublicCard, publicCards } from './authentication-cards.js';
import {
  CHALLENGED,
  ENDS,
  ENROLLED,
  OF_TWO_TABLES,
  WITH_METHOD,
  WRONG_NUMBER,
} from './authentication-ends.js';
import { type Act, outcome, PlainShopper, SHOP } from './authentication-fixture.js';
import { APPROVED, type Fields } from './demo-merchant-fixture.js';

const sandbox = testSandbox();
const shopper = new PlainShopper(() => sandbox);

const WITHIN_MS = 60_000;
/** With many more, an issuer's answer may take longer than a payment waits for it. */
const AT_ONCE = 6;

/** What a browser without scripts leaves out; those that load the page have nothing noted of them. */
const LEFT_OUT = 'The card has a page of the 3DS method, and threeDSCompInd is N.';

interface Case extends PublicCard {
  readonly method: 'done' | 'left out' | 'none';
}

/** Cards with a page of the 3DS method twice. */
const cases: readonly Case[] = publicCards.flatMap((card): Case[] =>
  WITH_METHOD.has(card.column)
    ? [
        { ...card, method: 'done' },
        { ...card, method: 'left out' },
      ]
    : [{ ...card, method: 'none' }],
);

/** Pays, goes wherever the browser is sent, and says the right thing there. */
async function walked(card: Case) {
  const asked = await shopper.pay(card, card.number === OF_TWO_TABLES ? ENROLLED : {});
  const { preconditions = [] } = asked.redirect ?? {};
  if (card.method === 'done') await shopper.prepare(asked);
  let shopUrl: string | undefined;
  if (asked.redirect !== undefined) {
    const page = await shopper.go(asked);
    shopUrl = (CHALLENGED.has(card.column) ? await shopper.act(page, 'code') : page).url;
  }
  const read = await shopper.read(asked.id);
  return { asked, preconditions: preconditions.length, shopUrl, read };
}

describe('the public test cards', () => {
  const walks = new Map<Case, Awaited<ReturnType<typeof walked>>>();
  beforeAll(async () => {
    const left = [...cases];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let card = left.pop(); card !== undefined; card = left.pop()) {
          walks.set(card, await walked(card));
        }
      }),
    );
  }, WITHIN_MS);
  const walkOf = (card: Case) => {
    const walk = walks.get(card);
    if (walk === undefined) throw new Error(`Nobody has paid with ${card.number}.`);
    return walk;
  };

  it.each(cases)('$brand $number, $column, method $method', async (card) => {
    const { asked, preconditions, shopUrl, read } = walkOf(card);
    const [code, status] = card.number === WRONG_NUMBER ? ['100.100.101'] : ENDS[card.column];
    expect(read.result.code).toBe(code);
    const flow = CHALLENGED.has(card.column) ? 'challenge' : 'frictionless';
    if (status === undefined) expect(read.threeDSecure ?? {}).not.toHaveProperty('flow');
    else expect(read.threeDSecure).toMatchObject(outcome(card, status, flow));
    expect(preconditions).toBe(card.method === 'none' ? 0 : 1);
    const isRedirected = WITH_METHOD.has(card.column) || CHALLENGED.has(card.column);
    expect(asked.result.code).toBe(isRedirected ? '000.200.000' : code);
    const back = `${SHOP}?id=${asked.id}&resourcePath=%2Fv1%2Fpayments%2F${asked.id}`;
    expect(shopUrl).toBe(isRedirected ? back : undefined);
    const noted = await shopper.noted(read);
    expect(noted?.status).toBe(CHALLENGED.has(card.column) ? 'C' : status);
    expect(noted?.notes ?? []).toEqual(card.method === 'left out' ? [LEFT_OUT] : []);
  });
});

describe('a card of Cartes Bancaires with the brand of a second network', () => {
  it.each([
    ['Visa, authenticated', '4200000000000026', 'Y', '05'],
    ['Visa, attempted', '4200000000000059', 'A', '06'],
    ['Mastercard, authenticated', '5200000000000056', 'Y', '02'],
    ['Mastercard, attempted', '5200000000000106', 'A', '01'],
  ])('has the proof of that: %s', async (_, number, authenticationStatus, eci) => {
    const usecase = { 'threeDSecure.schemeData[CB-USECASE]': '01' };
    const read = await shopper.pay({ brand: 'CARTEBANCAIRE', number }, usecase);
    expect(read.result.code).toBe(APPROVED);
    const told = { authenticationStatus, eci, liabilityShifts: true };
    expect(read.threeDSecure).toMatchObject(told);
  });
});

/** A card of each network that asks, whose issuer has no page of the 3DS method. */
const ASKING = publicCards.filter(
  ({ column }, at) => column === 'challengeWithoutMethod' && publicCards[at - 1]?.column !== column,
);
const ASKING_VISA = { brand: 'VISA', number: '4200000000000018' } as const;
const FRICTIONLESS_VISA = { brand: 'VISA', number: '4200000000000026' } as const;
const UNKNOWN_VISA = { brand: 'VISA', number: '4111111111111111' } as const;
const PLAIN_VISA = { brand: 'VISA', number: '4200000000000000' } as const;

/** Pays, and does this where the issuer asks. */
async function asked(card: Pick<PublicCard, 'brand' | 'number'>, act: Act, fields: Fields = {}) {
  const pending = await shopper.pay(card, fields);
  expect(pending.result.code).toBe('000.200.000');
  const page = await shopper.act(await shopper.go(pending), act);
  return { page, read: await shopper.read(pending.id) };
}

describe('a shopper who is asked', () => {
  it.each(ASKING)('and cancels has cancelled: $brand $number', async (card) => {
    const { page, read } = await asked(card, 'cancel');
    expect(read.result.code).toBe('100.396.101');
    expect(read.threeDSecure).toMatchObject({ flow: 'challenge', challengeCancel: '01' });
    expect(page.url).toContain(SHOP);
  });

  it.each(ASKING)('and is wrong three times is not he: $brand $number', async (card) => {
    const { read } = await asked(card, 'wrong three times');
    expect(read.result.code).toBe('100.380.401');
    expect(read.threeDSecure).toMatchObject({
      ...{ ...outcome(card, 'N', 'challenge'), transactionStatusReason: '19' },
      liabilityShifts: false,
    });
  });

  it('and has an older card of the public tables has paid', async () => {
    const card = { brand: 'VISA', number: '4012001036275556' };
    const { read } = await asked(card, 'code');
    expect(read.result.code).toBe(APPROVED);
    expect(read.threeDSecure).toMatchObject(outcome(card, 'Y', 'challenge'));
  });

  it('and is right after two wrong codes has paid', async () => {
    const pending = await shopper.pay(ASKING_VISA);
    const [form] = (await shopper.go(pending)).forms;
    if (form === undefined) throw new Error('Nobody asks.');
    for (const left of ['2 more times', 'once more']) {
      const again = await shopper.browser.submit(form, { answer: '654321' });
      expect(again.text).toContain(left);
    }
    await shopper.act({ ...NO_PAGE, forms: [form] }, 'code');
    expect((await shopper.read(pending.id)).result.code).toBe(APPROVED);
  });
});

const NO_PAGE = { url: '', status: 200, text: '', forms: [], refresh: undefined } as const;

describe('what a test wants of the issuer', () => {
  it.each<[string, Pick<PublicCard, 'brand' | 'number'>, Fields, 'challenge' | 'frictionless']>([
    ['takes part, whichever card', UNKNOWN_VISA, ENROLLED, 'frictionless'],
    [
      'asks, though the card is frictionless',
      FRICTIONLESS_VISA,
      { 'customParameters[3DS2_flow]': 'challenge' },
      'challenge',
    ],
    [
      'does not ask, though the card does',
      ASKING_VISA,
      { 'customParameters[3DS2_flow]': 'frictionless' },
      'frictionless',
    ],
    [
      'asks about any card',
      PLAIN_VISA,
      { ...ENROLLED, 'customParameters[3DS2_flow]': 'challenge' },
      'challenge',
    ],
    [
      'asks where the merchant wants it',
      FRICTIONLESS_VISA,
      { 'threeDSecure.challengeIndicator': '04' },
      'challenge',
    ],
  ])('is that it %s', async (_, card, fields, flow) => {
    const pending = await shopper.pay(card, fields);
    expect(pending.redirect !== undefined).toBe(flow === 'challenge');
    if (flow === 'challenge') await shopper.act(await shopper.go(pending), 'code');
    const read = await shopper.read(pending.id);
    expect(read.result.code).toBe(APPROVED);
    expect(read.threeDSecure).toMatchObject(outcome(card, 'Y', flow));
  });

  it('is in vain for a card that is in no range', async () => {
    const flow = { 'customParameters[3DS2_flow]': 'challenge' };
    const { result, redirect } = await shopper.pay(UNKNOWN_VISA, flow);
    expect([result.code, redirect]).toEqual(['000.400.109', undefined]);
  });
});

describe('an issuer that declines because nobody was authenticated', () => {
  /** In a range, and paid with as any other where nobody wants an authentication. */
  const card = { brand: 'MAESTRO', number: OF_TWO_TABLES } as const;
  const declined: Fields = { 'card.holder': '300.100.100' };
  const forced: Fields = { 'customParameters[forceResultCode]': '300.100.100' };

  interface Booked {
    readonly reference: string;
    readonly status: string;
    readonly cryptogram?: string;
  }

  async function bookedOf(id: string): Promise<readonly Booked[]> {
    const book = await readFile(join(sandbox.dataFolder, 'simulator', 'book.jsonl'), 'utf8');
    const lines = book.split('\n').filter((line) => line !== '');
    const booked = lines.map((line) => JSON.parse(line) as Booked);
    return booked.filter(({ reference }) => [id, `${id}-2`].includes(reference));
  }

  it('has the shopper asked, and then approves, once, at its own risk', async () => {
    const { read } = await asked(card, 'code', declined);
    expect(read.result.code).toBe(APPROVED);
    expect(read.threeDSecure).toMatchObject({
      ...outcome(card, 'Y', 'challenge'),
      liabilityShifts: true,
    });
    const booked = await bookedOf(read.id);
    expect(booked.map(({ status, cryptogram }) => [status, cryptogram])).toEqual([
      ['declined', undefined],
      ['approved', 'fits'],
    ]);
  });

  it('is asked once more itself, not twice, though it declines in the same way', async () => {
    const { read } = await asked(card, 'code', forced);
    expect(read.result.code).toBe('300.100.100');
    expect(read.threeDSecure).toMatchObject(outcome(card, 'Y', 'challenge'));
    const booked = await bookedOf(read.id);
    expect(booked.map(({ status, cryptogram }) => [status, cryptogram])).toEqual([
      ['declined', undefined],
      ['declined', 'fits'],
    ]);
  });

  it('is not asked again where the shopper cancels', async () => {
    const { read } = await asked(card, 'cancel', declined);
    expect(read.result.code).toBe('100.396.101');
  });

  it('has its way where nobody can be asked', async () => {
    const { result, redirect } = await shopper.pay(PLAIN_VISA, declined);
    expect([result.code, redirect]).toEqual(['300.100.100', undefined]);
  });
});
