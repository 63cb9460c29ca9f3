import { avsResponses, cvvResponses, initialOperations, modes } from '@sluice/contracts';
import { isCurrency } from '@sluice/money';
import {
  canonicalEmail,
  isCountry,
  isPaidBrand,
  knownBrands,
  neverValue,
} from '@sluice/parameters';
import { canonicalAddress } from './address-ranges.js';
import { canonicalValue } from './canonical-values.js';
import { type expressionNames, namesOf, parameterOf } from './expressions.js';

/**
 * Why an expression can never say anything of a payment, in a sentence; undefined where it can. It is one that
 * reads nothing of a payment somewhere where it decides, or that compares what a payment has with what this
 * never is: its rule would seem to protect, and match nobody or everybody.
 */
export function idleFault(expression: unknown): string | undefined {
  if (!readsSomething(expression)) return SAYS_NOTHING;
  return partsFault(expression);
}

const SAYS_NOTHING =
  'says the same of every payment, as it reads nothing of one: compare with {"var": …}, or leave it out';

function partsFault(part: unknown): string | undefined {
  if (Array.isArray(part)) return firstOf((part as readonly unknown[]).map(partsFault));
  if (typeof part !== 'object' || part === null) return undefined;
  return firstOf(
    Object.entries(part).flatMap(([operator, given]: [string, unknown]) => {
      const parts = operandsOf(given);
      return [operationFault(operator, parts), ...parts.map(partsFault)];
    }),
  );
}

/** One operand may stand without its list. */
function operandsOf(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? (given as readonly unknown[]) : [given];
}

function firstOf(faults: readonly (string | undefined)[]): string | undefined {
  return faults.find((fault) => fault !== undefined);
}

function operationFault(operator: string, parts: readonly unknown[]): string | undefined {
  if (decidingParts(operator, parts).some((part) => !readsSomething(part))) return SAYS_NOTHING;
  const compared = COMPARISONS[operator];
  if (compared === undefined) return undefined;
  const literals = parts.flatMap((part) => (operator === 'in' ? operandsOf(part) : [part]));
  // Whether a text is within another one is a question to all of the text.
  if (operator === 'in' && !Array.isArray(parts[1])) return undefined;
  for (const name of parts.map(factRead)) {
    if (name === undefined) continue;
    for (const literal of literals) {
      const reason = isLiteral(literal) ? reasonAgainst(name, literal, compared) : undefined;
      if (reason === undefined) continue;
      return `compares ${name} with ${JSON.stringify(literal)}, which it never is: ${reason}`;
    }
  }
  return isAmountOfAny(operator, parts) ? AMOUNT_OF_ANY : undefined;
}

const AMOUNT_OF_ANY = 'says the same of every amountMinor, as none is less than 0';

/** Whether it holds for each amount, or for none. Between two limits, one of them may be below all amounts. */
function isAmountOfAny(operator: string, parts: readonly unknown[]): boolean {
  if (parts.length !== 2) return false;
  const at = parts.map(factRead).indexOf('amountMinor');
  const limit = parts[1 - at];
  if (!isLiteral(limit)) return false;
  const isZero = ZERO.test(String(limit));
  const isBelow = !isZero && String(limit).startsWith('-');
  const order = at === 0 ? operator : TURNED[operator];
  if (order === '<' || order === '>=') return isBelow || isZero;
  return (order === '<=' || order === '>') && isBelow;
}

const ZERO = /^-?0+(?:\.0+)?$/;

/** What an order is called from its other side. */
const TURNED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** Parts whose truth is that of the whole. */
function decidingParts(operator: string, parts: readonly unknown[]): readonly unknown[] {
  if (operator === 'if')
    return parts.filter((_, index) => index % 2 === 0 && index + 1 < parts.length);
  return ['and', 'or', '!', '!!'].includes(operator) ? parts : [];
}

function readsSomething(part: unknown): boolean {
  return Array.isArray(part) ? part.some(readsSomething) : namesOf(part).size > 0;
}

/** How two sides are compared: `==` takes the number in a text for a number, the others of its like do not. */
type Comparison = 'loose' | 'strict' | 'order';

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  ...{ '==': 'loose', '!=': 'loose', '===': 'strict', '!==': 'strict', in: 'strict' },
  ...{ '<': 'order', '<=': 'order', '>': 'order', '>=': 'order' },
};

/** What a part reads, and nothing else; with a second value, that may stand in its place. */
function factRead(part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null || !('var' in part)) return undefined;
  const [name, ...more] = operandsOf(part.var);
  return typeof name === 'string' && more.length === 0 ? name : undefined;
}

type Literal = string | number | boolean;

function isLiteral(part: unknown): part is Literal {
  return typeof part === 'string' || typeof part === 'number' || typeof part === 'boolean';
}

