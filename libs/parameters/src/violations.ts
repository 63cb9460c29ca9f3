import {
  type Compatibility,
  type InitialOperation,
  type Mode,
  type ReferenceOperation,
  strictly,
} from '@sluice/contracts';
import {
  type CatalogueEntry,
  meaningOf,
  missingFrom,
  type NameMeaning,
  requirementOf,
} from './catalogue.js';
import { formatAllowed, isWaived } from './compatibility.js';
import type { Form } from './form.js';
import { repeatable } from './form-parser.js';
import { isUnstorable } from './held-details.js';
import { errorOfMore, FoundViolations } from './found-violations.js';
import { type OwnAccounts, ownAccounts } from './own-accounts.js';
import { type AskedKind, paymentKindOf } from './payment-kind.js';
import {
  initialOperationByType,
  type Kind,
  referenceOperationByType,
  refusalsOfOthers,
  registrationTypeOf,
} from './kinds.js';
import type { ParameterError } from './parameter-error.js';
import type { Conflict } from './parameter.js';
import { toleratedFormats } from './tolerated.js';

/** Where a POST goes: `/v1/payments` or `/v1/payments/{id}` (Interface 4). */
export type Place = 'payments' | 'transaction';

/** What a form asks for, and what is wrong with it (HTTP 400, 200.300.404, D-37). */
export interface CheckedForm {
  readonly kind: Kind;
  /** Absent when `paymentType` or `referenceUuid` is at fault. */
  readonly operation?: InitialOperation | ReferenceOperation;
  /**
   * All of them, in the order of the catalogue, whatever that of the form; unknown names last. Behind
   * the last that is listed, how many more there are, and what the form had too many of. Empty when
   * the form is right.
   */
  readonly violations: readonly ParameterError[];
}

/** A violation with its place in the list; only those that are listed become errors. */
interface Violation {
  readonly order: number;
  readonly name: string;
  /** Absent for a parameter that was not sent. */
  readonly value?: string;
  readonly meaning: NameMeaning;
  readonly message: string;
}

const AFTER_ALL_ROWS = Number.MAX_SAFE_INTEGER;

/** What is wrong with a form as a request of this kind; `compatibility`: what is on for its channel. */
export function violations(
  form: Form,
  kind: Kind,
  mode: Mode,
  compatibility: Compatibility = strictly,
): readonly ParameterError[] {
  // What is stored or judged is one account, as what is paid with (D-69).
  const isOfAny = kind === 'registration' || kind === 'risk';
  const contradictions = isOfAny ? paymentKindOf(form).contradictions : undefined;
  return listed(form, violationsOf({ form, kind, mode, compatibility }, undefined, contradictions));
}

/**
 * Finds out which operation a POST asks for and checks the form for it. PA with `referenceUuid`, or
 * on a transaction, is an increment or a reauthorization, and says which (D-33, D-66).
 */
export function checkForm(
  form: Form,
  place: Place,
  mode: Mode,
  compatibility: Compatibility = strictly,
): CheckedForm {
  const asked = place === 'payments' ? askedOfPayments(form) : askedOfTransaction(form);
  const { kind, operation, fault, contradictions } = asked;
  const found = violationsOf({ form, kind, mode, compatibility }, fault, contradictions);
  return { kind, ...(operation !== undefined && { operation }), violations: listed(form, found) };
}

type Asked = Partial<Pick<AskedKind, 'contradictions'>> &
  (
    | {
        readonly kind: Kind;
        readonly operation: InitialOperation | ReferenceOperation;
        readonly fault?: never;
      }
    /** The kind is then the one that demands least, so that the other errors are true. */
    | { readonly kind: Kind; readonly operation?: never; readonly fault: Violation }
  );

function askedOfPayments(form: Form): Asked {
  const paymentType = form.get('paymentType');
  if (form.has('referenceUuid')) {
    const operation = referencingOperation(form);
    // Of the two the increment demands what the other does too, so all else that is said is true.
    const kind = operation ?? 'incrementalAuthorization';
    if (paymentType !== 'PA') {
      return { kind, fault: faultOf(form, 'paymentType', 'must be PA with referenceUuid') };
    }
    return operation === undefined
      ? { kind, fault: practiceFault(form, 'with referenceUuid') }
      : { kind, operation };
  }
  const payment = paymentKindOf(form);
  const operation = initialOperationByType.get(paymentType ?? '');
  if (operation !== undefined) return { ...payment, operation };
  return { ...payment, fault: paymentTypeFault(form, OF_PAYMENTS) };
}

