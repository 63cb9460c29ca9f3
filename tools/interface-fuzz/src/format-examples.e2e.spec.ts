import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { catalogue, type Kind, parseForm, violations } from '@sluice/parameters';
import { RawConnection, seededRandom } from '@sluice/testing';
import { nameOf } from './fields.js';
import { type FuzzedSandbox, startFuzzedSandbox } from './fuzzed-sandbox.js';
import { sent } from './rule-sending.js';
import {
  companionsOf,
  ofOneAccount,
  type SentParameter,
  type RequestContext,
  type ValidRequest,
  validRequest,
  validRequests,
  withOneWallet,
} from './valid-requests.js';
import { wrongWith } from './verdict.js';

type Format = (typeof catalogue)[keyof typeof catalogue]['format'];

/** One format, where one row and one kind of request have it. */
interface Example {
  readonly format: Pick<Format, 'accepted' | 'refused'>;
  readonly key: string;
  readonly kind: Kind;
  /** The parameter that has this value of the format. */
  readonly parameter: (value: string) => SentParameter;
}

/** A row with all that rows may have; the catalogue's own type has the literals of each. */
interface Row {
  readonly format: Format;
  readonly kinds: readonly Kind[];
  readonly formatIn?: Readonly<Partial<Record<Kind, Format>>>;
  readonly nameFormat?: Format;
  readonly testDirectives?: ReadonlyMap<string, Format>;
  readonly onlyWith?: string;
}

/**
 * Parameters that only requests read which nobody serves yet: their formats cannot be tried over
 * HTTP, so the check of the request that will have them is asked instead. Where each will be served:
 */
const toCome = new Map<
  Kind,
  { readonly paths: readonly string[]; readonly keys: readonly string[] }
>([
  // Served, but a checkout's payment type counts only once it is completed; edge's own specs have it.
  ['checkout', { paths: [], keys: ['paymentType', 'integrity', 'overridePaymentType[brand]'] }],
  // Served, but what is right in a change depends on what is stored.
  ['registrationUpdate', { paths: [], keys: ['paymentType'] }],
  [
    'report',
    {
      paths: [
        '/reports/v1/reconciliations/aggregations',
        '/reports/v2/reconciliations/aggregations/1',
      ],
      keys: ['date.from', 'date.to', 'sortValue', 'sortOrder', 'reconciliationType'],
    },
  ],
]);

const everyRow = Object.entries(catalogue) as unknown as readonly (readonly [string, Row])[];
/** The strict reading: the others are refused, whatever their value. */
const rows = everyRow.filter(([, row]) => row.onlyWith === undefined);
const random = seededRandom('examples');
const START_WITHIN_MS = 120_000;
/** Two requests for each of some 500 examples; a second each would be far too much. */
const RUN_WITHIN_MS = 240_000;

const isServed = (kind: Kind): boolean => validRequests.has(kind);
/**
 * A card is what payments here have, and a registration or the proof of a token contradicts it; a day on
 * which to collect is one of bank accounts.
 */
const isOfAnother = (kind: Kind, key: string): boolean =>
  key === 'registrationId' ||
  (key === 'transactionDueDate' && kind !== 'bankAccountPayment') ||
  (kind === 'payment' && key.startsWith('tokenAccount.'));

/** Each format of each row, with one kind that reads it: one that is served, if any. */
const examples: readonly Example[] = rows.flatMap(([key, row]) => {
  const own = Object.entries(row.formatIn ?? {}) as [Kind, Format][];
  const others = row.kinds.filter((kind) => !own.some(([each]) => each === kind));
  const kind = others.find((each) => isServed(each) && !isOfAnother(each, key)) ?? others.at(-1);
  if (kind === undefined) throw new Error(`no request reads the format of ${key}`);
  const name = nameOf(key, random);
  const prefix = key.slice(0, key.indexOf('['));
  const byValue = (value: string): SentParameter => [name, value];
  return [
    { key, kind, format: row.format, parameter: byValue },
    ...own.map(([other, format]) => ({ key, kind: other, format, parameter: byValue })),
    ...(row.nameFormat === undefined ? [] : [row.nameFormat]).map((format) => ({
      ...{ key, kind, format },
      parameter: (value: string): SentParameter => [`${prefix}[${value}]`, row.format.accepted],
    })),
    ...[...(row.testDirectives ?? [])].map(([inside, format]) => ({
      ...{ key, kind, format },
      parameter: (value: string): SentParameter => [`${prefix}[${inside}]`, value],
    })),
  ];
});

