import type { Kind } from '@sluice/parameters';
import type { SeededRandom } from '@sluice/testing';
import {
  type Field,
  fieldOf,
  fieldsOfKind,
  keysOf,
  mapNames,
  nameOf,
  strictRows,
} from './fields.js';
import { brokenNames } from './broken-names.js';
import { combinations } from './combinations.js';
import type { MakeValue } from './reading.js';
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

/** A request with the verdict that the interface has on it. */
export interface RuleRequest {
  /** Which rule it is about, for the report. */
  readonly rule: string;
  readonly kind: Kind;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Query string or body. */
  readonly form: string;
  /** The parameters that are named as wrong, and no others; none for a request that is taken. */
  readonly refused: readonly string[];
}

/** A request before it is written down. */
type Draft = ValidRequest & Pick<RuleRequest, 'rule' | 'refused'>;

/** Makes one request of a class. */
type MakeRequest = (context: RequestContext, random: SeededRandom) => Draft;

/** What by its presence says what is paid with: elsewhere it would change the kind, or contradict it. */
const OF_METHODS =
  /^(?:registrationId$|(?:card|bankAccount|virtualAccount|tokenAccount|applePay|googlePay|samsungPay|clickToPay)\.)/;

/** The kinds whose parameters are in the query string. */
const IN_URLS: ReadonlySet<Kind> = new Set(['read', 'query']);

/** Only one of each pair: both together are against a rule of their own. */
const EXCLUSIVE: readonly ReadonlySet<string>[] = [
  new Set(['limit', 'pageNo']),
  new Set(['merchantTransactionId', 'date.from', 'date.to']),
  // What an external server found out, in two words that may contradict each other.
  new Set(['threeDSecure.eci', 'threeDSecure.authenticationStatus']),
  // What needs 3-D Secure 2.2, and a version that may be older.
  new Set([
    'threeDSecure.version',
    'threeDSecure.challengeIndicator',
    'threeDSecure.exemptionFlag',
  ]),
];

const servedKinds = [...validRequests.keys()];

/** Every field of every kind with every value, in the order of the seed and then again. */
function* shuffled<T>(all: readonly T[], random: SeededRandom): Generator<T, never> {
  for (;;) {
    const left = [...all];
    while (left.length > 0) {
      const at = random.integer(0, left.length - 1);
      const last = left.pop() as T;
      if (at === left.length) yield last;
      else {
        yield left[at] as T;
        left[at] = last;
      }
    }
  }
}

interface Accepted {
  readonly kind: Kind;
  readonly field: Field;
  readonly value: MakeValue;
}

interface Refused extends Accepted {
  readonly rule: string;
}

const acceptedValues: readonly Accepted[] = servedKinds.flatMap((kind) =>
  (fieldsOfKind.get(kind) ?? [])
    .filter(({ key }) => mayBeAdded(key, kind))
    .flatMap((field) => field.reading.accepted.map((value) => ({ kind, field, value }))),
);

const brokenValues: readonly Refused[] = servedKinds.flatMap((kind) =>
  (fieldsOfKind.get(kind) ?? [])
    .filter(({ key }) => !isOfAnotherAccount(key, kind))
    .flatMap((field) =>
      field.reading.broken.map(({ rule, value }) => ({ kind, field, value, rule })),
    ),
);

/** How many values there are to try, so that a run can say whether it tried them all. */
export const valuesToTry = { accepted: acceptedValues.length, broken: brokenValues.length };

/** What contradicts the card of the request. */
function isOfAnotherAccount(key: string, kind: Kind): boolean {
  if (key === 'registrationId') return kind === 'payment';
  if (kind === 'payment') return key.startsWith('tokenAccount.');
  return kind === 'registration' && OF_METHODS.test(key) && !key.startsWith('card.');
}

/** What decides which kind it is, or what a query is by, is not added to a request that has it. */
function mayBeAdded(key: string, kind: Kind): boolean {
  if (key.startsWith('date.')) return false;
  if (isOfAnotherAccount(key, kind)) return false;
  // All that is paid, captured and stored here is of cards, but for this kind.
  if (key === 'transactionDueDate') return kind === 'bankAccountPayment';
  const isIncrement = kind === 'incrementalAuthorization' || kind === 'reauthorization';
  return !(isIncrement && key === 'standingInstruction.industryPractice');
}

/** The request with more parameters; a name that it had takes the new value. */
function having(request: ValidRequest, more: readonly SentParameter[]): ValidRequest {
  const parameters = new Map([...request.parameters, ...more]);
  return { ...request, parameters: withOneWallet([...parameters]) };
}

