import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { planted } from '../../planted-defect.mjs';
import { variants } from '../../sabotage-variants.mjs';

const ROOT = new URL('../../../', import.meta.url);
const TEXT = `class Till {
  async pay(amount: Amount) {
    if (amount > 0) {
      await this.record(amount);
    }
  }

  async refund(amount: Amount) {
    await this.record(-amount);
    await this.told();
  }
}
`;

function spoilt(within: string | undefined, ...edits: { from: string; to: string }[]): string {
  const place = within === undefined ? {} : { within };
  return planted({ name: 'S0', file: 'till.ts', ...place, edits }, TEXT);
}

describe('a planted defect', () => {
  it('stands in the function that is named, and nowhere else', () => {
    const text = spoilt(
      'async refund(',
      { from: 'await this.record', to: 'void this.record' },
      { from: 'this.told()', to: '$&' },
    );
    expect(text).toBe(
      TEXT.replace('await this.record(-', 'void this.record(-').replace('this.told()', () => '$&'),
    );
  });

  it('needs no function where its text stands once in the file', () => {
    expect(spoilt(undefined, { from: '-amount', to: 'amount' })).not.toContain('-amount');
  });

  it('is none where its text or its function does not stand exactly once', () => {
    const edit = { from: 'this.record', to: 'this.forget' };
    expect(() => spoilt(undefined, edit)).toThrow(/^S0: till\.ts does not hold this exactly once/);
    expect(() => spoilt('async ', edit)).toThrow('does not hold this exactly once: async ');
    expect(() => spoilt('async gone(', edit)).toThrow('exactly once: async gone(');
    expect(() => spoilt('async pay(', { from: 'told', to: '' })).toThrow('in "async pay("');
  });

  // A change of the code is noticed here at once, not when defects are planted next.
  it.each(variants.map((variant) => [variant.name, variant] as const))(
    '%s still finds its place',
    (_, variant) => {
      const text = readFileSync(new URL(variant.file, ROOT), 'utf8');
      expect(planted(variant, text)).not.toBe(text);
    },
  );
});
