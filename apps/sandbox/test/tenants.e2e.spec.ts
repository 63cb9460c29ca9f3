import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openApiDocument } from '@sluice/parameters';
import { setTimeout as pause } from 'node:timers/promises';
import { SHOPPER } from './authentication-fixture.js';
import { endSandboxes, START_WITHIN_MS } from './started-sandboxes-fixture.js';
import {
  type Answered,
  answered,
  comparable,
  type Fields,
  type Merchant,
  OTHER,
  OWNER,
  TwoMerchants,
  unknownLike,
} from './two-merchants-fixture.js';

interface Operation {
  readonly security?: readonly unknown[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly examples: Readonly<Record<string, { readonly value: Fields }>> }>
    >;
  };
}

const { paths } = openApiDocument() as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

type Route = readonly [method: string, path: string, what: string, fields: Fields];

/**
 * Every route to one resource, with each body that the reference shows; without those of shoppers'
 * browsers, which have no access: there, who knows the id of a checkout may complete it.
 */
const shownRoutes: readonly Route[] = Object.entries(paths)
  .filter(([path]) => path.includes('{id}'))
  .flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method, { security }]) => method !== 'parameters' && security?.length !== 0)
      .flatMap(([method, operation]) =>
        examplesOf(operation).map(([what, fields]): Route => [
          method.toUpperCase(),
          path,
          what,
          fields,
        ]),
      ),
  );

function examplesOf({ requestBody }: Operation): readonly (readonly [string, Fields])[] {
  const [content] = Object.values(requestBody?.content ?? {});
  const examples = Object.entries(content?.examples ?? {});
  return examples.length === 0
    ? [['no body', {}]]
    : examples.map(([what, { value }]) => [what, value]);
}

const AMOUNT: Fields = { amount: '1.00', currency: 'EUR' };
/** Whatever can be asked of a payment or registration by its id. */
const referring = ['CP', 'RV', 'RF', 'RB', 'RC', 'CB', 'CR', 'DB', 'CD', 'PA'].map(
  (paymentType): Route => [
    ...(['POST', '/v1/payments/{id}', paymentType] as const),
    { ...AMOUNT, paymentType },
  ],
);
const routes: readonly Route[] = [
  ...shownRoutes,
  ...referring,
  ['POST', '/v1/payments/{id}', 'RG', { paymentType: 'RG' }],
  ['POST', '/v1/payments/{id}', 'RV of all', { paymentType: 'RV' }],
];

const CARD: Fields = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};
const PAYPAL: Fields = {
  ...{ paymentBrand: 'PAYPAL', shopperResultUrl: 'https://shop.example/result' },
};
/** By which the owner finds its own. */
const MERCHANT_IDS = { merchantTransactionId: 'order-of-the-owner' } as const;
/** On a day that no spec lives to see. */
const NEVER_DUE: Fields = { 'job.expression': '0 0 8 1 1 ? 2099' };
const MONEY: Fields = { amount: '92.00', currency: 'EUR', paymentType: 'PA' };

const NUMBERS = {
  ...{ frictionless: '4200000000000026', challenged: '4200000000000018' },
  ...{ lookedAt: '4200000000000091' },
} as const;
const authenticated = (card: keyof typeof NUMBERS): Fields => ({
  ...{ ...SHOPPER, ...CARD, 'card.number': NUMBERS[card], 'card.cvv': '123' },
  ...{ amount: '92.00', currency: 'EUR', shopperResultUrl: 'https://shop.example/result' },
});
const CHECKED: Fields = { ...CARD, amount: '92.00', currency: 'EUR', 'card.cvv': '123' };

/** What belongs to the owner: where it is made, and with which result. */
const KINDS: Readonly<Record<string, readonly [path: string, fields: Fields, code?: string]>> = {
  payment: ['/v1/payments', { ...CARD, ...MONEY, 'card.cvv': '123' }],
  'waiting payment': ['/v1/payments', { ...PAYPAL, ...MONEY }, '000.200.000'],
  'payment at its issuer': [
    ...['/v1/payments', { ...authenticated('challenged'), paymentType: 'PA' }, '000.200.000'],
  ] as const,
  'payment under review': [
    ...['/v1/payments', { ...CHECKED, paymentType: 'PA', amount: '600.00' }, '000.400.000'],
  ] as const,
  authentication: ['/v1/threeDSecure', authenticated('frictionless')],
  'authentication at its issuer': [
    ...['/v1/threeDSecure', authenticated('lookedAt'), '000.200.000'],
  ] as const,
  'risk check': ['/v1/risk', CHECKED, '000.300.100'],
  registration: ['/v1/registrations', CARD],
  'deleted registration': ['/v1/registrations', CARD],
  checkout: ['/v1/checkouts', MONEY, '000.200.100'],
  // Of the registration, which is made before.
  schedule: ['/scheduling/v1/schedules', { ...AMOUNT, paymentType: 'SD', ...NEVER_DUE }],
};
const kinds = Object.keys(KINDS);
/** Those that no browser has a way to. */
const WITHOUT_WAY = kinds.filter((kind) => !/waiting|authentication|issuer/.test(kind));

