import { avsResponses, cvvResponses, riskDecisions } from '@sluice/contracts';
import { type AmountText, isCurrency, parseAmount, toMessage } from '@sluice/money';
import { isKnown } from '@sluice/result-codes';
import { rangeFault } from './address-ranges.js';
import { RULES_AFTERWARDS_MAX } from './afterwards.js';
import { canonicalValue } from './canonical-values.js';
import { isAfterAuthorization } from './conditions.js';
import { expressionFault } from './expressions.js';
import { subjects } from './facts.js';
import {
  itemsOf,
  member,
  type Members,
  membersOf,
  minutesOf,
  needed,
  type Placed,
  RulesRefused,
  textOf,
  wholeOf,
  wordOf,
} from './form-values.js';
import {
  comparedCountries,
  countedPayments,
  type FileCondition,
  type ListEntry,
  listedBy,
  pastPayments,
  type Rule,
  type RuleSet,
  type ScorerUse,
} from './rules.js';
import { SCORER_RULE, scorerDecisions } from './scorer.js';
import { wholeNumberOf } from './whole-number.js';
import { WINDOW_MINUTES_MAX } from './windows.js';

/** So many rules of one node are applied well within a millisecond. */
export const RULES_MAX = 200;
/** Longer lists belong into an external scorer. */
export const LIST_ENTRIES_MAX = 10_000;
const SCORE_MAX = 1_000;
const ID = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
const NAME_CHARACTERS_MAX = 200;
const VALUE_CHARACTERS_MAX = 255;
/** Longer than any payment waits for somebody to look at it. */
const RELEASE_MINUTES_MAX = 30 * 24 * 60;
const COUNT_MAX = 1_000_000;

const FILE_MEMBERS = ['rules', 'scorer', 'reviewFrom', 'rejectFrom', 'releaseAfter'];

/**
 * Reads what a file says of a node (docs/how-to/stop-fraud-with-rules.md): also one that an older release has
 * taken. What somebody wants to set is read by `readNewRuleSet`, which refuses more.
 * @param value as `JSON.parse` gives it
 * @throws RulesRefused with the place of the first mistake
 */
export function readRuleSet(value: unknown): RuleSet {
  const file = { path: 'the file', value };
  const members = membersOf(file, FILE_MEMBERS);
  const of = (name: string) => {
    const found = member(file, members, name);
    return found && { ...found, path: name };
  };
  const listed = of('rules');
  const isEmpty = Array.isArray(listed?.value) && listed.value.length === 0;
  const rules = listed === undefined || isEmpty ? [] : itemsOf(listed, RULES_MAX).map(ruleOf);
  const waiting = rules.filter(({ when }) => isAfterAuthorization(when));
  if (waiting.length > RULES_AFTERWARDS_MAX) {
    const most = `at most ${String(RULES_AFTERWARDS_MAX)}`;
    throw new RulesRefused('rules', `must have ${most} that look at what the issuer found`);
  }
  const ids = new Set<string>();
  for (const [index, { id }] of rules.entries()) {
    if (ids.has(id)) throw new RulesRefused(`rules[${String(index)}].id`, 'is given twice');
    ids.add(id);
  }
  const scored = of('scorer');
  const scorer = scored && scorerUseOf(scored);
  if (scorer !== undefined && ids.has(SCORER_RULE)) {
    throw new RulesRefused(
      'scorer',
      `speaks as a rule called ${SCORER_RULE}: call yours otherwise`,
    );
  }
  const [review, reject, release] = [of('reviewFrom'), of('rejectFrom'), of('releaseAfter')];
  return {
    rules,
    ...(scorer && { scorer }),
    ...(review && { reviewFrom: wholeOf(review, 1, SCORE_MAX) }),
    ...(reject && { rejectFrom: wholeOf(reject, 1, SCORE_MAX) }),
    ...(release && { releaseAfterMinutes: minutesOf(release, RELEASE_MINUTES_MAX) }),
  };
}