/** Why what a payment has is never so, in a few words; undefined where it may be. */
function reasonAgainst(name: string, literal: Literal, compared: Comparison): string | undefined {
  const form = FORMS[name as keyof typeof FORMS];
  if (form === 'yesOrNo') {
    return typeof literal === 'boolean' ? undefined : 'it is true or false';
  }
  if (form === 'amount') return reasonAgainstAmount(literal, compared);
  if (form === undefined) return reasonAgainstText(name, literal, compared);
  const { such, isOne, oneSpelling } = form;
  if (typeof literal !== 'string') {
    // Digits of a text may stand there as a number.
    const isDigits = compared !== 'strict' && isOne(String(literal));
    return isDigits ? undefined : `it is a text such as ${JSON.stringify(such)}`;
  }
  if (compared === 'order' || isOne(literal)) return undefined;
  const meant = oneSpelling?.(literal) ?? literal.toUpperCase();
  return isOne(meant) ? `write ${JSON.stringify(meant)}` : `it is such as ${JSON.stringify(such)}`;
}

function reasonAgainstAmount(literal: Literal, compared: Comparison): string | undefined {
  const isNumber =
    typeof literal === 'number' || (compared !== 'strict' && NUMBER.test(String(literal)));
  if (!isNumber) return 'it is a number in the smallest unit, such as 30000 for 300.00 EUR';
  const isPart = compared !== 'order' && !WHOLE.test(String(literal));
  return isPart ? 'it is a whole number, in the smallest unit' : undefined;
}

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;
const WHOLE = /^[0-9]+(?:\.0+)?$/;

/** Of parameters, and of what merchants call somebody or something. */
function reasonAgainstText(
  name: string,
  literal: Literal,
  compared: Comparison,
): string | undefined {
  if (typeof literal === 'string') {
    const parameter = compared === 'order' ? undefined : parameterOf(name);
    return parameter === undefined ? undefined : neverValue(parameter, literal);
  }
  const isNumberInText = typeof literal === 'number' && compared !== 'strict';
  return isNumberInText ? undefined : `it is a text: write ${JSON.stringify(String(literal))}`;
}

/** What a fact can be. */
interface TextForm {
  readonly such: string;
  readonly isOne: (text: string) => boolean;
  /** What is meant by another spelling; absent: the same in capitals. */
  readonly oneSpelling?: (text: string) => string;
}

const country: TextForm = { such: 'DE', isOne: isCountry };

function oneOfWords(words: readonly string[], oneSpelling?: TextForm['oneSpelling']): TextForm {
  const isOne = (text: string) => words.includes(text);
  return { such: words[0] ?? '', isOne, ...(oneSpelling && { oneSpelling }) };
}

const FINGERPRINT = /^[0-9a-f]{64}$/;
const BIN = /^[0-9]{6}$/;

/** Those that are known are in capitals; others may be of the provider of a token. */
function isBrand(text: string): boolean {
  const name = text.toUpperCase();
  const isKnown = isPaidBrand(name) || knownBrands.some(({ brand }) => brand === name);
  return isKnown ? text === name : neverValue('paymentBrand', text) === undefined;
}

function inOneSpelling(
  of: 'email' | 'emailDomain' | 'ip',
  such: string,
  isAny: (text: string) => boolean,
): TextForm {
  const oneSpelling = (text: string) => canonicalValue(of, text);
  return { such, isOne: (text) => isAny(text) && oneSpelling(text) === text, oneSpelling };
}

/** Names that are not there are of any text. */
const FORMS: Readonly<
  Partial<Record<(typeof expressionNames)[number], TextForm | 'yesOrNo' | 'amount'>>
> = {
  amountMinor: 'amount',
  currency: { such: 'EUR', isOne: isCurrency },
  mode: oneOfWords(modes),
  operation: oneOfWords(initialOperations, (text) => text.toLowerCase()),
  brand: { such: 'VISA', isOne: isBrand },
  bin: { such: '420000', isOne: (text) => BIN.test(text) },
  issuerCountry: country,
  billingCountry: country,
  shippingCountry: country,
  ipCountry: country,
  avsResponse: oneOfWords(avsResponses),
  cvvResponse: oneOfWords(cvvResponses),
  isProxy: 'yesOrNo',
  isEmailReadable: 'yesOrNo',
  isIpReadable: 'yesOrNo',
  card: {
    such: 'the accountFingerprint of a payment',
    isOne: (text) => FINGERPRINT.test(text),
    oneSpelling: (text) => text.toLowerCase(),
  },
  email: inOneSpelling('email', 'jane@example.org', (text) => canonicalEmail(text) !== undefined),
  emailDomain: inOneSpelling('emailDomain', 'example.org', (text) => text.includes('.')),
  ip: inOneSpelling('ip', '192.0.2.1', (text) => canonicalAddress(text) !== undefined),
};