/** Every route that searches, with the field of its answer that lists what was found. */
const searches = Object.keys(paths)
  .filter((path) => path.endsWith('/query'))
  .map((path) => [path, path.startsWith('/v1/') ? 'payments' : 'records'] as const);

let both: TwoMerchants;
/** What belongs to the owner, by what it is. */
const owned = new Map<string, string>();
/** What the owner's shopper has for the page of the 3DS method. */
let methodData = '';

beforeAll(async () => {
  both = await TwoMerchants.start();
  await both.setRules(OWNER, [
    {
      ...{ id: 'large', name: 'Large amounts are looked at', then: 'review' },
      when: { amount: { above: '500.00', currency: 'EUR' } },
    },
  ]);
  // Payments learns of rules within seconds.
  let judged: Answered['body'];
  do {
    await pause(200);
    judged = (await send(OWNER, 'POST', '/v1/risk', CHECKED)).body;
  } while (JSON.stringify(judged).includes('no rules of risk hold for this channel'));
  expect(judged).toMatchObject({ result: { code: '000.300.100' } });
  for (const [what, [path, fields, code = '000.100.110']] of Object.entries(KINDS)) {
    const registrationId =
      what === 'schedule' ? { registrationId: owned.get('registration')! } : {};
    const sent = { ...fields, ...MERCHANT_IDS, ...registrationId };
    const { body } = await send(OWNER, 'POST', path, sent);
    expect([what, body]).toMatchObject([what, { result: { code } }]);
    owned.set(what, String(body['id']));
    methodData =
      /"threeDSMethodData","value":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? methodData;
  }
  const deleted = `/v1/registrations/${owned.get('deleted registration') ?? ''}`;
  await send(OWNER, 'DELETE', deleted, {});
}, START_WITHIN_MS);
afterAll(async () => {
  await both.close();
  await endSandboxes();
}, START_WITHIN_MS);

function send(by: Merchant, method: string, path: string, fields: Fields): Promise<Answered> {
  return both.send(by, method, path, fields);
}

/** From a browser, which has no credentials. */
async function deleteAsShopper(path: string): Promise<Answered> {
  return answered(await fetch(`${both.sandbox.url}${path}`, { method: 'DELETE' }));
}

/** A browser that comes with what issuers' pages give it. */
async function visit(id: string, way: string, data = 'e30') {
  const response = await fetch(`${both.sandbox.url}/redirects/${id}${way}`, {
    ...(way !== '' && {
      ...{ method: 'POST', body: new URLSearchParams({ threeDSMethodData: data, cres: data }) },
    }),
    redirect: 'manual',
  });
  return { status: response.status, text: (await response.text()).replaceAll(id, 'ID') };
}

/** How the owner reads it. */
function pathOf(what: string, id: string): string {
  if (what === 'checkout') return `/v1/checkouts/${id}/payment`;
  if (what === 'schedule') return `/scheduling/v1/schedules/${id}`;
  if (what.startsWith('authentication')) return `/v1/threeDSecure/${id}`;
  return `/v1/${what.endsWith('registration') ? 'registrations' : 'payments'}/${id}`;
}

