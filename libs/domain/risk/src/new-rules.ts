import { accountNumbersMasked, canonicalEmail, isCountry, isKeptName } from '@sluice/parameters';
import { canonicalAddress, rangeFault } from './address-ranges.js';
import { parametersRead } from './expressions.js';
import { factOfParameter } from './facts.js';
import { RulesRefused } from './form-values.js';
import { idleFault } from './idle-expressions.js';
import { readRuleSet } from './rule-form.js';
import type { AmountCondition, Condition, FileCondition, ListedBy, RuleSet } from './rules.js';

/**
 * Reads a file that somebody wants to set. What is kept already stays readable, so a release may refuse here what
 * one before it has taken.
 * @param value as `JSON.parse` gives it
 * @throws RulesRefused with the place of the first mistake, and never with a card number
 */
export function readNewRuleSet(value: unknown): RuleSet {
  // First, because other refusals quote what they refuse.
  refuseAccountNumbers('', value);
  const set = readRuleSet(value);
  const said = (value as { readonly rules?: readonly SaidRule[] }).rules ?? [];
  refuseUnreachable(set);
  for (const [index, { when, decision, score }] of set.rules.entries()) {
    if (decision === undefined && score === 0) {
      const reason = 'adds nothing, and its rule decides nothing: it needs "then" or other points';
      throw new RulesRefused(`rules[${index}].score`, reason);
    }
    const path = `rules[${index}].when`;
    refuseIdle(path, when as FileCondition);
    refuseMisread(path, said[index]?.when ?? {});
  }
  return set;
}

/** Of one file, because each of the two may also be another node's. */
function refuseUnreachable({ reviewFrom, rejectFrom }: RuleSet): void {
  if (reviewFrom === undefined || rejectFrom === undefined || reviewFrom < rejectFrom) return;
  const reason =
    'must be less than "rejectFrom": from there on all are rejected, and none reviewed';
  throw new RulesRefused('reviewFrom', reason);
}

/** A rule as the file says it, once it was read without a fault. */
interface SaidRule {
  readonly when: Readonly<Record<string, SaidCondition>>;
}

interface SaidCondition {
  readonly atMostSum?: string;
  readonly currency?: string;
  readonly values?: readonly (string | { readonly until?: string })[];
}

/** What is read as something else than its writer meant. */
function refuseMisread(path: string, { velocity, list }: SaidRule['when']): void {
  if (velocity?.currency !== undefined && velocity.atMostSum === undefined) {
    const reason = 'is of "atMostSum": "atMost" counts payments of all currencies';
    throw new RulesRefused(`${path}.velocity.currency`, reason);
  }
  for (const [index, entry] of (list?.values ?? []).entries()) {
    if (typeof entry === 'string' || entry.until === undefined || isInCalendar(entry.until))
      continue;
    const reason = 'must be a day or an instant that there is, such as 2027-01-31T12:00Z';
    throw new RulesRefused(`${path}.list.values[${index}].until`, reason);
  }
}

/** 31 February would become 3 March. */
function isInCalendar(until: string): boolean {
  return new Date(until).toISOString().startsWith(until.replace(/Z$/, ''));
}

/** What the vault tells of an account instead of its number. */
const FINGERPRINT = /^[0-9a-f]{64}$/;
/** Longer ones would be no exact numbers. */
const NUMBER = /^[0-9]{13,}$/;

/** Digits that stand there as digits of something else. */
function isHarmless(value: string | number, text: string): boolean {
  if (typeof value === 'number') return !NUMBER.test(text);
  return FINGERPRINT.test(text) || rangeFault(text) === undefined;
}

/** Rules are kept for good, in clear, and shown to many: no number of a card or account belongs there. */
function refuseAccountNumbers(path: string, value: unknown): void {
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    if (isHarmless(value, text) || accountNumbersMasked(text) === text) return;
    const reason =
      'has the number of a card or an account, which would be kept in clear: name it by its accountFingerprint, in a list by card';
    throw new RulesRefused(path, reason);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    // A member's name may have one, too, and is then not told.
    if (!Array.isArray(value)) refuseAccountNumbers(path === '' ? 'the file' : path, name);
    refuseAccountNumbers(at, inner);
  }
}