function askedOfTransaction(form: Form): Asked {
  const operation = referenceOperationByType.get(form.get('paymentType') ?? '');
  if (operation === undefined) {
    return { kind: 'reversal', fault: paymentTypeFault(form, OF_TRANSACTIONS) };
  }
  if (operation !== 'incrementalAuthorization') return { kind: operation, operation };
  const further = referencingOperation(form);
  return further === undefined
    ? { kind: operation, fault: practiceFault(form, 'for PA on a transaction') }
    : { kind: further, operation: further };
}

/** What a PA that refers to a transaction does (D-66); undefined when it does not say. */
function referencingOperation(
  form: Form,
): 'incrementalAuthorization' | 'reauthorization' | undefined {
  switch (form.get('standingInstruction.industryPractice')) {
    case 'INCREMENTAL_AUTH':
      return 'incrementalAuthorization';
    case 'REAUTHORIZATION':
      return 'reauthorization';
    default:
      return undefined;
  }
}

function practiceFault(form: Form, where: string): Violation {
  const message = `must be INCREMENTAL_AUTH or REAUTHORIZATION ${where}`;
  return faultOf(form, 'standingInstruction.industryPractice', message);
}

const OF_PAYMENTS = [...initialOperationByType.keys()].join(', ');
/** With what the path takes before a form is checked: RG, and what begins a payment with what was stored. */
const OF_TRANSACTIONS = [
  [...referenceOperationByType.keys(), registrationTypeOf('registration')].join(', '),
  'by the id of a registration PA, DB or CD',
].join('; ');

function paymentTypeFault(form: Form, allowed: string): Violation {
  const message = `must be one of ${allowed}`;
  return faultOf(form, 'paymentType', form.has('paymentType') ? message : EMPTY);
}

/** A form and what it is looked at as. */
interface Checking {
  readonly form: Form;
  readonly kind: Kind;
  readonly mode: Mode;
  readonly compatibility: Compatibility;
}

/**
 * `fault` and the contradictions are known already, and stand in the place of what else is wrong with
 * their parameters.
 */
function violationsOf(
  checking: Checking,
  fault?: Violation,
  contradictions?: AskedKind['contradictions'],
): Found {
  const { form } = checking;
  const found: Found = new FoundViolations();
  if (fault !== undefined) found.add(fault);
  for (const violation of missing(checking)) {
    if (violation.name !== fault?.name) found.add(violation);
  }
  const own = ownAccounts(form);
  form.forEach((name, value, meaning) => {
    if (name === fault?.name) return;
    const message =
      meaning.kind === 'row'
        ? (faultOfSwitch(checking, meaning) ??
          contradictions?.get(name) ??
          faultWith(checking, meaning, value, own) ??
          faultWithDirective(checking, meaning, value))
        : faultBesideRows(name, value, meaning);
    if (message === undefined) return;
    found.add({ order: orderOf(meaning), name, value, meaning, message });
  });
  return found;
}

type Found = FoundViolations<Violation>;
type RowMeaning = Extract<NameMeaning, { kind: 'row' }>;

/** What the kind demands and the form lacks; of two that would do, the first, naming the other. */
function missing({ form, kind, compatibility }: Checking): Violation[] {
  const entries = missingFrom(form, kind).filter(({ key }) => !isWaived(key, form, compatibility));
  const keys = new Set<string>(entries.map(({ key }) => key));
  return entries.flatMap(({ key, row }) => {
    const other = requirementOf(row, kind)?.orElse;
    if (other === undefined) return faultOf(form, key, EMPTY);
    keys.delete(key);
    return keys.has(other) ? faultOf(form, key, `must be sent, or ${other}`) : [];
  });
}

const EMPTY = 'may not be empty';
const NOT_ALLOWED = 'is not an allowed parameter';

