import 'reflect-metadata';
import { validateSync } from 'class-validator';
import { readFileSync } from 'node:fs';

/** The settings are not usable; the message is a sentence for the operator, without values. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** How one property is read from the environment. */
export interface VariableOptions {
  /**
   * Also read from the file that `NAME_FILE` names (D-47), and hidden when the object is printed.
   */
  readonly secret?: boolean;
  /** Turns the text into the value; throws an Error that says what the text must be. */
  readonly parse?: (text: string) => unknown;
  /** What `--help` says it is for: a few words. */
  readonly meaning?: string;
}

/** One line of `--help`. */
export interface SettingDescription {
  /** Its variable; a secret's may have `_FILE` behind it. */
  readonly name: string;
  readonly secret: boolean;
  readonly meaning: string;
  /** As text; absent if it must be set, or is not used unless it is set. */
  readonly default?: string;
  /** Whether the service refuses to start without it. */
  readonly isRequired: boolean;
}

interface Variable extends VariableOptions {
  readonly property: string;
  readonly name: string;
  readonly type: unknown;
}

const variablesOf = new WeakMap<object, Variable[]>();

/** A secret is a line; a file that is longer is not one. */
const SECRET_CHARACTERS_MAX = 8_192;
const WHOLE_NUMBER = /^-?[0-9]{1,15}$/;

/**
 * The environment variable that sets this property. Numbers are whole, booleans `true` or `false`;
 * class-validator's decorators beside it say what else must hold. A property initializer is the
 * default; without one the variable must be set, unless `@IsOptional()` stands there.
 */
export function Variable(name: string, options: VariableOptions = {}): PropertyDecorator {
  return (prototype, property) => {
    const variables = variablesOf.get(prototype) ?? [];
    const type: unknown = Reflect.getMetadata('design:type', prototype, property);
    variables.push({ ...options, property: String(property), name, type });
    variablesOf.set(prototype, variables);
  };
}

/** The variables that a settings class reads, secrets with their `…_FILE` form. */
export function variableNames(settings: new () => object): readonly string[] {
  return declaredVariables(settings).flatMap(({ name, secret }) =>
    secret === true ? [name, `${name}_FILE`] : [name],
  );
}

/**
 * Reads a settings class from the environment and checks it. Throws SettingsError with one sentence
 * that names each variable and what it must be, never what it was.
 */
export function loadSettings<Settings extends object>(
  settingsClass: new () => Settings,
  environment: NodeJS.ProcessEnv,
): Settings {
  const settings = new settingsClass();
  const variables = declaredVariables(settingsClass);
  const problems = new Map<string, string>();
  for (const variable of variables) {
    try {
      const text = textOf(variable, environment);
      const initial: unknown = Reflect.get(settings, variable.property);
      const value = text === undefined ? initial : parsed(variable, text, typeof initial);
      if (value !== undefined) define(settings, variable, value);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'is malformed';
      problems.set(
        variable.property,
        `${variable.name}${reason.startsWith('_') ? '' : ' '}${reason}`,
      );
    }
  }
  for (const [property, problem] of violations(settings, variables)) {
    if (!problems.has(property)) problems.set(property, problem);
  }
  if (problems.size > 0) throw new SettingsError(`${[...problems.values()].join('; ')}.`);
  return settings;
}

/**
 * Settings that were read, as they are, or a few given by a composition with the defaults of all
 * others. A copy of read ones would lack their secrets, which do not show themselves.
 */
export function withDefaults<Settings extends object>(
  settingsClass: new () => Settings,
  given: Partial<Settings>,
): Settings {
  return given instanceof settingsClass ? given : Object.assign(new settingsClass(), given);
}

/** What a settings class can be told, in the order of its properties. */
export function describeSettings(settingsClass: new () => object): readonly SettingDescription[] {
  const settings = new settingsClass();
  const variables = declaredVariables(settingsClass);
  const missing = new Set(violations(settings, variables).map(([property]) => property));
  return variables.map(({ name, secret, meaning, property }) => {
    const value = Reflect.get(settings, property) as string | number | undefined;
    return {
      name,
      secret: secret === true,
      meaning: meaning ?? '',
      ...(value === undefined ? {} : { default: String(value) }),
      isRequired: missing.has(property),
    };
  });
}

/** Those settings whose texts are read by `parse`, with the variables that set them. */
export function settingsParsedBy(
  settings: object,
  parse: (text: string) => unknown,
): readonly { readonly name: string; readonly value: unknown }[] {
  return declaredVariables(settings.constructor as new () => object)
    .filter((variable) => variable.parse === parse)
    .map(({ name, property }) => ({ name, value: Reflect.get(settings, property) as unknown }));
}

function declaredVariables(settingsClass: new () => object): readonly Variable[] {
  const all: Variable[] = [];
  let prototype = settingsClass.prototype as object | null;
  for (; prototype !== null; prototype = Object.getPrototypeOf(prototype) as object | null) {
    all.push(...(variablesOf.get(prototype) ?? []));
  }
  return all;
}

/** A secret is not enumerable: neither JSON nor a log line nor an inspection shows it. */
function define(settings: object, variable: Variable, value: unknown): void {
  Object.defineProperty(settings, variable.property, {
    value,
    enumerable: variable.secret !== true,
    writable: false,
    configurable: true,
  });
}

function textOf(variable: Variable, environment: NodeJS.ProcessEnv): string | undefined {
  const direct = environment[variable.name];
  const file = variable.secret === true ? environment[`${variable.name}_FILE`] : undefined;
  if (file === undefined || file === '') return direct === '' ? undefined : direct;
  if (direct !== undefined && direct !== '') {
    throw new Error(`and ${variable.name}_FILE are both set`);
  }
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`_FILE cannot be read (${code ?? 'error'})`, { cause: error });
  }
  if (text.length > SECRET_CHARACTERS_MAX) throw new Error('_FILE names a file that is too long');
  return text.replace(/\r?\n$/, '');
}

/** The compiler tells the type of what is declared; of what it infers, the default does. */
function parsed(variable: Variable, text: string, typeOfDefault: string): unknown {
  if (variable.parse !== undefined) return variable.parse(text);
  if (variable.type === Number || typeOfDefault === 'number') {
    if (!WHOLE_NUMBER.test(text)) throw new Error('must be a whole number');
    return Number(text);
  }
  if (variable.type === Boolean || typeOfDefault === 'boolean') {
    if (text !== 'true' && text !== 'false') throw new Error('must be true or false');
    return text === 'true';
  }
  return text;
}

/** class-validator's messages begin with the property; whoever reads them knows the variable. */
function violations(settings: object, variables: readonly Variable[]): [string, string][] {
  const options = { validationError: { target: false, value: false }, forbidUnknownValues: false };
  return validateSync(settings, options).map(({ property, constraints }) => {
    const name = variables.find((variable) => variable.property === property)?.name ?? property;
    const messages = Object.values(constraints ?? {});
    const reason =
      Reflect.get(settings, property) === undefined
        ? 'must be set'
        : messages.map((message) => message.replace(`${property} `, '')).join(' and ');
    return [property, `${name} ${reason}`];
  });
}
