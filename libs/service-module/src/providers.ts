import type { Abstract, FactoryProvider, ValueProvider } from '@nestjs/common';

/** Stands for something without a class of its own; its type says what. */
export type Token<Value> = symbol & { readonly standsFor?: Value };

/** What a module can be asked for: a class, or a token. */
export type Source<Value> = Token<Value> | Abstract<Value>;

type Sources = Readonly<Record<string, Source<unknown>>>;

type Parts<Asked extends Sources> = {
  readonly [Name in keyof Asked]: Asked[Name] extends Abstract<infer Value>
    ? Value
    : Asked[Name] extends Token<infer Value>
      ? Value
      : never;
};

/** A token; Nest's error names it if no provider has it. */
export function token<Value>(name: string): Token<Value> {
  return Symbol(name);
}

/** A provider of something that exists already. */
export function given<Value>(source: Source<Value>, value: Value): ValueProvider {
  return { provide: source, useValue: value };
}

/**
 * A provider of something that is made from what other providers have made. Nest passes parts by
 * position; here they have names, so that something with nine parts does not take nine parameters,
 * and the compiler compares each part with its source.
 */
export function made<Value, const Asked extends Sources>(
  source: Source<Value>,
  parts: Asked,
  make: (parts: Parts<Asked>) => Value,
): FactoryProvider {
  const names = Object.keys(parts);
  return {
    provide: source,
    inject: Object.values(parts) as FactoryProvider['inject'] & object,
    useFactory: (...values: unknown[]) =>
      make(Object.fromEntries(names.map((name, index) => [name, values[index]])) as Parts<Asked>),
  };
}