/** What is wrong with a parameter that the interface does not list. */
function faultBesideRows(name: string, value: string, meaning: NameMeaning): string | undefined {
  if (meaning.kind === 'unknown') return NOT_ALLOWED;
  const format = toleratedFormats.get(name);
  return format === undefined || format.accepts(value) ? undefined : format.message;
}

/** Of a parameter that only a compatibility switch allows, and that is off. */
function faultOfSwitch(
  { compatibility }: Checking,
  { entry: { row } }: RowMeaning,
): string | undefined {
  const { onlyWith } = row;
  return onlyWith === undefined || compatibility.has(onlyWith) ? undefined : NOT_ALLOWED;
}

/** What is wrong with one parameter, or undefined. */
function faultWith(
  { form, kind, compatibility }: Checking,
  meaning: RowMeaning,
  value: string,
  own: OwnAccounts,
): string | undefined {
  const { key, row } = meaning.entry;
  if (!row.kinds.includes(kind)) {
    if (row.onlyThere === true) return NOT_ALLOWED;
    const ownWords = value === '' ? undefined : row.refusedIn?.[kind];
    return ownWords ?? refusalsOfOthers.get(kind);
  }
  if (meaning.mapName !== undefined) {
    const fault = faultWithName(meaning.entry, meaning.mapName, kind, own);
    if (fault !== undefined) return fault;
  }
  const format = row.formatIn?.[kind] ?? formatAllowed(key, compatibility) ?? row.format;
  if (!format.accepts(value)) return value === '' ? EMPTY : format.message;
  if (isBroken(row.conflict, form, kind)) return row.conflict?.message;
  if (row.cardNumbers !== 'refused') return undefined;
  const found = isUnstorable(meaning) ? own.cardIn(value) : own.foundIn(value, format.accepts);
  return found === undefined ? undefined : `must not contain ${found}`;
}

function isBroken(conflict: Conflict | undefined, form: Form, kind: Kind): boolean {
  if (conflict === undefined || conflict.exceptIn?.includes(kind)) return false;
  return conflict.holds(form);
}

/** What is wrong with a test directive; live installations read none. */
function faultWithDirective(
  { kind, mode }: Checking,
  meaning: RowMeaning,
  value: string,
): string | undefined {
  if (mode === 'LIVE' || meaning.mapName === undefined) return undefined;
  const { row } = meaning.entry;
  const wanted = row.kinds.includes(kind) ? row.testDirectives?.get(meaning.mapName) : undefined;
  return wanted === undefined || wanted.accepts(value) ? undefined : wanted.message;
}

function faultWithName(
  { row }: CatalogueEntry,
  name: string,
  kind: Kind,
  { masked }: OwnAccounts,
): string | undefined {
  const format = row.nameFormatIn?.[kind] ?? row.nameFormat;
  if (format !== undefined && !format.accepts(name)) {
    return `${format.message} in its brackets`;
  }
  return masked(name) === name
    ? undefined
    : 'must not have the number of a card or an account in its name';
}

function faultOf(form: Form, key: string, message: string): Violation {
  const meaning = meaningOf(key);
  const value = form.get(key);
  const order = orderOf(meaning);
  return { order, name: key, ...(value !== undefined && { value }), meaning, message };
}

function orderOf(meaning: NameMeaning): number {
  return meaning.kind === 'row' ? meaning.entry.order : AFTER_ALL_ROWS;
}

function listed(form: Form, found: Found): readonly ParameterError[] {
  const own = found.first.length === 0 ? undefined : ownAccounts(form);
  const errors = found.first.map((violation) => errorOf(violation, own));
  const more = errorOfMore(found.more);
  if (more !== undefined) errors.push(more);
  if (form.excess !== undefined) errors.push({ name: 'body', message: form.excess });
  return errors;
}

/** What the answer says: the value only of what anybody may see, and no account anywhere. */
function errorOf(
  { name, value, meaning, message }: Violation,
  own: OwnAccounts | undefined,
): ParameterError {
  const shown = repeatable(name, own?.masked);
  const isOpen = meaning.kind === 'row' && meaning.entry.row.sensitivity === 'none';
  if (value === undefined || message === EMPTY || !isOpen) return { name: shown, message };
  return { name: shown, value: repeatable(value, own?.masked), message };
}
