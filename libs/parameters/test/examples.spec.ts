import { describe, expect, it } from '@jest/globals';
import { catalogue } from '../src/catalogue.js';
import { paymentExamples } from '../src/open-api-examples.js';
import type { Parameter } from '../src/parameter.js';
import { referenceStructures } from '../src/reference-rows.js';

/*
 * What people read as an example and send as a first try: a value that a merchant would send, not
 * one that the format happens to take.
 */

const rows = Object.entries(catalogue as Readonly<Record<string, Parameter>>);
const shown = new Map(
  referenceStructures().flatMap((structure) => structure.rows.map((row) => [row.key, row.example])),
);

/** Words that stand for a value, one character again and again, and the strange letters of our tests. */
const PLACEHOLDERS = [
  /^$|^(?:x+|X+|a+)$|Łódź|QUJD/,
  /^(?:test(?:ing)?|string|example|foo|bar|baz|value|name|text|dummy|sample|todo|n\/?a|lorem.*)$/i,
  /^(.)\1{2,}$/,
];

/** Nobody who pays was born after this; the day does not move, so the rule does not either. */
const BORN_BEFORE = '2010';

describe('the example of every parameter', () => {
  it.each(rows)('%s is accepted by its format', (key, { format }) => {
    expect(format.accepts(shown.get(key) ?? '')).toBe(true);
  });

  it('is no placeholder', () => {
    const isPlaceholder = (text: string) => PLACEHOLDERS.some((each) => each.test(text));
    expect([...shown].filter(([, example]) => isPlaceholder(example))).toEqual([]);
  });

  it('is written by hand, except where the format is a list', () => {
    const unwritten = rows.filter(
      ([, { example, format }]) =>
        example === undefined && (format.values ?? format.schema.enum) === undefined,
    );
    expect(unwritten.map(([key]) => key)).toEqual([]);
  });

  it('is a day in the past where somebody was born', () => {
    const births = [...shown].filter(([key]) => /birthDate|\.dob$/.test(key));
    expect(births.length).toBeGreaterThan(4);
    expect(births.filter(([, example]) => example >= BORN_BEFORE)).toEqual([]);
  });

  it('begins a time frame before it ends', () => {
    for (const [from, to] of [
      ['date.from', 'date.to'],
      ['job.startDate', 'job.endDate'],
    ] as const) {
      expect(shown.get(from)?.localeCompare(shown.get(to) ?? '')).toBe(-1);
    }
  });

  it('is what the whole requests send that are shown as examples', () => {
    const sent = Object.entries<string>(paymentExamples.detailed.fields);
    const compared = sent.map(([name]) => {
      const key = name.replace('[0]', '[n]').replace('[shelf]', '[name]');
      return [name, shown.get(key)];
    });
    expect(Object.fromEntries(compared)).toEqual(Object.fromEntries(sent));
  });
});
