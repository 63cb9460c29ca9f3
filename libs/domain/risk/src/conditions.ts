import { formatAmount, fromMessage } from '@sluice/money';
import { rangeFinder } from './address-ranges.js';
import { expressionHolds, namesOf } from './expressions.js';
import { type Facts, personalSubjects, type Subject } from './facts.js';
import type {
  AmountCondition,
  ChecksCondition,
  Condition,
  CountriesCondition,
  HistoryCondition,
  ListCondition,
  ListedBy,
  ListEntry,
  TimeOfDayCondition,
  VelocityCondition,
} from './rules.js';
import { wholeNumberOf } from './whole-number.js';
import { type Counted, type History, historyKeyOf, windowOf, withThisPayment } from './windows.js';

/** What a rule saw when it held, by name; `personal` is sealed before it is kept. */
export interface Inputs {
  readonly plain: Readonly<Record<string, string>>;
  readonly personal: Readonly<Record<string, string>>;
}

/** A payment, and what was counted of its payers. */
export interface Judged {
  readonly nodeId: string;
  readonly facts: Facts;
  readonly counted: Counted;
}

const NOTHING_YET = { count: 0, minor: 0n };

/** What a condition saw, or undefined if it does not hold. Pure: the same answer for the same facts. */
export function heldBy(when: Condition, judged: Judged): Inputs | undefined {
  switch (when.kind) {
    case 'amount':
      return amountHeld(when, judged.facts);
    case 'velocity':
      return velocityHeld(when, judged);
    case 'history':
      return historyHeld(when, judged);
    case 'list':
      return listHeld(when, judged.facts);
    case 'countriesDiffer':
      return countriesHeld(when, judged.facts);
    case 'proxy':
      return proxyHeld(judged.facts);
    case 'timeOfDay':
      return timeHeld(when, judged.facts);
    case 'expression':
      return expressionHolds(when.expression, expressionFacts(judged.facts))
        ? plain({})
        : undefined;
    case 'checks':
      return checksHeld(when, judged.facts);
    case 'scored':
      return plain(when.inputs);
  }
}

/** Which of the issuer's words a rule looks at. */
export function checksLookedAt(when: Condition): { readonly avs: boolean; readonly cvv: boolean } {
  switch (when.kind) {
    case 'checks':
      return { avs: when.avs !== undefined, cvv: when.cvv !== undefined };
    case 'expression': {
      const names = namesOf(when.expression);
      return { avs: names.has('avsResponse'), cvv: names.has('cvvResponse') };
    }
    case 'amount':
    case 'velocity':
    case 'history':
    case 'list':
    case 'countriesDiffer':
    case 'proxy':
    case 'timeOfDay':
    case 'scored':
      return NEITHER;
  }
}

const NEITHER = { avs: false, cvv: false };

/** Whether a rule speaks only once an acquirer has said yes. */
export function isAfterAuthorization(when: Condition): boolean {
  const { avs, cvv } = checksLookedAt(when);
  return avs || cvv;
}

function plain(inputs: Readonly<Record<string, string>>): Inputs {
  return { plain: inputs, personal: {} };
}

function amountHeld({ above, below }: AmountCondition, { amount }: Facts): Inputs | undefined {
  const limits = [above, below].flatMap((limit) =>
    limit === undefined ? [] : [fromMessage(limit)],
  );
  if (limits.some(({ currency }) => currency !== amount.currency)) return undefined;
  const isAbove = above === undefined || amount.minor > BigInt(above.minor);
  const isBelow = below === undefined || amount.minor < BigInt(below.minor);
  return isAbove && isBelow
    ? plain({ amount: `${formatAmount(amount)} ${amount.currency}` })
    : undefined;
}

function velocityHeld(when: VelocityCondition, judged: Judged): Inputs | undefined {
  const { facts, counted, nodeId } = judged;
  const window = windowOf(nodeId, when, facts);
  if (window === undefined) return undefined;
  const { atMost, atMostSum, by, withinMinutes } = when;
  const before = counted.counts.get(window.name) ?? NOTHING_YET;
  const { count, minor } = withThisPayment(before, facts.amount, when);
  const isOften = atMost !== undefined && count > atMost;
  const isMuch = atMostSum?.currency === facts.amount.currency && minor > BigInt(atMostSum.minor);
  if (!isOften && !isMuch) return undefined;
  const sum = atMostSum === undefined ? {} : { sum: String(minor) };
  return {
    plain: { count: String(count), ...sum, withinMinutes: String(withinMinutes) },
    personal: ifPersonal(by, facts),
  };
}

function ifPersonal(by: Subject, { payer }: Facts): Inputs['personal'] {
  return personalSubjects.has(by) ? { [by]: payer[by] ?? '' } : {};
}

const NEVER_SEEN: History = { payments: 0, approved: 0, declined: 0, chargedBack: 0 };