const served = examples.filter(({ kind }) => isServed(kind));
const unserved = examples.filter(({ kind }) => !isServed(kind));

/** Longer than any value may be: what a form of any text refuses, beside nothing at all. */
const TOO_LONG = 'x'.repeat(32 * 1024 + 1);

/** An empty value counts as not sent, so it is no example of one that is refused. */
function refusedOf({ refused }: Example['format']): string {
  return refused === '' ? TOO_LONG : refused;
}

describe(`the ${examples.length} examples of formats`, () => {
  it('are those of every format that any row has', () => {
    const all = rows.flatMap(([, { format, formatIn = {}, nameFormat, testDirectives }]) => [
      ...[format, ...Object.values(formatIn), ...(nameFormat === undefined ? [] : [nameFormat])],
      ...(testDirectives?.values() ?? []),
    ]);
    const tried = new Set(examples.map(({ format }) => format));
    expect(all.filter((format) => !tried.has(format))).toEqual([]);
    expect(tried.size).toBe(new Set(all).size);
    expect(tried.size).toBeGreaterThan(300);
  });

  it('are read by a request that is served, but for those on the list', () => {
    const left = new Set(unserved.map(({ kind, key }) => `${kind}: ${key}`));
    const listed = [...toCome].flatMap(([kind, { keys }]) => keys.map((key) => `${kind}: ${key}`));
    expect([...left].sort()).toEqual(listed.sort());
  });

  it.each(unserved.map((example) => [example.key, example.kind, example] as const))(
    '%s is checked as a %s will have it, until one is served',
    (_key, kind, { format, parameter }) => {
      const namedBy = (value: string): readonly string[] => {
        const [name] = parameter(value);
        const parsed = parseForm(new URLSearchParams([[...parameter(value)]]).toString());
        const found =
          parsed.kind === 'refused' ? parsed.problems : violations(parsed.form, kind, 'INTERNAL');
        return found.map((error) => error.name).filter((each) => each === name);
      };
      expect(namedBy(format.accepted)).toEqual([]);
      expect(namedBy(refusedOf(format))).toHaveLength(1);
    },
  );
});

