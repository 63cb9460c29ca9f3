import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { catalogue, type Kind, kinds } from '@sluice/parameters';
import { seededRandom } from '@sluice/testing';
import { nameOf } from './fields.js';
import { type FuzzedSandbox, startFuzzedSandbox } from './fuzzed-sandbox.js';
import { HttpSender } from './http-sender.js';
import {
  companionsOf,
  type SentParameter,
  type Surroundings,
  type ValidRequest,
  validRequest,
  validRequests,
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
  /** No resource takes a kind that uses the row: the name is known, and nobody reads it. */
  readonly isIgnored: boolean;
}

/** A row with all that rows may have; the catalogue's own type has the literals of each. */
interface Row {
  readonly format: Format;
  readonly kinds: readonly Kind[];
  readonly formatIn?: Readonly<Partial<Record<Kind, Format>>>;
  readonly nameFormat?: Format;
  readonly readInTests?: ReadonlyMap<string, Format>;
  readonly onlyThere?: true;
}

const rows = Object.entries(catalogue) as unknown as readonly (readonly [string, Row])[];
const random = seededRandom('examples');
const servedKinds = kinds.filter((kind) => validRequests.has(kind));
const START_WITHIN_MS = 120_000;
/** Two requests for each of some 500 examples; a second each would be far too much. */
const RUN_WITHIN_MS = 240_000;

const examples: readonly Example[] = rows.flatMap(([key, row]) => {
  const served = servedKinds.filter((kind) => row.kinds.includes(kind));
  const name = nameOf(key, random);
  const prefix = key.slice(0, key.indexOf('['));
  const own = Object.entries(row.formatIn ?? {}) as [Kind, Format][];
  const isIgnored = served.length === 0;
  const kind = served.find((each) => !own.some(([other]) => other === each)) ?? 'payment';
  const byValue = (value: string): SentParameter => [name, value];
  const example = { key, kind, isIgnored } as const;
  return [
    { ...example, format: row.format, parameter: byValue },
    ...own.map(([other, format]) =>
      servedKinds.includes(other)
        ? { ...example, format, kind: other, isIgnored: false, parameter: byValue }
        : { ...example, format, kind: 'payment' as const, isIgnored: true, parameter: byValue },
    ),
    ...(row.nameFormat === undefined ? [] : [row.nameFormat]).map((format) => ({
      ...example,
      format,
      parameter: (value: string): SentParameter => [`${prefix}[${value}]`, row.format.accepted],
    })),
    ...[...(row.readInTests ?? [])].map(([inside, format]) => ({
      ...example,
      format,
      parameter: (value: string): SentParameter => [`${prefix}[${inside}]`, value],
    })),
  ];
});

describe(`the ${examples.length} examples of formats`, () => {
  it('are those of every format that any row has', () => {
    const all = rows.flatMap(([, { format, formatIn = {}, nameFormat, readInTests }]) => [
      ...[format, ...Object.values(formatIn), ...(nameFormat === undefined ? [] : [nameFormat])],
      ...(readInTests?.values() ?? []),
    ]);
    const tried = new Set(examples.map(({ format }) => format));
    expect(all.filter((format) => !tried.has(format))).toEqual([]);
    expect(tried.size).toBe(new Set(all).size);
    expect(tried.size).toBeGreaterThan(300);
  });

  it('are read by a resource, unless they belong to one that is still to come', () => {
    const structures = examples
      .filter(({ isIgnored }) => isIgnored)
      .map(({ key }) => key.replace(/[.[].*$/, ''));
    expect([...new Set(structures)]).toEqual([
      ...['integrity', 'overridePaymentType', 'recurringMigration', 'job', 'date'],
      ...['sortValue', 'sortOrder'],
    ]);
  });
});

describe('the examples over HTTP', () => {
  let sandbox: FuzzedSandbox;
  let started: FuzzedSandbox | undefined;
  let sender: HttpSender;

  beforeAll(async () => {
    sandbox = started = await startFuzzedSandbox(5);
    sender = new HttpSender(sandbox.url, sandbox.surroundings.accessToken);
  }, START_WITHIN_MS);
  afterAll(async () => {
    sender.close();
    await started?.stop();
  });

  async function send(request: ValidRequest) {
    const form = new URLSearchParams(Object.fromEntries(request.parameters)).toString();
    return sender.send({ ...request, form });
  }

  it(
    'are taken, and refused by the name of their parameter',
    async () => {
      const wrong: string[] = [];
      for (const example of examples) {
        for (const side of ['accepted', 'refused'] as const) {
          const { request, refused } = requestOf(example, side, sandbox.surroundings);
          const fault = wrongWith(refused, await send(request));
          if (fault !== undefined) wrong.push(`${example.kind} ${example.key} ${side}: ${fault}`);
        }
      }
      expect(wrong).toEqual([]);
    },
    RUN_WITHIN_MS,
  );

  it.each(['entityId', 'authentication.entityId'] as const)(
    '%s of the wrong form is refused at the door, which does not say why',
    async (key) => {
      const request = validRequest('payment', random, sandbox.surroundings);
      const others = request.parameters.filter(([name]) => name !== 'entityId');
      const { refused } = catalogue[key].format;
      const answer = await send({ ...request, parameters: [...others, [key, refused]] });
      expect(answer.status).toBe(403);
    },
  );
});

/** Examples that mean nothing to this sandbox: what it takes there is its own. */
function ownValue(key: string, { entityId, paymentIds }: Surroundings): string | undefined {
  switch (key) {
    case 'entityId':
    case 'authentication.entityId':
      return entityId;
    case 'paymentType':
      return 'DB';
    case 'referenceUuid':
      return paymentIds[0];
    default:
      return undefined;
  }
}

function requestOf(
  example: Example,
  side: 'accepted' | 'refused',
  surroundings: Surroundings,
): { readonly request: ValidRequest; readonly refused: readonly string[] } {
  const { key, kind, format, isIgnored } = example;
  const own = ownValue(key, surroundings);
  // Who asks is refused by access: that has a rule of its own above.
  const isOwn = own !== undefined && (side === 'accepted' || own === surroundings.entityId);
  const value = isOwn ? own : format[side];
  const parameter = example.parameter(value);
  const base = baseOf(key, kind, surroundings);
  const companions = companionsOf(parameter[0]).filter(
    ([name]) => !base.parameters.some(([each]) => each === name),
  );
  const parameters = new Map([...base.parameters, ...companions, parameter]);
  const isTaken = isOwn || side === 'accepted' || value === '' || isIgnored;
  const isNowhere = isIgnored && 'onlyThere' in catalogue[key as keyof typeof catalogue];
  return {
    request: { ...base, parameters: [...parameters] },
    // An empty value counts as not sent, where the form has none.
    refused: isTaken && !isNowhere ? [] : [parameter[0]],
  };
}

/** A request that takes the example: queries by time for times, increments by reference. */
function baseOf(key: string, kind: Kind, surroundings: Surroundings): ValidRequest {
  const request = validRequest(kind, random, surroundings);
  const entity: SentParameter = ['entityId', surroundings.entityId];
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
  const uuid: SentParameter = ['referenceUuid', surroundings.paymentIds[0] ?? ''];
  const others = request.parameters.filter(([name]) => name !== 'referenceUuid');
  return { ...request, path: '/v1/payments', parameters: [...others, uuid] };
}