/** What can find or read nothing, so that its rule would seem to protect and do nothing. */
function refuseIdle(path: string, when: FileCondition): void {
  if (when.kind === 'list') {
    const { by, values } = when;
    for (const [index, { value }] of values.entries()) {
      const fault = valueFault(by, value);
      if (fault !== undefined) throw new RulesRefused(`${path}.list.values[${index}]`, fault);
    }
  }
  if (when.kind === 'amount' && isNoAmount(when)) {
    throw new RulesRefused(`${path}.amount`, 'holds for no amount: "below" has to be larger');
  }
  if (when.kind === 'timeOfDay' && when.fromMinute === when.untilMinute) {
    const reason = 'holds at any time of the day: "until" has to be another time than "from"';
    throw new RulesRefused(`${path}.timeOfDay`, reason);
  }
  if (when.kind !== 'expression') return;
  refuseUnfit(`${path}.expression`, when.expression);
  if (hasNull(when.expression)) {
    const reason =
      'compares with null, which nothing is equal to: "missing" and "!!" say whether something is there';
    throw new RulesRefused(`${path}.expression`, reason);
  }
  const unknown = parametersRead(when.expression).find((name) => !isKeptName(name));
  if (unknown !== undefined) {
    const reason = `reads the parameter ${JSON.stringify(unknown)}, which no payment has or which is never kept, as card data is not`;
    throw new RulesRefused(`${path}.expression`, reason);
  }
  for (const name of parametersRead(when.expression)) {
    const fact = factOfParameter.get(name);
    if (fact === undefined) continue;
    const reason = `reads ${JSON.stringify(name)} as it was sent, in whatever spelling: write {"var": ${JSON.stringify(fact)}}, which has it in one`;
    throw new RulesRefused(`${path}.expression`, reason);
  }
  const idle = idleFault(when.expression);
  if (idle !== undefined) throw new RulesRefused(`${path}.expression`, idle);
}

/**
 * An entry of a list that is over when it is set would protect from nobody. Those that the node's rules have
 * already may stay until somebody takes them away.
 * @param before the rules that are there
 * @throws RulesRefused with the place of the first one
 */
export function refuseEnded({ rules }: RuleSet, before: RuleSet, nowMs: number): void {
  const known = new Set(before.rules.flatMap(({ id, when }) => endsOf(id, when)));
  for (const [index, { id, when }] of rules.entries()) {
    const ends = endsOf(id, when);
    const place =
      when.kind === 'list'
        ? when.values.findIndex(
            ({ untilMs = Infinity }, at) => untilMs <= nowMs && !known.has(ends[at] ?? ''),
          )
        : -1;
    if (place < 0) continue;
    throw new RulesRefused(
      `rules[${index}].when.list.values[${place}].until`,
      'is over, so no payment would be found by it: say a later end, or leave the value out',
    );
  }
}

/** Of each entry of a list, what it is and until when. */
function endsOf(id: string, when: Condition): readonly string[] {
  if (when.kind !== 'list') return [];
  return when.values.map(({ value, untilMs }) => JSON.stringify([id, value, untilMs]));
}

/** Whether nothing lies between its limits, which are not included. */
function isNoAmount({ above, below }: AmountCondition): boolean {
  if (above === undefined || below === undefined) return false;
  return BigInt(below.minor) - BigInt(above.minor) < 2n;
}

/** As long as the value of a parameter may be. */
const TEXT_CHARACTERS_MAX = 2_048;
const UNPRINTABLE = /\p{C}/u;

/** Parts of an expression that cannot be kept as they are, or that hold for everything. */
function refuseUnfit(path: string, part: unknown): void {
  if (typeof part === 'number' && !Number.isFinite(part)) {
    throw new RulesRefused(path, 'is too large a number');
  }
  if (typeof part === 'string' && (part.length > TEXT_CHARACTERS_MAX || UNPRINTABLE.test(part))) {
    const reason = `must be a text of at most ${TEXT_CHARACTERS_MAX} printable characters`;
    throw new RulesRefused(path, reason);
  }
  if (typeof part !== 'object' || part === null) return;
  const inner = Object.entries(part);
  if (inner.length === 0) throw new RulesRefused(path, 'is empty: say there what is compared');
  for (const [name, each] of inner) {
    refuseUnfit(Array.isArray(part) ? `${path}[${name}]` : `${path}.${name}`, each);
  }
}

function hasNull(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === 'object' && Object.values(value).some(hasNull);
}

/** A label of a domain, in small letters. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** What is wrong with a value that has the form of its list, in a sentence. */
function valueFault(by: ListedBy, value: string): string | undefined {
  switch (by) {
    case 'card':
      return FINGERPRINT.test(value)
        ? undefined
        : 'must be the accountFingerprint of a card, 64 digits and letters from a to f';
    case 'ip':
      return canonicalAddress(value) === undefined
        ? 'must be an address such as 192.0.2.1 or 2001:db8::1; ranges are listed by ipRange'
        : undefined;
    case 'country':
    case 'ipCountry':
      return isCountry(value) ? undefined : 'must be a country of ISO 3166-1 such as DE';
    case 'emailDomain':
      return isDomain(value) ? undefined : 'must be a domain such as example.org';
    case 'device':
    case 'customer':
      return value === '' ? 'must be more than blanks' : undefined;
    case 'email':
      return canonicalEmail(value) === undefined
        ? 'must be an e-mail address such as jane@example.org'
        : undefined;
    case 'bin':
    case 'ipRange':
      return undefined;
  }
}

function isDomain(text: string): boolean {
  const labels = text.split('.');
  return labels.length > 1 && labels.every((label) => LABEL.test(label));
}
