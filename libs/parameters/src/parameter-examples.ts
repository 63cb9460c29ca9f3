import { paymentExamples } from './open-api-examples.js';
import type { Parameter } from './parameter.js';

/** What the examples of requests send says more than what a format takes. */
const EXAMPLES: Readonly<Record<string, string>> = paymentExamples.detailed.fields;
/** For a format that takes nothing as well. */
const SOME_VALUE = 'example';

/** A value of a parameter that pays, or at least says something. */
export function exampleOf(key: string, { format }: Parameter): string {
  const example = EXAMPLES[key] ?? format.accepted;
  return example === '' && format.accepts(SOME_VALUE) ? SOME_VALUE : example;
}
