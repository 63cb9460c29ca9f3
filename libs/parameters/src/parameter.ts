import type { CompatibilitySwitchName } from '@sluice/contracts';
import type { Form } from './form.js';
import type { Format } from './format.js';
import type { Kind } from './kinds.js';

/**
 * Who may see a value: `none` = everybody who may read the payment; `personal` = kept encrypted
 * under the payment's own key; `accountData` (as PCI DSS says for cards; here of bank accounts and
 * wallets too) = the vault only; `secret` = never kept.
 */
export type Sensitivity = 'none' | 'personal' | 'accountData' | 'secret';

/** A named condition over the parameters of a request. */
export interface Condition {
  /** Completes "required when …" in documents and errors. */
  readonly text: string;
  /** The parameters it looks at; a spec checks that they exist. */
  readonly keys: readonly string[];
  readonly holds: (form: Form) => boolean;
}

/** A rule over several parameters that can be broken although each of them has its form. */
export interface Conflict {
  /** What the error says at the row that has it. */
  readonly message: string;
  /** The rule in documents: a sentence of its own, because a message tells of one broken request. */
  readonly rule: string;
  /** The parameters it looks at; a spec checks that they exist. */
  readonly keys: readonly string[];
  /** Kinds that it is no rule of: there the parameter means another thing, or its partner nothing. */
  readonly exceptIn?: readonly Kind[];
  /** Whether the rule is broken. */
  readonly holds: (form: Form) => boolean;
}

/** Whether a parameter must be sent; the letter is the interface's column. */
export interface Requirement {
  readonly letter: 'R' | 'C' | 'O';
  /** In words, where it is not plain. */
  readonly text?: string;
  /** When it is demanded: always, under a condition, or never by us. */
  readonly demanded: boolean | Condition;
  /** The text is advice: nothing is refused here for want of the parameter. */
  readonly isAdvice?: true;
  /** What may be sent in its place. If neither is, that is one violation and names both. */
  readonly orElse?: string;
}

/** One row of the catalogue. */
export interface Parameter<Value = unknown> {
  readonly format: Format<Value>;
  /** Where a kind takes another form than the others do. */
  readonly formatIn?: Readonly<Partial<Record<Kind, Format>>>;
  /** The form of the name in brackets, for maps: `customParameters[name]`. */
  readonly nameFormat?: Format;
  /** Where a kind takes names of another form than the others do. */
  readonly nameFormatIn?: Readonly<Partial<Record<Kind, Format>>>;
  /**
   * Names in brackets that tell a test installation's connector what to do, with the form of each.
   * On live they are data like any other (D-48).
   */
  readonly testDirectives?: ReadonlyMap<string, Format>;
  readonly requirement: Requirement;
  /** Where a kind demands something else than the others do. */
  readonly requirementIn?: Readonly<Partial<Record<Kind, Requirement>>>;
  /** What must not come together with it. */
  readonly conflict?: Conflict;
  /**
   * An empty value is wrong, and not the same as none: left out, it would ask for everything that is
   * open (D-30).
   */
  readonly emptyIsWrong?: true;
  /** The kinds that use it. Elsewhere it is accepted and ignored, as D-38 has it for known names. */
  readonly kinds: readonly Kind[];
  /** Other kinds that refuse it and do not ignore it, with what they say: there it would promise what is not done. */
  readonly refusedIn?: Readonly<Partial<Record<Kind, string>>>;
  /** Refused outside its kinds, where the interface says that it is accepted only there. */
  readonly onlyThere?: true;
  /** Refused unless this switch is on for the channel: clients send it, the interface has it not. */
  readonly onlyWith?: CompatibilitySwitchName;
  readonly sensitivity: Sensitivity;
  /** Of account data: in the vault's memory only, like a security code (D-42). */
  readonly isMomentary?: true;
  /** Whether the answer returns it under its own name. */
  readonly echo: boolean;
  /**
   * Whether commands carry it among the parameters. What has a field of its own there (amount,
   * operation, access) is not carried twice.
   */
  readonly kept: boolean;
  /**
   * What happens to a card number in it, or to an account that the same request has (D-43): free text
   * is masked; a merchant's identifier is never altered, so it is refused if it holds the card number
   * or account of the same request.
   */
  readonly cardNumbers?: 'masked' | 'refused';
  /**
   * A value as a merchant would send it, for references and for the form of the reference page. A
   * list of values is its own example unless one of them says more than the first.
   */
  readonly example?: string;
  /** One sentence. */
  readonly description: string;
  /** The section that defines it. */
  readonly interface: string;
  /** The version that first served it. */
  readonly since: string;
  /** What to use instead. */
  readonly deprecated?: string;
}

/** A table of rows by key; keys are wire names with `[name]` or `[n]` for what varies. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** Must be sent. */
export const required: Requirement = { letter: 'R', demanded: true };

/** May be sent. */
export const optional: Requirement = { letter: 'O', demanded: false };

/** Must be sent under a condition. */
export function when(condition: Condition): Requirement {
  return { letter: 'C', text: `required when ${condition.text}`, demanded: condition };
}

/**
 * Wanted by someone behind us or by a merchant's contract; without it nothing is refused here, so
 * the words are of what is expected, never "required".
 */
export function conditional(reason: string): Requirement {
  return { letter: 'C', text: reason, demanded: false, isAdvice: true };
}

/** Refused without it by a check that the catalogue does not make: of access, of the card. */
export function demandedElsewhere(rule: string): Requirement {
  return { letter: 'C', text: rule, demanded: false };
}

/** Another parameter was sent. */
export function sent(key: string): Condition {
  return { text: `\`${key}\` is sent`, keys: [key], holds: (form) => form.has(key) };
}
