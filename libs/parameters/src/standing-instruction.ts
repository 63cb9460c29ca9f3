import {
  agreedTerms,
  type IndustryPractice,
  industryPractices,
  type InstrumentKind,
  isDayOver,
  legacyRecurringTypes,
  type StandingInstructionMode,
  standingInstructionModes,
  standingInstructions,
  type StandingInstructionRule,
  type StandingInstructionSource,
  standingInstructionSources,
} from '@sluice/contracts';
import { codes, describeResult } from '@sluice/result-codes';
import { bankMethodOf } from './bank-methods.js';
import type { Form } from './form.js';
import { isNewPayment, type Kind } from './kinds.js';
import type { Rejection } from './rejection.js';

const MODE = 'standingInstruction.mode';
const SOURCE = 'standingInstruction.source';
const TYPE = 'standingInstruction.type';
/** Why the merchant initiates it. */
export const PRACTICE = 'standingInstruction.industryPractice';
const EXPIRY = 'standingInstruction.expiry';
/** By which later payments name the first one of their agreement. */
const NAME_OF_FIRST = 'initialTransactionId';
const FIRST_PAYMENT = `standingInstruction.${NAME_OF_FIRST}`;
/** The older word for all of it (wire contract 4). */
export const LEGACY = 'recurringType';

/** Practices of a PA that refers to an authorization, and of nothing else (D-66). */
export const furtherAuthorizations: ReadonlySet<string> = new Set<IndustryPractice>([
  'INCREMENTAL_AUTH',
  'REAUTHORIZATION',
]);

/** Those of a payment of its own, which say by themselves that it is REPEATED and MIT. */
export const merchantsPractices: readonly IndustryPractice[] =
  standingInstructions.REPEATED.MIT === 'impossible'
    ? []
    : standingInstructions.REPEATED.MIT.practices.filter(
        (practice) => !furtherAuthorizations.has(practice),
      );

/**
 * Why the standing instruction of a form without violations allows no payment (page 0049). A part that
 * was not said contradicts nothing: clients send one parameter, two or all.
 */
export function standingInstructionRejection(form: Form, nowMs: number): Rejection | undefined {
  return modeRejection(form) ?? orderRejection(form) ?? termsRejection(form, nowMs);
}

function modeRejection(form: Form): Rejection | undefined {
  const implied = new Map(impliedParameters(form, 'payment'));
  const mode = one(standingInstructionModes, form.get(MODE) ?? implied.get(MODE));
  const source = one(standingInstructionSources, form.get(SOURCE) ?? implied.get(SOURCE));
  const practice = one(industryPractices, form.get(PRACTICE));
  // Nearly every payment says nothing of it.
  if (mode === undefined && source === undefined) return undefined;
  const possible = rulesFor(mode, source);
  if (possible.length === 0) {
    return refusal('invalidRecurrenceMode', 'the first payment of an agreement is a CIT');
  }
  // Its own answer gives it, in the place of whatever was sent.
  if (form.has(FIRST_PAYMENT) && possible.every(({ gives }) => gives.includes(NAME_OF_FIRST))) {
    return refusal('invalidRecurrenceMode', 'initialTransactionId is of REPEATED');
  }
  if (practice === undefined || possible.some((rule) => rule.practices.includes(practice))) {
    return undefined;
  }
  return refusal('invalidRecurrenceMode', `industryPractice ${practice} is of REPEATED and MIT`);
}

/**
 * An order at a bank is given by the shopper, who has to be there: nobody has agreed to one that the
 * merchant initiates (page 0053). Who is paid out gives none.
 */
function orderRejection(form: Form): Rejection | undefined {
  const brand = form.get('paymentBrand') ?? '';
  const isOrder = bankMethodOf(brand)?.paymentMethod === 'OT' && form.get('paymentType') !== 'CD';
  if (!isOrder || !isInitiatedByMerchant(form)) return undefined;
  return refusal(
    'invalidRecurrenceMode',
    `the shopper orders at the bank by ${brand}, so it is no MIT`,
  );
}

