import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openApiDocument } from '@sluice/parameters';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

/** Two merchants with a shop each, who must not learn anything of one another. */
const OWNER = {
  entityId: '8ac7a4c97ee0000000000000000000b1',
  token: 'the-token-of-the-owner-of-it',
};
const OTHER = {
  entityId: '8ac7a4c97ee0000000000000000000b2',
  token: 'the-token-of-somebody-else-at-all',
};
type Merchant = typeof OWNER;

type Fields = Readonly<Record<string, string>>;

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
const MONEY: Fields = { amount: '92.00', currency: 'EUR', paymentType: 'PA' };

/** What belongs to the owner. */
const KINDS = [
  ...['payment', 'waiting payment', 'registration', 'deleted registration', 'checkout'],
] as const;
const CODES: Readonly<Record<string, string>> = {
  'waiting payment': '000.200.000',
  checkout: '000.200.100',
};

/** Every route that searches, with the field of its answer that lists what was found. */
const searches = Object.keys(paths)
  .filter((path) => path.endsWith('/query'))
  .map((path) => [path, path.startsWith('/v1/') ? 'payments' : 'records'] as const);

let url: string;
/** What belongs to the owner, by what it is. */
const owned = new Map<string, string>();

beforeAll(async () => {
  const folder = newFolder();
  const merchants = [OWNER, OTHER].map(({ token }, index) => ({
    ...{ name: `Company ${index}`, accessTokens: [token] },
  }));
  const channels = [OWNER, OTHER].map(({ entityId }, index) => ({
    ...{ entityId, name: `Shop ${index}`, merchant: `Company ${index}`, shoppersMayDelete: true },
  }));
  const seedFile = join(folder, 'seed.json');
  writeFileSync(seedFile, JSON.stringify({ merchants, channels }));
  const sandbox = await start(join(folder, 'data'), [
    ...['--seed', seedFile],
    // The status of one checkout is read at more places than its throttle lets pass.
    ...['--throttle', '0'],
  ]);
  url = sandbox.url;
  for (const [what, path, fields] of [
    ['payment', '/v1/payments', { ...CARD, ...MONEY, 'card.cvv': '123' }],
    ['waiting payment', '/v1/payments', { ...PAYPAL, ...MONEY }],
    ['registration', '/v1/registrations', CARD],
    ['deleted registration', '/v1/registrations', CARD],
    ['checkout', '/v1/checkouts', MONEY],
  ] as const) {
    const { body } = await send(OWNER, 'POST', path, { ...fields, ...MERCHANT_IDS });
    expect(body).toMatchObject({ result: { code: CODES[what] ?? '000.100.110' } });
    owned.set(what, String(body['id']));
  }
  const deleted = `/v1/registrations/${owned.get('deleted registration') ?? ''}`;
  await send(OWNER, 'DELETE', deleted, {});
}, START_WITHIN_MS);
afterAll(endSandboxes, START_WITHIN_MS);

async function send(
  { entityId, token }: Merchant,
  method: string,
  path: string,
  fields: Fields,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  const form = new URLSearchParams({ ...fields, entityId });
  const headers = { Authorization: `Bearer ${token}` };
  const hasBody = method === 'POST';
  const target = hasBody ? `${url}${path}` : `${url}${path}?${form.toString()}`;
  const response = await fetch(target, { method, headers, ...(hasBody && { body: form }) });
  return {
    status: response.status,
    body: (await response.json()) as Readonly<Record<string, unknown>>,
  };
}

/** From a browser, which has no credentials. */
async function deleteAsShopper(path: string) {
  const response = await fetch(`${url}${path}`, { method: 'DELETE' });
  const json = (await response.json()) as Readonly<Record<string, unknown>>;
  return { status: response.status, json };
}

/** What differs between any two answers. */
const OWN_FIELDS = ['id', 'shortId', 'descriptor', 'ndc', 'timestamp'] as const;

/** An answer without what differs anyway, and without the id that was asked for. */
function comparable(answer: Awaited<ReturnType<typeof send>>, id: string): string {
  const body: Record<string, unknown> = { ...answer.body };
  for (const field of OWN_FIELDS) Reflect.deleteProperty(body, field);
  return JSON.stringify([answer.status, body]).replaceAll(id, 'ID');
}

/** How the owner reads it. */
function pathOf(what: string, id: string): string {
  if (what === 'checkout') return `/v1/checkouts/${id}/payment`;
  return `/v1/${what.endsWith('payment') ? 'payments' : 'registrations'}/${id}`;
}

/** An id like this one that nothing has. */
function unknownLike(id: string): string {
  return id.slice(0, -4) + (id.endsWith('0000') ? '1111' : '0000');
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
      expect(body[list]).toHaveLength(owned.size - 1);
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

  describe.each([...KINDS])('a %s', (what) => {
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
        expect(JSON.stringify(theirs.body)).not.toMatch(/Jane|420000|000\.100\.110/);
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

  it.each([...KINDS])('is deleted by the shopper of no other checkout: a %s', async (what) => {
    const id = owned.get(what) ?? '';
    const unknown = unknownLike(id);
    const ofOther = await send(OTHER, 'POST', '/v1/checkouts', MONEY);
    for (const checkout of [String(ofOther.body['id']), owned.get('checkout') ?? '']) {
      const [theirs, nothing] = await Promise.all(
        [id, unknown].map(async (each) => {
          const path = `/v1/checkouts/${checkout}/registrations/${each}`;
          const { status, json } = await deleteAsShopper(path);
          return { status, body: json };
        }),
      );
      if (theirs === undefined || nothing === undefined) throw new Error('no answer');
      expect(theirs.status).toBe(400);
      expect(comparable(theirs, id)).toBe(comparable(nothing, unknown));
    }
  });

  it('is unchanged after all that was tried', async () => {
    const { body } = await send(
      OWNER,
      'GET',
      `/v1/registrations/${owned.get('registration') ?? ''}`,
      {},
    );
    expect(body).toMatchObject({ result: { code: '000.100.110' } });
    const path = `/v1/registrations/${owned.get('registration') ?? ''}/payments`;
    const paid = await send(OWNER, 'POST', path, { ...MONEY, paymentType: 'DB' });
    expect(paid.body).toMatchObject({ result: { code: '000.100.110' } });
  });
});