function scorerUseOf(placed: Placed): ScorerUse {
  const members = membersOf(placed, ['name', 'whenAway', 'channelId', 'serviceId']);
  const name = textOf(needed(placed, members, 'name'), VALUE_CHARACTERS_MAX);
  const whenAway = wordOf(needed(placed, members, 'whenAway'), scorerDecisions);
  const channel = member(placed, members, 'channelId');
  const service = member(placed, members, 'serviceId');
  return {
    ...{ name, whenAway },
    ...(channel && { channelId: textOf(channel, VALUE_CHARACTERS_MAX) }),
    ...(service && { serviceId: textOf(service, VALUE_CHARACTERS_MAX) }),
  };
}

const RULE_MEMBERS = ['id', 'name', 'when', 'then', 'resultCode', 'score'];

function ruleOf(rule: Placed): Rule {
  const members = membersOf(rule, RULE_MEMBERS);
  const id = needed(rule, members, 'id');
  if (typeof id.value !== 'string' || !ID.test(id.value)) {
    throw new RulesRefused(id.path, 'must be 1 to 40 small letters, digits and hyphens');
  }
  const name = textOf(needed(rule, members, 'name'), NAME_CHARACTERS_MAX);
  const when = conditionOf(needed(rule, members, 'when'));
  const [decided, scored] = [member(rule, members, 'then'), member(rule, members, 'score')];
  if (decided === undefined && scored === undefined) {
    throw new RulesRefused(rule.path, 'does nothing: it needs "then" or "score"');
  }
  const decision = decided && wordOf(decided, riskDecisions);
  const isAfter = isAfterAuthorization(when);
  if (decision === 'challenge' && isAfter) {
    const reason = 'cannot challenge: the issuer is asked once the shopper was authenticated';
    throw new RulesRefused(`${rule.path}.then`, reason);
  }
  const resultCode = resultCodeOf(rule, members, decision, isAfter);
  return {
    ...{ id: id.value, name, when },
    ...(decision !== undefined && { decision }),
    ...(resultCode !== undefined && { resultCode }),
    ...(scored && { score: wholeOf(scored, -SCORE_MAX, SCORE_MAX) }),
  };
}

/** What answers of risk are (result codes: risk management, risk validation, black lists, reviews). */
const REJECTION = /^(?:100\.380|100\.400|800\.1[1-6]0|800\.[23]00)\./;
const REVIEW = /^000\.400\.0[0-9]{2}$/;
/** The same after an authorization: also what declines because of address and security code have. */
const REJECTION_AFTERWARDS =
  /^(?:100\.380|100\.400|800\.1[1-6]0|800\.[23]00|800\.400\.1|800\.100\.(?:153|192)$)/;

function resultCodeOf(
  rule: Placed,
  members: Members,
  decision: Rule['decision'],
  isAfter: boolean,
): string | undefined {
  const said = member(rule, members, 'resultCode');
  if (said === undefined) return undefined;
  const code = textOf(said, VALUE_CHARACTERS_MAX);
  const forms = { reject: isAfter ? REJECTION_AFTERWARDS : REJECTION, review: REVIEW } as const;
  const form = decision === 'reject' || decision === 'review' ? forms[decision] : undefined;
  if (form === undefined) {
    throw new RulesRefused(said.path, 'is of a rule that rejects or reviews, and of no other');
  }
  const isPending = code === '100.400.500' || code === '000.400.030';
  if (!form.test(code) || isPending || !isKnown(code)) {
    throw new RulesRefused(said.path, `is no result code with which risk ${decision}s a payment`);
  }
  return code;
}

type ReadCondition = (placed: Placed) => FileCondition;