/** The same, with whatever the interface demands beside what is added. */
function completed(request: ValidRequest, [name, value]: SentParameter): ValidRequest {
  const used = new Set(keysOf(request.kind));
  const sent = new Set(request.parameters.map(([each]) => each));
  const beside = companionsOf(name).filter(([each]) => used.has(each) && !sent.has(each));
  const { parameters } = having(request, [...beside, [name, value]]);
  return { ...request, parameters: ofOneAccount(parameters, name) };
}

function without(request: ValidRequest, name: string): ValidRequest {
  return { ...request, parameters: request.parameters.filter(([each]) => each !== name) };
}

/** An authentication for yen has no fraction, so it says no amount here. */
function withoutFractions(request: ValidRequest): ValidRequest {
  const isInYen = request.parameters.some(
    ([name, value]) => name === 'threeDSecure.currency' && value === 'JPY',
  );
  return isInYen ? without(request, 'threeDSecure.amount') : request;
}

const BY_ID = /^\/(v[13])\/query\/./;
/** What is looked for by, where the path has no id. */
const SEARCHES = ['merchantTransactionId', 'date.from', 'date.to', 'shortId'];
/** What chooses among several entries; version 1 answers one. */
const CHOICES = ['paymentTypes', 'paymentMethods', 'includeLinkedTransactions', 'limit', 'pageNo'];

/** Beside an id in the path some parameters would do nothing, and are refused for that. */
function withoutIdle(request: ValidRequest): ValidRequest {
  const version = BY_ID.exec(request.path)?.[1];
  if (version === undefined) return request;
  const idle = version === 'v1' ? [...SEARCHES, ...CHOICES] : SEARCHES;
  return { ...request, parameters: request.parameters.filter(([name]) => !idle.includes(name)) };
}

/** Requests with nothing wrong: a few parameters of the kind, each in its form. */
function* validWithExtras(context: RequestContext, random: SeededRandom): Generator<Draft, never> {
  for (const { kind, field, value } of shuffled(acceptedValues, random)) {
    let request = validRequest(kind, random, context);
    const clash = EXCLUSIVE.find((each) => each.has(field.key));
    const isTaken = request.parameters.some(([name]) => name !== field.key && clash?.has(name));
    const name = nameOf(field.key, random);
    if (!isTaken) request = completed(request, [name, value(random)]);
    const others = (fieldsOfKind.get(kind) ?? []).filter(
      ({ key }) => mayBeAdded(key, kind) && !EXCLUSIVE.some((each) => each.has(key)),
    );
    for (let count = random.integer(0, 8); count > 0 && others.length > 0; count -= 1) {
      const other = random.pick(others);
      const otherName = nameOf(other.key, random);
      if (request.parameters.some(([each]) => each === otherName)) continue;
      request = completed(request, [otherName, random.pick(other.reading.accepted)(random)]);
    }
    yield { ...withoutIdle(withoutFractions(request)), rule: `${kind}: valid`, refused: [] };
  }
  throw new Error('there is no end of valid requests');
}

/** Requests with one value that misses its form by one rule. */
function* withBrokenValue(context: RequestContext, random: SeededRandom): Generator<Draft, never> {
  for (const { kind, field, value, rule } of shuffled(brokenValues, random)) {
    const name = nameOf(field.key, random);
    const request = completed(validRequest(kind, random, context), [name, value(random)]);
    yield { ...request, rule: `${kind}: ${field.key}: ${rule}`, refused: [name] };
  }
  throw new Error('there is no end of broken values');
}

const missing: MakeRequest = (context, random) => {
  for (;;) {
    const request = validRequest(random.pick(servedKinds), random, context);
    if (request.demanded.length === 0) continue;
    const name = random.pick(request.demanded);
    const rule = `${request.kind}: ${name} is missing`;
    const isEmpty = random.chance(0.3);
    const left = isEmpty ? having(request, [[name, '']]) : without(request, name);
    return { ...left, rule, refused: [name] };
  }
};

