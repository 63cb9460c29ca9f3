/** The part of JSON Schema 2020-12 that formats need. */
export interface FormatSchema {
  readonly type: 'string';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
}

/**
 * The form of a value. It prints itself in the interface's notation, so that documentation and check
 * cannot part; `Value` is what `read` makes of it.
 */
export interface Format<Value = string> {
  /** The interface's notation, e.g. `AN255, len 8-255`. */
  readonly text: string;
  /** Whether a value has the form. */
  readonly accepts: (value: string) => boolean;
  /** What an error says about a value without the form. */
  readonly message: string;
  /** Takes what `accepts` takes, and nothing else unless `schemaIsWider` says why. */
  readonly schema: FormatSchema;
  /** What JSON Schema cannot say of the form, so that its schema takes more than `accepts`. */
  readonly schemaIsWider?: string;
  /** The values, where the interface lists them. */
  readonly values?: readonly string[];
  /** An example in the form and one not in it; both are tested. */
  readonly accepted: string;
  readonly refused: string;
  /** How answers write an accepted text, where not as it was sent. */
  readonly answered?: {
    readonly write: (value: string) => string;
    /** Takes what `write` makes. */
    readonly schema: FormatSchema;
  };
  /** Makes the value of an accepted text. */
  readonly parse: (value: string) => Value;
}

/** The same form in other words of the interface, which notes some forms in more than one way. */
export function noted<Value>(notation: string, format: Format<Value>): Format<Value> {
  return { ...format, text: notation };
}

/** Characters as people count them: a surrogate pair is one (S-INP-05). */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) count -= 1;
  }
  return count;
}
