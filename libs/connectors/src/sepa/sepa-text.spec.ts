import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { IDENTIFIER_CHARACTERS_MAX, isSepaIdentifier, sepaText } from './sepa-text.js';

const MAX = 70;

describe('a text for people', () => {
  it.each([
    ['Jörg Müller-Lüdenscheidt', 'Jorg Muller-Ludenscheidt'],
    ['STRASSE und Straße', 'STRASSE und Strase'],
    ['Æsir Øre Łódź Čapek Ţepeş İğdır', 'Asir Ore Lodz Capek Tepes Igdir'],
    ['Ελένη Θεοδώρου', 'Eleni THeodoroy'],
    ['Щерьо Йорданов', 'SHTeryo Yordanov'],
    ['Müller & Söhne GmbH; Köln', 'Muller + Sohne GmbH, Koln'],
    ['5 € [rabatt] a_b x@y.z', '5 E (rabatt) a-b x(at)y.z'],
    ['“Größe” – 10½', "'Grose' - 101/2"],
    ['e\u0301 as two characters', 'e as two characters'],
    ['  line\r\n\tbreaks \u00a0 and\u0000 more ', 'line breaks and more'],
    ['zero\u200bwidth\ufeff', 'zerowidth'],
    ['漢字 <b>', '.. .b.'],
    ['😀', '.'],
    ['', ''],
  ])('%j is %j in the file', (text, written) => {
    expect(sepaText(text, MAX)).toBe(written);
  });

  it('is cut at the limit, after what was transcribed, and does not end with a space', () => {
    expect(sepaText('Щ'.repeat(40), MAX)).toBe('SHT'.repeat(23) + 'S');
    expect(sepaText(`${'a'.repeat(69)} b`, MAX)).toBe('a'.repeat(69));
  });

  it('has only the characters of SEPA, whatever it was made of', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const written = sepaText(text, MAX);
        expect(written).toMatch(/^(?:[A-Za-z0-9/?:().,'+-](?:[A-Za-z0-9/?:().,'+ -]{0,69}))?$/u);
        expect(sepaText(written, MAX)).toBe(written);
      }),
    );
  });
});

describe('an identifier', () => {
  it.each(['A', 'E2E-2026/11.24', "a (b) c?:,'+", 'x'.repeat(IDENTIFIER_CHARACTERS_MAX)])(
    'may be %j',
    (text) => {
      expect(isSepaIdentifier(text)).toBe(true);
    },
  );

  it.each(['', 'ä', 'a&b', 'a_b', '/a', 'a/', 'a//b', ' a', 'a ', 'x'.repeat(36), 'a\nb'])(
    'is never %j',
    (text) => {
      expect(isSepaIdentifier(text)).toBe(false);
    },
  );
});