describe("another merchant's resource", () => {
  it('is reached by its owner, or this would prove nothing', async () => {
    for (const [what, id] of owned) {
      const { status } = await send(OWNER, 'GET', pathOf(what, id), {});
      expect([what, status]).toEqual([what, what.startsWith('deleted') ? 400 : 200]);
    }
    expect(routes.length).toBeGreaterThan(5);
    expect(searches.map(([path]) => path)).toEqual(['/v1/query', '/v3/query']);
    for (const [path, list] of searches) {
      const { body } = await send(OWNER, 'GET', path, MERCHANT_IDS);
      // A checkout is no transaction before somebody has completed it.
      const found = (body[list] as readonly { readonly id: string }[]).map(({ id }) => id);
      const missing = [...owned].filter(([, id]) => !found.includes(id));
      expect([path, ...missing.map(([what]) => what)]).toEqual([path, 'checkout']);
    }
  });

  it.each(searches)('is found by nobody else: %s', async (path, list) => {
    const [theirs, nothing] = await Promise.all(
      [MERCHANT_IDS.merchantTransactionId, 'order-of-nobody-at'].map((merchantTransactionId) =>
        send(OTHER, 'GET', path, { merchantTransactionId }),
      ),
    );
    if (theirs === undefined || nothing === undefined) throw new Error('no answer');
    expect(comparable(theirs, '-')).toBe(comparable(nothing, '-'));
    expect(theirs.body[list] ?? []).toEqual([]);
  });

  describe.each(kinds)('a %s', (what) => {
    it.each(routes)(
      'is at %s %s (%s) as unknown as what is not there',
      async (method, path, _, fields) => {
        const id = owned.get(what) ?? '';
        const unknown = unknownLike(id);
        const [theirs, nothing] = await Promise.all(
          [id, unknown].map((each) => send(OTHER, method, path.replace('{id}', each), fields)),
        );
        if (theirs === undefined || nothing === undefined) throw new Error('no answer');
        expect(comparable(theirs, id)).toBe(comparable(nothing, unknown));
        expect(JSON.stringify(theirs.body)).not.toMatch(/Jane|420000|000\.[134]00\.[01]/);
      },
    );

    it.each([
      ['referenceUuid', { 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH' }],
      ['registrationId', {}],
    ] as const)('is as %s of a payment as unknown as what is not there', async (name, more) => {
      const id = owned.get(what) ?? '';
      const unknown = unknownLike(id);
      const [theirs, nothing] = await Promise.all(
        [id, unknown].map((each) =>
          send(OTHER, 'POST', '/v1/payments', { ...MONEY, ...more, [name]: each }),
        ),
      );
      if (theirs === undefined || nothing === undefined) throw new Error('no answer');
      expect(theirs.status).toBe(400);
      expect(comparable(theirs, id)).toBe(comparable(nothing, unknown));
    });
  });

  it.each(kinds)('is deleted by the shopper of no other checkout: a %s', async (what) => {
    const id = owned.get(what) ?? '';
    const unknown = unknownLike(id);
    const ofOther = await send(OTHER, 'POST', '/v1/checkouts', MONEY);
    for (const checkout of [String(ofOther.body['id']), owned.get('checkout') ?? '']) {
      const [theirs, nothing] = await Promise.all(
        [id, unknown].map(async (each) => {
          const path = `/v1/checkouts/${checkout}/registrations/${each}`;
          return deleteAsShopper(path);
        }),
      );
      if (theirs === undefined || nothing === undefined) throw new Error('no answer');
      expect(theirs.status).toBe(400);
      expect(comparable(theirs, id)).toBe(comparable(nothing, unknown));
    }
  });

  it.each(
    WITHOUT_WAY.flatMap((what) => ['', '/return', '/method'].map((way) => [what, way] as const)),
  )('leads no browser anywhere: a %s at /redirects/{id}%s', async (what, way) => {
    const id = owned.get(what) ?? '';
    const [theirs, nothing] = await Promise.all(
      [id, unknownLike(id)].map((each) => visit(each, way)),
    );
    expect(theirs).toEqual(nothing);
    expect(theirs?.status).toBe(404);
  });

  it('is not looked at in the browser of another payment', async () => {
    const { body } = await send(OTHER, 'POST', '/v1/threeDSecure', authenticated('lookedAt'));
    const id = String(body['id']);
    expect(await visit(id, '/method', methodData)).toEqual(
      await visit(unknownLike(id), '/method', methodData),
    );
    // At its own it is, or this would prove nothing.
    const own = owned.get('authentication at its issuer') ?? '';
    expect((await visit(own, '/method', methodData)).status).toBe(200);
  });

  it('is unchanged after all that was tried', async () => {
    const { body } = await send(
      OWNER,
      'GET',
      `/v1/registrations/${owned.get('registration') ?? ''}`,
      {},
    );
    expect(body).toMatchObject({ result: { code: '000.100.110' } });
    for (const what of ['payment under review', 'authentication at its issuer', 'risk check']) {
      const { body: now } = await send(OWNER, 'GET', pathOf(what, owned.get(what) ?? ''), {});
      expect([what, now]).toMatchObject([what, { result: { code: KINDS[what]?.[2] } }]);
    }
    const path = `/v1/registrations/${owned.get('registration') ?? ''}/payments`;
    const paid = await send(OWNER, 'POST', path, { ...MONEY, paymentType: 'DB' });
    expect(paid.body).toMatchObject({ result: { code: '000.100.110' } });
  });

  it('is told to its owner alone, by a secret of his own', async () => {
    const ids = [...owned].filter(([what]) => what !== 'checkout').map(([, id]) => id);
    for (const id of ids) await both.receiverOf(OWNER).hasHeard(id);
    const last = await send(OTHER, 'POST', '/v1/registrations', CARD);
    await both.receiverOf(OTHER).hasHeard(String(last.body['id']));
    for (const merchant of [OWNER, OTHER]) {
      const told = both.receiverOf(merchant).told.map(({ payload }) => payload);
      const entities = new Set(told.map(({ authentication: { entityId } }) => entityId));
      expect([...entities]).toEqual([merchant.entityId]);
      const isOwned = told.some(({ id }) => ids.includes(id));
      expect(isOwned).toBe(merchant === OWNER);
    }
  });
});