/** One reader for each kind of rule. */
const readers: Readonly<Record<FileCondition['kind'], ReadCondition>> = {
  amount: (placed) => {
    const members = membersOf(placed, ['above', 'below', 'currency']);
    const above = amountIn(placed, members, 'above');
    const below = amountIn(placed, members, 'below');
    if (above === undefined && below === undefined) {
      throw new RulesRefused(placed.path, 'needs "above" or "below"');
    }
    return { kind: 'amount', ...(above && { above }), ...(below && { below }) };
  },
  velocity: (placed) => {
    const allowed = ['by', 'counts', 'within', 'atMost', 'atMostSum', 'currency'];
    const members = membersOf(placed, allowed);
    const counts = member(placed, members, 'counts');
    const atMost = member(placed, members, 'atMost');
    const atMostSum = amountIn(placed, members, 'atMostSum');
    if (atMost === undefined && atMostSum === undefined) {
      throw new RulesRefused(placed.path, 'needs "atMost" or "atMostSum"');
    }
    return {
      kind: 'velocity',
      by: wordOf(needed(placed, members, 'by'), subjects),
      counts: counts === undefined ? 'all' : wordOf(counts, countedPayments),
      withinMinutes: minutesOf(needed(placed, members, 'within'), WINDOW_MINUTES_MAX),
      ...(atMost && { atMost: wholeOf(atMost, 0, COUNT_MAX) }),
      ...(atMostSum && { atMostSum }),
    };
  },
  history: (placed) => {
    const members = membersOf(placed, ['by', 'had', 'atLeast', 'atMost']);
    const by = wordOf(needed(placed, members, 'by'), subjects);
    const had = wordOf(needed(placed, members, 'had'), pastPayments);
    const [least, most] = ['atLeast', 'atMost'].map((name) => member(placed, members, name));
    if (least === undefined && most === undefined) {
      throw new RulesRefused(placed.path, 'needs "atLeast" or "atMost"');
    }
    // Everybody has had at least nothing.
    const atLeast = least && wholeOf(least, 1, COUNT_MAX);
    const atMost = most && wholeOf(most, atLeast ?? 0, COUNT_MAX);
    return {
      ...{ kind: 'history', by, had },
      ...(atLeast !== undefined && { atLeast }),
      ...(atMost !== undefined && { atMost }),
    };
  },
  list: (placed) => {
    const members = membersOf(placed, ['by', 'values']);
    const by = wordOf(needed(placed, members, 'by'), listedBy);
    const values = itemsOf(needed(placed, members, 'values'), LIST_ENTRIES_MAX);
    return { kind: 'list', by, values: values.map((value) => entryOf(value, by)) };
  },
  countriesDiffer: (placed) => {
    const [left, right, ...more] = itemsOf(placed, 2).map((each) =>
      wordOf(each, comparedCountries),
    );
    if (left === undefined || right === undefined || more.length > 0 || left === right) {
      throw new RulesRefused(placed.path, `must name two of ${comparedCountries.join(', ')}`);
    }
    return { kind: 'countriesDiffer', between: [left, right] };
  },
  proxy: (placed) => {
    if (placed.value !== true) throw new RulesRefused(placed.path, 'must be true');
    return { kind: 'proxy' };
  },
  timeOfDay: (placed) => {
    const members = membersOf(placed, ['from', 'until', 'timeZone']);
    const timeZone = textOf(needed(placed, members, 'timeZone'), VALUE_CHARACTERS_MAX);
    if (!isTimeZone(timeZone)) {
      throw new RulesRefused(`${placed.path}.timeZone`, 'must be a zone such as Europe/Berlin');
    }
    const fromMinute = minuteOf(needed(placed, members, 'from'));
    const untilMinute = minuteOf(needed(placed, members, 'until'));
    return { kind: 'timeOfDay', fromMinute, untilMinute, timeZone };
  },
  expression: (placed) => {
    const fault = expressionFault(placed.value);
    if (fault !== undefined) throw new RulesRefused(placed.path, fault);
    return { kind: 'expression', expression: placed.value };
  },
  checks: (placed) => {
    const members = membersOf(placed, ['avs', 'cvv']);
    const avs = member(placed, members, 'avs');
    const cvv = member(placed, members, 'cvv');
    if (avs === undefined && cvv === undefined) {
      throw new RulesRefused(placed.path, 'needs "avs" or "cvv"');
    }
    return {
      kind: 'checks',
      ...(avs && { avs: checkedOf(avs, avsResponses) }),
      ...(cvv && { cvv: checkedOf(cvv, cvvResponses) }),
    };
  },
};

