import type { Parameter } from './parameter.js';

/** A value of a parameter as a merchant would send it. */
export function exampleOf({ example, format }: Parameter): string {
  return example ?? format.accepted;
}
