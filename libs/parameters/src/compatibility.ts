import type { Compatibility, CompatibilitySwitchName } from '@sluice/contracts';
import type { ParameterKey } from './catalogue.js';
import { nothingButEmailIsTold } from './conditions.js';
import { Form } from './form.js';
import type { Format } from './format.js';
import { integer, text } from './formats.js';
import { type Condition, sent } from './parameter.js';
import { LIMIT_MOST } from './tables/query.js';

/**
 * What a switch does, as data. Names and values are put in the catalogue's own words before anything
 * looks at the form, so that all behind it knows one name and one spelling; what is left of a row's
 * rules is looked up where they are checked. Rows that only a switch lets in say so themselves
 * (`onlyWith`).
 */
interface SwitchEffect {
  /** Names that clients send, with the row that is meant. */
  readonly names?: Readonly<Record<string, ParameterKey>>;
  /** Values that clients send, by row, with the value that is meant. */
  readonly values?: Readonly<Partial<Record<ParameterKey, Readonly<Record<string, string>>>>>;
  /** Formats in place of the rows' own, except where a kind has one of its own. */
  readonly formats?: Readonly<Partial<Record<ParameterKey, Format<unknown>>>>;
  /** Rows that are not demanded under a condition. */
  readonly waives?: Readonly<Partial<Record<ParameterKey, Condition>>>;
}

const CHALLENGE_INDICATORS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

const effects: Readonly<Record<CompatibilitySwitchName, SwitchEffect>> = {
  emailWithoutName: {
    waives: {
      'customer.givenName': nothingButEmailIsTold,
      'customer.surname': nothingButEmailIsTold,
    },
  },
  shortMerchantTransactionId: {
    formats: { merchantTransactionId: text({ min: 1, max: 255 }) },
  },
  ibanWithoutBic: {
    waives: {
      'bankAccount.bic': sent('bankAccount.iban'),
      'bankAccount.bankCode': sent('bankAccount.iban'),
    },
  },
  createRegistrationByDigit: {
    values: { createRegistration: { '1': 'true', '0': 'false' } },
  },
  challengeIndicatorByDigit: {
    values: {
      'threeDSecure.challengeIndicator': Object.fromEntries(
        CHALLENGE_INDICATORS.map((digit) => [digit, `0${digit}`]),
      ),
    },
  },
  limitBelow100: { formats: { limit: integer(3, 1, LIMIT_MOST) } },
  shippingName: {
    names: {
      'shipping.givenName': 'shipping.customer.givenName',
      'shipping.surname': 'shipping.customer.surname',
    },
  },
  customerIdentificationType: {
    names: { 'customer.identificationType': 'customer.identificationDocType' },
  },
  // These let a row of the catalogue in.
  threeDSecureFlow: {
    values: { 'threeDSecure.flow': { CHALLENGE: 'challenge', FRICTIONLESS: 'frictionless' } },
  },
  virtualAccountPassword: {},
  // Edge asks for it: nothing of a form is read otherwise.
  statusWithoutAccess: {},
};

/** What the switches that are on do together. */
interface Relaxation {
  /** What to look for in a form: the names below, and the rows that have other values. */
  readonly translates: readonly string[];
  readonly names: ReadonlyMap<string, ParameterKey>;
  readonly values: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly formats: ReadonlyMap<string, Format<unknown>>;
  readonly waives: ReadonlyMap<string, Condition>;
}

/** One per set of switches; a directory has few of them, and lives long. */
const relaxations = new WeakMap<Compatibility, Relaxation>();

/** Undefined where nothing is on, as for nearly everybody: nothing is looked up then. */
function relaxationOf(compatibility: Compatibility): Relaxation | undefined {
  if (compatibility.size === 0) return undefined;
  const known = relaxations.get(compatibility);
  if (known !== undefined) return known;
  const on = [...compatibility].map((name) => effects[name]);
  const names = new Map(on.flatMap((effect) => Object.entries(effect.names ?? {})));
  const values = new Map(on.flatMap((effect) => Object.entries(effect.values ?? {})));
  const relaxation: Relaxation = {
    translates: [...names.keys(), ...values.keys()],
    names,
    values,
    formats: new Map(on.flatMap(({ formats = {} }) => Object.entries(formats))),
    waives: new Map(on.flatMap(({ waives = {} }) => Object.entries(waives))),
  };
  relaxations.set(compatibility, relaxation);
  return relaxation;
}

/**
 * The form in the catalogue's names and values, where a switch allows others. A name stays as it is
 * where the right one is sent beside it: which of the two is meant nobody can say, so it is refused.
 */
export function translated(form: Form, compatibility: Compatibility): Form {
  const relaxation = relaxationOf(compatibility);
  if (relaxation?.translates.some((name) => form.has(name)) !== true) return form;
  const parameters = [...form.entries()].map(([name, value]): [string, string] => {
    const meant = relaxation.names.get(name);
    const key = meant === undefined || form.has(meant) ? name : meant;
    return [key, valueMeant(relaxation, key, value)];
  });
  return new Form(new Map(parameters), [], form.excess);
}

function valueMeant({ values }: Relaxation, key: string, value: string): string {
  const meant = values.get(key);
  return meant !== undefined && Object.hasOwn(meant, value) ? (meant[value] ?? value) : value;
}

/** The format of a row in place of its own, if a switch that is on gives it one. */
export function formatAllowed(
  key: string,
  compatibility: Compatibility,
): Format<unknown> | undefined {
  return relaxationOf(compatibility)?.formats.get(key);
}

/** Whether a switch that is on lets a form do without what is demanded otherwise. */
export function isWaived(key: string, form: Form, compatibility: Compatibility): boolean {
  return relaxationOf(compatibility)?.waives.get(key)?.holds(form) ?? false;
}

const allNames = new Map(Object.values(effects).flatMap(({ names = {} }) => Object.entries(names)));

/** The row that a name stands for if its switch is on; the name itself for all others. */
export function nameMeant(name: string): string {
  return allNames.get(name) ?? name;
}

/** Every format that some switch gives a row: what answers may return of it. */
export const formatsOfSwitches: ReadonlyMap<string, Format<unknown>> = new Map(
  Object.values(effects).flatMap(({ formats = {} }) => Object.entries(formats)),
);
