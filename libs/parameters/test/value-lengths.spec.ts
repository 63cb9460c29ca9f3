import { describe, expect, it } from '@jest/globals';
import { catalogue } from '../src/catalogue.js';
import { parseForm } from '../src/form-parser.js';
import type { Parameter } from '../src/parameter.js';
import { interfaceRows } from './interface-rows.js';

const rowsByKey = new Map(Object.entries(catalogue as Readonly<Record<string, Parameter>>));

/** The most characters that a notation speaks of: `AN255, len 8-255`, `len 1-4096`, `N10.N2`. */
function mostCharacters(notation: string): number {
  const limits = Array.from(notation.matchAll(/\b(?:AN|NS|A|N)([0-9]+)|\blen [0-9]+-([0-9]+)/g));
  return Math.max(
    1,
    ...limits.map(([, single, range]) => Number.parseInt(range ?? single ?? '', 10)),
  );
}

const lengths = interfaceRows.map(({ name, format }): [string, number] => {
  const schemaMost = rowsByKey.get(name)?.format.schema.maxLength ?? 0;
  return [name, Math.max(mostCharacters(format), schemaMost)];
});

describe('the limit on bytes of a value', () => {
  it('is held against what the interface writes', () => {
    const byName = new Map(lengths);
    expect(byName.get('customer.browserFingerprint.value')).toBe(4_096);
    expect(byName.get('merchant.data[key]')).toBe(2_048);
    expect(byName.get('billing.street1')).toBe(100);
    expect(lengths.filter(([, most]) => most > 1).length).toBeGreaterThan(350);
  });

  // Four bytes are the most that a character has, so whoever keeps to a form is never too long.
  it.each(lengths)('lets %s have all of its %i characters, whichever they are', (key, most) => {
    const name = key.replaceAll('[n]', '[0]').replace(/\[(?:name|key|brand)\]/, '[abc]');
    for (const character of ['x', 'é', '漢', '😀']) {
      const value = character.repeat(most);
      const parsed = parseForm(new URLSearchParams({ [name]: value }).toString());
      expect(parsed.kind === 'form' && parsed.form.get(name) === value).toBe(true);
    }
  });
});
