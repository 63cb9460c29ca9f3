import type { TestDirectives } from '@sluice/contracts';
import { catalogue } from './catalogue.js';
import type { Form } from './form.js';
import type { Parameter } from './parameter.js';

/** Every directive of the catalogue: its name, and the parameter that carries it. */
const directives = Object.entries(catalogue as Readonly<Record<string, Parameter>>).flatMap(
  ([key, { testDirectives }]) =>
    [...(testDirectives?.keys() ?? [])].map((name) => ({
      name,
      parameter: `${key.slice(0, key.indexOf('['))}[${name}]`,
    })),
);

/**
 * The test directives in a form, under the names in brackets; undefined where there are none. Not for
 * live installations, where these names are data like any other (D-48).
 */
export function testDirectivesIn(form: Form): TestDirectives | undefined {
  const sent = directives.flatMap(({ name, parameter }) => {
    const value = form.get(parameter);
    return value === undefined ? [] : [[name, value] as const];
  });
  return sent.length === 0 ? undefined : Object.fromEntries(sent);
}