const foreign: MakeRequest = (context, random) => {
  for (;;) {
    const kind = random.pick(servedKinds);
    const used = new Set(keysOf(kind));
    const others = strictRows.filter(
      ([key]) => !used.has(key) && !OF_METHODS.test(key) && fieldOf(key, kind) !== undefined,
    );
    const [key, row] = random.pick(others);
    const field = fieldOf(key, kind);
    if (field === undefined) continue;
    const all = [...field.reading.accepted, ...field.reading.broken.map(({ value }) => value)];
    const value = random.pick(all)(random);
    // The parser's own limits hold for what is ignored, too.
    if (Buffer.byteLength(value) > 4_096) continue;
    const name = nameOf(key, random);
    const request = having(validRequest(kind, random, context), [[name, value]]);
    // What is personal or secret is in no URL, whoever it would be for (Interface 5).
    const isMisplaced = IN_URLS.has(kind) && row.sensitivity !== 'none';
    if (isMisplaced && value === '') continue;
    const isUseless = 'onlyThere' in row || ('refusedIn' in row && kind in row.refusedIn);
    const isRefused = isMisplaced || (isUseless && value !== '');
    const rule = `${kind}: ${key} is of other kinds`;
    return { ...request, rule, refused: isRefused ? [name] : [] };
  }
};

const duplicate: MakeRequest = (context, random) => {
  const request = validRequest(random.pick(servedKinds), random, context);
  const [name, value] = random.pick(request.parameters);
  const again = random.chance(0.5) ? value : `${value}1`;
  const rule = `${request.kind}: a parameter twice`;
  return { ...request, parameters: [...request.parameters, [name, again]], rule, refused: [name] };
};

const unknownName: MakeRequest = (context, random) => {
  for (;;) {
    const request = validRequest(random.pick(servedKinds), random, context);
    const { name, rule } = random.pick(brokenNames)(random);
    // A misspelt part of a structure is one all the same: the structure's other rules hold, and
    // another account's would contradict the request.
    if (isOfAnotherAccount(name, request.kind)) continue;
    return { ...completed(request, [name, 'x']), rule: `unknown name: ${rule}`, refused: [name] };
  }
};

/** Names of risk parameters may have any characters (2.18). */
const MAPS = ['customParameters', 'merchant.data'];

const mapName: MakeRequest = (context, random) => {
  const request = validRequest('payment', random, context);
  const { rule, value } = random.pick(mapNames.broken);
  const name = `${random.pick(MAPS)}[${value(random)}]`;
  return { ...having(request, [[name, 'x']]), rule: `a map's name: ${rule}`, refused: [name] };
};

const PAYMENT_TYPES = ['XX', 'pa', 'P', 'PAX', 'DB ', '00'];

/** What says no `paymentType`. */
const WITHOUT_TYPE: ReadonlySet<Kind> = new Set(['read', 'query', 'registration']);

const paymentType: MakeRequest = (context, random) => {
  const request = validRequest(
    random.pick(servedKinds.filter((kind) => !WITHOUT_TYPE.has(kind))),
    random,
    context,
  );
  const ofReferences = ['CP', 'RF', 'RV', 'CB', 'RG'];
  // Wire contract 6: a schedule takes those of new payments as well.
  const isNew = request.path === '/v1/payments' || request.kind === 'schedule';
  const elsewhere = isNew ? ofReferences : ['DB', 'CD'];
  const value = random.pick([...PAYMENT_TYPES, ...elsewhere]);
  const rule = `${request.kind}: another paymentType`;
  return { ...having(request, [['paymentType', value]]), rule, refused: ['paymentType'] };
};

const combination: MakeRequest = (context, random) => {
  const { rule, kind, more, drop, path, refused } = random.pick(combinations);
  let request = validRequest(kind, random, context);
  for (const name of drop ?? []) request = without(request, name);
  request = having(request, more);
  return { ...request, path: path ?? request.path, rule, refused };
};

/** Of a hundred requests, so many are of this class; the rest is valid. */
const SHARES: readonly (readonly [perHundred: number, make: MakeRequest])[] = [
  [6, missing],
  [5, foreign],
  [3, duplicate],
  [4, unknownName],
  [2, mapName],
  [2, paymentType],
  [4, combination],
];
const VALID_PER_HUNDRED = 40;

/** Endless requests, the same for the same seed and context. */
export function* ruleRequests(
  context: RequestContext,
  random: SeededRandom,
): Generator<RuleRequest, never> {
  const valid = validWithExtras(context, random.fork('valid'));
  const broken = withBrokenValue(context, random.fork('broken'));
  const others = SHARES.flatMap(([share, make]) => new Array<MakeRequest>(share).fill(make));
  for (;;) {
    const choice = random.integer(0, 99);
    const make = others[choice];
    if (make !== undefined) yield written(make(context, random));
    else {
      const isValid = choice >= 100 - VALID_PER_HUNDRED;
      yield written((isValid ? valid : broken).next().value);
    }
  }
}

function written({ rule, kind, method, path, parameters, refused }: Draft): RuleRequest {
  const form = parameters.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  return { rule, kind, method, path, form, refused };
}

function encoded(part: string): string {
  return new URLSearchParams([['', part]]).toString().slice(1);
}
