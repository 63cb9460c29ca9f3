import { describe, expect, it } from '@jest/globals';
import { parseForm } from './form-parser.js';
import { stored } from './stored.js';

function kept(name: string, value: string): string | undefined {
  const parsed = parseForm(new URLSearchParams([[name, value]]).toString());
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  return stored(parsed.form, 'payment').parameters[name];
}

describe("a security code in the merchant's own data", () => {
  it.each(['cvv', 'card.cvv', 'CVC2', 'shop_cvn', 'security_code', 'securityCode'])(
    'is masked under the name %s (S-PCI-03)',
    (name) => {
      expect(kept(`customParameters[${name}]`, '9461')).toBe('***');
    },
  );

  it.each([
    ['branch_id', '946'],
    ['cvvChecked', '123'],
    ['cvv', 'M'],
    ['cvv', '12345'],
  ])('but %s=%s is data', (name, value) => {
    expect(kept(`customParameters[${name}]`, value)).toBe(value);
  });
});