function historyHeld(when: HistoryCondition, judged: Judged): Inputs | undefined {
  const { facts, counted, nodeId } = judged;
  const { by, had, atLeast = 0, atMost = Infinity } = when;
  const key = historyKeyOf(nodeId, when, facts);
  if (key === undefined) return undefined;
  const count = (counted.histories.get(key) ?? NEVER_SEEN)[had];
  if (count < atLeast || count > atMost) return undefined;
  return { plain: { [had]: String(count) }, personal: ifPersonal(by, facts) };
}

function listHeld(when: ListCondition, facts: Facts): Inputs | undefined {
  const { by } = when;
  const find = finderOf(when);
  const entry = listedValues(by, facts)
    .flatMap((value) => find(value) ?? [])
    .find(({ untilMs }) => untilMs === undefined || untilMs > facts.atMs);
  if (entry === undefined) return undefined;
  const isPersonal = by === 'email' || by === 'ip' || by === 'device' || by === 'customer';
  const found = { [by]: entry.value };
  return isPersonal ? { plain: {}, personal: found } : plain(found);
}

/** The entries of a list that a value is on. */
type Finder = (value: string) => readonly ListEntry[] | undefined;

/** Lists are long, and asked for each payment: each is put in order once. */
const finders = new WeakMap<ListCondition, Finder>();

function finderOf(when: ListCondition): Finder {
  const known = finders.get(when);
  if (known !== undefined) return known;
  const { by, values } = when;
  const made = by === 'ipRange' ? rangeFinder(values) : valueFinder(values);
  finders.set(when, made);
  return made;
}

function valueFinder(values: readonly ListEntry[]): Finder {
  const entries = new Map<string, ListEntry[]>();
  for (const entry of values) {
    const same = entries.get(entry.value);
    if (same === undefined) entries.set(entry.value, [entry]);
    else same.push(entry);
  }
  return (value) => entries.get(value);
}

/** What of a payment a list may have; of countries any that it has. */
function listedValues(by: ListedBy, facts: Facts): readonly string[] {
  const { payer, bin, emailDomain, issuerCountry, billingCountry, shippingCountry } = facts;
  switch (by) {
    case 'bin':
      return present(bin);
    case 'emailDomain':
      return present(emailDomain);
    case 'ipRange':
      return present(payer.ip);
    case 'ipCountry':
      return present(facts.ipCountry);
    case 'country':
      return present(issuerCountry, billingCountry, shippingCountry);
    case 'card':
    case 'email':
    case 'ip':
    case 'device':
    case 'customer':
      return present(payer[by]);
  }
}

function present(...values: readonly (string | undefined)[]): readonly string[] {
  return values.filter((value) => value !== undefined);
}

function countriesHeld({ between }: CountriesCondition, facts: Facts): Inputs | undefined {
  const of = {
    issuer: facts.issuerCountry,
    billing: facts.billingCountry,
    shipping: facts.shippingCountry,
    ip: facts.ipCountry,
  };
  const [left, right] = [of[between[0]], of[between[1]]];
  if (left === undefined || right === undefined || left === right) return undefined;
  return plain({ [between[0]]: left, [between[1]]: right });
}

function proxyHeld({ isProxy, payer }: Facts): Inputs | undefined {
  return isProxy === true ? { plain: {}, personal: { ip: payer.ip ?? '' } } : undefined;
}

function checksHeld({ avs, cvv }: ChecksCondition, { checks }: Facts): Inputs | undefined {
  if (checks === undefined) return undefined;
  const { avsResponse = 'none', cvvResponse = 'none' } = checks;
  const holds = (avs?.includes(avsResponse) ?? true) && (cvv?.includes(cvvResponse) ?? true);
  return holds ? plain({ avsResponse, cvvResponse }) : undefined;
}

const HOUR_MINUTES = 60;
/** Asked for often, and made slowly. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function timeHeld(when: TimeOfDayCondition, { atMs }: Facts): Inputs | undefined {
  const { fromMinute, untilMinute, timeZone } = when;
  const minute = minuteOfDay(atMs, timeZone);
  const isOverMidnight = untilMinute <= fromMinute;
  const isAfter = minute >= fromMinute;
  const isBefore = minute < untilMinute;
  const holds = isOverMidnight ? isAfter || isBefore : isAfter && isBefore;
  return holds ? plain({ minuteOfDay: String(minute), timeZone }) : undefined;
}

function minuteOfDay(atMs: number, timeZone: string): number {
  let clock = clocks.get(timeZone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone });
    clocks.set(timeZone, clock);
  }
  const [hours = '0', minutes = '0'] = clock.format(atMs).split(':');
  return wholeNumberOf(hours) * HOUR_MINUTES + wholeNumberOf(minutes);
}

/** A node may have many expressions, which all see the same. */
const seenByExpressions = new WeakMap<Facts, object>();

/** What expressions know; the amount is in minor units, as everywhere inside. */
function expressionFacts(facts: Facts): object {
  const known = seenByExpressions.get(facts);
  if (known !== undefined) return known;
  const { amount, payer, atMs: _, checks, ...others } = facts;
  const seen = {
    ...others,
    ...payer,
    ...checks,
    amountMinor: wholeNumberOf(String(amount.minor)),
    currency: amount.currency,
  };
  seenByExpressions.set(facts, seen);
  return seen;
}