/**
 * Why no authorization is made any more under an agreement that this very request says is over; what
 * an earlier one said is known to its payment. Holds for whatever asks the issuer for money.
 */
export function termsRejection(form: Form, nowMs: number): Rejection | undefined {
  const expiry = form.get(EXPIRY);
  if (expiry === undefined || !isDayOver(expiry, nowMs)) return undefined;
  return refusal('recurringNotAllowed', `expiry ${expiry} is over`);
}

function refusal(name: 'invalidRecurrenceMode' | 'recurringNotAllowed', reason: string): Rejection {
  const code = codes[name];
  return { code, description: `${describeResult(code)} - ${reason}` };
}

/** The cells of the table that what was said leaves possible. */
function rulesFor(
  mode: StandingInstructionMode | undefined,
  source: StandingInstructionSource | undefined,
): StandingInstructionRule[] {
  return (mode === undefined ? standingInstructionModes : [mode]).flatMap((row) =>
    (source === undefined ? standingInstructionSources : [source])
      .map((column) => standingInstructions[row][column])
      .filter((rule) => rule !== 'impossible'),
  );
}

function one<Value extends string>(
  values: readonly Value[],
  text: string | undefined,
): Value | undefined {
  return values.find((value) => value === text);
}

/** A new payment, what is stored for one, or what either is completed by. */
function mayBeginAgreement(kind: Kind): boolean {
  return isNewPayment(kind) || kind === 'registration' || kind === 'checkout';
}

/**
 * What a new payment says besides: by the legacy `recurringType` (wire contract 4), of which whoever says
 * any of it in today's words means those; and by why the merchant charges, which says that it does.
 */
export function impliedParameters(
  form: Form,
  kind: Kind,
): readonly (readonly [name: string, value: string])[] {
  const ofLegacy = impliedByLegacy(form, kind);
  return [...ofLegacy, ...impliedByPractice(form, kind, new Map(ofLegacy))];
}

function impliedByLegacy(
  form: Form,
  kind: Kind,
): readonly (readonly [name: string, value: string])[] {
  const legacy = form.get(LEGACY);
  if (legacy === undefined || !isLegacy(legacy) || !mayBeginAgreement(kind)) return [];
  if ([TYPE, MODE, SOURCE].some((name) => form.has(name))) return [];
  const { type, mode, source } = legacyRecurringTypes[legacy];
  return [
    [TYPE, type],
    [MODE, mode],
    [SOURCE, source],
  ];
}

/** Nothing where something else was said, which is refused. */
function impliedByPractice(
  form: Form,
  kind: Kind,
  said: ReadonlyMap<string, string>,
): readonly (readonly [name: string, value: string])[] {
  if (!hasMerchantsPractice(form) || kind === 'registration' || !mayBeginAgreement(kind)) return [];
  const wanted = [
    [MODE, 'REPEATED'],
    [SOURCE, 'MIT'],
  ] as const;
  const valueOf = (name: string): string | undefined => form.get(name) ?? said.get(name);
  if (wanted.some(([name, value]) => (valueOf(name) ?? value) !== value)) return [];
  return wanted.filter(([name]) => valueOf(name) === undefined);
}

/** Whether a form says why the merchant charges on its own (page 0049). */
function hasMerchantsPractice(form: Form): boolean {
  return merchantsPractices.some((practice) => practice === form.get(PRACTICE));
}

/** Who initiates a payment, as far as today's words say it: why the merchant does is one of them. */
export function saidSource(form: Form): string | undefined {
  return form.get(SOURCE) ?? (hasMerchantsPractice(form) ? 'MIT' : undefined);
}