describe('the examples over HTTP', () => {
  let sandbox: FuzzedSandbox;
  let started: FuzzedSandbox | undefined;
  let connection: RawConnection;

  beforeAll(async () => {
    sandbox = started = await startFuzzedSandbox(5);
    connection = new RawConnection(sandbox.url);
  }, START_WITHIN_MS);
  afterAll(async () => {
    connection.close();
    await started?.stop();
  });

  async function send(request: ValidRequest) {
    const form = new URLSearchParams(Object.fromEntries(request.parameters)).toString();
    return sent(connection, { ...request, form }, sandbox.context.accessToken);
  }

  it(
    'are taken, and refused by the name of their parameter',
    async () => {
      const wrong: string[] = [];
      for (const example of served) {
        for (const side of ['accepted', 'refused'] as const) {
          const { request, refused } = requestOf(example, side, sandbox.context);
          const fault = wrongWith(refused, await send(request));
          if (fault !== undefined) wrong.push(`${example.kind} ${example.key} ${side}: ${fault}`);
        }
      }
      expect(wrong).toEqual([]);
    },
    RUN_WITHIN_MS,
  );

  it.each([...toCome].flatMap(([kind, { paths }]) => paths.map((path) => [path, kind] as const)))(
    'cannot be sent to %s: whoever serves a %s takes its formats off the list',
    async (path) => {
      const { entityId } = sandbox.context;
      for (const method of ['GET', 'POST'] as const) {
        const answer = await send({
          ...validRequest('payment', random, sandbox.context),
          ...{ method, path, parameters: [['entityId', entityId]] },
        });
        expect([method, answer.status]).toEqual([method, 404]);
      }
    },
  );

  // Decision 0006: a name that the interface knows is taken and not read where nobody needs it.
  it('mean nothing to a payment where it does not read them', async () => {
    const payment = validRequest('payment', random, sandbox.context);
    for (const parameter of [
      ['integrity', 'maybe'],
      ['job.month', '13'],
      ['sortOrder', 'sideways'],
    ] as const) {
      const answer = await send({ ...payment, parameters: [...payment.parameters, parameter] });
      expect([parameter, wrongWith([], answer)]).toEqual([parameter, undefined]);
    }
  });

  it.each(['entityId', 'authentication.entityId'] as const)(
    '%s of the wrong form is refused at the door, which does not say why',
    async (key) => {
      const request = validRequest('payment', random, sandbox.context);
      const others = request.parameters.filter(([name]) => name !== 'entityId');
      const { refused } = catalogue[key].format;
      const answer = await send({ ...request, parameters: [...others, [key, refused]] });
      expect(answer.status).toBe(403);
    },
  );
});

/** Examples that mean nothing to this sandbox: what it takes there is its own. */
function ownValue(
  { key, kind }: Example,
  { entityId, paymentIds }: RequestContext,
): string | undefined {
  switch (key) {
    case 'entityId':
    case 'authentication.entityId':
      return entityId;
    case 'paymentType':
      return kind === 'registration' ? undefined : 'DB';
    case 'referenceUuid':
      return paymentIds[0];
    default:
      return undefined;
  }
}

function requestOf(
  example: Example,
  side: 'accepted' | 'refused',
  context: RequestContext,
): { readonly request: ValidRequest; readonly refused: readonly string[] } {
  const { key, kind, format } = example;
  const own = ownValue(example, context);
  // Who asks is refused by access: that has a rule of its own above.
  const isOwn = own !== undefined && (side === 'accepted' || own === context.entityId);
  const ofFormat = side === 'accepted' ? format.accepted : refusedOf(format);
  const parameter = example.parameter(isOwn ? own : ofFormat);
  const base = baseOf(key, kind, context);
  const companions = companionsOf(parameter[0]).filter(
    ([name]) => !base.parameters.some(([each]) => each === name),
  );
  const all = new Map([...base.parameters, ...companions, parameter]);
  const parameters = ofOneAccount(withOneWallet([...all]), parameter[0]);
  const isTaken = isOwn || side === 'accepted';
  return {
    request: { ...base, parameters },
    refused: isTaken ? [] : [parameter[0]],
  };
}

/** A request that takes the example: queries by time for times, increments by reference. */
function baseOf(key: string, kind: Kind, context: RequestContext): ValidRequest {
  const request = validRequest(kind, random, context);
  const entity: SentParameter = ['entityId', context.entityId];
  if (kind === 'query') {
    const by: readonly SentParameter[] = key.startsWith('date.')
      ? [
          ['date.from', '2026-01-01 00:00:00'],
          ['date.to', '2036-01-01 00:00:00'],
        ]
      : [['merchantTransactionId', 'examples-1']];
    return { ...request, path: '/v3/query', parameters: [entity, ...by] };
  }
  if (key !== 'referenceUuid') return request;
  const uuid: SentParameter = ['referenceUuid', context.paymentIds[0] ?? ''];
  const others = request.parameters.filter(([name]) => name !== 'referenceUuid');
  return { ...request, path: '/v1/payments', parameters: [...others, uuid] };
}
