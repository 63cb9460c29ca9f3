import { describe, expect, it } from '@jest/globals';
import { cardBrands } from '@sluice/parameters/cards';
import { brandMark, lettersFit } from './brand-mark.js';

const CONTRAST_MIN = 4.5;

/** Of white to a color, as WCAG 2 has it. */
function contrastToWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const part = Number.parseInt(color.slice(from, from + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

describe('the mark of a brand', () => {
  it.each(cardBrands.map(({ name }) => name))('can be read: %s', (name) => {
    const { letters, color } = brandMark(name);
    expect(letters).not.toBe('');
    expect(color).toMatch(/^#[0-9a-f]{6}$/);
    expect(contrastToWhite(color)).toBeGreaterThanOrEqual(CONTRAST_MIN);
  });

  it('is the short name of a brand that people know, and else its name in gray', () => {
    expect(brandMark('MASTER').letters).toBe('MC');
    expect(brandMark('AXESS')).toEqual({ letters: 'AXESS', color: brandMark('BONUS').color });
  });

  it('has letters that fit onto the card', () => {
    expect(lettersFit('VISA')).toEqual({ size: 15, width: undefined });
    expect(lettersFit('Diners')).toEqual({ size: 12, width: undefined });
    expect(lettersFit('UnionPay')).toEqual({ size: 10.5, width: undefined });
    expect(lettersFit('TARJETASHOPPING')).toEqual({ size: 10.5, width: 52 });
  });
});