/** Whether a new payment says that the merchant initiates it, in today's words or in the legacy one. */
export function isInitiatedByMerchant(form: Form): boolean {
  const source = form.get(SOURCE) ?? new Map(impliedParameters(form, 'payment')).get(SOURCE);
  return source === 'MIT';
}

/** Whether a new payment says that it is one of a series: at agreed times, or in agreed parts. */
export function isOfSeries(form: Form): boolean {
  const type = form.get(TYPE) ?? new Map(impliedParameters(form, 'payment')).get(TYPE);
  return type === 'RECURRING' || type === 'INSTALLMENT';
}

/** What is in a card network, or stands for what is: all others have no such agreements (page 0049). */
const OF_CARDS: readonly InstrumentKind[] = ['card', 'tokenAccount'];

/**
 * What the parameters of a payment say besides, where the shopper has chosen a stored account and nobody
 * says anything of a standing instruction: its holder uses a stored card once more (wire contract 4). Not
 * where terms were agreed when it was stored: the payment would be held to them (page 0062), and is
 * perhaps none of that plan.
 */
export function oneClickAgreement(
  parameters: Readonly<Record<string, string>>,
  kind: InstrumentKind,
  stored: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const isSaid = Object.keys(parameters).some((name) => name.startsWith('standingInstruction.'));
  const hasTerms = Object.keys(agreedTerms(stored)).length > 0;
  if (isSaid || hasTerms || !OF_CARDS.includes(kind)) return {};
  const { type, mode, source } = legacyRecurringTypes.REGISTRATION_BASED;
  return { [TYPE]: type, [MODE]: mode, [SOURCE]: source };
}

/** The parameters that say so, or contradict the legacy one. */
export const INITIATING = [SOURCE, LEGACY, TYPE, MODE, PRACTICE] as const;

type LegacyRecurringType = keyof typeof legacyRecurringTypes;

function isLegacy(value: string): value is LegacyRecurringType {
  return Object.hasOwn(legacyRecurringTypes, value);
}

/** Modes with which no payment is asked for a security code, whoever initiates it. */
export const modesWithoutCode = standingInstructionModes.filter((mode) =>
  isWithoutCode(rulesFor(mode, undefined)),
);
/** Sources with which no payment is, first or not. */
export const sourcesWithoutCode = standingInstructionSources.filter((source) =>
  isWithoutCode(rulesFor(undefined, source)),
);
/** The same of the legacy words. */
export const legacyTypesWithoutCode = Object.entries(legacyRecurringTypes)
  .filter(([, { mode, source }]) => isWithoutCode(rulesFor(mode, source)))
  .map(([legacy]) => legacy);

function isWithoutCode(rules: readonly StandingInstructionRule[]): boolean {
  return rules.every(({ securityCode }) => securityCode === 'notAsked');
}

/** The terms that were agreed when something was stored; undefined if none were. */
export function termsOf(
  stored: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | undefined {
  if (stored[MODE] !== 'INITIAL') return undefined;
  const terms = agreedTerms(stored);
  return Object.keys(terms).length === 0 ? undefined : terms;
}

/** What names the first payment of an agreement, any of it. */
const NAMES_OF_FIRST = [FIRST_PAYMENT, 'standingInstruction.agreementId'] as const;
/** The acquirer's references of a first payment that was made elsewhere, in their order. */
const MIGRATED = [1, 2, 3].map((number) => `recurringMigration.connectorTxId${String(number)}`);

/**
 * What the parameters of a payment by registration say besides, where that was stored with the data of
 * a first payment from elsewhere (Interface 2.16): what the merchant initiates names that one, unless
 * it names another.
 */
export function migratedAgreement(
  parameters: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const isOfMerchant = parameters[SOURCE] === 'MIT';
  if (!isOfMerchant || NAMES_OF_FIRST.some((name) => parameters[name] !== undefined)) return {};
  const [first] = MIGRATED.flatMap((name) => stored[name] ?? []);
  return first === undefined ? {} : { [FIRST_PAYMENT]: first };
}
