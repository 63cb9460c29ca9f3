import { type AmountText, formatAmount } from '@sluice/money';
import { rangeFinder } from './address-ranges.js';
import { namesOf } from './expressions.js';
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
import { expressionHolds } from './three-valued.js';
import { wholeNumberOf } from './whole-number.js';
import { type Counted, type History, historyKeyOf, MINUTE_MS, withThisPayment } from './windows.js';

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
  const { minor, currency } = amount;
  const isOther = (limit: AmountText | undefined) => limit && limit.currency !== currency;
  if (isOther(above) === true || isOther(below) === true) return undefined;
  const isAbove = above === undefined || minor > BigInt(above.minor);
  const isBelow = below === undefined || minor < BigInt(below.minor);
  return isAbove && isBelow
    ? plain({ amount: `${formatAmount(amount)} ${amount.currency}` })
    : undefined;
}

function velocityHeld(when: VelocityCondition, judged: Judged): Inputs | undefined {
  const { facts, counted, nodeId } = judged;
  const before = counted.counts.before(nodeId, when, facts);
  if (before === undefined) return undefined;
  const { atMost, atMostSum, by, withinMinutes } = when;
  const { count, minor } = withThisPayment(before, facts.amount, when);
  const isOften = atMost !== undefined && count > atMost;
  const isMuch = atMostSum?.currency === facts.amount.currency && minor > BigInt(atMostSum.minor);
  if (!isOften && !isMuch) return undefined;
  const sum = atMostSum === undefined ? {} : { sum: String(minor) };
  return {
    plain: {
      ...{ count: String(count), ...sum, withinMinutes: String(withinMinutes) },
      ...ifUnreadable(by, facts),
    },
    personal: ifPersonal(by, facts),
  };
}

/** It was counted as it stands, and not as what it should be. */
function ifUnreadable(by: Subject, { isEmailReadable, isIpReadable }: Facts): Inputs['plain'] {
  const isUnreadable =
    (by === 'email' && isEmailReadable === false) || (by === 'ip' && isIpReadable === false);
  return isUnreadable ? { unreadable: by } : {};
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
  const seen = { [had]: String(count), ...ifUnreadable(by, facts) };
  return { plain: seen, personal: ifPersonal(by, facts) };
}

function listHeld(when: ListCondition, facts: Facts): Inputs | undefined {
  const { by } = when;
  const find = finderOf(when);
  const isNow = ({ untilMs }: ListEntry) => untilMs === undefined || untilMs > facts.atMs;
  let entry: ListEntry | undefined;
  for (const value of listedValues(by, facts)) entry ??= find(value)?.find(isNow);
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
    case 'ip':
    case 'ipRange':
      return present(payer.ip, ...(facts.behindIp ?? []));
    case 'ipCountry':
      return present(facts.ipCountry);
    case 'country':
      return present(issuerCountry, billingCountry, shippingCountry);
    case 'card':
    case 'email':
    case 'device':
    case 'customer':
      return present(payer[by]);
  }
}

function present(...values: readonly (string | undefined)[]): readonly string[] {
  return values.filter((value) => value !== undefined);
}

function countriesHeld({ between }: CountriesCondition, facts: Facts): Inputs | undefined {
  const [one, other] = between;
  const left = countryOf(one, facts);
  const right = countryOf(other, facts);
  if (left === undefined || right === undefined || left === right) return undefined;
  return plain({ [one]: left, [other]: right });
}

function countryOf(
  which: CountriesCondition['between'][number],
  { issuerCountry, billingCountry, shippingCountry, ipCountry }: Facts,
): string | undefined {
  switch (which) {
    case 'issuer':
      return issuerCountry;
    case 'billing':
      return billingCountry;
    case 'shipping':
      return shippingCountry;
    case 'ip':
      return ipCountry;
  }
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

/** What a clock showed last, and in which minute since the epoch. */
interface Clock {
  readonly format: Intl.DateTimeFormat;
  minute: number;
  minuteOfDay: number;
}

/** Made slowly, and slow to read: many rules look at the same one in the same minute. */
const clocks = new Map<string, Clock>();

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
    const format = new Intl.DateTimeFormat('en-GB', {
      ...{ hour: '2-digit', minute: '2-digit', timeZone },
    });
    clock = { format, minute: -1, minuteOfDay: 0 };
    clocks.set(timeZone, clock);
  }
  const minute = Math.floor(atMs / MINUTE_MS);
  if (clock.minute !== minute) {
    const [hours = '0', minutes = '0'] = clock.format.format(atMs).split(':');
    clock.minuteOfDay = wholeNumberOf(hours) * HOUR_MINUTES + wholeNumberOf(minutes);
    clock.minute = minute;
  }
  return clock.minuteOfDay;
}

/** A node may have many expressions, which all see the same. */
let seenLast: { readonly facts: Facts; readonly seen: object } | undefined;

/** What expressions know; the amount is in minor units, as everywhere inside. */
function expressionFacts(facts: Facts): object {
  if (seenLast?.facts !== facts) seenLast = { facts, seen: seenByExpressions(facts) };
  return seenLast.seen;
}

/**
 * Each of `expressionNames` is written down: a copy of whatever is there took a seventh of a replay's time. What
 * is not known is undefined, which expressions do not tell from absent.
 */
function seenByExpressions(facts: Facts): Readonly<Record<string, unknown>> {
  const { amount, payer, checks } = facts;
  return {
    amountMinor: wholeNumberOf(String(amount.minor)),
    currency: amount.currency,
    mode: facts.mode,
    operation: facts.operation,
    bin: facts.bin,
    brand: facts.brand,
    emailDomain: facts.emailDomain,
    issuerCountry: facts.issuerCountry,
    billingCountry: facts.billingCountry,
    shippingCountry: facts.shippingCountry,
    avsResponse: checks?.avsResponse,
    cvvResponse: checks?.cvvResponse,
    ipCountry: facts.ipCountry,
    isProxy: facts.isProxy,
    isEmailReadable: facts.isEmailReadable,
    isIpReadable: facts.isIpReadable,
    card: payer.card,
    email: payer.email,
    ip: payer.ip,
    device: payer.device,
    customer: payer.customer,
    parameters: facts.parameters,
  };
}