/** What an acquirer may say, each once; all of them would always hold. */
function checkedOf<Word extends string>(placed: Placed, words: readonly Word[]) {
  const known = [...words, 'none' as const];
  const found = itemsOf(placed, words.length).map((each) => wordOf(each, known));
  if (new Set(found).size < found.length) throw new RulesRefused(placed.path, 'has one twice');
  return found;
}

/** Every kind of rule. */
export const conditionKinds = Object.keys(readers) as readonly FileCondition['kind'][];

function conditionOf(placed: Placed): FileCondition {
  const members = membersOf(placed, conditionKinds);
  const [kind, ...others] = conditionKinds.filter((each) => members[each] !== undefined);
  if (kind === undefined || others.length > 0) {
    throw new RulesRefused(placed.path, `needs exactly one of ${conditionKinds.join(', ')}`);
  }
  return readers[kind](needed(placed, members, kind));
}

function amountIn(parent: Placed, members: Members, name: string): AmountText | undefined {
  const said = member(parent, members, name);
  if (said === undefined) return undefined;
  const named = needed(parent, members, 'currency');
  const known =
    typeof named.value === 'string' && isCurrency(named.value) ? named.value : undefined;
  if (known === undefined) throw new RulesRefused(named.path, 'must be a currency such as EUR');
  const parsed = parseAmount(textOf(said, VALUE_CHARACTERS_MAX), known);
  if (parsed.kind === 'refused') {
    throw new RulesRefused(said.path, `must be an amount of ${known} such as 500.00, in quotes`);
  }
  return toMessage(parsed.amount);
}

const FORMS: Readonly<Partial<Record<(typeof listedBy)[number], readonly [RegExp, string]>>> = {
  bin: [/^[0-9]{6}$/, 'must be the first six digits of cards'],
  country: [/^[A-Z]{2}$/, 'must be a country such as DE'],
  ipCountry: [/^[A-Z]{2}$/, 'must be a country such as DE'],
  emailDomain: [/^[a-z0-9.-]+\.[a-z0-9-]+$/, 'must be a domain such as example.org'],
  // Not only what an address is: what a release before has taken stays readable.
  email: [/^.+@.+$/s, 'must be an e-mail address'],
};

function entryOf(placed: Placed, by: (typeof listedBy)[number]): ListEntry {
  const isPlain = typeof placed.value === 'string';
  const members = isPlain ? { value: placed.value } : membersOf(placed, ['value', 'until']);
  const found = isPlain ? placed : needed(placed, members, 'value');
  const value = canonicalValue(by, textOf(found, VALUE_CHARACTERS_MAX));
  const [form, sentence] = FORMS[by] ?? [];
  if (form?.test(value) === false) throw new RulesRefused(found.path, sentence ?? '');
  const fault = by === 'ipRange' ? rangeFault(value) : undefined;
  if (fault !== undefined) throw new RulesRefused(found.path, fault);
  const until = member(placed, members, 'until');
  return { value, ...(until && { untilMs: instantOf(until) }) };
}

const INSTANT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?Z)?$/;

function instantOf({ path, value }: Placed): number {
  const atMs = typeof value === 'string' && INSTANT.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(atMs)) {
    throw new RulesRefused(path, 'must be a day or an instant such as 2027-01-31T12:00Z');
  }
  return atMs;
}

const HOUR_MINUTES = 60;

function minuteOf({ path, value }: Placed): number {
  const match = typeof value === 'string' ? /^([01][0-9]|2[0-3]):([0-5][0-9])$/.exec(value) : null;
  if (match === null) throw new RulesRefused(path, 'must be a time of the day such as 22:00');
  return wholeNumberOf(match[1] ?? '') * HOUR_MINUTES + wholeNumberOf(match[2] ?? '');
}

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone }).format(0) !== '';
  } catch {
    return false;
  }
}
