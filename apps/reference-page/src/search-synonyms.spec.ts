import { describe, expect, it } from '@jest/globals';
import { referenceStructures } from '@sluice/parameters';
import { searchSynonyms } from './search-synonyms.js';

const keys = referenceStructures().flatMap(({ rows }) => rows.map(({ key }) => key.toLowerCase()));

describe('what people call parameters', () => {
  it.each(Object.entries(searchSynonyms))('%s finds one', (phrase, meant) => {
    expect(phrase).toBe(phrase.toLowerCase());
    for (const each of meant) {
      const found = keys.filter((key) => key.includes(each.toLowerCase()));
      expect([each, found.length]).not.toEqual([each, 0]);
    }
  });
});
